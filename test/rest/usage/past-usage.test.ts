import { afterAll, beforeAll, expect, test } from 'vitest';
import { countStatements, createTestApp, openDemoDatabase, type TestApp } from '../../support.ts';

let demo: Awaited<ReturnType<typeof openDemoDatabase>>;
let gateway: TestApp;
let key: string;
let foreign: string;
beforeAll(async () => {
  demo = await openDemoDatabase();
  gateway = await createTestApp({ db: demo.db, now: () => new Date('2026-11-27T12:00:00Z') });
  const [first, second] = demo.organizations;
  key = await gateway.makeKey({ organizationId: first ?? '' });
  foreign = await gateway.makeKey({ organizationId: second ?? '' });
});
afterAll(async () => {
  await gateway.close();
  await demo.db.close();
});

const ask = (query: Record<string, string>, customer = 'cus_drava', as = key) =>
  gateway.rest('GET', `/customers/${customer}/past_usage?${new URLSearchParams(query)}`, undefined, { key: as });
const DRAVA = { external_subscription_id: 'sub_drava' };

interface Item {
  readonly amount_cents: number;
  readonly charge: { readonly svc_id: string };
}

test('each period has the fees of usage of its invoice, latest first', async () => {
  const { status, body } = await ask({ ...DRAVA, per_page: '100' });
  expect(status).toBe(200);
  const rows = await demo.db.prisma.billingPeriod.findMany({
    where: { subscription: { externalId: 'sub_drava' } },
    include: {
      invoice: { include: { fees: { where: { feeType: 'charge', deletedAt: null, trueUpParentFeeId: null } } } },
    },
    orderBy: [{ chargesFromDatetime: 'desc' }, { id: 'desc' }],
  });
  expect(rows.length).toBeGreaterThan(12);
  expect(body.meta).toMatchObject({ total_count: rows.length, current_page: 1 });
  let withUsage = 0;
  for (const [at, row] of rows.entries()) {
    const period = body.usage_periods[at];
    const fees = row.invoice.fees.filter(({ subscriptionId }) => subscriptionId === row.subscriptionId);
    const sum = (values: bigint[]) => Number(values.reduce((total, value) => total + value, 0n));
    expect(period).toMatchObject({
      svc_invoice_id: row.invoiceId,
      amount_cents: sum(fees.map((fee) => fee.amountCents)),
      taxes_amount_cents: sum(fees.map((fee) => fee.taxesAmountCents)),
      issuing_date: row.invoice.issuingDate.toISOString().slice(0, 10),
      from_datetime: `${row.chargesFromDatetime.toISOString().slice(0, 19)}Z`,
    });
    const items: Item[] = period.charges_usage;
    expect(items.reduce((total, item) => total + item.amount_cents, 0)).toBe(period.amount_cents);
    expect(new Set(items.map((item) => item.charge.svc_id))).toEqual(new Set(fees.map((fee) => fee.chargeId)));
    withUsage += Number(fees.length > 0);
  }
  expect(withUsage).toBeGreaterThan(10);
});

test('pages are of periods; periods_count is their size', async () => {
  const { body } = await ask({ ...DRAVA, periods_count: '2', per_page: '50', page: '2' });
  expect(body.usage_periods).toHaveLength(2);
  expect(body.meta).toMatchObject({ current_page: 2, prev_page: 1, next_page: 3 });
});

test('only charges on a metric are listed and summed up', async () => {
  const all = (await ask(DRAVA)).body.usage_periods[1];
  const [item] = all.charges_usage;
  const one = (await ask({ ...DRAVA, billable_metric_code: item.billable_metric.code })).body.usage_periods[1];
  expect(one.charges_usage).toHaveLength(
    all.charges_usage.filter((other: typeof item) => other.billable_metric.code === item.billable_metric.code).length,
  );
  expect(one.amount_cents).toBeLessThan(all.amount_cents);
});

test('as many statements for two periods as for twenty', async () => {
  const count = (periods_count: string) => countStatements(demo.db, () => ask({ ...DRAVA, periods_count }));
  await count('2');
  expect(await count('20')).toBe(await count('2'));
});

test.each([
  [{}, 'cus_drava', { status: 422, body: { error_details: { external_subscription_id: ['value_is_mandatory'] } } }],
  [{ ...DRAVA, billable_metric_code: 'nothing' }, 'cus_drava', { status: 404 }],
  [DRAVA, 'nobody', { status: 200, body: { usage_periods: [], meta: { total_count: 0 } } }],
  [{ external_subscription_id: 'nothing' }, 'cus_drava', { status: 200, body: { usage_periods: [] } }],
  [{ external_subscription_id: 'sub_gota' }, 'cus_drava', { status: 200, body: { usage_periods: [] } }],
])('%j of %s', async (query, customer, answer) => {
  expect(await ask(query as Record<string, string>, customer)).toMatchObject(answer);
});

test('another organization sees nothing of it', async () => {
  expect((await ask(DRAVA, 'cus_drava', foreign)).body.usage_periods).toEqual([]);
});

test('the graph has it below subscriptions and customers, by places', async () => {
  const page = 'first: 2, after: $after';
  const shown = 'nodes { svcInvoiceId amountCents } pageInfo { hasNextPage endCursor } totalCount edges { cursor }';
  const query = `query ($after: String) {
    subscription(externalId: "sub_drava") { pastUsage(${page}) { ${shown} } }
    customer(externalId: "cus_drava") { pastUsage(externalSubscriptionId: "sub_drava", ${page}) { ${shown} } } }`;
  const first = (await gateway.graphql(query, {}, key)).data;
  expect(first.subscription.pastUsage).toEqual(first.customer.pastUsage);
  expect(first.subscription.pastUsage.nodes).toHaveLength(2);
  const { endCursor } = first.subscription.pastUsage.pageInfo;
  const second = (await gateway.graphql(query, { after: endCursor }, key)).data;
  const rest = (await ask({ ...DRAVA, periods_count: '4' })).body.usage_periods;
  const ids = [...first.subscription.pastUsage.nodes, ...second.subscription.pastUsage.nodes].map(
    (node) => node.svcInvoiceId,
  );
  expect(ids).toEqual(rest.map((period: { svc_invoice_id: string }) => period.svc_invoice_id));
});
