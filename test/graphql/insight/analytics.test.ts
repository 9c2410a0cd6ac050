import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { Prisma } from '../../../src/store/generated/prisma/client.ts';
import { queryOrganization } from '../../../src/store/insight/analytics.ts';
import { countStatements, createTestApp, type TestApp } from '../../support.ts';
import { type Make, type Row, rowMaker } from '../rows.ts';

const NOW = new Date('2026-04-15T12:00:00Z');
const day = (text: string) => new Date(`${text}T00:00:00Z`);

let app: TestApp;
let other: TestApp;
let ada: Row;
let make: Make;

async function fill(tenant: TestApp, scale: bigint) {
  const of = rowMaker(tenant.db, tenant.organizationId);
  const main = await of('BillingEntity', { code: 'main' });
  const branch = await of('BillingEntity', { code: 'branch' });
  const customer = await of('Customer', { externalId: 'cust_ada', slug: 'Q-1', billingEntityId: main.id });
  const bob = await of('Customer', { externalId: 'cust_bob', slug: 'Q-2', billingEntityId: branch.id });
  const invoice = (issuingDate: string, totalAmountCents: bigint, data: Record<string, unknown> = {}) =>
    of('Invoice', {
      customerId: customer.id,
      billingEntityId: main.id,
      issuingDate: day(issuingDate),
      totalAmountCents: totalAmountCents * scale,
      taxesAmountCents: 10n * scale,
      status: 'finalized',
      invoiceType: 'subscription',
      currency: 'EUR',
      ...data,
    });
  const january = await invoice('2026-01-31', 1000n);
  await invoice('2026-02-01', 2000n, { paymentStatus: 'succeeded' });
  await invoice('2026-02-28', 300n, { paymentOverdue: true, totalPaidAmountCents: 100n * scale });
  await invoice('2026-02-28', 7n, { status: 'draft' });
  await invoice('2026-02-28', 7n, { status: 'voided' });
  await invoice('2026-02-28', 7n, { selfBilled: true });
  await invoice('2026-02-28', 7n, { paymentDisputeLostAt: day('2026-03-01') });
  await invoice('2025-03-01', 9n, { paymentStatus: 'succeeded' });
  await invoice('2026-03-01', 50n, { customerId: bob.id, billingEntityId: branch.id, currency: 'USD' });
  await of('CreditNote', {
    invoiceId: january.id,
    customerId: customer.id,
    offsetAmountCents: 400n * scale,
    currency: 'EUR',
  });

  const plan = (code: string, interval: string, amountCents: bigint, data = {}) =>
    of('Plan', { code, interval, amountCents: amountCents * scale, amountCurrency: 'EUR', ...data });
  const subscribe = (planId: string, startedAt: string | null, data: Record<string, unknown> = {}) =>
    of('Subscription', {
      customerId: customer.id,
      planId,
      status: 'active',
      startedAt: startedAt && new Date(startedAt),
      ...data,
    });
  const weekly = await plan('weekly', 'weekly', 100n);
  const monthly = await plan('monthly', 'monthly', 1000n);
  const override = await plan('monthly', 'monthly', 500n, { parentId: monthly.id });
  const yearly = await plan('yearly', 'yearly', 1300n);
  await subscribe(weekly.id, '2026-03-01T00:00:00Z');
  const first = await subscribe(monthly.id, '2026-01-31T23:59:59Z', {
    status: 'terminated',
    terminatedAt: new Date('2026-03-01T00:00:00Z'),
  });
  const second = await subscribe(override.id, '2026-04-10T00:00:00Z');
  await subscribe(yearly.id, '2026-04-16T00:00:00Z');
  await subscribe(yearly.id, null, { status: 'pending' });
  await subscribe((await plan('trial', 'monthly', 77n, { trialPeriod: '30' })).id, '2026-04-01T00:00:00Z');

  const metric = await of('BillableMetric', { code: 'calls', name: 'Calls' });
  const charge = await of('Charge', { planId: monthly.id, billableMetricId: metric.id, code: 'calls' });
  const fee = (data: Record<string, unknown>) =>
    of('Fee', { invoiceId: january.id, customerId: customer.id, amountCurrency: 'EUR', ...data });
  await fee({
    feeType: 'charge',
    chargeId: charge.id,
    subscriptionId: first.id,
    amountCents: 600n * scale,
    units: '1.5',
  });
  await fee({
    feeType: 'charge',
    chargeId: charge.id,
    subscriptionId: second.id,
    amountCents: 50n * scale,
    units: '0.000000000000000001',
  });
  await fee({ feeType: 'subscription', subscriptionId: second.id, amountCents: 500n * scale });
  await fee({ feeType: 'charge', chargeId: charge.id, subscriptionId: first.id, amountCents: 1n, deletedAt: NOW });
  await fee({ feeType: 'charge', chargeId: charge.id, subscriptionId: first.id, amountCents: 1n, invoiceId: null });

  const wallet = (data: Record<string, unknown>) => of('Wallet', { customerId: customer.id, currency: 'EUR', ...data });
  await wallet({
    balanceCents: 100n * scale,
    ongoingBalanceCents: 90n * scale,
    creditsBalance: '1.000000000000000001',
  });
  await wallet({ balanceCents: 23n * scale, creditsBalance: '0.5', customerId: bob.id });
  await wallet({ balanceCents: 7n, status: 'terminated' });
  return { customer, of };
}

beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  other = await createTestApp({ db: app.db, now: () => NOW });
  ({ customer: ada, of: make } = await fill(app, 1n));
  await fill(other, 1000n);
});

afterAll(async () => {
  await other?.close();
  await app?.close();
});

async function figures(field: string, args = '', tenant = app) {
  const { data, errors } = await tenant.graphql(`{ analytics${args} { ${field} } }`);
  expect(errors).toBeUndefined();
  return data.analytics;
}

const GROSS = 'grossRevenue { month currency amountCents taxesAmountCents invoicesCount }';
const eur = (month: string, amountCents: number, taxesAmountCents: number, invoicesCount: number) => ({
  month,
  currency: 'EUR',
  amountCents: String(amountCents),
  taxesAmountCents: String(taxesAmountCents),
  invoicesCount,
});

describe('revenue', () => {
  it('is counted by month of issue and currency, twelve months by default', async () => {
    expect(await figures(GROSS)).toEqual({
      grossRevenue: [
        eur('2026-01-01', 1000, 10, 1),
        eur('2026-02-01', 2300, 20, 2),
        { ...eur('2026-03-01', 50, 10, 1), currency: 'USD' },
      ],
    });
  });

  it('is narrowed to months, currency, customer and billing entity', async () => {
    expect(await figures(GROSS, '(from: "2025-03-20", to: "2026-01-01", currency: "EUR")')).toEqual({
      grossRevenue: [eur('2025-03-01', 9, 10, 1), eur('2026-01-01', 1000, 10, 1)],
    });
    expect(await figures(GROSS, '(billingEntityCode: "branch", externalCustomerId: "cust_bob")')).toEqual({
      grossRevenue: [{ ...eur('2026-03-01', 50, 10, 1), currency: 'USD' }],
    });
    for (const args of ['(currency: "GBP")', '(externalCustomerId: "nobody")', '(billingEntityCode: "nope")']) {
      expect(await figures(GROSS, args)).toEqual({ grossRevenue: [] });
    }
  });

  it('shows usage, plans and metrics', async () => {
    const usage = 'invoicedUsage { month currency amountCents feesCount }';
    expect(await figures(usage)).toEqual({
      invoicedUsage: [{ month: '2026-01-01', currency: 'EUR', amountCents: '650', feesCount: 2 }],
    });
    expect(await figures('revenueByPlan { planCode currency amountCents feesCount }')).toEqual({
      revenueByPlan: [{ planCode: 'monthly', currency: 'EUR', amountCents: '1150', feesCount: 3 }],
    });
    expect(
      await figures('revenueByBillableMetric { billableMetricCode billableMetricName amountCents units }'),
    ).toEqual({
      revenueByBillableMetric: [
        { billableMetricCode: 'calls', billableMetricName: 'Calls', amountCents: '650', units: '1.500000000000000001' },
      ],
    });
    expect(await figures('revenueByPlan(first: 0) { planCode }')).toEqual({ revenueByPlan: [] });
  });
});

it('recurring revenue is normalised, past the trial, and judged when the month ends', async () => {
  const field =
    'monthlyRecurringRevenue { month currency amountCents preciseAmountCents annualAmountCents subscriptionsCount }';
  const row = (month: string, precise: string, annualAmountCents: string, subscriptionsCount: number) => ({
    month,
    currency: 'EUR',
    amountCents: precise.replace(/\..*/, ''),
    preciseAmountCents: expect.stringMatching(new RegExp(`^${precise.slice(0, 15)}3*$`)),
    annualAmountCents,
    subscriptionsCount,
  });
  expect(await figures(field, '(from: "2025-12-01", to: "2026-07-01")')).toEqual({
    monthlyRecurringRevenue: [
      row('2026-01-01', '1000.0', '12000', 1),
      row('2026-02-01', '1000.0', '12000', 1),
      row('2026-03-01', '433.333333333333333333', '5200', 1),
      row('2026-04-01', '933.333333333333333333', '11200', 2),
    ],
  });
});

