import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { openTestDatabase } from '../../support.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

interface Node {
  readonly 'Node Type': string;
  readonly Plans?: readonly Node[];
}

const kindsOf = (node: Node): string[] => [node['Node Type'], ...(node.Plans ?? []).flatMap(kindsOf)];

// Invoices of a day, and rows of an import, are made at one moment: where their order is not the index's, each page sorts all of them.
it('the newest rows of an organization are read in their order', async () => {
  const tables = await db.prisma.$queryRaw<{ name: string }[]>`
    SELECT tablename::text AS name FROM pg_indexes
    WHERE schemaname = 'public' AND indexdef LIKE '%(organization_id, created_at DESC, id)' ORDER BY 1`;
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['customers', 'fees', 'invoices']));
  const plans = await db.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
    await tx.$executeRaw`SET LOCAL enable_bitmapscan = off`;
    const read: [string, string[]][] = [];
    for (const { name } of tables) {
      const [row] = await tx.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Node }[] }[]>(
        `EXPLAIN (FORMAT JSON) SELECT * FROM "${name}" WHERE organization_id = '${NOBODY}' ORDER BY created_at DESC, id LIMIT 20`,
      );
      const plan = row?.['QUERY PLAN'][0]?.Plan;
      if (plan) read.push([name, kindsOf(plan)]);
    }
    return read;
  });
  expect(plans).toHaveLength(tables.length);
  expect(plans.filter(([, kinds]) => kinds.some((kind) => kind.includes('Sort')))).toEqual([]);
});

it('every table that is listed has that index', async () => {
  const without = await db.prisma.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT tablename::text AS name FROM pg_indexes
    WHERE schemaname = 'public' AND indexdef LIKE '%(organization_id, created_at, id)'`;
  expect(without).toEqual([]);
});
