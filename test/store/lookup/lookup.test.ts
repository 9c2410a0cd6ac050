import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { tablesOf } from '../../../src/store/database/model.ts';
import { forOrganization, type TenantClient } from '../../../src/store/database/tenant.ts';
import { lookupOf } from '../../../src/store/lookup/lookup.ts';
import { dice, openDemoDatabase, type Roll, statementsOf } from '../../support.ts';

type Query = Parameters<typeof lookupOf>[2];
interface Row {
  readonly id: string;
}

let db: Database;
let mine: TenantClient;
let theirs: TenantClient;
let owner: string;

beforeAll(async () => {
  const demo = await openDemoDatabase();
  db = demo.db;
  [owner = ''] = demo.organizations;
  mine = forOrganization(db.prisma, owner);
  theirs = forOrganization(db.prisma, demo.organizations[1] ?? '');
}, 120_000);
afterAll(() => db?.close());

type Finding = Record<string, { findMany(args: object): Promise<Row[]> }>;
const lower = (model: string) => `${model.charAt(0).toLowerCase()}${model.slice(1)}`;
const find = (client: TenantClient, model: string, args: object): Promise<Row[]> =>
  (client as unknown as Finding)[lower(model)]?.findMany(args) ?? Promise.reject(new Error(model));

const sorted = (rows: readonly Row[]) => [...rows].sort((one, other) => (one.id < other.id ? -1 : 1));

/** What the statement finds, and what Prisma does; for one identifier, and for all of them. */
async function expectSame(model: string, query: Query, ids: readonly string[], client = mine): Promise<Row[]> {
  const lookup = lookupOf(client, model, query);
  expect(lookup, inspect(query)).toBeDefined();
  const expected = sorted(await find(client, model, { ...query, where: { ...query.where, id: { in: [...ids] } } }));
  const found = sorted((await lookup?.(ids)) ?? []);
  expect(found, `${model} ${inspect(query)}`).toEqual(expected);
  const [first = ''] = ids;
  expect(await lookup?.([first])).toEqual(expected.filter(({ id }) => id === first));
  return found;
}

// Neither the keys nor what is kept for no organization, or has no identifier, is read by identifier.
const owned = () =>
  [...tablesOf(db.prisma)].filter(
    ([model, { fields }]) => fields.has('id') && (model === 'Organization' || fields.has('organizationId')),
  );

const idsOf = async (model: string, client = mine, take = 5) =>
  (await find(client, model, { take, orderBy: { id: 'desc' } })).map(({ id }) => id);

/** Some columns, and some relations with some of theirs. */
function selection(model: string, depth: number, roll: Roll): Record<string, unknown> {
  const fields = [...(tablesOf(db.prisma).get(model)?.fields.values() ?? [])];
  const columns = fields.filter(({ kind }) => kind === 'column').filter(() => roll(3) > 0);
  const relations = fields.filter(({ kind }) => kind === 'relation').filter(() => depth > 0 && roll(3) === 0);
  const asked = relations.flatMap((relation) => {
    if (relation.kind !== 'relation' || relation.model === 'Organization') return [];
    if (!tablesOf(db.prisma).get(relation.model)?.fields.has('id')) return [];
    const order = relation.isList && {
      orderBy: [{ id: roll(2) ? 'asc' : 'desc' }],
      ...(roll(3) === 0 && { take: roll(3), skip: roll(3) }),
    };
    return [[relation.name, { select: selection(relation.model, depth - 1, roll), ...order }]];
  });
  return Object.fromEntries([['id', true], ...columns.map(({ name }) => [name, true]), ...asked]);
}

describe('a row is what Prisma makes of it', () => {
  it('with all columns, of every model', async () => {
    const counted: [string, number][] = [];
    for (const [model] of owned()) {
      const ids = await idsOf(model, mine, 20);
      counted.push([model, ids.length > 0 ? (await expectSame(model, {}, ids)).length : 0]);
    }
    const read = counted.filter(([, rows]) => rows > 0);
    expect(read.length).toBeGreaterThan(35);
  });

  it('with relations of every kind, in selections of many shapes', { timeout: 120_000 }, async () => {
    const roll = dice(7);
    const kinds = new Set<string>();
    for (const [model, { fields }] of owned().flatMap((one) => Array.from({ length: 5 }, () => one))) {
      const ids = await idsOf(model);
      const select = selection(model, 2, roll);
      if (ids.length > 0 && model !== 'Organization') await expectSame(model, { select }, ids);
      for (const field of fields.values()) {
        if (field.kind !== 'relation' || !(field.name in select)) continue;
        const { tables, condition } = field.join('r', 't');
        kinds.add(`${field.isList} ${tables.includes('JOIN')} ${condition.startsWith('r."id"')}`);
      }
    }
    // One row by a key on either side, many rows by theirs, and many rows by pairs.
    expect(kinds.size).toBe(4);
  });

  it('with relations that are included', async () => {
    const include = { fees: { include: { appliedTaxes: true }, orderBy: { id: 'asc' } }, customer: true };
    await expectSame('Invoice', { include }, await idsOf('Invoice'));
  });
});

