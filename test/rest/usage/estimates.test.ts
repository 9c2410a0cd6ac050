import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../../support.ts';
import { appWith, charge, event, metric, plan, subscription } from './usage-fixture.ts';

const NOW = new Date('2026-06-15T10:00:00Z');
const START = '2026-01-01T00:00:00Z';
const RANGES = [
  { from_value: 0, to_value: 2, per_unit_amount: '0', flat_amount: '0' },
  { from_value: 3, to_value: null, per_unit_amount: '2', flat_amount: '5' },
];
const AT_ONCE = { pay_in_advance: true };
const PERCENT = { rate: '2.99', fixed_amount: '0.1', free_units_per_events: 3 };

const DOCUMENT = {
  taxes: [{ code: 'vat20', name: 'VAT', rate: 20 }],
  billing_entities: [{ code: 'main', name: 'Main', is_default: true, tax_codes: ['vat20'] }],
  billable_metrics: [
    metric('calls', 'count_agg', { filters: [{ key: 'region', values: ['eu', 'us'] }] }),
    metric('bytes', 'sum_agg', { rounding_function: 'ceil', rounding_precision: 0 }),
    metric('users', 'unique_count_agg'),
    metric('computed', 'sum_agg', { expression: 'event.properties.a * 2' }),
    metric('peak', 'max_agg'),
    metric('unpriced', 'count_agg'),
  ],
  plans: [
    plan('at_once', [
      charge(
        'calls',
        'calls',
        { amount: '10' },
        { ...AT_ONCE, filters: [{ properties: { amount: '7' }, values: { region: ['eu'] } }] },
      ),
      charge('calls_graduated', 'calls', { graduated_ranges: RANGES }, { ...AT_ONCE, charge_model: 'graduated' }),
      charge('bytes', 'bytes', PERCENT, { ...AT_ONCE, charge_model: 'percentage', invoiceable: false }),
      charge('users', 'users', { amount: '3' }, AT_ONCE),
      charge('computed', 'computed', { amount: '1' }, AT_ONCE),
      charge('peak', 'peak', { amount: '1' }),
    ]),
  ],
  customers: [{ external_id: 'cust', name: 'Ada', currency: 'EUR' }],
  subscriptions: [
    subscription('sub', 'at_once', START),
    subscription('ended', 'at_once', START, { status: 'terminated', terminated_at: '2026-02-01T00:00:00Z' }),
    subscription('waiting', 'at_once', '2026-09-01T00:00:00Z', { status: 'pending', started_at: null }),
  ],
  events: [event('sub', 'calls', '2026-06-02T00:00:00Z'), event('sub', 'calls', '2026-05-02T00:00:00Z')],
};

let gateway: TestApp;
beforeAll(async () => {
  gateway = await appWith(DOCUMENT, NOW);
});
afterAll(() => gateway.close());

const sub = (code: string, properties: object = {}, more: object = {}) => ({
  event: { code, external_subscription_id: 'sub', properties, ...more },
});
const estimate = (body: unknown, way = 'estimate_fees') => gateway.rest('POST', `/events/${way}`, body);
const refused = (details: object) => ({ status: 422, body: { code: 'validation_errors', error_details: details } });
const stored = () => gateway.db.prisma.event.count();

