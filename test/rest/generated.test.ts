import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullApp, WALLETS } from '../robust/full-app.ts';
import type { Answer, TestApp } from '../support.ts';
import {
  against,
  alternatives,
  description,
  generated,
  type Hints,
  placesOf,
  replaced,
  resolved,
} from './described.ts';
import { IDS } from './fixture.ts';

// The description is held against the server: what it allows is answered or refused for what it means, never for its shape;
// what it forbids is refused; every answer is one that it describes. Requests are made from its own schemas.

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app.close());

const PARAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  downloadInvoice: { id: IDS.invoices[1] ?? '' },
  previewInvoice: {},
  mergeWalletMetadata: { id: WALLETS[0] ?? '' },
  terminateWallet: { svc_id: WALLETS[1] ?? '' },
  createChargeFilter: { code: 'fuzzed', charge_code: 'calls' },
  getChargeFilter: { code: 'orchid', charge_code: 'api_calls', filter_id: IDS.filter },
  updateCharge: { code: 'fuzzed', charge_code: 'calls' },
  updateFixedCharge: { code: 'fuzzed', fixed_charge_code: 'desk' },
  getSubscriptionCharge: { external_id: 'sub_ada', charge_code: 'api_calls' },
  getFee: { svc_id: IDS.fullFee },
  getBillingEntity: { code: 'acme.fr' },
  listCustomerPaymentRequests: { external_customer_id: 'cust_ada' },
  findEvent: { transaction_id: 'generated-0' },
};

const EXISTING: Hints = {
  plan_code: ['fuzzed', 'clover', 'orchid'],
  external_id: ['cust_ada', 'cust_bare'],
  external_ids: [['sub_fuzzed'], []],
  billing_entity_code: ['acme.fr', 'acme_de', null],
  integration_customers: [[], null],
  currency: ['EUR', null],
  amount_currency: ['EUR', 'USD'],
  country: ['FR', 'XK', null],
  timezone: ['Europe/Paris', null],
  tax_codes: [['vat20'], [], null],
  metric_code: ['api_calls'],
  expression: ['1 + 1', 'event.code', 'event.properties.a'],
  amount: ['0', '0.5', '12.34'],
  values: [{ region: ['eu'] }, { region: ['us', 'eu'] }, { region: ['__ALL_FILTER_VALUES__'] }],
  usage: [[{ metric_code: 'api_calls', units: '3' }], [], null],
  'billing_entity_codes[]': [['acme.fr'], ['acme_de', 'acme.fr']],
};

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
  readonly body: any;
  // biome-ignore lint/suspicious/noExplicitAny: JSON Schemas
  readonly query: readonly { name: string; schema: any }[];
  // biome-ignore lint/suspicious/noExplicitAny: JSON Schemas
  readonly answers: Readonly<Record<string, any>>;
}

const schemaOf = (part: { $ref?: string; content?: unknown }) => {
  const name = part.$ref?.split('/').at(-1);
  const whole = name === undefined ? part : description.components.responses[name];
  return whole.content['application/json'].schema;
};

const operations: Operation[] = Object.entries<Record<string, never>>(description.paths).flatMap(([path, methods]) =>
  // biome-ignore lint/suspicious/noExplicitAny: what is read here is checked by the tests of the description
  Object.entries<any>(methods).map(([method, operation]) => ({
    name: operation.operationId as string,
    method: method.toUpperCase(),
    path,
    body: operation.requestBody && schemaOf(operation.requestBody),
    query: operation.parameters.filter((one: { in?: string }) => one.in === 'query'),
    answers: Object.fromEntries(
      Object.entries<{ $ref?: string }>(operation.responses).map(([status, part]) => [status, schemaOf(part)]),
    ),
  })),
);

const addressOf = ({ name, path }: Operation, query: object = {}) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(PARAMS[name]?.[part] ?? ''));
  const pairs = Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => [key, String(one)]));
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? filled : `${filled}?${text}`;
};

