import { expect, it } from 'vitest';
import { cursorOf, type Order, readCursor } from '../../../src/graphql/list/order.ts';
import { isUuid, isWrittenUuid, newId, readUuid } from '../../../src/store/database/uuid.ts';
import { identifierOf } from '../../../src/store/transfer/value/identifier.ts';

const ID = '0191a1b2-c3d4-7e5f-8a6b-9c8d7e6f5a4b';
const CAPITALS = ID.toUpperCase();
const BARE = ID.replaceAll('-', '');

it.each([
  { text: ID, named: true, written: true, read: ID },
  { text: CAPITALS, named: true, written: false, read: ID },
  { text: BARE, named: false, written: false, read: ID },
  { text: `{${CAPITALS}}`, named: false, written: false, read: ID },
  { text: `${ID}0`, named: false, written: false, read: `${ID}0` },
  { text: ` ${ID}`, named: false, written: false, read: ` ${ID}` },
  { text: 'g191a1b2-c3d4-7e5f-8a6b-9c8d7e6f5a4b', named: false, written: false, read: undefined },
  { text: '', named: false, written: false, read: '' },
])('$text: named by a caller $named, handed out $written', ({ text, named, written, read = text }) => {
  expect([isUuid(text), isWrittenUuid(text), readUuid(text)]).toEqual([named, written, read]);
});

it('a cursor comes back as it was handed out: one with capitals is none', () => {
  const order: Order = { column: 'createdAt', direction: 'asc', type: 'DateTime', isNullable: false };
  const cursor = (id: string) => cursorOf({ createdAt: new Date('2026-03-01T00:00:00Z'), id }, order);
  expect(readCursor(cursor(ID), order, 'after').id).toBe(ID);
  expect(() => readCursor(cursor(CAPITALS), order, 'after')).toThrow('Validation failed');
  expect(() => readCursor(cursor(BARE), order, 'after')).toThrow('Validation failed');
});

it('identifiers that are made are of their version, and rise with time and number', () => {
  const now = new Date('2026-03-01T00:00:00Z');
  const [first, second] = [newId(now), newId(now)];
  const later = newId(new Date(now.getTime() + 1));
  expect([first, second, later].every(isWrittenUuid)).toBe(true);
  expect([first, second, later].map((id) => id[14])).toEqual(['7', '7', '7']);
  expect(first < later && second < later).toBe(true);
  expect(identifierOf('a', 'b')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/);
  expect(identifierOf('a', 'b')).not.toBe(identifierOf('ab'));
});

it('identifiers of one moment are in the order of making, however many they are', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const made = Array.from({ length: 10_000 }, () => newId(now));
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
  expect(made.every(isWrittenUuid)).toBe(true);
});
