import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCustomers } from '../../../src/engine/subscription/run-due.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';

// What is due of many customers is billed as it is of each alone: the same invoices, in the same order of numbers.

const START = '2026-03-01T00:00:00Z';
const NOW = new Date('2026-04-02T09:00:00Z');
const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York'];

// More than are taken together on either kind of database.
const NAMES = Array.from({ length: 24 }, (_, at) => `c${String(at).padStart(2, '0')}`);

const document = (organization: string) => ({
  organization: { name: organization },
  taxes: [{ code: 'vat', name: 'VAT', rate: 20 }],
  billing_entities: [
    { code: 'main', name: 'Main', is_default: true, tax_codes: ['vat'], document_numbering: 'per_billing_entity' },
    { code: 'second', name: 'Second' },
  ],
  billable_metrics: [{ code: 'calls', name: 'Calls', aggregation_type: 'count_agg' }],
  plans: [
    {
      ...{ code: 'press', name: 'Press', interval: 'monthly', amount_cents: 4900, amount_currency: 'EUR' },
      charges: [
        {
          ...{ code: 'calls', billable_metric_code: 'calls', charge_model: 'package' },
          properties: { amount: '1.234', package_size: 2, free_units: 1 },
        },
      ],
    },
    { code: 'weekly', name: 'Weekly', interval: 'weekly', amount_cents: 700, amount_currency: 'EUR' },
  ],
  coupons: [
    {
      code: 'five',
      name: 'Five',
      coupon_type: 'fixed_amount',
      amount_cents: 500,
      amount_currency: 'EUR',
      frequency: 'once',
    },
  ],
  customers: NAMES.map((external_id, at) => ({ external_id, currency: 'EUR', timezone: ZONES[at % 3] })),
  applied_coupons: NAMES.flatMap((external_customer_id, at) =>
    at % 4 === 0 ? [{ external_customer_id, coupon_code: 'five', status: 'active' }] : [],
  ),
  // It has ended when that is billed, and had not when it was due.
  wallets: NAMES.flatMap((external_customer_id, at) =>
    at % 4 === 1
      ? [
          {
            ...{ external_customer_id, code: `w-${at}`, currency: 'EUR', rate_amount: '1', status: 'active' },
            ...{ balance_cents: 1000, credits_balance: '10', expiration_at: '2026-04-02T03:00:00Z' },
          },
        ]
      : [],
  ),
  subscriptions: NAMES.flatMap((name, at) => [
    {
      ...{ external_id: `s-${name}`, external_customer_id: name, status: 'active', subscription_at: START },
      // Of some it is several weeks, one after another; of some it is two lives.
      ...{ plan_code: at % 7 === 3 ? 'weekly' : 'press', started_at: START, created_at: START },
    },
    ...(at % 9 === 5
      ? [
          {
            ...{ external_id: `t-${name}`, external_customer_id: name, status: 'active', subscription_at: START },
            ...{ plan_code: 'press', started_at: START, created_at: START, billing_entity_code: 'second' },
          },
        ]
      : []),
  ]),
  events: NAMES.flatMap((name, at) =>
    Array.from({ length: at % 5 }, (_, n) => ({
      ...{ external_subscription_id: `s-${name}`, code: 'calls', transaction_id: `${name}-${n}` },
      timestamp: `2026-03-${10 + n}T12:00:00Z`,
    })),
  ),
});

let together: TestApp;
let alone: TestApp;
beforeAll(async () => {
  together = await createTestApp({ now: () => NOW });
  alone = await createTestApp({ db: together.db, now: () => NOW });
  for (const { db, organizationId } of [together, alone]) {
    const { name } = await db.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
    await importDocument(db, document(name), { organization: name, now: new Date(START) });
    await db.prisma.dueCustomer.updateMany({
      where: { organizationId },
      data: { livedUntil: new Date('2026-03-20T02:00:00Z'), dueAt: new Date('2026-03-20T15:00:00Z') },
    });
  }
});
afterAll(async () => {
  await alone?.close();
  await together?.close();
});

const idsOf = async ({ db, organizationId }: TestApp) => {
  const rows = await db.prisma.customer.findMany({ where: { organizationId }, orderBy: { externalId: 'asc' } });
  return rows.map(({ id }) => id);
};
const tools = ({ db, organizationId }: TestApp) =>
  [forOrganization(db.prisma, organizationId), { organizationId, now: NOW, job: 'billing/test' }] as const;

