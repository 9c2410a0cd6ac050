import { getNamedType, isEnumType, isLeafType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InputLimit, inputsOf } from '../../../src/graphql/base/input-limit.ts';
import { schema } from '../../../src/graphql/schema.ts';
import type { InputError } from '../../../src/http/wire/input-message.ts';
import { routes } from '../../../src/rest/index.ts';
import { IDS } from '../../rest/fixture.ts';
import { sampledRoutes } from '../../rest/sample.ts';
import { CODES, createFullApp, WALLETS } from '../../robust/full-app.ts';
import type { TestApp } from '../../support.ts';
import { argumentWith, documentsFor, isList, waysOf, wrapped } from './input-way.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app?.close());

const TEXTS = new Set([
  'String',
  'ID',
  'UUID',
  'JSON',
  'CountryCode',
  'TimeZone',
  'DateOrDateTime',
  'Locale',
  'URL',
  'EmailAddress',
]);
/** Scalars that refuse what is longer than any value of theirs. */
const SHORT = new Set([
  'Int',
  'Float',
  'Boolean',
  'BigInt',
  'Decimal',
  'Percentage',
  'Date',
  'DateTime',
  'PreciseDateTime',
]);

const limitOf = (input: { extensions: object }) => (input.extensions as { limit?: InputLimit }).limit ?? {};

it('every text and every list of every input has a limit, which its description tells', () => {
  let seen = 0;
  for (const [place, input] of inputsOf(schema)) {
    const type = getNamedType(input.type);
    const { longest, mostItems } = limitOf(input);
    if (isLeafType(type) && !isEnumType(type)) expect(TEXTS.has(type.name) || SHORT.has(type.name), place).toBe(true);
    if (TEXTS.has(type.name)) expect(longest, place).toBeGreaterThan(0);
    if (isList(input.type) || type.name === 'JSON') expect(mostItems, place).toBeGreaterThan(0);
    for (const most of [longest, mostItems]) if (most) expect(input.description, place).toContain(`${most} `);
    if (longest || mostItems) seen += 1;
  }
  expect(seen).toBeGreaterThan(250);
});

const codesIn = (errors: readonly { extensions?: Record<string, unknown> }[] | undefined) =>
  (errors ?? []).map(({ extensions }) => extensions?.errorDetails);

// Of characters: what is longer is given as a variable.
const LONGEST_DOCUMENT = 100_000;

const numbers = (length: number) => Array.from({ length }, (_, at) => at);
const ways = [...waysOf('query'), ...waysOf('mutation')];

