import { expect, test } from 'vitest';
import { EventQueue, type WriteParts } from '../../../src/store/usage/event-queue.ts';
import { type EventRow, eventRow, keyOf } from '../../../src/store/usage/event-row.ts';

const NOW = new Date('2026-06-15T10:00:00Z');

const row = (transactionId: string, organizationId = 'one'): EventRow => {
  const names = { transactionId, externalSubscriptionId: 'sub', code: 'calls' };
  return eventRow({ ...names, timestamp: NOW, properties: {}, preciseTotalAmountCents: null }, organizationId, NOW);
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A store in memory that keeps events unique as the database does; each statement waits until it is let go. */
function heldStore(fails: (parts: readonly (readonly EventRow[])[]) => Error | undefined = () => undefined) {
  const stored = new Set<string>();
  const statements: string[][] = [];
  const held: (() => void)[] = [];
  const write: WriteParts = async (parts) => {
    statements.push(parts.flat().map(({ transactionId }) => transactionId));
    await new Promise<void>((resolve) => held.push(resolve));
    const failure = fails(parts);
    if (failure) throw failure;
    const known = parts.map((rows) => rows.flatMap((one, place) => (stored.has(keyOf(one)) ? [place] : [])));
    for (const [index, rows] of parts.entries()) {
      if (known[index]?.length) continue;
      for (const one of rows) stored.add(keyOf(one));
    }
    return known;
  };
  const release = async () => {
    for (const let_go of held.splice(0)) let_go();
    for (let times = 0; times < 20; times += 1) await turn();
  };
  return { write, statements, stored, release };
}

const BOUNDS = { flights: 1, rows: 3, waiting: 6, waitingOfOne: 4 };

test('what arrives while a statement is under way goes into the next one, up to its rows', async () => {
  const { write, statements, release, stored } = heldStore();
  const queue = new EventQueue(write, BOUNDS);
  const first = queue.add([row('a')]);
  await turn();
  const later = ['b', 'c'].map((id) => queue.add([row(id)]));
  const other = [queue.add([row('d', 'two'), row('e', 'two')])];
  await turn();
  expect(statements).toEqual([['a']]);
  await release();
  expect(await first).toEqual([]);
  expect(statements).toEqual([['a'], ['b', 'c']]);
  await release();
  expect(statements.at(-1)).toEqual(['d', 'e']);
  await release();
  expect(await Promise.all([...later, ...other])).toEqual([[], [], []]);
  expect(stored.size).toBe(5);
});

test('two statements are under way at once where two may be', async () => {
  const { write, statements, release } = heldStore();
  const queue = new EventQueue(write, { ...BOUNDS, flights: 2, rows: 1 });
  const all = ['a', 'b', 'c'].map((id) => queue.add([row(id)]));
  await turn();
  expect(statements).toEqual([['a'], ['b']]);
  await release();
  expect(statements).toEqual([['a'], ['b'], ['c']]);
  await release();
  expect(await Promise.all(all)).toEqual([[], [], []]);
});

test('of equal events at one moment the first is stored, and the other waits to hear that it is known', async () => {
  const { write, statements, release, stored } = heldStore();
  const queue = new EventQueue(write, { ...BOUNDS, flights: 2 });
  const both = [queue.add([row('a')]), queue.add([row('b'), row('a')])];
  await turn();
  expect(statements).toEqual([['a']]);
  await release();
  await release();
  expect(await Promise.all(both)).toEqual([[], [1]]);
  expect(stored.size).toBe(1);
});

test('what a statement fails by fails alone', async () => {
  const bad = new Error('a row that the database refuses');
  const { write, release, stored } = heldStore((parts) =>
    parts.flat().some(({ transactionId }) => transactionId === 'bad') ? bad : undefined,
  );
  const queue = new EventQueue(write, { flights: 1, rows: 10, waiting: 10, waitingOfOne: 10 });
  const all = ['a', 'bad', 'c', 'd', 'e'].map((id) => queue.add([row(id)]));
  const settled = Promise.allSettled(all);
  for (let times = 0; times < 20; times += 1) await release();
  expect((await settled).map((one) => (one.status === 'rejected' ? one.reason : one.value))).toEqual([
    [],
    bad,
    [],
    [],
    [],
  ]);
  expect(stored.size).toBe(4);
});

test('a database that cannot be reached is not asked again', async () => {
  const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  const { write, statements, release } = heldStore(() => gone);
  const queue = new EventQueue(write, BOUNDS);
  const settled = Promise.allSettled(['a', 'b'].map((id) => queue.add([row(id)])));
  await turn();
  await release();
  expect((await settled).map((one) => one.status === 'rejected' && one.reason)).toEqual([gone, gone]);
  expect(statements).toHaveLength(1);
});

test('more than may wait is refused, of one organization and of all, until there is room', async () => {
  const { write, release } = heldStore();
  const queue = new EventQueue(write, BOUNDS);
  const taken = [queue.add([row('a'), row('b'), row('c')]), queue.add([row('d')])];
  const refused = { code: 'rate_limit_exceeded' };
  expect(() => queue.add([row('e')])).toThrow(expect.objectContaining(refused));
  taken.push(queue.add([row('f', 'two'), row('g', 'two')]));
  expect(() => queue.add([row('h', 'three')])).toThrow(expect.objectContaining(refused));
  for (let times = 0; times < 5; times += 1) {
    await turn();
    await release();
  }
  expect(await Promise.all(taken)).toEqual([[], [], []]);
  const again = queue.add([row('e')]);
  await turn();
  await release();
  expect(await again).toEqual([]);
});
