import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countStatements, type TestApp } from '../../support.ts';
import { appWith, charge, event, metric, plan, subscription } from './usage-fixture.ts';

const NOW = new Date('2026-06-15T10:00:00Z');
const START = '2026-01-01T00:00:00Z';

const fee = (amount_cents: number, more: object = {}) => ({
  ...{ external_subscription_id: 'sub', fee_type: 'charge', charge_code: 'calls', amount_cents, units: '1', ...more },
});
const invoice = (number: string, fees: readonly object[], more: object = {}) => ({
  ...{ external_customer_id: 'cust', number, status: 'finalized', currency: 'EUR', invoice_type: 'subscription', fees },
  billing_periods: [
    {
      ...{ external_subscription_id: 'sub', invoicing_reason: 'subscription_periodic' },
      ...{ subscription_from_datetime: START, subscription_to_datetime: '2026-01-31T23:59:59Z' },
      ...{ charges_from_datetime: START, charges_to_datetime: '2026-01-31T23:59:59Z' },
    },
  ],
  ...more,
});
const DOCUMENT = {
  billing_entities: [{ code: 'main', name: 'Main', is_default: true }],
  billable_metrics: [metric('calls', 'count_agg'), metric('bytes', 'sum_agg')],
  plans: [
    plan(
      'thresholds',
      [
        charge('calls', 'calls', { amount: '1' }, { min_amount_cents: 100_000 }),
        charge('at_once', 'bytes', { amount: '2' }, { pay_in_advance: true }),
      ],
      { usage_thresholds: [{ amount_cents: 10_000 }, { amount_cents: 20_000 }] },
    ),
    plan('plain', [charge('calls', 'calls', { amount: '1' })]),
  ],
  customers: [{ external_id: 'cust', name: 'Ada', currency: 'EUR' }],
  subscriptions: [
    subscription('sub', 'thresholds', START),
    subscription('sub', 'plain', START, { status: 'terminated', terminated_at: '2026-01-15T00:00:00Z' }),
    subscription('sub_plain', 'plain', START),
    subscription('sub_waiting', 'plain', '2026-12-01T00:00:00Z', { status: 'pending', started_at: null }),
  ],
  invoices: [
    invoice('INV-1', [fee(9000), fee(500, { fee_type: 'subscription', charge_code: undefined })]),
    invoice('INV-2', [fee(2000)], { status: 'draft' }),
    invoice('INV-3', [fee(70_000)], { status: 'voided' }),
  ],
  events: [
    ...Array.from({ length: 10 }, (_, at) => event('sub', 'calls', `2026-06-0${(at % 9) + 1}T00:00:00Z`)),
    event('sub', 'calls', '2026-05-31T00:00:00Z'),
    event('sub', 'bytes', '2026-06-02T00:00:00Z', { value: '50' }),
    event('sub_plain', 'calls', '2026-06-02T00:00:00Z'),
  ],
};

let gateway: TestApp;
beforeAll(async () => {
  gateway = await appWith(DOCUMENT, NOW);
});
afterAll(() => gateway.close());

const ask = (name: string, key?: string) =>
  gateway.rest('GET', `/subscriptions/${name}/lifetime_usage`, undefined, key === undefined ? {} : { key });

test('is what was invoiced and what is used in the period that runs', async () => {
  const { status, body } = await ask('sub');
  expect(status).toBe(200);
  // Two invoices that are not voided, and ten calls of June; what is in advance counts once it is billed.
  expect(body.lifetime_usage).toMatchObject({
    ...{ external_subscription_id: 'sub', external_historical_usage_amount_cents: 0 },
    ...{ invoiced_usage_amount_cents: 11_000, current_usage_amount_cents: 1000 },
    ...{ from_datetime: START, to_datetime: '2026-06-15T10:00:00Z' },
    usage_thresholds: [
      { amount_cents: 10_000, completion_ratio: 1, reached_at: null },
      { amount_cents: 20_000, completion_ratio: 0.2, reached_at: null },
    ],
  });
});

test('has no thresholds where the plan has none', async () => {
  const { body } = await ask('sub_plain');
  expect(body.lifetime_usage).toMatchObject({
    invoiced_usage_amount_cents: 0,
    current_usage_amount_cents: 100,
    usage_thresholds: [],
  });
});

test.each(['sub_waiting', 'nothing'])('there is none of %s', async (name) => {
  expect((await ask(name)).status).toBe(404);
});

test('needs its permission; another organization sees none', async () => {
  const key = await gateway.makeKey({ permissions: { subscription: ['read'] } });
  expect((await ask('sub', key)).body.code).toBe('read_action_not_allowed_for_lifetime_usage');
  const query = '{ subscription(externalId: "sub") { lifetimeUsage { totalUsageAmountCents } } }';
  expect((await gateway.graphql(query, {}, key)).errors?.[0]?.extensions?.code).toBe('forbidden');
  const { id } = await gateway.db.prisma.organization.create({ data: { name: 'Brackenfell' } });
  expect((await ask('sub', await gateway.makeKey({ organizationId: id }))).status).toBe(404);
});

test('of a list it takes a statement more for each charge, and else none', async () => {
  const query = (first: number) => `{ subscriptions(first: ${first}, filter: { status: [active] }) { nodes { externalId
    lifetimeUsage { totalUsageAmountCents currencyDetails { exponent } } } } }`;
  const all = (await gateway.graphql(query(5))).data.subscriptions.nodes;
  expect(all.map((one: { externalId: string; lifetimeUsage: object }) => [one.externalId, one.lifetimeUsage])).toEqual(
    expect.arrayContaining([
      ['sub', { totalUsageAmountCents: '12000', currencyDetails: { exponent: 2 } }],
      ['sub_plain', { totalUsageAmountCents: '100', currencyDetails: { exponent: 2 } }],
    ]),
  );
  const count = (first: number) => countStatements(gateway.db, () => gateway.graphql(query(first)));
  await count(1);
  // Of a charge of one more subscription: its sum, and on the embedded database whether it has too many events.
  expect((await count(2)) - (await count(1))).toBeLessThanOrEqual(2);
});