/** What a refusal may say of a request whose shape is right: what it names is not there, or does not go together. */
const MEANINGS: ReadonlySet<string> = new Set([
  ...['properties invalid_amount', 'properties missing_graduated_ranges', 'properties missing_volume_ranges'],
  ...['values value_is_invalid', 'values value_already_exist'],
  ...['billable_metric_filter relation_must_exist', 'billable_metric relation_must_exist'],
  ...[
    'charge_model invalid_aggregation_type_or_charge_model',
    'pay_in_advance invalid_aggregation_type_or_charge_model',
  ],
  ...['currency value_is_invalid', 'country not_a_valid_country_code', 'timezone invalid_timezone'],
  ...['amount_currency value_is_invalid', 'amount_cents value_is_mandatory', 'percentage_rate value_is_mandatory'],
  ...['percentage_rate value_is_out_of_range', 'metric_code value_is_invalid', 'usage units_or_events_must_be_given'],
  ...['customer must_be_persisted', 'base customer_currency_does_not_match', 'terminated_at cannot_be_in_past'],
  ...['base new_plan_should_be_different_from_existing_plan', 'conversion_rate value_is_out_of_range'],
  ...['regroup_paid_fees only_compatible_with_pay_in_advance_and_non_invoiceable'],
  ...['invoiceable must_be_true_unless_pay_in_advance', 'min_amount_cents not_compatible_with_pay_in_advance'],
  ...['prorated invalid_billable_metric_or_charge_model'],
  ...['code value_is_too_long', 'wallet_id wallet_is_terminated', 'transaction_id value_already_exist'],
  ...[
    'timestamp value_is_out_of_range',
    'events no_events',
    'transaction_id value_is_mandatory',
    'code value_is_mandatory',
  ],
  ...['external_subscription_id value_is_mandatory', 'timestamp_from not_compatible_with_start'],
  'precise_total_amount_cents value_is_out_of_range',
  ...['expression value_is_mandatory', 'expression invalid_expression', 'event invalid_event'],
]);

/** Each field with each of its codes, also of the objects of a list. */
const saidIn = (details: Readonly<Record<string, object>>): string[] =>
  Object.entries(details).flatMap(([field, said]) =>
    Array.isArray(said) ? said.map((code) => `${field} ${code}`) : saidIn(said as Readonly<Record<string, object>>),
  );

const meansSomething = ({ status, body }: Answer) =>
  status === 404 || (status === 422 && saidIn(body.error_details).every((said) => MEANINGS.has(said)));

/** Values of other types than a schema takes, and that are none of the casts for existing clients. */
function strangers(shape: unknown): unknown[] {
  const all = alternatives(shape);
  const types = all.map(({ type }) => type);
  const odd: unknown[] = [true, [], [true], { strange: 1 }];
  if (types.some((type) => type === 'integer' || type === 'number' || type === 'boolean')) odd.push('many');
  if (types.includes('integer')) odd.push(1.5);
  if (types.includes('boolean')) odd.push(1, 'true');
  if (types.includes('array') || types.includes('object')) odd.push('x', 7);
  if (all.some(({ enum: values, pattern }) => values || pattern)) odd.push('no such value');
  return odd;
}

// Of prices, the rules read only those of the model, and drop the others unread: the charges here are of a standard price.
const isUnread = (path: readonly (string | number)[]) => {
  const at = path.indexOf('properties');
  return at >= 0 && path.length > at + 1 && path[at + 1] !== 'amount';
};

const EXAMPLES: Readonly<Record<string, unknown>> = {
  previewInvoice: { plan_code: 'fuzzed', customer: { external_id: 'cust_ada' } },
  createChargeFilter: { filter: { properties: { amount: '1' }, values: { region: ['us'] } } },
  updateCharge: { charge: { invoice_display_name: 'Calls' } },
  updateFixedCharge: { fixed_charge: { units: '4' } },
  evaluateBillableMetricExpression: { expression: '1 + 1', event: { code: 'calls', properties: {} } },
  createEvent: { event: { transaction_id: 'generated-0', code: 'api_calls' } },
  createBatchEvents: { events: [{ transaction_id: 'generated-1', code: 'api_calls' }] },
};

const RUNS = { numRuns: 60, seed: 20261128 };