describe('values that are easily lost', () => {
  const text = `"quoted" \\ back\nline\ttab 'single' {,} \u2028 漢字 🧾 \u0001`;
  const json = { text, deep: [[1.5, -0.25, 1e-7, null, true, { '': '' }]], big: 9007199254740991 };

  it('are kept', async () => {
    const [invoiceId = ''] = await idsOf('Invoice');
    const [chargeId = ''] = await idsOf('Charge');
    const data = {
      ...{ organizationId: owner, invoiceId, chargeId, feeType: 'charge' as const, itemCode: text, itemName: text },
      ...{ itemType: 'BillableMetric', amountCurrency: 'EUR', amountDetails: json, groupedBy: json },
      ...{ amountCents: -9_007_199_254_740_993n, taxesAmountCents: 9_223_372_036_854_775_807n },
      ...{ preciseAmountCents: '-12345678901234567890.123456789012345', units: '0.000000000000001' },
      ...{
        preciseUnitAmount: '1000000000000000000000000',
        fromDate: new Date(-1),
        toDate: new Date('1969-12-31T23:59:59.999Z'),
      },
    };
    const { id } = await db.prisma.fee.create({ data });
    const [fee] = (await expectSame('Fee', {}, [id])) as unknown as (typeof data)[];
    expect(fee).toMatchObject({
      itemName: text,
      amountDetails: json,
      amountCents: data.amountCents,
      toDate: data.toDate,
    });
    expect(String(fee?.preciseAmountCents)).toBe('-12345678901234567890.123456789012345');
    await expectSame('Invoice', { select: { id: true, fees: { orderBy: { id: 'asc' } } } }, [invoiceId]);
    await db.prisma.fee.delete({ where: { id } });
  });

  it('a list that is null in SQL is empty, alone and below others', async () => {
    const { id: invoiceId, customerId: id } = await mine.invoice.findFirstOrThrow({ orderBy: { id: 'asc' } });
    const { providerPaymentMethods } = await mine.customer.findFirstOrThrow({ where: { id } });
    await db.prisma.$executeRaw`UPDATE customers SET provider_payment_methods = NULL WHERE id = ${id}::uuid`;
    const [row] = await expectSame('Customer', {}, [id]);
    expect(row).toMatchObject({ providerPaymentMethods: [] });
    await expectSame('Invoice', { include: { customer: true } }, [invoiceId]);
    await mine.customer.updateMany({ where: { id }, data: { providerPaymentMethods } });
  });

  it('lists with strange texts are kept', async () => {
    const [id = ''] = await idsOf('BillableMetricFilter');
    const { values } = await mine.billableMetricFilter.findFirstOrThrow({ where: { id } });
    const strange = ['', 'NULL', 'a,b', '{}', '"', '\\', text];
    await mine.billableMetricFilter.updateMany({ where: { id }, data: { values: strange } });
    const [row] = await expectSame('BillableMetricFilter', {}, [id]);
    expect(row).toMatchObject({ values: strange });
    await mine.billableMetricFilter.updateMany({ where: { id }, data: { values } });
  });
});

