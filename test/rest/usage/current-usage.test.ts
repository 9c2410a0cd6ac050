import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../../support.ts';
import { appWith, charge, event, metric, plan, subscription } from './usage-fixture.ts';

const NOW = new Date('2023-08-08T10:00:00Z');
const START = '2023-01-01T09:30:00Z';
const SINCE = '2023-06-15T00:00:00Z';

const users = [1, 2, 3, 4, 5];
const workspaces = ['workspace_a', 'workspace_b'];
const groupedEvents = workspaces.flatMap((workspace) =>
  users.map((user) =>
    event('sub_grouped', 'seats', '2023-08-02T00:00:00Z', { value: '3', workspace, user: `user_${user}` }),
  ),
);
const RANGES = [
  { from_value: 0, to_value: 2, per_unit_amount: '1', flat_amount: '10' },
  { from_value: 3, to_value: null, per_unit_amount: '0.5', flat_amount: '0' },
];
const FILTERS = [
  { invoice_display_name: 'Europe', properties: { amount: '0.5' }, values: { region: ['eu'] } },
  { properties: { amount: '0.25' }, values: { region: ['us'] } },
];

const DOCUMENT = {
  taxes: [{ code: 'vat20', name: 'VAT', rate: 20 }],
  billing_entities: [{ code: 'main', name: 'Main', is_default: true, tax_codes: ['vat20'] }],
  pricing_units: [{ code: 'credits', name: 'Credits', short_name: 'CR' }],
  billable_metrics: [
    metric('calls', 'count_agg', { name: 'calls', filters: [{ key: 'region', values: ['eu', 'us', 'asia'] }] }),
    metric('seats', 'sum_agg', { name: 'Seats' }),
    metric('bytes', 'sum_agg', { name: 'Bytes' }),
    metric('licences', 'sum_agg', { name: 'licences', recurring: true }),
    metric('alphas', 'count_agg', { name: 'Alphas' }),
  ],
  plans: [
    plan('yearly', [charge('calls', 'calls', { amount: '1' })], { interval: 'yearly' }),
    plan('grouped', [charge('seats', 'seats', { amount: '10', pricing_group_keys: ['workspace', 'user'] })]),
    plan('many', [
      charge(
        'calls',
        'calls',
        { amount: '1', presentation_group_keys: [{ value: 'team' }, { value: 'site' }] },
        { filters: FILTERS, invoice_display_name: 'API' },
      ),
      charge('tiered', 'seats', { graduated_ranges: RANGES }, { charge_model: 'graduated', min_amount_cents: 100_000 }),
      charge('at_once', 'bytes', { amount: '2' }, { pay_in_advance: true }),
      charge('licences', 'licences', { amount: '30' }, { prorated: true }),
      charge('unused', 'alphas', { amount: '5' }),
      charge(
        'in_credits',
        'alphas',
        { amount: '3' },
        { applied_pricing_unit: { code: 'credits', conversion_rate: '1.5' } },
      ),
    ]),
  ],
  customers: [
    { external_id: 'cust', name: 'Ada', currency: 'EUR' },
    { external_id: 'berlin', name: 'Berlin', currency: 'EUR', timezone: 'Europe/Berlin' },
    { external_id: 'angeles', name: 'Angeles', currency: 'EUR', timezone: 'America/Los_Angeles' },
  ],
  subscriptions: [
    subscription('sub_yearly', 'yearly', START),
    subscription('sub_berlin', 'yearly', START, { external_customer_id: 'berlin' }),
    subscription('sub_angeles', 'yearly', START, { external_customer_id: 'angeles' }),
    subscription('sub_grouped', 'grouped', SINCE),
    subscription('sub_many', 'many', SINCE),
    subscription('sub_ended', 'grouped', START, { status: 'terminated', terminated_at: '2023-05-01T00:00:00Z' }),
    subscription('sub_waiting', 'grouped', '2023-12-01T00:00:00Z', { status: 'pending', started_at: null }),
  ],
  events: [
    ...groupedEvents,
    event('sub_many', 'calls', '2023-08-01T00:00:00Z', { region: 'eu', team: 'red', site: 'x' }),
    event('sub_many', 'calls', '2023-08-02T00:00:00Z', { region: 'eu', team: 'blue', site: 'x' }),
    event('sub_many', 'calls', '2023-08-03T00:00:00Z', { region: 'us', team: 'red' }),
    event('sub_many', 'calls', '2023-08-04T00:00:00Z', { region: 'mars', team: 'red' }),
    event('sub_many', 'calls', '2023-07-31T23:59:59Z', { region: 'eu' }),
    event('sub_many', 'calls', '2023-08-20T00:00:00Z', { region: 'eu' }), // not yet
    event('sub_many', 'seats', '2023-08-04T00:00:00Z', { value: '4' }),
    event('sub_many', 'bytes', '2023-08-05T00:00:00Z', { value: '7' }),
    event('sub_many', 'licences', '2023-07-01T00:00:00Z', { value: '2' }),
    event('sub_many', 'licences', '2023-08-08T00:00:00Z', { value: '1' }),
  ],
};