const billed = async ({ db, organizationId }: TestApp) => {
  const invoices = await db.prisma.invoice.findMany({
    where: { organizationId },
    include: {
      ...{ customer: true, billingEntity: true, appliedTaxes: true, credits: true },
      fees: { include: { appliedTaxes: true }, orderBy: [{ feeType: 'asc' }, { amountCents: 'asc' }] },
      billingPeriods: true,
    },
  });
  return invoices
    .map(({ customer, billingEntity, fees, ...invoice }) => ({
      ...{ of: customer.externalId, by: billingEntity.code, rank: invoice.sequentialId, at: invoice.createdAt },
      entityRank: invoice.billingEntitySequentialId,
      ...{
        total: invoice.totalAmountCents,
        prepaid: invoice.prepaidCreditAmountCents,
        coupons: invoice.couponsAmountCents,
        issued: invoice.issuingDate,
      },
      taxes: invoice.appliedTaxes.map(({ amountCents }) => amountCents),
      credits: invoice.credits.map(({ amountCents }) => amountCents),
      periods: invoice.billingPeriods.map((one) => [one.chargesFromDatetime, one.chargesToDatetime, one.createdAt]),
      fees: fees.map((fee) => [
        ...[fee.feeType, fee.amountCents, fee.preciseAmountCents.toFixed(), fee.units.toFixed(), fee.eventsCount],
        ...fee.appliedTaxes.map(({ amountCents }) => amountCents),
      ]),
    }))
    .sort(
      (one, other) =>
        one.of.localeCompare(other.of) || one.by.localeCompare(other.by) || Number(one.at) - Number(other.at),
    );
};

it('bills customers together as it bills each alone', async () => {
  expect(await runCustomers(...tools(together), await idsOf(together), () => false)).toEqual([]);
  for (const id of await idsOf(alone)) expect(await runCustomers(...tools(alone), [id], () => false)).toEqual([]);
  const [one, other] = [await billed(together), await billed(alone)];
  expect(one.length).toBeGreaterThan(NAMES.length);
  const withoutRank = (list: typeof one) => list.map(({ entityRank: _, ...invoice }) => invoice);
  expect(withoutRank(one)).toEqual(withoutRank(other));
  // Who is first among those that are together has the first number: it may be another than alone, and none is missing.
  const withPrepaid = new Set(one.flatMap(({ of, prepaid }) => (prepaid > 0n ? [of] : [])));
  expect([...withPrepaid].sort()).toEqual(NAMES.filter((_, at) => at % 4 === 1));
  expect(one.some(({ coupons }) => coupons > 0n)).toBe(true);
  const ranks = (list: typeof one) =>
    list
      .flatMap(({ by, entityRank }) => (by === 'main' && entityRank !== null ? [entityRank] : []))
      .sort((a, b) => a - b);
  expect(ranks(one)).toEqual(ranks(one).map((_, at) => at + 1));
  expect(ranks(one)).toEqual(ranks(other));
  const again = await runCustomers(...tools(together), await idsOf(together), () => false);
  expect(again).toEqual([]);
  expect(await billed(together)).toEqual(one);
});

it('keeps none waiting for one with whom there is trouble, and tells of that one', async () => {
  const ids = await idsOf(together);
  const { prisma } = together.db;
  const bad = await prisma.customer.findFirstOrThrow({ where: { id: ids[2] ?? '' } });
  await prisma.customer.update({ where: { id: bad.id }, data: { timezone: 'Nowhere/Never' } });
  const before = (await billed(together)).length;
  const now = new Date('2026-05-02T09:00:00Z');
  const [tenant, actor] = tools(together);
  await prisma.dueCustomer.updateMany({ where: { customerId: { in: ids } }, data: { dueAt: now } });
  const troubles = await runCustomers(tenant, { ...actor, now }, ids, () => false);
  expect(troubles.map(({ customerId }) => customerId)).toEqual([bad.id]);
  const after = (await billed(together)).length;
  expect(after - before).toBeGreaterThanOrEqual(NAMES.length - 1);
  expect(await prisma.invoice.count({ where: { customerId: bad.id, createdAt: { gt: NOW } } })).toBe(0);
});

it('asks less for those that are together than for each alone', async () => {
  const now = new Date('2026-05-03T09:00:00Z');
  const count = async (app: TestApp, groups: readonly (readonly string[])[]) => {
    const [tenant, actor] = tools(app);
    return countStatements(app.db, async () => {
      for (const ids of groups) await runCustomers(tenant, { ...actor, now }, ids, () => false);
    });
  };
  for (const app of [together, alone]) {
    await app.db.prisma.customer.updateMany({
      where: { organizationId: app.organizationId },
      data: { timezone: null },
    });
    const data = { livedUntil: new Date('2026-05-02T09:00:00Z'), dueAt: now };
    await app.db.prisma.dueCustomer.updateMany({ where: { organizationId: app.organizationId }, data });
  }
  const five = (await idsOf(together)).slice(6, 9);
  const same = (await idsOf(alone)).slice(6, 9);
  expect(await count(together, [five])).toBeLessThan(
    (await count(
      alone,
      same.map((id) => [id]),
    )) / 2,
  );
});