describe('conditions', () => {
  it.each([
    ['Fee', { deletedAt: null, payInAdvance: false }],
    ['Fee', { chargeId: { not: null }, feeType: 'charge' }],
    ['Invoice', { status: { in: ['finalized', 'voided'] } }],
    ['Invoice', { status: { notIn: ['finalized'] } }],
    ['Customer', { externalId: "o'clock" }],
    ['Invoice', { AND: [{}, { AND: { status: 'finalized' } }, { voidedAt: null }] }],
    ['Invoice', { OR: [{ status: 'draft' }, { totalAmountCents: { gt: 1000n }, voidedAt: null }] }],
    ['Invoice', { OR: [] }],
    ['Invoice', { NOT: { status: 'finalized', totalDueAmountCents: { gt: 0 } } }],
    ['Invoice', { NOT: { paymentDisputeLostAt: { not: null } } }],
    ['Invoice', { status: { in: [] } }],
    ['Invoice', { status: { notIn: [] } }],
    ['Invoice', { issuingDate: { gte: new Date('2026-01-31T00:00:00Z'), lte: new Date('2026-06-30T00:00:00Z') } }],
    ['Invoice', { createdAt: { lt: new Date('2026-06-15T12:00:00.5Z') } }],
    ['Invoice', { netPaymentTerm: { gte: 1 } }],
    ['Invoice', { words: { contains: ' ' } }],
    ['Invoice', { customer: { deletedAt: null, billingEntity: { code: { notIn: ['x'] } } } }],
    ['Invoice', { billingPeriods: { some: { subscription: { status: 'active' } } } }],
    ['Invoice', { OR: [{ customer: { name: 'x' } }, { fees: { some: { amountCents: { gt: 0 } } } }] }],
    ['Fee', { units: { gt: '1.5' }, invoice: { status: 'finalized' } }],
  ] as const)('of %s: %#', async (model, where) => {
    await expectSame(model, { where }, await idsOf(model, mine, 40));
  });

  it('of related rows, with their number', async () => {
    const fees = {
      where: { deletedAt: null, feeType: 'charge' },
      orderBy: [{ amountCents: 'desc' }, { id: 'asc' }],
      take: 2,
    };
    const query = { select: { id: true, fees } } as unknown as Query;
    const found = await expectSame('Invoice', query, await idsOf('Invoice', mine, 40));
    expect(found.some((row) => (row as unknown as { fees: unknown[] }).fees.length === 2)).toBe(true);
  });

  it('of one row among several, in an order with nulls', async () => {
    for (const [sort, nulls] of [
      ['asc', 'first'],
      ['desc', 'last'],
      ['desc', 'first'],
      ['asc', undefined],
    ] as const) {
      const orderBy = [{ voidedAt: nulls ? { sort, nulls } : sort }, { createdAt: 'desc' }, { id: 'asc' }];
      const query = {
        select: { id: true, voidedAt: true },
        where: { invoiceType: 'subscription' },
        orderBy,
        take: 3,
        skip: 1,
      };
      const lookup = lookupOf(mine, 'Invoice', query);
      const found = await find(mine, 'Invoice', query);
      expect(await lookup?.()).toEqual(found);
      expect(sorted((await lookup?.(found.map(({ id }) => id))) ?? [])).toEqual(sorted(found));
    }
  });

  it.each([
    { where: { OR: { number: 'x' } } },
    { where: { number: { contains: 'x_' } } },
    { where: { number: { startsWith: 'x' } } },
    { where: { number: 1 } },
    { where: { NOT: { customer: { name: 'x' } } } },
    { where: { NOT: [{ number: 'x' }] } },
    { where: { fees: { none: {} } } },
    { where: { customer: null } },
    { where: { number: undefined } },
    { where: { AND: undefined } },
    { where: { AND: [undefined] } },
    { select: { id: true, _count: { select: { fees: true } } } },
    { select: { id: true, fees: { skip: -1 } } },
    { select: { id: true, fees: { take: -1 } } },
    { select: { id: true, fees: { orderBy: { customer: { name: 'asc' } } } } },
    { select: {} },
    { select: { nothing: true } },
  ] as unknown as Query[])('are left to Prisma: %j', (query) => {
    expect(lookupOf(mine, 'Invoice', query)).toBeUndefined();
  });
});

describe('another organization', () => {
  it('has no rows, of any model', async () => {
    let checked = 0;
    for (const [model] of owned()) {
      const ids = await idsOf(model, theirs);
      if (ids.length === 0) continue;
      const own = await idsOf(model, mine, 1);
      expect(await lookupOf(mine, model, {})?.(ids)).toEqual([]);
      expect(await lookupOf(mine, model, {})?.(ids.slice(0, 1))).toEqual([]);
      expect((await lookupOf(mine, model, {})?.([...ids, ...own]))?.map(({ id }) => id)).toEqual(own);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(15);
  });

  it('has a statement of its own, told to whoever counts statements', async () => {
    const [id = ''] = await idsOf('Invoice');
    const seen = await statementsOf(db, async () => {
      await lookupOf(mine, 'Invoice', {})?.([id]);
      await lookupOf(theirs, 'Invoice', {})?.([id]);
    });
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
    expect(seen[0]).toContain('"organization_id" = $1');
  });

  it('a transaction reads by Prisma', async () => {
    await mine.$transaction(async (tx) => {
      expect(lookupOf(tx as TenantClient, 'Invoice', {})).toBeUndefined();
    });
  });
});
