import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerFaults } from '../../contract/operations.ts';
import { createTestApp, type TestApp } from '../../support.ts';

let app: TestApp;
let ids: Record<string, string>;
beforeAll(async () => {
  app = await createTestApp({ now: () => new Date('2026-06-15T12:00:00Z') });
  const { organizationId } = app;
  const { prisma } = app.db;
  const entity = await prisma.billingEntity.create({ data: { organizationId, code: 'a', name: 'A', isDefault: true } });
  const customerOf = (externalId: string, sequentialId: number) =>
    prisma.customer.create({
      data: { organizationId, externalId, sequentialId, slug: externalId, billingEntityId: entity.id },
    });
  const [ada, bob] = [await customerOf('ada', 1), await customerOf('bob', 2)];
  const metric = await prisma.billableMetric.create({
    data: { organizationId, code: 'calls', name: 'Calls', aggregationType: 'count_agg' },
  });
  const plan = await prisma.plan.create({
    data: {
      ...{ organizationId, code: 'p', name: 'P', interval: 'monthly', amountCents: 4900n, amountCurrency: 'EUR' },
      ...{ payInAdvance: false, trialPeriod: 0 },
    },
  });
  const charge = await prisma.charge.create({
    data: {
      organizationId,
      planId: plan.id,
      billableMetricId: metric.id,
      code: 'calls',
      chargeModel: 'standard',
      properties: {},
    },
  });
  const subscription = await prisma.subscription.create({
    data: {
      ...{ organizationId, externalId: 's', customerId: ada.id, planId: plan.id, status: 'active' },
      ...{ subscriptionAt: new Date('2026-05-10'), startedAt: new Date('2026-05-10'), billingTime: 'calendar' },
    },
  });
  const invoice = async (customerId: string, issued: string, total: bigint, more: object = {}) => {
    const { id } = await prisma.invoice.create({
      data: {
        ...{ organizationId, billingEntityId: entity.id, customerId, number: `${issued}-${total}`, currency: 'EUR' },
        ...{ invoiceType: 'subscription', status: 'finalized', issuingDate: new Date(issued) },
        ...{ paymentDueDate: new Date(issued), totalAmountCents: total, ...more },
      },
    });
    return id;
  };
  ids = {
    paid: await invoice(ada.id, '2026-06-01', 1000n, { paymentStatus: 'succeeded', totalPaidAmountCents: 1000n }),
    open: await invoice(ada.id, '2026-06-02', 200n),
    overdue: await invoice(bob.id, '2026-05-20', 70n, { paymentOverdue: true }),
    late: await invoice(bob.id, '2026-05-03', 5n, { paymentOverdue: true }),
    dollars: await invoice(bob.id, '2026-05-04', 9n, { currency: 'USD' }),
    draft: await invoice(bob.id, '2026-06-04', 8n, { status: 'draft' }),
    old: await invoice(bob.id, '2014-06-04', 3n),
  };
  const fee = (invoiceId: string | undefined, amountCents: bigint, day: string, units: string) =>
    prisma.fee.create({
      data: {
        ...{ organizationId, invoiceId: invoiceId ?? null, chargeId: charge.id, feeType: 'charge', amountCents, units },
        ...{ itemCode: 'calls', itemName: 'Calls', itemType: 'BillableMetric', amountCurrency: 'EUR' },
        ...{ subscriptionId: subscription.id, toDate: new Date(`${day}T23:59:59Z`) },
        preciseAmountCents: String(amountCents),
      },
    });
  await fee(ids.paid, 40n, '2026-06-01', '4');
  await fee(ids.open, 2n, '2026-06-03', '0.5');
  await fee(ids.late, 5n, '2026-05-03', '1');
  await fee(ids.draft, 8n, '2026-06-04', '1');
});
afterAll(() => app?.close());

const OPERATIONS: Readonly<Record<string, string>> = {
  gross_revenue: 'findAllGrossRevenues',
  invoice_collection: 'findAllInvoiceCollections',
  invoiced_usage: 'findAllInvoicedUsages',
  mrr: 'findAllMrrs',
  overdue_balance: 'findAllOverdueBalances',
  usage: 'findAllUsages',
};

async function ask(path: string) {
  const { status, body } = await app.rest('GET', `/analytics/${path}`);
  expect([status, answerFaults(OPERATIONS[path.split('?')[0] ?? ''] ?? '', 200, body)]).toEqual([200, []]);
  return Object.values(body)[0];
}

const JUNE = { month: '2026-06-01', currency: 'EUR' };
const MAY = { month: '2026-05-01', currency: 'EUR' };