describe('fees of an event', () => {
  test('are what it adds to present usage, one for each charge in advance, with taxes', async () => {
    const before = await stored();
    const { status, body } = await estimate(sub('calls'));
    expect(status).toBe(200);
    // One call is stored in June: the second is within the free range of the graduated charge.
    expect(body.fees).toMatchObject([
      {
        ...{ units: '1.0', events_count: 1, amount_cents: 1000, taxes_amount_cents: 200, total_amount_cents: 1200 },
        ...{ taxes_rate: 20, pay_in_advance: true, external_subscription_id: 'sub', external_customer_id: 'cust' },
        ...{ svc_invoice_id: null, amount_details: {}, total_aggregated_units: '2.0', precise_unit_amount: '10.0' },
        ...{ from_date: '2026-06-01T00:00:00Z', to_date: '2026-06-30T23:59:59Z' },
      },
      { amount_cents: 0, units: '1.0' },
    ]);
    expect(await stored()).toBe(before);
  });

  test('are priced by the filter that matches', async () => {
    const { body } = await estimate(sub('calls', { region: 'eu' }));
    expect(body.fees[0]).toMatchObject({ amount_cents: 700, item: { filters: { region: ['eu'] } } });
  });

  test('of an event of another period are on top of the usage of that period', async () => {
    const { body } = await estimate(sub('calls', {}, { timestamp: Date.parse('2026-05-20T00:00:00Z') / 1000 }));
    expect(body.fees[0]).toMatchObject({ from_date: '2026-05-01T00:00:00Z', total_aggregated_units: '2.0' });
    expect((await estimate(sub('calls', {}, { timestamp: 1_000_000_000 }))).body.fees).toEqual([]);
  });

  test('take what the metric computes', async () => {
    const { body } = await estimate(sub('computed', { a: '2.5' }));
    expect(body.fees).toMatchObject([{ units: '5.0', amount_cents: 500 }]);
  });

  test('of an event without its property are none', async () => {
    expect((await estimate(sub('bytes', { other: 1 }))).body).toEqual({ fees: [] });
  });

  test.each([
    [{ event: { code: 'calls' } }, { status: 404 }],
    [{ event: { code: 'calls', external_subscription_id: 'nobody', timestamp: 'soon' } }, { status: 404 }],
    [{ event: { code: 'calls', external_subscription_id: 'ended' } }, { status: 404 }],
    [{ event: { code: 'calls', external_subscription_id: 'waiting' } }, { status: 404 }],
    [sub('nothing', {}, { timestamp: 'soon' }), refused({ timestamp: ['invalid_format'] })],
    [sub('nothing', { value: 'x' }), { status: 404 }],
    [sub('peak', { value: 'x' }), refused({ properties: ['value_is_not_valid_number'] })],
    [sub('bytes', { value: '1e3' }), refused({ properties: ['value_is_not_valid_number'] })],
    [sub('peak', { value: '1' }), refused({ code: ['does_not_match_an_instant_charge'] })],
    [sub('unpriced'), refused({ code: ['does_not_match_an_instant_charge'] })],
    [sub('computed', {}), refused({ expression: ['expression_evaluation_failed: Variable: a not found'] })],
    [sub('calls', ['x']), refused({ properties: ['value_is_invalid'] })],
    [{ event: {} }, { status: 400 }],
    [{}, { status: 400 }],
  ])('of %j are refused', async (body, answer) => {
    expect(await estimate(body)).toMatchObject(answer);
  });
});