describe('GraphQL', () => {
  const texts = ways.filter(({ input }) => limitOf(input).longest !== undefined);
  const lists = ways.filter(({ input }) => limitOf(input).mostItems !== undefined);

  it('no text is longer than its limit, in variables and in documents', { timeout: 120_000 }, async () => {
    expect(texts.length).toBeGreaterThan(150);
    for (const way of texts) {
      const { longest = 0 } = limitOf(way.input);
      const value = wrapped(
        way.input.type,
        getNamedType(way.input.type).name === 'JSON' ? { a: ['x'.repeat(longest + 1)] } : 'x'.repeat(longest + 1),
      );
      const argument = argumentWith(way, value);
      const { byVariable, byLiteral } = documentsFor(way, argument);
      const expected = { [way.input.name]: ['value_is_too_long'] };
      const { errors } = await app.graphql(byVariable, { v: argument });
      expect(codesIn(errors), way.place).toEqual([expected]);
      const [bound] = (errors?.[0]?.extensions?.errors ?? []) as InputError[];
      const names = bound?.path.filter((key) => typeof key === 'string').slice(0, way.keys.length);
      expect(names, way.place).toEqual(way.keys);
      expect(bound?.code, way.place).toBe('value_is_too_long');
      // A short one is repeated.
      const given = longest < 100 ? JSON.stringify('x'.repeat(longest + 1)) : `${longest + 1} characters`;
      expect(bound?.message, way.place).toContain(`given: ${given}; allowed: at most ${longest}`);
      const { errors: written } = await app.graphql(byLiteral);
      if (longest < LONGEST_DOCUMENT) expect(codesIn(written), way.place).toContainEqual(expected);
      else expect(written?.[0]?.extensions?.code, way.place).toBe('query_too_complex');
    }
  });

  it('a text of just the limit is long enough, and characters count, not their halves', async () => {
    const query = 'query ($s: String) { plans(filter: { search: $s }) { totalCount } }';
    expect((await app.graphql(query, { s: '😀'.repeat(100) })).data).toEqual({ plans: { totalCount: 0 } });
    expect(codesIn((await app.graphql(query, { s: '😀'.repeat(101) })).errors)).toEqual([
      { search: ['value_is_too_long'] },
    ]);
  });

  it('no list is longer than its limit', { timeout: 120_000 }, async () => {
    expect(lists.length).toBeGreaterThan(50);
    for (const way of lists) {
      const { mostItems = 0 } = limitOf(way.input);
      const items = Array.from({ length: mostItems + 1 }, () => 'x');
      const argument = argumentWith(way, getNamedType(way.input.type).name === 'JSON' ? { a: items } : items);
      const { byVariable } = documentsFor(way, argument);
      const expected = { [way.input.name]: ['value_is_out_of_range'] };
      expect(codesIn((await app.graphql(byVariable, { v: argument })).errors), way.place).toEqual([expected]);
    }
  });

  it('a list below an object, a default value and a variable in an object are held to it too', async () => {
    const long = 'x'.repeat(101);
    const nested = (given: string) =>
      `{ customers(first: 1) { nodes { invoices(filter: { search: ${given} }) { totalCount } } } }`;
    const refused = [{ search: ['value_is_too_long'] }];
    expect(codesIn((await app.graphql(nested(`"${long}"`))).errors)).toEqual(refused);
    expect(codesIn((await app.graphql(`query ($s: String = "${long}") ${nested('$s')}`)).errors)).toEqual(refused);
    expect(codesIn((await app.graphql(`query ($s: String) ${nested('$s')}`, { s: long })).errors)).toEqual(refused);
    expect((await app.graphql(`query ($s: String) ${nested('$s')}`, { s: 'x' })).errors).toBeUndefined();
  });

  it.each([
    ['2000 members that are not known', 'InvoiceFilter', Object.fromEntries(numbers(2000).map((at) => [`k${at}`, at]))],
    ['one with a long name', 'InvoiceFilter', { ['k'.repeat(50_000)]: 1 }],
    ['one with a long value', 'InvoiceFilter', { k: { l: 'v'.repeat(50_000) } }],
    ['a long text for an enum', 'InvoiceFilter', { status: ['v'.repeat(50_000)] }],
    ['a long text for a number', 'Int', 'v'.repeat(50_000)],
    ['an object for a number', 'Int', Object.fromEntries(numbers(2000).map((at) => [`k${at}`, at]))],
    ['a long text for an object', 'InvoiceFilter', 'v'.repeat(50_000)],
    [
      '20 members of much text',
      'InvoiceFilter',
      Object.fromEntries(numbers(20).map((at) => [`k${at}`, 'v'.repeat(900)])),
    ],
  ])('what is refused is not told again at length: %s', async (_what, type, value) => {
    const argument = type === 'Int' ? 'first' : 'filter';
    const asked = `query ($v: ${type}) { invoices(${argument}: $v) { totalCount } }`;
    const { errors } = await app.graphql(asked, { v: value });
    expect(errors?.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors).length).toBeLessThan(60_000);
    for (const { message } of errors ?? []) expect(message.length).toBeLessThan(1001);
  });

  it('a few members that are not known are told each with its name', async () => {
    const asked = 'query ($v: InvoiceFilter) { invoices(filter: $v) { totalCount } }';
    const { errors } = await app.graphql(asked, { v: { stats: 1, zzz: 2 } });
    expect(errors?.map(({ message }) => message)).toEqual([
      expect.stringContaining('Field "stats" is not defined by type "InvoiceFilter". Did you mean "status"'),
      expect.stringContaining('Field "zzz" is not defined by type "InvoiceFilter".'),
    ]);
  });
});