describe.each(operations)('$name', (operation) => {
  const { method, body: shape, query, answers } = operation;
  const { charge_code = null, fixed_charge_code = charge_code } = PARAMS[operation.name] ?? {};
  // What the next request finds again keeps its code, and its model: of properties only those of the model are read.
  const hints: Hints = {
    ...EXISTING,
    ...(fixed_charge_code && { code: [fixed_charge_code], charge_model: ['standard', null] }),
  };
  const kept = fixed_charge_code ? ['code', 'charge_model'] : [];
  const send = async (sent: unknown, parameters: object = {}) => {
    const answer = await app.rest(method, addressOf(operation, parameters), sent);
    const told = answers[answer.status];
    expect(told, `${answer.status} is not described: ${answer.text}`).toBeDefined();
    expect(against(told, answer.body), JSON.stringify({ sent, parameters })).toEqual([]);
    return answer;
  };

  it('answers what the description says', async () => {
    const sent = shape && method !== 'PATCH' ? EXAMPLES[operation.name] : undefined;
    expect((await send(sent)).status).toBe(200);
  });

  it.runIf(query.length > 0)('takes every query that the description allows', async () => {
    const parameters = fc.record(
      Object.fromEntries(
        query.map(({ name, schema }) => [
          name,
          generated({ type: 'object', properties: { [name]: schema } }, EXISTING).map(
            (made) => (made as Record<string, unknown>)[name],
          ),
        ]),
      ),
      { requiredKeys: [] },
    );
    const check = async (sent: object) => {
      const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
      const answer = await send(undefined, given);
      expect(answer.status === 200 || meansSomething(answer), `${answer.text} ${JSON.stringify(given)}`).toBe(true);
    };
    await fc.assert(fc.asyncProperty(parameters, check), RUNS);
    for (const { name, schema } of query) {
      if (schema.enum) expect((await send(undefined, { [name]: 'no such value' })).status).toBe(422);
    }
  });

  it.runIf(shape)('takes every body that the description allows', async () => {
    const statuses: Record<number, number> = {};
    const check = async (sent: unknown) => {
      expect(against(shape, sent)).toEqual([]);
      const answer = await send(sent);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status !== 200) expect(meansSomething(answer), `${answer.text} ${JSON.stringify(sent)}`).toBe(true);
    };
    await fc.assert(fc.asyncProperty(generated(shape, hints, kept), check), RUNS);
    // What chance leaves out: the least of it.
    const names = Object.keys(resolved(shape).properties);
    const least = [{}, ...names.flatMap((name) => [{ [name]: {} }, { [name]: [] }, { [name]: null }])];
    for (const sent of least.filter((one) => against(shape, one).length === 0)) await check(sent);
    expect(statuses[200], JSON.stringify(statuses)).toBeGreaterThan(0);
  });

  it.runIf(shape)('refuses what the description forbids', async () => {
    let refused = 0;
    const whole = (EXAMPLES[operation.name] ?? {}) as object;
    const pick = fc.tuple(generated(shape, hints, kept), fc.nat(), fc.nat());
    const check = async ([sent, at, which]: [unknown, number, number]) => {
      const places = placesOf(shape, sent).filter(({ path }) => !isUnread(path));
      const { path, shape: here } = places[at % places.length] ?? { path: [], shape };
      const odd = strangers(here);
      const broken = replaced(sent, path, odd[which % odd.length]);
      if (against(shape, broken).length === 0) return;
      refused += 1;
      expect([400, 422, 404], JSON.stringify(broken)).toContain((await send(broken)).status);
    };
    await fc.assert(fc.asyncProperty(pick, check), RUNS);
    expect(refused).toBeGreaterThan(20);
    const empty = [
      null,
      [],
      'x',
      7,
      {},
      ...Object.keys(resolved(shape).properties).flatMap((name) => [
        { ...whole, [name]: 'x' },
        { ...whole, [name]: {} },
      ]),
    ];
    for (const broken of empty.filter((one) => against(shape, one).length > 0)) {
      expect([400, 422], JSON.stringify(broken)).toContain((await send(broken)).status);
    }
  });
});
