import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { type Listing, listingOf, type Stretch } from '../../../src/store/lookup/listing.ts';
import { Given, readTogether } from '../../../src/store/lookup/together.ts';
import { openDemoDatabase, statementsOf } from '../../support.ts';

let db: Database;
let mine: TenantClient;
let theirs: TenantClient;

beforeAll(async () => {
  const demo = await openDemoDatabase();
  db = demo.db;
  mine = forOrganization(db.prisma, demo.organizations[0] ?? '');
  theirs = forOrganization(db.prisma, demo.organizations[1] ?? '');
}, 120_000);
afterAll(() => db?.close());

const page: Stretch = {
  where: { status: { notIn: ['generating', 'open'] }, currency: 'EUR' },
  orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  take: 4,
  skip: 2,
};

const listing = (isKept: boolean, client = mine): Listing => {
  const found = listingOf(client, 'Invoice', { columns: { id: true, createdAt: true }, isKept });
  if (!found) throw new Error('no listing');
  return found;
};

describe('a page', () => {
  it.each([true, false])('is the one that Prisma reads, of each organization, kept: %s', async (isKept) => {
    for (const client of [mine, theirs]) {
      const expected = await client.invoice.findMany({
        ...{ where: { status: { notIn: ['generating', 'open'] }, currency: 'EUR' }, take: 4, skip: 2 },
        ...{ orderBy: [{ createdAt: 'desc' }, { id: 'asc' }], select: { id: true, createdAt: true } },
      });
      expect(expected.length).toBeGreaterThan(0);
      expect(await listing(isKept, client).read(page)).toEqual(expected);
    }
  });

  it('says values of enumerations where its plan is kept, and no others', async () => {
    const seen = await statementsOf(db, async () => {
      await listing(true).read(page);
      await listing(false).read(page);
    });
    expect(seen[0]).toContain(`NOT IN ('generating', 'open') AND t1."currency" = $2`);
    expect(seen[1]).toContain(`NOT IN ($2, $3) AND t1."currency" = $4`);
  });

  it('says nothing that a value could end', async () => {
    const where = { status: "x' OR 'a' = 'a" };
    const seen = await statementsOf(db, async () => {
      await expect(listing(true).read({ ...page, where })).rejects.toThrow('invalid input value');
    });
    expect(seen[0]).toContain('t1."status" = $2');
  });

  it('of conditions that only Prisma knows is left to it, and so is their number', () => {
    const where = { number: { startsWith: 'x' } };
    expect(listing(true).read({ ...page, where })).toBeUndefined();
    expect(listing(true).count(where)).toBeUndefined();
    expect(listing(true).read({ ...page, take: -1 })).toBeUndefined();
  });

  it('is counted by its own conditions, of each organization', async () => {
    const where = { customer: { deletedAt: null }, status: 'finalized' as const };
    for (const client of [mine, theirs]) {
      const count = await client.invoice.count({ where: { customer: { deletedAt: null }, status: 'finalized' } });
      expect(await listing(false, client).count(where)).toBe(count);
      expect(count).toBeGreaterThan(0);
    }
  });
});

describe('several queries together', () => {
  const queries = (given: Given, codes: readonly string[]) => [
    {
      model: 'Plan',
      query: { where: { code: { in: given.of('plan', codes) }, parentId: null }, include: { taxes: true } },
    },
    {
      model: 'Tax',
      query: { where: { deletedAt: null }, orderBy: [{ code: 'asc' as const }, { id: 'asc' as const }] },
    },
  ];

  it('are one statement, the same for other values, with the rows that Prisma finds', async () => {
    const plans = await mine.plan.findMany({
      where: { parentId: null, deletedAt: null },
      include: { taxes: true },
      take: 2,
    });
    const taxes = await mine.tax.findMany({ where: { deletedAt: null }, orderBy: [{ code: 'asc' }, { id: 'asc' }] });
    const read = async (code: string, client = mine) => {
      const given = new Given();
      return readTogether(client, queries(given, [code]), given);
    };
    const [first, second] = plans;
    const seen = await statementsOf(db, async () => {
      expect(await read(first?.code ?? '')).toEqual([[first], taxes]);
      expect(await read(second?.code ?? '')).toEqual([[second], taxes]);
      expect(await read("no ' code")).toEqual([[], taxes]);
      expect((await read(first?.code ?? '', theirs))?.[1]).not.toEqual(taxes);
    });
    expect(new Set(seen).size).toBe(1);
    expect(seen).toHaveLength(4);
  });

  it('are left to Prisma within a transaction', async () => {
    await mine.$transaction(async (tx) => {
      const given = new Given();
      expect(readTogether(tx as TenantClient, queries(given, ['x']), given)).toBeUndefined();
    });
  });
});