let gateway: TestApp;
beforeAll(async () => {
  gateway = await appWith(DOCUMENT, NOW);
});
afterAll(() => gateway.close());

const ask = (customer: string, query: Record<string, string> | string, kind = 'current_usage') =>
  gateway.rest(
    'GET',
    `/customers/${customer}/${kind}?${typeof query === 'string' ? query : new URLSearchParams(query)}`,
  );
const usageOf = async (external_subscription_id: string, query: Record<string, string> = {}, customer = 'cust') => {
  const { status, body } = await ask(customer, { external_subscription_id, ...query });
  expect(status).toBe(200);
  return body.customer_usage;
};
// biome-ignore lint/suspicious/noExplicitAny: members of any shape
const chargeOf = (usage: any, code: string) => usage.charges_usage.find((one: any) => one.charge.code === code);

describe('the period', () => {
  test.each([
    ['cust', 'sub_yearly', '2023-12-31T23:59:59Z'],
    ['berlin', 'sub_berlin', '2023-12-31T22:59:59Z'],
    ['angeles', 'sub_angeles', '2024-01-01T07:59:59Z'],
  ])('of %s ends in its own zone', async (customer, name, end) => {
    const usage = await usageOf(name, {}, customer);
    expect(usage).toMatchObject({ from_datetime: START, to_datetime: end, issuing_date: '2023-12-31' });
    expect(usage).toMatchObject({ currency: 'EUR', svc_invoice_id: null, amount_cents: 0, total_amount_cents: 0 });
  });
});

describe('groups', () => {
  test('are each priced by themselves', async () => {
    const usage = await usageOf('sub_grouped');
    const [one] = usage.charges_usage;
    expect(one.grouped_usage).toHaveLength(10);
    for (const group of one.grouped_usage)
      expect(group).toMatchObject({ units: '3.0', amount_cents: 3000, events_count: 1, filters: [] });
    expect(one.grouped_usage[0].grouped_by).toEqual({ workspace: 'workspace_a', user: 'user_1' });
    expect(usage).toMatchObject({ amount_cents: 30_000, taxes_amount_cents: 6000, total_amount_cents: 36_000 });
  });

  test.each([
    [{ group: '{"workspace":"workspace_a"}' }, 5],
    [{ filter_by_group: '{"workspace":["workspace_a"]}' }, 5],
    [{ 'group[workspace]': 'workspace_a' }, 5],
    [{ 'group[workspace][]': 'workspace_a', 'group[user]': 'user_2' }, 1],
    [{ group: '{"workspace":["workspace_a","workspace_b"]}' }, 10],
  ])('are narrowed by %j', async (query, count) => {
    const usage = await usageOf('sub_grouped', query as unknown as Record<string, string>);
    const groups = usage.charges_usage[0].grouped_usage;
    expect(groups).toHaveLength(count);
    for (const group of groups) expect(group).toMatchObject({ units: '3.0', amount_cents: 3000 });
    expect(usage.amount_cents).toBe(3000 * count);
  });

  test('that no event is in are shown empty', async () => {
    const usage = await usageOf('sub_grouped', { group: '{"workspace":"nowhere"}' });
    expect(usage).toMatchObject({ amount_cents: 0, charges_usage: [{ units: '0.0', events_count: 0 }] });
  });

  test('are left aside on request', async () => {
    const [one] = (await usageOf('sub_grouped', { skip_grouping: 'true' })).charges_usage;
    expect(one).toMatchObject({ units: '30.0', amount_cents: 30_000, events_count: 10, grouped_usage: [] });
    const [half] = (await usageOf('sub_grouped', { skip_grouping: '1', group: '{"workspace":"workspace_b"}' }))
      .charges_usage;
    expect(half).toMatchObject({ units: '15.0', amount_cents: 15_000, events_count: 5 });
  });
});