describe('instant fees', () => {
  test.each([
    // 150 at 2.99 % are 4.485, and 0.10 beside; free units and other events do not count.
    [
      sub('bytes', { value: '149.2' }, { transaction_id: 'mine' }),
      [{ units: '150.0', amount_cents: 459, precise_amount: 4.585 }],
    ],
    [sub('bytes', { value: '-3' }), [{ units: '0.0', amount_cents: 0, precise_amount: 0, precise_unit_amount: 0 }]],
    [sub('bytes', {}), [{ units: '0.0', amount_cents: 0 }]],
    [sub('calls', { region: 'eu' }), [{ units: '1.0', amount_cents: 700, precise_unit_amount: 7 }]],
    [sub('users', { value: 'ada' }), [{ units: '1.0', amount_cents: 300 }]],
    [sub('users', { value: 'ada', operation_type: 'remove' }), [{ units: '0.0', amount_cents: 0 }]],
    [sub('computed', { a: 1 }), [{ units: '2.0', amount_cents: 200, taxes_amount_cents: 0, taxes_rate: 0 }]],
  ])('of %j', async (body, fees) => {
    const answer = await estimate(body, 'estimate_instant_fees');
    expect(answer.status).toBe(200);
    expect(answer.body.fees).toMatchObject(fees);
    expect(answer.body.fees).toHaveLength(fees.length);
  });

  test('name their event, or a made up one', async () => {
    const named = await estimate(sub('calls', {}, { transaction_id: 'mine' }), 'estimate_instant_fees');
    expect(named.body.fees[0]).toMatchObject({ event_transaction_id: 'mine', svc_id: null, item: { code: 'calls' } });
    const made = await estimate(sub('calls'), 'estimate_instant_fees');
    expect(made.body.fees[0].event_transaction_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    [sub('calls', {}, { external_subscription_id: 'nobody' }), { status: 404 }],
    [sub('bytes', { value: 'x' }), refused({ properties: ['value_is_not_valid_number'] })],
    [sub('unpriced'), refused({ code: ['does_not_match_an_instant_charge'] })],
    [sub('peak', { value: '1' }), refused({ code: ['does_not_match_an_instant_charge'] })],
  ])('of %j are refused', async (body, answer) => {
    expect(await estimate(body, 'estimate_instant_fees')).toMatchObject(answer);
  });

  test('of several events come in their order; what is not billed at once is left out', async () => {
    const events = [
      sub('users', { value: 'a' }).event,
      sub('unpriced').event,
      sub('calls', {}, { transaction_id: 'x' }),
    ];
    const { status, body } = await estimate({ events }, 'batch_estimate_instant_fees');
    expect(status).toBe(200);
    expect(body.fees).toMatchObject([{ amount_cents: 300 }, { amount_cents: 1000, event_transaction_id: 'x' }]);
  });

  test.each([
    [{ events: [] }, refused({ events: ['no_events'] })],
    [{}, refused({ events: ['no_events'] })],
    [{ events: 'x' }, refused({ events: ['value_is_invalid'] })],
    [{ events: Array.from({ length: 101 }, () => sub('calls').event) }, refused({ events: ['too_many_events'] })],
    [{ events: [sub('calls').event, { code: 'calls', external_subscription_id: 'nobody' }] }, { status: 404 }],
    [
      { events: [sub('calls').event, sub('bytes', { value: 'x' }).event, sub('bytes', { value: 'y' }).event] },
      refused({ 1: { properties: ['value_is_not_valid_number'] }, 2: { properties: ['value_is_not_valid_number'] } }),
    ],
    [{ events: [sub('bytes', { value: 'x' }).event] }, refused({ 0: { properties: ['value_is_not_valid_number'] } })],
    [
      { events: [sub('calls').event, { ...sub('calls').event, properties: 7 }] },
      refused({ 1: { properties: ['value_is_invalid'] } }),
    ],
  ])('of the batch %j are refused', async (body, answer) => {
    expect(await estimate(body, 'batch_estimate_instant_fees')).toMatchObject(answer);
  });
});

test('of a subscription of another organization there are none', async () => {
  const { id } = await gateway.db.prisma.organization.create({ data: { name: 'Brackenfell' } });
  const key = await gateway.makeKey({ organizationId: id });
  for (const way of ['estimate_fees', 'estimate_instant_fees']) {
    expect((await gateway.rest('POST', `/events/${way}`, sub('calls'), { key })).status).toBe(404);
  }
  const events = { events: [sub('calls').event] };
  expect((await gateway.rest('POST', '/events/batch_estimate_instant_fees', events, { key })).status).toBe(404);
});

test('the graph asks for the permission to see fees', async () => {
  const query = 'query ($event: EstimatedEventInput!) { estimateFees(event: $event) { amountCents svcInvoiceId } }';
  const event = { code: 'calls', externalSubscriptionId: 'sub' };
  expect((await gateway.graphql(query, { event })).data.estimateFees[0]).toEqual({
    amountCents: '1000',
    svcInvoiceId: null,
  });
  const key = await gateway.makeKey({ permissions: { event: ['write'] } });
  expect((await gateway.graphql(query, { event }, key)).errors?.[0]?.extensions?.code).toBe('forbidden');
});