it('gross revenue, of all months there are, of some, of one currency and of one customer', async () => {
  const june = { ...JUNE, amount_cents: 1200, invoices_count: 2 };
  const may = { ...MAY, amount_cents: 75, invoices_count: 2 };
  const dollars = { ...MAY, currency: 'USD', amount_cents: 9, invoices_count: 1 };
  expect(await ask('gross_revenue')).toEqual([may, dollars, june]);
  expect(await ask('gross_revenue?months=1')).toEqual([june]);
  expect(await ask('gross_revenue?months=0')).toEqual([june]);
  expect(await ask('gross_revenue?months=2&currency=usd')).toEqual([dollars]);
  expect(await ask('gross_revenue?external_customer_id=ada')).toEqual([june]);
  expect(await ask('gross_revenue?external_customer_id=nobody')).toEqual([]);
});

it('what was collected, by the state of payment', async () => {
  expect(await ask('invoice_collection?months=1')).toEqual([
    { ...JUNE, payment_status: 'pending', amount_cents: 200, invoices_count: 1 },
    { ...JUNE, payment_status: 'succeeded', amount_cents: 1000, invoices_count: 1 },
  ]);
});

it('usage that was invoiced, the newest first', async () => {
  expect(await ask('invoiced_usage')).toEqual([
    { ...JUNE, code: 'calls', amount_cents: 42 },
    { ...MAY, code: 'calls', amount_cents: 5 },
  ]);
});

it('recurring revenue', async () => {
  expect(await ask('mrr?months=3')).toEqual([
    { ...MAY, amount_cents: 4900 },
    { ...JUNE, amount_cents: 4900 },
  ]);
});

it('what is overdue, by the month in which it was due, with its invoices', async () => {
  const may = { ...MAY, amount_cents: 75, svc_invoice_ids: [ids.late, ids.overdue] };
  expect(await ask('overdue_balance')).toEqual([may]);
  expect(await ask('overdue_balance?external_customer_id=ada')).toEqual([]);
  expect(await ask('overdue_balance?months=1')).toEqual([]);
});

it('usage that was billed, by days, weeks and months, of what is asked for', async () => {
  const used = { organization_id: app.organizationId, billable_metric_code: 'calls', amount_currency: 'EUR' };
  const row = (start: string, end: string, amount_cents: number, units: string) => ({
    ...{ ...used, start_of_period_dt: start, end_of_period_dt: end, amount_cents, units },
    is_billable_metric_deleted: false,
  });
  const days = [row('2026-06-01', '2026-06-01', 40, '4.0'), row('2026-06-03', '2026-06-03', 2, '0.5')];
  expect(await ask('usage')).toEqual(days);
  expect(await ask('usage?time_granularity=weekly')).toEqual([row('2026-06-01', '2026-06-07', 42, '4.5')]);
  expect(await ask('usage?time_granularity=monthly&from_date=2026-05-01')).toEqual([
    row('2026-05-01', '2026-05-31', 5, '1.0'),
    row('2026-06-01', '2026-06-30', 42, '4.5'),
  ]);
  expect(await ask('usage?from_date=2026-06-02&to_date=2026-06-03')).toEqual(days.slice(1));
  for (const none of [
    'currency=USD',
    'customer_type=company',
    'customer_country=FR',
    'external_subscription_id=x',
    'plan_code=x',
  ]) {
    expect([none, await ask(`usage?${none}`)]).toEqual([none, []]);
  }
  for (const none of ['billable_metric_code=x', 'is_billable_metric_recurring=true', 'external_customer_id=bob']) {
    expect([none, await ask(`usage?${none}`)]).toEqual([none, []]);
  }
  const all =
    'currency=eur&external_subscription_id=s&plan_code=p&billable_metric_code=calls&is_billable_metric_recurring=false';
  expect(await ask(`usage?${all}&external_customer_id=ada`)).toEqual(days);
});

it.each([
  ['from_date=2026-06-02&to_date=2026-06-01', { from_date: ['value_is_out_of_range'] }],
  ['from_date=2019-01-01', { from_date: ['value_is_out_of_range'] }],
  ['from_date=x', { from_date: ['value_is_invalid'] }],
  ['time_granularity=hourly', { time_granularity: ['value_is_invalid'] }],
])('refuses usage of %s', async (query, details) => {
  const { status, body } = await app.rest('GET', `/analytics/usage?${query}`);
  expect([status, body.error_details]).toEqual([422, details]);
});

it('refuses what is no number of months', async () => {
  const { status, body } = await app.rest('GET', '/analytics/mrr?months=many');
  expect([status, body.error_details]).toEqual([422, { months: ['value_is_invalid'] }]);
});