describe('charges', () => {
  test('come in the order of the names of their metrics, whatever their letters, also those without usage', async () => {
    const usage = await usageOf('sub_many');
    const names = usage.charges_usage.map(
      ({ billable_metric }: { billable_metric: { name: string } }) => billable_metric.name,
    );
    expect(names).toEqual(['Alphas', 'Alphas', 'Bytes', 'calls', 'licences', 'Seats']);
    expect(chargeOf(usage, 'unused')).toMatchObject({ units: '0.0', amount_cents: 0, events_count: 0, filters: [] });
    expect(chargeOf(usage, 'unused').pricing_unit_details).toBe(null);
    expect(chargeOf(usage, 'in_credits').pricing_unit_details).toEqual({
      amount_cents: 0,
      short_name: 'CR',
      conversion_rate: '1.5',
    });
    // 0.50 + 0.50 + 0.25 + 1.00, the first range with its flat amount and 2 beyond, 7 at 2, and 2 licences of August and one of 24 of its 31 days.
    expect(chargeOf(usage, 'tiered')).toMatchObject({ units: '4.0', amount_cents: 1300 });
    expect(chargeOf(usage, 'at_once')).toMatchObject({ units: '7.0', amount_cents: 1400 });
    expect(chargeOf(usage, 'licences')).toMatchObject({
      units: '3.0',
      total_aggregated_units: '2.7742',
      amount_cents: 8323,
    });
    expect(usage).toMatchObject({ amount_cents: 225 + 1300 + 1400 + 8323, taxes_amount_cents: 2250 });
  });

  test('have their filters, and what none of them matches', async () => {
    const calls = chargeOf(await usageOf('sub_many'), 'calls');
    expect(calls).toMatchObject({
      units: '4.0',
      amount_cents: 225,
      events_count: 4,
      charge: { invoice_display_name: 'API' },
    });
    expect(calls.filters).toMatchObject([
      { values: { region: ['eu'] }, invoice_display_name: 'Europe', units: '2.0', amount_cents: 100 },
      { values: { region: ['us'] }, invoice_display_name: null, units: '1.0', amount_cents: 25 },
      { values: null, invoice_display_name: null, units: '1.0', amount_cents: 100, events_count: 1 },
    ]);
  });

  test('tell units by what they are presented by', async () => {
    const calls = chargeOf(await usageOf('sub_many'), 'calls');
    expect(calls.presentation_breakdowns).toEqual([
      { presentation_by: { team: 'red', site: 'x' }, units: '1.0' },
      { presentation_by: { team: 'blue', site: 'x' }, units: '1.0' },
      { presentation_by: { team: 'red', site: null }, units: '2.0' },
    ]);
    const narrowed = chargeOf(await usageOf('sub_many', { filter_by_presentation: '["team","nothing"]' }), 'calls');
    expect(narrowed.presentation_breakdowns).toEqual([
      { presentation_by: { team: 'red' }, units: '3.0' },
      { presentation_by: { team: 'blue' }, units: '1.0' },
    ]);
    expect(
      chargeOf(await usageOf('sub_many', { filter_by_presentation: '[]' }), 'calls').presentation_breakdowns,
    ).toEqual([]);
  });

  test('are narrowed by identifier, code or metric, of which the first counts', async () => {
    const { charge: known } = chargeOf(await usageOf('sub_many'), 'calls');
    const codes = async (query: Record<string, string>) =>
      (await usageOf('sub_many', query)).charges_usage.map((one: { charge: { code: string } }) => one.charge.code);
    expect(await codes({ charge_id: known.svc_id.toUpperCase(), charge_code: 'tiered' })).toEqual(['calls']);
    expect(await codes({ filter_by_charge_id: known.svc_id })).toEqual(['calls']);
    expect(await codes({ charge_code: 'tiered', billable_metric_code: 'calls' })).toEqual(['tiered']);
    expect(await codes({ filter_by_charge_code: 'tiered' })).toEqual(['tiered']);
    expect(await codes({ billable_metric_code: 'alphas' })).toEqual(['unused', 'in_credits']);
    expect(await codes({ filter_by_metric_code: 'alphas', charge_code: '' })).toEqual(['unused', 'in_credits']);
  });

  test('have no taxes where none are asked for', async () => {
    const usage = await usageOf('sub_grouped', { apply_taxes: 'false' });
    expect(usage).toMatchObject({ amount_cents: 30_000, taxes_amount_cents: 0, total_amount_cents: 30_000 });
  });

  test('are counted since the start of the subscription on request', async () => {
    const usage = await usageOf('sub_many', { full_usage: 'true', charge_code: 'calls' });
    expect(usage).toMatchObject({ from_datetime: SINCE, to_datetime: '2023-08-31T23:59:59Z', amount_cents: 275 });
  });
});