const sampled = sampledRoutes.filter(({ route }) => route.root !== undefined);
const PATHS: Record<string, string> = {
  updateSubscriptionLifetimeUsage: '/subscriptions/sub_at_once/lifetime_usage',
  createCustomer: '/customers',
  updateOrganization: '/organizations',
  createEntitlement: '/plans/kept/entitlements',
  updateEntitlement: '/plans/kept/entitlements',
  updateSubscriptionEntitlements: '/subscriptions/sub_fuzzed/entitlements',
  createSubscriptionAlert: '/subscriptions/sub_fuzzed/alerts',
  updateSubscriptionAlert: '/subscriptions/sub_fuzzed/alerts/kept',
  applyCoupon: '/applied_coupons',
  createSubscription: '/subscriptions',
  updateSubscription: '/subscriptions/sub_ada',
  overrideSubscriptionCharge: '/subscriptions/sub_fuzzed/charges/calls',
  overrideSubscriptionFixedCharge: '/subscriptions/sub_fuzzed/fixed_charges/desk',
  createSubscriptionChargeFilter: '/subscriptions/sub_fuzzed/charges/calls/filters',
  updateSubscriptionChargeFilter: `/subscriptions/sub_fuzzed/charges/calls/filters/${IDS.filter}`,
  updateInvoice: `/invoices/${IDS.invoices[1]}`,
  createInvoice: '/invoices',
  updateFee: `/fees/${IDS.sparseFee}`,
  voidInvoice: `/invoices/${IDS.invoices[3]}/void`,
  advanceTestClock: '/test_clock/advance',
  retryPayment: `/invoices/${IDS.invoices[3]}/retry_payment`,
  ...Object.fromEntries(
    sampled.map(({ route: { operation, path } }) => [operation, path.replace('{code}', CODES.update)]),
  ),
  previewInvoice: '/invoices/preview',
  createChargeFilter: '/plans/fuzzed/charges/calls/filters',
  updateCharge: '/plans/fuzzed/charges/calls',
  createPlanCharge: '/plans/fuzzed/charges',
  destroySubscription: '/subscriptions/none',
  destroyPlanCharge: '/plans/fuzzed/charges/none',
  updatePlanChargeFilter: `/plans/orchid/charges/api_calls/filters/${IDS.filter}`,
  destroyPlanChargeFilter: `/plans/orchid/charges/none/filters/${IDS.filter}`,
  createPlanFixedCharge: '/plans/fuzzed/fixed_charges',
  destroyPlanFixedCharge: '/plans/fuzzed/fixed_charges/none',
  replacePlanMetadata: '/plans/fuzzed/metadata',
  mergePlanMetadata: '/plans/fuzzed/metadata',
  updateFixedCharge: '/plans/fuzzed/fixed_charges/desk',
  evaluateBillableMetricExpression: '/billable_metrics/evaluate_expression',
  createEvent: '/events',
  createBatchEvents: '/events/batch',
  eventEstimateFees: '/events/estimate_fees',
  eventEstimateInstantFees: '/events/estimate_instant_fees',
  eventBatchEstimateInstantFees: '/events/batch_estimate_instant_fees',
  mergeWalletMetadata: `/wallets/${WALLETS[1]}/metadata`,
};
const INPUTS: Record<string, string> = {
  ...Object.fromEntries(sampled.map(({ route: { operation } }) => [operation, `${operation}.input`])),
  previewInvoice: 'invoicePreview.input',
  createChargeFilter: 'createChargeFilter.input',
  updateCharge: 'updateCharge.input',
  createPlanCharge: 'createCharge.input',
  createPlanFixedCharge: 'createFixedCharge.input',
  updatePlanChargeFilter: 'updateChargeFilter.input',
  updateFixedCharge: 'updateFixedCharge.input',
  createEvent: 'recordEvent.input',
  createBatchEvents: 'recordEvents.events',
  eventEstimateInstantFees: 'estimateInstantFees.event',
};
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const snaked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(snaked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [snake(name), snaked(member)]));
};

it('every REST operation with a body is among those below', () => {
  const withBody = routes.filter(({ root, body }) => root !== undefined || body).map(({ operation }) => operation);
  expect(withBody.sort()).toEqual(Object.keys(PATHS).sort());
});

it.each(Object.keys(INPUTS))(
  'REST: %s refuses what is too long with a 422 that names it',
  { timeout: 120_000 },
  async (operation) => {
    const route = routes.find((one) => one.operation === operation);
    const own = ways.filter(
      ({ place, input, isGraphOnly }) =>
        place.startsWith(`${INPUTS[operation]}.`) && limitOf(input).longest && !isGraphOnly,
    );
    expect(own.length).toBeGreaterThan(2);
    for (const way of own) {
      const { longest = 0 } = limitOf(way.input);
      const long = 'x'.repeat(longest + 1);
      const value = wrapped(way.input.type, getNamedType(way.input.type).name === 'JSON' ? { a: [long] } : long);
      const inner = snaked(argumentWith(way, value));
      const root = route?.root ?? (Array.isArray(inner) ? way.keys[0] : undefined);
      const body = root ? { [root]: inner } : inner;
      const answer = await app.rest(route?.method ?? '', PATHS[operation] ?? '', body);
      expect(answer.status, way.place).toBe(422);
      expect(Object.keys(answer.body), way.place).toEqual(['status', 'error', 'code', 'error_details']);
      const told = { [snake(way.input.name)]: expect.arrayContaining(['value_is_too_long']) };
      // Beside what the rest of the input lacks.
      expect(answer.body.error_details, way.place).toMatchObject(route?.tellsPlaces ? { 0: told } : told);
    }
  },
);

it('REST: metadata is held to its own limits, and to those of JSON', async () => {
  const merge = (metadata: unknown) => app.rest('PATCH', PATHS.mergeWalletMetadata ?? '', { metadata });
  expect((await merge({ a: 'x'.repeat(256) })).body.error_details).toEqual({ 'metadata.a': ['value_is_too_long'] });
  expect((await merge({ a: 'x'.repeat(1001) })).body.error_details).toEqual({ metadata: ['value_is_too_long'] });
});