it('asks no more for five customers than for two, also where the day after their invoices has begun somewhere else', async () => {
  const { db, organizationId } = alone;
  const now = new Date('2026-06-01T12:00:00Z');
  await db.prisma.invoice.updateMany({ where: { organizationId }, data: { paymentStatus: 'succeeded' } });
  const data = { livedUntil: new Date('2026-05-31T20:00:00Z'), dueAt: now };
  await db.prisma.dueCustomer.updateMany({ where: { organizationId }, data });
  const ids = await idsOf(alone);
  const [tenant, actor] = tools(alone);
  const count = async (places: readonly number[]) => {
    const some = places.map((place) => ids[place] ?? '');
    const statements = await countStatements(db, () => runCustomers(tenant, { ...actor, now }, some, () => false));
    const made = { customerId: { in: some }, createdAt: { gte: new Date('2026-06-01T00:00:00Z') } };
    expect(await db.prisma.invoice.count({ where: made })).toBe(places.length);
    return statements;
  };
  // None of them has coupons or wallets, which some statements more are about.
  const two = await count([6, 7]);
  // The embedded database adds up the usage of each by itself.
  const more = db.kind === 'embedded' ? 2 * 3 : 0;
  expect(await count([11, 15, 18, 19, 22])).toBe(two + more);
});

/** One customer of New York, and a look at what is due. */
async function newYorker(endingAt: string | null = null) {
  const moved = await createTestApp({ now: () => NOW });
  const { db, organizationId } = moved;
  const { name } = await db.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
  const all = document(name);
  const [customer, subscription] = [{ external_id: 'c06', currency: 'EUR', timezone: 'America/New_York' }, 's-c06'];
  const own = all.subscriptions.filter(({ external_id }) => external_id === subscription);
  const one = {
    ...all,
    ...{ customers: [customer], applied_coupons: [], wallets: [], events: [] },
    subscriptions: own.map((each) => ({ ...each, ending_at: endingAt })),
  };
  await importDocument(db, one, { organization: name, now: new Date(START) });
  const [id = ''] = await idsOf(moved);
  const [tenant, actor] = tools(moved);
  const where = { organizationId, customerId: id };
  const run = async (from: string, to: string) => {
    const now = new Date(to);
    await db.prisma.dueCustomer.updateMany({ where, data: { livedUntil: new Date(from), dueAt: now } });
    expect(await runCustomers(tenant, { ...actor, now }, [id], () => false)).toEqual([]);
    const { zoneChanged, dueAt } = await db.prisma.dueCustomer.findFirstOrThrow({ where });
    return { invoices: await db.prisma.invoice.count({ where: { organizationId } }), zoneChanged, dueAt };
  };
  const move = async () => {
    await db.prisma.customer.update({ where: { id }, data: { timezone: 'Pacific/Auckland' } });
    expect((await db.prisma.dueCustomer.findFirstOrThrow({ where })).zoneChanged).toBe(true);
  };
  return { db, where, run, move, close: () => moved.close() };
}

// Still March in New York, April in Auckland for half a day.
const [FROM, TO] = ['2026-03-31T22:30:00Z', '2026-03-31T23:00:00Z'];

it('bills a customer who has moved for the day that had begun there already, once', async () => {
  const { run, move, close } = await newYorker();
  expect(await run(FROM, TO)).toMatchObject({ invoices: 0, zoneChanged: false });
  await move();
  expect(await run(FROM, TO)).toMatchObject({ invoices: 1, zoneChanged: false });
  expect(await run(FROM, TO)).toMatchObject({ invoices: 1, zoneChanged: false });
  await close();
});

it('ends the subscription of one who has moved at its end, not on the day that had begun there already', async () => {
  const endingAt = '2026-04-01T05:00:00Z';
  const { db, where, run, move, close } = await newYorker(endingAt);
  expect(await run(FROM, TO)).toMatchObject({ invoices: 0, zoneChanged: false });
  await move();
  expect(await run(FROM, TO)).toEqual({ invoices: 0, zoneChanged: false, dueAt: new Date(endingAt) });
  const states = () => db.prisma.subscription.findMany({ where, select: { status: true, terminatedAt: true } });
  expect(await states()).toEqual([{ status: 'active', terminatedAt: null }]);
  await run(TO, endingAt);
  expect(await states()).toEqual([{ status: 'terminated', terminatedAt: new Date(endingAt) }]);
  await close();
});