describe('what is refused', () => {
  const notAllowed = (code: string) => ({ status: 405, body: { status: 405, error: 'Method Not Allowed', code } });
  const chargeNotFound = { status: 404, body: { code: 'object_not_found' } };
  const invalid = (details: object) => ({ status: 422, body: { error_details: details } });
  test.each([
    ['nobody', { external_subscription_id: 'sub_many', full_usage: 'maybe' }, { status: 404 }],
    ['nobody', { external_subscription_id: 'sub_many' }, { status: 404 }],
    ['cust', {}, notAllowed('no_active_subscription')],
    ['cust', { external_subscription_id: 'nothing' }, notAllowed('no_active_subscription')],
    ['cust', { external_subscription_id: 'sub_berlin' }, notAllowed('no_active_subscription')],
    ['cust', { external_subscription_id: 'sub_ended', full_usage: 'true' }, notAllowed('no_active_subscription')],
    ['cust', { external_subscription_id: 'sub_waiting' }, notAllowed('no_active_subscription')],
    ['cust', { external_subscription_id: 'sub_many', full_usage: 'true' }, notAllowed('full_usage_not_allowed')],
    [
      'cust',
      { external_subscription_id: 'sub_many', full_usage: 'true', charge_code: 'licences' },
      notAllowed('full_usage_not_allowed'),
    ],
    ['cust', { external_subscription_id: 'sub_many', charge_code: 'nothing' }, { status: 404 }],
    ['cust', { external_subscription_id: 'sub_many', charge_id: 'nothing' }, { status: 404 }],
    ['cust', { external_subscription_id: 'sub_many', billable_metric_code: 'nothing' }, chargeNotFound],
    ['cust', { external_subscription_id: 'sub_many', filter_by_metric_code: 'nothing' }, chargeNotFound],
    ['cust', { external_subscription_id: 'sub_many', filter_by_charge_code: 'nothing' }, chargeNotFound],
    [
      'cust',
      { external_subscription_id: 'nothing', billable_metric_code: 'nothing' },
      notAllowed('no_active_subscription'),
    ],
    ['cust', { external_subscription_id: 'sub_many', group: '{' }, invalid({ group: ['value_is_invalid'] })],
    ['cust', { external_subscription_id: 'sub_many', group: '["a"]' }, invalid({ group: ['value_is_invalid'] })],
    ...['{"a":null}', '{"a":{"b":"c"}}', '{"a":["b",[]]}', '{"a":true}'].map((group): [string, object, object] => [
      'cust',
      { external_subscription_id: 'sub_many', group },
      invalid({ group: ['value_is_invalid'] }),
    ]),
    [
      'cust',
      { external_subscription_id: 'sub_many', filter_by_presentation: 'a,b' },
      invalid({ filter_by_presentation: ['value_is_invalid'] }),
    ],
    [
      'cust',
      { external_subscription_id: 'sub_many', apply_taxes: 'maybe' },
      invalid({ apply_taxes: ['value_is_invalid'] }),
    ],
  ])('of %s: %j', async (customer, query, answer) => {
    expect(await ask(customer, query as Record<string, string>)).toMatchObject(answer);
  });

  test('a key without the permission, and another organization', async () => {
    const path = '/customers/cust/current_usage?external_subscription_id=sub_many';
    const key = await gateway.makeKey({ permissions: { customer: ['read'], subscription: ['read'] } });
    expect((await gateway.rest('GET', path, undefined, { key })).body.code).toBe(
      'read_action_not_allowed_for_customer_usage',
    );
    const { id } = await gateway.db.prisma.organization.create({ data: { name: 'Brackenfell' } });
    const foreign = await gateway.makeKey({ organizationId: id });
    expect((await gateway.rest('GET', path, undefined, { key: foreign })).status).toBe(404);
  });
});