describe('what was used before', () => {
  const put = (cents: unknown, name = 'sub_plain', key?: string) =>
    gateway.rest(
      'PUT',
      `/subscriptions/${name}/lifetime_usage`,
      { lifetime_usage: { external_historical_usage_amount_cents: cents } },
      key === undefined ? {} : { key },
    );
  const entries = () => gateway.db.prisma.auditLog.findMany({ where: { action: 'lifetime_usage.updated' } });

  test('is told, counts towards thresholds, and is in the log where it changed', async () => {
    const { status, body } = await put(13_000, 'sub');
    expect(status).toBe(200);
    expect(body.lifetime_usage).toMatchObject({
      ...{ external_historical_usage_amount_cents: 13_000, invoiced_usage_amount_cents: 11_000 },
      current_usage_amount_cents: 1000,
      usage_thresholds: [
        { amount_cents: 10_000, completion_ratio: 1 },
        { amount_cents: 20_000, completion_ratio: 1 },
      ],
    });
    expect((await ask('sub')).body).toEqual(body);
    expect((await put('13000', 'sub')).body).toEqual(body);
    const [entry, ...others] = await entries();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      ...{ objectType: 'subscription', objectId: body.lifetime_usage.svc_subscription_id },
      before: { externalHistoricalUsageAmountCents: null },
      after: { externalHistoricalUsageAmountCents: '13000' },
    });
    expect((await put(0, 'sub')).body.lifetime_usage).toMatchObject({
      ...{ external_historical_usage_amount_cents: 0, usage_thresholds: [{}, { completion_ratio: 0.2 }] },
    });
  });

  test('is kept by the subscription that takes over, until it is told anew', async () => {
    const { prisma } = gateway.db;
    const where = { externalId: 'sub', status: 'terminated' } as const;
    await prisma.subscription.updateMany({ where, data: { externalHistoricalUsageAmountCents: 500n } });
    const active = { externalId: 'sub', status: 'active' } as const;
    await prisma.subscription.updateMany({ where: active, data: { externalHistoricalUsageAmountCents: null } });
    const shown = async () => (await ask('sub')).body.lifetime_usage.external_historical_usage_amount_cents;
    expect(await shown()).toBe(500);
    await put(0, 'sub');
    expect(await shown()).toBe(0);
    await prisma.subscription.updateMany({ where, data: { externalHistoricalUsageAmountCents: null } });
  });

  test.each([
    [-1, { historical_usage_amount_cents: ['value_is_out_of_range'] }],
    [1.5, { external_historical_usage_amount_cents: ['value_is_invalid'] }],
    ['x', { external_historical_usage_amount_cents: ['value_is_invalid'] }],
    [null, { external_historical_usage_amount_cents: ['value_is_mandatory'] }],
    [[1], { external_historical_usage_amount_cents: ['value_is_invalid'] }],
    ['9223372036854775808', { external_historical_usage_amount_cents: ['value_is_invalid'] }],
  ])('of %j is refused', async (cents, details) => {
    const before = await entries();
    const { status, body } = await put(cents);
    expect([status, body.error_details]).toEqual([422, details]);
    expect((await put(cents, 'nothing')).status).toBe(404);
    expect(await entries()).toEqual(before);
  });

  test('holds as much as a column of minor units, and the sums more', async () => {
    const most = '9223372036854775807';
    const { text } = await put(most);
    expect(text).toContain(`"external_historical_usage_amount_cents":${most}`);
    const query = '{ subscription(externalId: "sub_plain") { lifetimeUsage { totalUsageAmountCents } } }';
    const { data } = await gateway.graphql(query);
    expect(data.subscription.lifetimeUsage.totalUsageAmountCents).toBe('9223372036854775907');
    await put(0);
  });

  test('needs a body with its root, an active subscription, and the permission', async () => {
    for (const body of [undefined, {}, { lifetime_usage: {} }, { lifetime_usage: null }, []])
      expect((await gateway.rest('PUT', '/subscriptions/sub/lifetime_usage', body)).status).toBe(400);
    for (const name of ['sub_waiting', 'nothing']) expect((await put(1, name)).status).toBe(404);
    const key = await gateway.makeKey({ permissions: { lifetime_usage: ['read'] } });
    expect((await put(1, 'sub', key)).body.code).toBe('write_action_not_allowed_for_lifetime_usage');
  });

  test('is told by the graph, with what is wrong by its place', async () => {
    const text = `mutation ($cents: BigInt!) {
      updateLifetimeUsage(externalId: "sub_plain", input: { externalHistoricalUsageAmountCents: $cents }) {
        externalId lifetimeUsage { id externalHistoricalUsageAmountCents totalUsageAmountCents } } }`;
    const { data } = await gateway.graphql(text, { cents: '40' });
    expect(data.updateLifetimeUsage).toMatchObject({
      externalId: 'sub_plain',
      lifetimeUsage: { externalHistoricalUsageAmountCents: '40', totalUsageAmountCents: '140' },
    });
    const refused = await gateway.graphql(text, { cents: '-40' });
    expect(refused.errors?.[0]?.extensions?.errors).toMatchObject([
      { path: ['input', 'externalHistoricalUsageAmountCents'], code: 'value_is_out_of_range' },
    ]);
    await put(0);
  });
});
