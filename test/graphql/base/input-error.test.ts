import { getNamedType, isLeafType, isScalarType } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InputError } from '../../../src/http/wire/input-message.ts';
import { createFullApp } from '../../robust/full-app.ts';
import type { TestApp } from '../../support.ts';
import { argumentWith, documentsFor, waysOf, wrapped } from './input-way.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app?.close());

const leaves = [...waysOf('query'), ...waysOf('mutation')].filter(({ input }) => {
  const type = getNamedType(input.type);
  return isLeafType(type) && type.name !== 'JSON';
});

async function boundTo(query: string, variables?: object): Promise<InputError[]> {
  const { errors = [] } = await app.graphql(query, variables);
  return errors.flatMap(({ extensions }) => (extensions?.errors ?? []) as InputError[]);
}

it('a variable that does not fit is bound to its member, whichever input it is of', { timeout: 120_000 }, async () => {
  expect(leaves.length).toBeGreaterThan(200);
  for (const way of leaves) {
    const argument = argumentWith(way, wrapped(way.input.type, { wrong: 1 }));
    const bound = await boundTo(documentsFor(way, argument).byVariable, { v: argument });
    const names = bound.map(({ path }) => path.filter((key) => typeof key === 'string').slice(0, way.keys.length));
    expect(names, way.place).toContainEqual(way.keys);
    expect(new Set(bound.map(({ code }) => code)), way.place).toEqual(new Set(['value_is_invalid']));
  }
});

it('a literal that does not fit says where it stands, whichever input it is of', { timeout: 120_000 }, async () => {
  for (const way of leaves) {
    const type = getNamedType(way.input.type);
    const isText = ['String', 'ID', 'UUID'].includes(type.name) || type.extensions.isText === true;
    const argument = argumentWith(way, wrapped(way.input.type, isText ? true : isScalarType(type) ? 'no' : 7));
    const { errors = [] } = await app.graphql(documentsFor(way, argument).byLiteral);
    expect(errors.length, way.place).toBeGreaterThan(0);
    for (const error of errors)
      expect(error.locations?.[0], `${way.place}: ${error.message}`).toMatchObject({ line: 1 });
    const bound = errors.flatMap(({ extensions }) => (extensions?.errors ?? []) as InputError[]);
    const names = bound.map(({ path }) => path.filter((key) => typeof key === 'string').slice(0, way.keys.length));
    expect(names, way.place).toContainEqual(way.keys);
  }
});

const preview = (usage: string) => `{ invoicePreview(input: { planCode: "fuzzed", usage: [${usage}] }) { mode } }`;

// What is wrong, the document, the place, and what the message says.
const LITERALS: readonly [string, string, readonly (string | number)[], RegExp][] = [
  ['an enum', '{ invoices(filter: { status: [opened] }) { totalCount } }', ['filter', 'status', 0], /allowed: /],
  ['an enum in quotes', '{ plans(orderBy: { field: "code" }) { totalCount } }', ['orderBy', 'field'], /allowed: /],
  [
    'a BigInt',
    '{ fees(filter: { amountCents: { from: "1.5" } }) { totalCount } }',
    ['filter', 'amountCents', 'from'],
    /BigInt: /,
  ],
  ['a Decimal', preview('{ metricCode: "api_calls", units: "1,5" }'), ['input', 'usage', 0, 'units'], /Decimal: /],
  ['a Date', '{ analytics(from: "2026-02-30") { currency } }', ['from'], /Date: /],
  ['a DateTime', '{ auditLog(to: "yesterday") { totalCount } }', ['to'], /DateTime: /],
  ['a UUID', '{ invoice(svcId: 4) { number } }', ['svcId'], /UUID: /],
  ['an ID', '{ nodes(ids: ["a", true]) { id } }', ['ids', 1], /true/],
  ['null', '{ plan(code: null) { code } }', ['code'], /null/],
  ['an argument that is missing', '{ plan { code } }', ['code'], /"code"/],
  ['a member that is unknown', preview('{ metric: "api_calls" }'), ['input', 'usage', 0, 'metric'], /"metric"/],
  ['a default', 'query ($u: UUID = 4) { invoice(svcId: $u) { number } }', ['svcId'], /UUID: /],
  [
    'a fragment',
    '{ customer(externalId: "a") { ...F } } fragment F on Customer { invoices(first: "1") { totalCount } }',
    ['first'],
    /Int/,
  ],
];

it.each(LITERALS)('a literal says its place: %s', async (_, document, path, message) => {
  const { errors = [] } = await app.graphql(document);
  const bound = errors.flatMap(({ extensions }) => (extensions?.errors ?? []) as InputError[]);
  expect(errors[0]?.locations?.[0]).toMatchObject({ line: 1, column: expect.any(Number) });
  const isMissing = path.at(-1) === 'code';
  const code = isMissing ? 'value_is_mandatory' : 'value_is_invalid';
  expect(bound).toContainEqual({ path, code, message: expect.stringMatching(message) });
  // Asked again, validation is remembered; the place is told again.
  expect((await app.graphql(document)).errors).toEqual(errors);
});