describe('projected usage', () => {
  const projectedOf = async (external_subscription_id: string, query: Record<string, string> = {}) => {
    const { status, body } = await ask('cust', { external_subscription_id, ...query }, 'projected_usage');
    expect(status).toBe(200);
    return body.customer_projected_usage;
  };

  test('is what usage comes to if it goes on like this: after 8 of 31 days, 31 / 8 of it', async () => {
    const usage = await projectedOf('sub_many');
    expect(chargeOf(usage, 'calls')).toMatchObject({
      units: '4.0',
      amount_cents: 225,
      projected_units: '15.5',
      projected_amount_cents: 388 + 97 + 388,
    });
    // 15.5 seats: 2 at 1, 13.5 at 0.50 and the flat amount.
    expect(chargeOf(usage, 'tiered')).toMatchObject({ projected_units: '15.5', projected_amount_cents: 1875 });
    expect(chargeOf(usage, 'licences')).toMatchObject({ projected_units: '3.0', projected_amount_cents: 8323 });
    expect(chargeOf(usage, 'calls').projected_presentation_breakdowns[2]).toEqual({
      presentation_by: { team: 'red', site: null },
      units: '7.75',
    });
    const sum = usage.charges_usage.reduce(
      (total: number, one: { projected_amount_cents: number }) => total + one.projected_amount_cents,
      0,
    );
    expect(usage).toMatchObject({ amount_cents: 11_248, projected_amount_cents: sum, taxes_amount_cents: 2250 });
  });

  test('needs the permission to see usage, and a subscription that runs', async () => {
    const path = '/customers/cust/projected_usage?external_subscription_id=';
    const key = await gateway.makeKey({ permissions: { customer: ['read'] } });
    expect((await gateway.rest('GET', `${path}sub_many`, undefined, { key })).status).toBe(403);
    expect((await gateway.rest('GET', `${path}sub_ended`)).body.code).toBe('no_active_subscription');
    expect((await ask('nobody', { external_subscription_id: 'sub_many' }, 'projected_usage')).status).toBe(404);
  });
});

describe('in the graph', () => {
  const LIST = `{ subscriptions(first: 7, orderBy: { field: external_id, direction: asc }) { nodes {
    externalId currentUsage { amountCents currencyDetails { exponent } chargesUsage { charge { code } filters { filterValues { key values } amountCents } groupedUsage { groupValues { key value } } presentedUnits { units } } }
    projectedUsage { projectedAmountCents } } } }`;

  test('each subscription has its own; null where it does not run', async () => {
    const { data, errors } = await gateway.graphql(LIST);
    expect(errors).toBeUndefined();
    const byName = new Map(data.subscriptions.nodes.map((node: { externalId: string }) => [node.externalId, node]));
    expect(byName.get('sub_ended')).toMatchObject({ currentUsage: null, projectedUsage: null });
    expect(byName.get('sub_grouped')).toMatchObject({
      currentUsage: { amountCents: '30000', currencyDetails: { exponent: 2 } },
    });
    expect(byName.get('sub_many')).toMatchObject({ currentUsage: { amountCents: '11248' } });
  });

  test('asked a second time it is the same', async () => {
    const first = await gateway.graphql(LIST);
    expect((await gateway.graphql(LIST)).data).toEqual(first.data);
  });

  test('what a key may not read is refused, charge by charge', async () => {
    const query =
      '{ customer(externalId: "cust") { currentUsage(externalSubscriptionId: "sub_many") { amountCents chargesUsage { charge { code } } } } }';
    const some = await gateway.makeKey({ permissions: { customer: ['read'], customer_usage: ['read'] } });
    expect((await gateway.graphql(query, {}, some)).errors?.[0]?.extensions?.reason).toBe(
      'read_action_not_allowed_for_plan',
    );
    const none = await gateway.makeKey({ permissions: { customer: ['read'], plan: ['read'] } });
    expect((await gateway.graphql(query, {}, none)).errors?.[0]?.extensions?.reason).toBe(
      'read_action_not_allowed_for_customer_usage',
    );
  });

  test('is priced: a list of a hundred subscriptions is bounded', async () => {
    const query = (first: number, field: string) =>
      `{ customers(first: 2) { nodes { subscriptions(first: ${first}) { nodes { ${field} } } } } }`;
    const { errors } = await gateway.graphql(query(100, 'currentUsage { amountCents } projectedUsage { amountCents }'));
    expect(errors?.[0]?.extensions?.code).toBe('query_too_complex');
    expect((await gateway.graphql(query(50, 'currentUsage { amountCents }'))).errors).toBeUndefined();
  });
});
