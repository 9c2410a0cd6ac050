import { afterEach, expect, it } from 'vitest';
import { isTooBusy, type PoolOptions, ThreadPool } from '../../src/thread/pool.ts';

const open: ThreadPool<number, number>[] = [];
afterEach(async () => {
  for (const pool of open.splice(0)) await pool.close();
});

const file = new URL('./echo.ts', import.meta.url);
function poolOf(options: Partial<PoolOptions> = {}) {
  const pool = new ThreadPool<number, number>({
    ...{ file, memory: 64, atOnce: 1, mostWaiting: 5, longest: 10_000 },
    ...options,
  });
  open.push(pool);
  return pool;
}

const FOREVER = 600_000;
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error as Error).name,
  );

it('a task that nobody waits for any more is ended, and the next one is done', async () => {
  const pool = poolOf();
  const ending = new AbortController();
  const given = failure(pool.run(FOREVER, { signal: ending.signal }));
  const next = pool.run(1);
  setTimeout(() => ending.abort(), 50);
  expect(await given).toBe('GivenUpError');
  expect(await next).toBe(1);
});

it('a task that waits leaves when nobody waits for it any more', async () => {
  const pool = poolOf({ mostWaiting: 1 });
  const ending = new AbortController();
  const first = pool.run(300);
  const waiting = failure(pool.run(1, { signal: ending.signal }));
  ending.abort();
  expect(await waiting).toBe('GivenUpError');
  expect(await Promise.all([first, pool.run(2)])).toEqual([300, 2]);
});

it('a task that takes longer than it may is ended', async () => {
  const pool = poolOf({ longest: 200 });
  const error = await pool.run(FOREVER).catch((cause: unknown) => cause);
  expect(isTooBusy(error)).toBe(true);
});

it('more than may wait are refused at once', async () => {
  const pool = poolOf({ mostWaiting: 1 });
  const two = [pool.run(200), pool.run(1)];
  expect(await failure(pool.run(2))).toBe('PoolBusyError');
  expect(await Promise.all(two)).toEqual([200, 1]);
});

it('a task that fails says why, and the thread goes on', async () => {
  const pool = poolOf();
  await expect(pool.run(-1)).rejects.toThrow('a negative time');
  expect(await pool.run(1)).toBe(1);
});

it('a signal that was given before starts nothing', async () => {
  const pool = poolOf();
  expect(await failure(pool.run(FOREVER, { signal: AbortSignal.abort() }))).toBe('GivenUpError');
});

it('who asks for many lets others go before, and has half of the room', async () => {
  const pool = poolOf({ mostWaiting: 6 });
  const order: string[] = [];
  const ask = async (owner: string) => {
    await pool.run(20, { owner });
    order.push(owner);
  };
  const many = Array.from({ length: 6 }, () => ask('many'));
  const few = ask('few');
  expect((await Promise.allSettled(many)).map(({ status }) => status)).toEqual([
    ...Array(4).fill('fulfilled'),
    ...Array(2).fill('rejected'),
  ]);
  await few;
  expect(order).toEqual(['many', 'few', 'many', 'many', 'many']);
});

it('a task that needs more memory than there is fails alone: the others and the next are done', async () => {
  const pool = poolOf({ file: new URL('./hungry.ts', import.meta.url), memory: 32, atOnce: 2 });
  const told = await Promise.all([failure(pool.run(100_000)), pool.run(1), pool.run(2)]);
  expect(told).toEqual(['TooLargeError', 1, 2]);
  expect(await failure(pool.run(100_000))).toBe('TooLargeError');
  expect(await Promise.all([pool.run(3), pool.run(4)])).toEqual([3, 4]);
});