it('what an object lacks or does not know is named itself, in a variable as in a literal', async () => {
  const query = 'query ($o: PlanOrder) { plans(orderBy: $o) { totalCount } }';
  const byVariable = await boundTo(query, { o: { fields: 'code' } });
  const byLiteral = await boundTo('{ plans(orderBy: { fields: "code" }) { totalCount } }');
  for (const bound of [byVariable, byLiteral]) {
    expect(bound).toContainEqual(expect.objectContaining({ path: ['orderBy', 'field'], code: 'value_is_mandatory' }));
    expect(bound).toContainEqual(expect.objectContaining({ path: ['orderBy', 'fields'], code: 'value_is_invalid' }));
  }
});

const PREVIEW = 'query ($i: InvoicePreviewInput!) { invoicePreview(input: $i) { mode } }';

it('a rule says which item of a list it is about', async () => {
  const usage = [
    { metricCode: 'api_calls', units: '1' },
    { metricCode: 'unheard', units: '1' },
  ];
  expect(await boundTo(PREVIEW, { i: { planCode: 'fuzzed', usage } })).toEqual([
    {
      path: ['input', 'usage', 1, 'metricCode'],
      code: 'value_is_invalid',
      message: 'metricCode is invalid: given: "unheard"; allowed: a metric that the plan prices',
    },
  ]);
  const [units] = await boundTo(PREVIEW, {
    i: { planCode: 'fuzzed', usage: [{ metricCode: 'api_calls', units: '-1' }] },
  });
  expect(units).toMatchObject({
    path: ['input', 'usage', 0, 'units'],
    message: 'units is out of range: given: "-1"; allowed: at least 0, below 1e15',
  });
  const filters = [{ values: { region: ['nowhere'] }, properties: {} }];
  const update =
    'mutation ($i: UpdateChargeInput!) { updateCharge(planCode: "fuzzed", chargeCode: "calls", input: $i) { code } }';
  expect(await boundTo(update, { i: { filters } })).toMatchObject([
    { path: ['input', 'filters', 0, 'properties', 'amount'] },
  ]);
});

it('limits and references are named with the value that was given', async () => {
  expect(await boundTo('{ plans(first: 101) { totalCount } }')).toEqual([
    { path: ['first'], code: 'value_is_out_of_range', message: 'first is out of range: given: 101; allowed: 0 to 100' },
  ]);
  expect(await boundTo('{ a: plan(code: "nope") { code } }')).toEqual([
    { path: ['code'], code: 'object_not_found', message: 'plan not found: "nope"' },
  ]);
  expect(await boundTo(PREVIEW, { i: { planCode: 'nope' } })).toEqual([
    { path: ['input', 'planCode'], code: 'object_not_found', message: 'plan not found: "nope"' },
  ]);
});

it('of several names the one that nothing has is told, with its place; REST says that it is not found', async () => {
  const sell = `mutation ($i: CreateOneOffInvoiceInput!) { createOneOffInvoice(input: $i) { svcId } }`;
  const fees = [{ addOnCode: 'desk' }, { addOnCode: 'none' }];
  const input = { externalCustomerId: 'cust_kept', currency: 'EUR', fees };
  expect(await boundTo(sell, { i: input })).toEqual([
    { path: ['input', 'fees', 1, 'addOnCode'], code: 'object_not_found', message: 'add_on not found: "none"' },
  ]);
  expect(await boundTo(sell, { i: { ...input, fees: [fees[0], { ...fees[0], taxCodes: ['none'] }] } })).toEqual([
    { path: ['input', 'fees', 1, 'taxCodes', 0], code: 'object_not_found', message: 'tax not found: "none"' },
  ]);
  const sold = fees.map(({ addOnCode }) => ({ add_on_code: addOnCode }));
  const invoice = { external_customer_id: 'cust_kept', currency: 'EUR', fees: sold };
  const { status, body } = await app.rest('POST', '/invoices', { invoice });
  expect([status, body.code]).toEqual([404, 'object_not_found']);
  const plan = `mutation ($i: CreatePlanInput!) { createPlan(input: $i) { code } }`;
  const charges = ['api_calls', 'none'].map((metric) => ({
    billableMetricCode: metric,
    pricing: { standard: { amount: '1' } },
  }));
  const made = {
    code: 'x',
    name: 'x',
    interval: 'monthly',
    amountCents: '1',
    amountCurrency: 'EUR',
    payInAdvance: true,
  };
  const paths = (await boundTo(plan, { i: { ...made, charges } })).map(({ path }) => path.join('.'));
  expect(paths).toEqual(['input.charges.1.billableMetricCode']);
});

it('a plan that was not named is missing, not unknown; REST answers as before', async () => {
  expect(await boundTo(PREVIEW, { i: {} })).toEqual([
    { path: ['input', 'planCode'], code: 'value_is_mandatory', message: 'planCode is mandatory' },
  ]);
  const { status, body } = await app.rest('POST', '/invoices/preview', { customer: { name: 'Ada' } });
  expect([status, body.code]).toEqual([404, 'object_not_found']);
});
