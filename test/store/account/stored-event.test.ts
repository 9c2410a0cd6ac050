import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventsIn, loadStoredEvents, type MostEvents } from '../../../src/store/account/stored-event.ts';
import { forOrganization, transactionOf } from '../../../src/store/database/tenant.ts';
import { createTestApp, statementsOf, type TestApp } from '../../support.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test?.close());

const START = Date.UTC(2026, 0, 1);
const row = (at: number, more: object = {}) => ({
  ...{ organizationId: test.organizationId, externalSubscriptionId: 's', code: 'calls', transactionId: `t${at}` },
  ...{ timestamp: new Date(START + ((at * 7919) % 100_000)), createdAt: new Date(START + at), properties: { at } },
  ...more,
});

const read = (since = START, signalOf?: () => AbortSignal, most?: MostEvents) => {
  const asked = { organizationId: test.organizationId, externalSubscriptionIds: ['s'], since: new Date(since) };
  const codes = { recurringCodes: ['seats'], otherCodes: ['calls'] };
  return transactionOf(forOrganization(test.db.prisma, test.organizationId), (tx) =>
    loadStoredEvents(tx, { ...asked, ...codes, signalOf }, most),
  );
};

it('events are what was stored, in the order of time, whatever their number, and whole in every member', async () => {
  await test.db.prisma.event.createMany({
    data: [
      row(0, { properties: { n: 1.5, text: 'a"b', none: null, long: '0.12345678901234567890' } }),
      row(1, { preciseTotalAmountCents: '12.500', timestamp: new Date(START - 5) }),
      row(2, { code: 'seats', timestamp: new Date(START - 5) }),
      row(3, { deletedAt: new Date() }),
      row(4, { code: 'other' }),
      row(5, { externalSubscriptionId: 'another' }),
    ],
  });
  const few = await read();
  expect([few.count, few.pages.length]).toEqual([2, 1]);
  expect(eventsIn(few).map(({ transactionId }) => transactionId)).toEqual(['t2', 't0']);
  expect(eventsIn(await read(START - 10))).toContainEqual({
    ...{ externalSubscriptionId: 's', metricCode: 'calls', transactionId: 't1', timestamp: START - 5 },
    ...{ createdAt: START + 1, properties: { at: 1 }, preciseTotalAmountCents: '12.5' },
  });
  expect(eventsIn(few)[1]?.properties).toEqual({ n: 1.5, text: 'a"b', none: null, long: '0.12345678901234567890' });

  await test.db.prisma.event.createMany({ data: Array.from({ length: 5000 }, (_, at) => row(at + 10)) });
  let many = few;
  const statements = await statementsOf(test.db, async () => {
    many = await read();
  });
  expect([many.count, many.pages.length]).toEqual([5002, 3]);
  expect(statements.filter((sql) => /FETCH/.test(sql))).toHaveLength(3);
  const times = eventsIn(many).map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(new Set(eventsIn(many).map(({ transactionId }) => transactionId)).size).toBe(5002);
  await expect(read(START, () => AbortSignal.abort())).rejects.toThrow('aborted');
});

it('more than one preview holds is a validation error, and a text is no longer than is parsed at once', async () => {
  const refused = { code: 'validation_errors', details: { usage: ['value_is_too_long'] } };
  const whole = await read();
  const bytes = whole.pages.reduce((sum, page) => sum + page.length, 0);
  await expect(read(START, undefined, { events: whole.count - 1, bytes })).rejects.toMatchObject(refused);
  await expect(read(START, undefined, { events: whole.count, bytes: bytes - 1 })).rejects.toMatchObject(refused);
  expect(await read(START, undefined, { events: whole.count, bytes })).toEqual(whole);

  await test.db.prisma.event.updateMany({
    where: { transactionId: { in: ['t10', 't11', 't12'] } },
    data: { properties: { long: 'x'.repeat(600_000) } },
  });
  const long = await read();
  expect(Math.max(...long.pages.map(({ length }) => length))).toBeLessThan(1_000_000);
  expect(eventsIn(long).map(({ transactionId }) => transactionId)).toEqual(
    eventsIn(whole).map(({ transactionId }) => transactionId),
  );
});