it('receivables leave out what was paid or offset', async () => {
  const field =
    'receivables { currency outstandingAmountCents outstandingInvoicesCount overdueAmountCents overdueInvoicesCount }';
  expect(await figures(field)).toEqual({
    receivables: [
      {
        currency: 'EUR',
        outstandingAmountCents: '800',
        outstandingInvoicesCount: 2,
        overdueAmountCents: '200',
        overdueInvoicesCount: 1,
      },
      {
        currency: 'USD',
        outstandingAmountCents: '50',
        outstandingInvoicesCount: 1,
        overdueAmountCents: '0',
        overdueInvoicesCount: 0,
      },
    ],
  });
});

it('wallets are added up by currency, to the last digit', async () => {
  const field = 'walletBalances { currency balanceCents ongoingBalanceCents credits walletsCount }';
  const sum = {
    currency: 'EUR',
    balanceCents: '123',
    ongoingBalanceCents: '90',
    credits: '1.500000000000000001',
    walletsCount: 2,
  };
  expect(await figures(field)).toEqual({ walletBalances: [sum] });
  expect((await figures(field, '(billingEntityCode: "branch")')).walletBalances[0].balanceCents).toBe('23');
});

it('another organization has its own figures', async () => {
  expect((await figures(GROSS, '', other)).grossRevenue[0]).toEqual(eur('2026-01-01', 1_000_000, 10_000, 1));
  const { data } = await other.graphql(
    '{ analytics { walletBalances { balanceCents } receivables { outstandingAmountCents } } }',
  );
  expect(data.analytics.walletBalances).toEqual([{ balanceCents: '123000' }]);
  expect(data.analytics.receivables).toEqual([
    { outstandingAmountCents: '800000' },
    { outstandingAmountCents: '50000' },
  ]);
});

it('each figure costs one statement, and only where it is asked for', async () => {
  const all = `${GROSS} invoicedUsage { month } monthlyRecurringRevenue { month } revenueByPlan { planCode }
    revenueByBillableMetric { units } receivables { currency } walletBalances { currency }`;
  expect(await countStatements(app.db, () => figures(all))).toBe(7);
  expect(await countStatements(app.db, () => figures('receivables { currency }'))).toBe(1);
  expect(await countStatements(app.db, () => figures('__typename'))).toBe(0);
});

it('sums beyond 64 bits keep every digit', async () => {
  const most = 2n ** 63n - 1n;
  for (let index = 0; index < 2; index += 1) {
    await make('Wallet', { customerId: ada.id, currency: 'JPY', balanceCents: most });
  }
  const { text } = await app.graphql('{ analytics(currency: "JPY") { walletBalances { balanceCents } } }');
  expect(text).toContain(`"balanceCents":"${2n * most}"`);
});

it('months that make no range are refused', async () => {
  for (const args of ['(from: "2026-02-01", to: "2026-01-31")', '(from: "2016-01-01", to: "2026-01-01")']) {
    const { errors } = await app.graphql(`{ analytics${args} { __typename } }`);
    expect(errors?.[0]?.extensions).toMatchObject({ errorDetails: { from: ['value_is_out_of_range'] } });
  }
  const { errors } = await app.graphql('{ analytics { revenueByPlan(first: 101) { planCode } } }');
  expect(errors?.[0]?.extensions).toMatchObject({ errorDetails: { first: ['value_is_out_of_range'] } });
});

it('needs its permission', async () => {
  const key = await app.makeKey({ permissions: { invoice: ['read'] } });
  const { errors } = await app.graphql('{ analytics { receivables { currency } } }', undefined, key);
  expect(errors?.[0]?.extensions?.code).toBe('forbidden');
});

it('a table without an organization is refused before it is read', () => {
  const db = forOrganization(app.db.prisma, app.organizationId);
  const read = (sql: Prisma.Sql) => queryOrganization(db, app.organizationId, sql);
  expect(() => read(Prisma.sql`SELECT * FROM organizations`)).toThrow('organizations');
  expect(() => read(Prisma.sql`SELECT * FROM invoices i JOIN payments p ON p.invoice_id = i.id`)).toThrow('payments');
});
