import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { senderOf } from '../../../src/store/database/sender.ts';
import { openTestDatabase } from '../../support.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const COUNT = 50;

/** Turns that the event loop has while statements are sent, each when the one before is answered. */
async function turnsDuring(send: () => Promise<unknown>): Promise<number> {
  await send();
  let [turns, isOver] = [0, false];
  const next = () => {
    turns += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  for (let sent = 0; sent < COUNT; sent += 1) await send();
  isOver = true;
  return turns;
}

it.each<[string, () => Promise<unknown>]>([
  ['through Prisma', () => db.prisma.$queryRaw`SELECT 1`],
  ['past Prisma', async () => senderOf(db.prisma)?.('SELECT 1', [])],
])('requests are read between the statements of a long run: %s', async (_, send) => {
  expect(await turnsDuring(send)).toBeGreaterThanOrEqual(COUNT);
});

it('requests are read between the statements of one transaction', async () => {
  const turns = await db.prisma.$transaction((tx) => turnsDuring(() => tx.$executeRaw`SELECT 1`));
  expect(turns).toBeGreaterThanOrEqual(COUNT);
});
