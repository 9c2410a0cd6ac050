import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InputError } from '../../../src/http/wire/input-message.ts';
import { createAppWithWallets, ENDED, WALLET } from '../write/priced-wallet.ts';

let app: Awaited<ReturnType<typeof createAppWithWallets>>;
beforeAll(async () => {
  app = await createAppWithWallets();
}, 600_000);
afterAll(() => app?.close());

const CHARGE = (plan: string, code: string) =>
  `mutation ($i: UpdateChargeInput!) { updateCharge(planCode: "${plan}", chargeCode: "${code}", input: $i) { code } }`;
const FREE = CHARGE('orchid', 'api_calls');
const SEATS = CHARGE('orchid', 'c_one');
const USED = CHARGE('used', 'api_calls');
const FIXED = `mutation ($i: UpdateFixedChargeInput!) {
  updateFixedCharge(planCode: "ahead", fixedChargeCode: "desk", input: $i) { code } }`;
const FILTER = `mutation ($i: CreateChargeFilterInput!) {
  createChargeFilter(planCode: "orchid", chargeCode: "api_calls", input: $i) { svcId } }`;
const PREVIEW = 'query ($i: InvoicePreviewInput!) { invoicePreview(input: $i) { mode } }';
const merge = (id: string) => `mutation ($i: JSON) { mergeWalletMetadata(svcId: "${id}", metadata: $i) { svcId } }`;
const price = { amount: '1' };
const range = (from: number, to: number | null, more: object = {}) => ({
  ...{ from_value: from, to_value: to, per_unit_amount: '1', flat_amount: '1', ...more },
});
const ranges = (...list: object[]) => ({ chargeModel: 'graduated', properties: { graduated_ranges: list } });
const preview = (more: object) => ({ planCode: 'orchid', ...more });

type Row = readonly [document: string, input: unknown, path: string, code: string, given: string, allowed: string];

/** A wrong input for every rule that a form can meet: where it is wrong, what was given, and what is allowed. */
const ROWS: readonly Row[] = [
  [FREE, { minAmountCents: '-1' }, 'input.minAmountCents', 'value_is_out_of_range', '"-1"', 'at least 0'],
  [
    FREE,
    { payInAdvance: true, minAmountCents: '5' },
    'input.minAmountCents',
    'not_compatible_with_pay_in_advance',
    '"5"',
    '0',
  ],
  [FREE, { prorated: true }, 'input.prorated', 'invalid_billable_metric_or_charge_model', 'true', 'prorated'],
  [FREE, { invoiceable: false }, 'input.invoiceable', 'must_be_true_unless_pay_in_advance', 'false', 'true'],
  [FREE, { code: 'c_one' }, 'input.code', 'value_already_exist', '"c_one"', 'not there'],
  [FREE, { billableMetricId: randomUUID() }, 'input.billableMetricId', 'relation_must_exist', '-', 'a metric'],
  [FREE, { properties: [] }, 'input.properties', 'value_is_invalid', '0 values', 'an object'],
  [FREE, { properties: { amount: -1 } }, 'input.properties.amount', 'invalid_amount', '-1', 'at least 0'],
  [FREE, ranges(), 'input.properties.graduated_ranges', 'missing_graduated_ranges', '0 values', 'one range'],
  [
    FREE,
    ranges(range(0, 5), range(9, null)),
    'input.properties.graduated_ranges.1',
    'invalid_graduated_ranges',
    'an object of 4',
    'without a gap',
  ],
  [
    FREE,
    ranges(range(0, null, { flat_amount: 'x' })),
    'input.properties.graduated_ranges.0.flat_amount',
    'invalid_amount',
    '"x"',
    'at least 0',
  ],
  [
    FREE,
    { properties: { ...price, pricing_group_keys: [1] } },
    'input.properties.pricing_group_keys',
    'invalid_type',
    '1 values',
    'texts',
  ],
  [
    FREE,
    { filters: [{ values: {}, properties: price }] },
    'input.filters.0.values',
    'value_is_mandatory',
    '0 members',
    'keys',
  ],
  [
    FREE,
    { filters: [{ values: { region: ['x'] }, properties: price }] },
    'input.filters.0.values.region',
    'value_is_invalid',
    '"x"',
    '"eu"',
  ],
  [
    SEATS,
    { chargeModel: 'custom' },
    'input.chargeModel',
    'invalid_aggregation_type_or_charge_model',
    '"custom"',
    'metric',
  ],
  [USED, { code: 'x' }, 'input.code', 'value_cannot_be_changed', '"x"', '"api_calls"'],
  [USED, { minAmountCents: '7' }, 'input.minAmountCents', 'value_cannot_be_changed', '"7"', '100'],
  [FIXED, { units: '-1' }, 'input.units', 'value_is_out_of_range', '"-1"', 'below 1e15'],
  [FIXED, { addOnCode: 'lamp' }, 'input.addOnCode', 'value_cannot_be_changed', '"lamp"', '"desk"'],
  [FIXED, { properties: {} }, 'input.properties', 'value_is_mandatory', '0 members', 'amount'],
  [FILTER, { values: null }, 'input.values', 'value_is_mandatory', 'null', 'keys'],
  [
    FILTER,
    { values: { colour: ['red'] }, properties: price },
    'input.values.colour',
    'relation_must_exist',
    '"red"',
    '"region"',
  ],
  [FILTER, { values: { region: [{}] }, properties: price }, 'input.values', 'value_is_invalid', '1 members', 'texts'],
  [merge(WALLET), { 'a.b': 7 }, 'metadata.a.b', 'value_is_invalid', '7', 'a text'],
  [merge(WALLET), { a: 'x'.repeat(256) }, 'metadata.a', 'value_is_too_long', '256 characters', '255'],
  [merge(WALLET), [], 'metadata', 'value_is_invalid', '0 values', 'an object'],
  [
    merge(WALLET),
    Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'x'])),
    'metadata',
    'too_many_keys',
    '51 members',
    'at most 50',
  ],
  [merge(ENDED), { a: 'b' }, 'svcId', 'wallet_is_terminated', ENDED, 'active'],
  [PREVIEW, preview({ billingTime: 'x' }), 'input.billingTime', 'value_is_invalid', '"x"', 'anniversary'],
  [PREVIEW, preview({ subscriptionAt: 'x' }), 'input.subscriptionAt', 'invalid_date', '"x"', 'ISO 8601'],
  [
    PREVIEW,
    preview({ customer: { currency: 'XXZ' } }),
    'input.customer.currency',
    'value_is_invalid',
    '"XXZ"',
    'ISO 4217',
  ],
  [
    PREVIEW,
    preview({ customer: { country: 'XX' } }),
    'input.customer.country',
    'not_a_valid_country_code',
    '"XX"',
    'ISO 3166',
  ],
  [
    PREVIEW,
    preview({ customer: { country: 'DE', shippingAddress: { country: 'XX' } } }),
    'input.customer.shippingAddress.country',
    'not_a_valid_country_code',
    '"XX"',
    'ISO 3166',
  ],
  [
    PREVIEW,
    preview({
      coupons: [
        { code: 'a', couponType: 'percentage', percentageRate: 5 },
        { code: 'b', percentageRate: 101 },
      ],
    }),
    'input.coupons.1.percentageRate',
    'value_is_out_of_range',
    '101',
    'at most 100',
  ],
  [
    PREVIEW,
    preview({ customer: { timezone: 'Mars' } }),
    'input.customer.timezone',
    'invalid_timezone',
    '"Mars"',
    'IANA',
  ],
  [
    PREVIEW,
    preview({ usage: [{ metricCode: 'x', units: '1' }] }),
    'input.usage.0.metricCode',
    'value_is_invalid',
    '"x"',
    'metric',
  ],
];

it.each(ROWS)(
  '%s of %j tells %s %s, what was given and what is allowed',
  async (document, input, path, code, ...words) => {
    const { errors = [] } = await app.graphql(document, { i: input });
    const bound = errors.flatMap(({ extensions }) => (extensions?.errors ?? []) as InputError[]);
    for (const error of bound)
      expect(error).toEqual({ path: expect.any(Array), code: expect.any(String), message: expect.any(String) });
    const found = bound.find((error) => error.path.join('.') === path && error.code === code);
    expect(found, JSON.stringify(errors)).toBeDefined();
    const [given = '', allowed = ''] = words;
    expect(found?.message).toMatch(/(given: |got invalid value ).*; allowed: /);
    expect(found?.message.split('; allowed: ')[0]).toContain(given);
    expect(found?.message.split('; allowed: ')[1]).toContain(allowed);
  },
);

it.each([
  ['customer: {country: "XX"}', 'customer.country', 'country code: given: "XX"; allowed: a code of ISO 3166'],
  ['customer: {timezone: "Mars"}', 'customer.timezone', 'given: "Mars"; allowed: a name of the IANA'],
  ['subscriptionAt: "soon"', 'subscriptionAt', 'given: "soon"; allowed: a date or a date-time of ISO 8601'],
  ['coupons: [{code: "a", percentageRate: "101"}]', 'coupons.0.percentageRate', 'given: "101"; allowed: at least 0'],
])('a literal of a preview says the same as a variable: %s', async (member, path, message) => {
  const { errors } = await app.graphql(`{ invoicePreview(input: {planCode: "orchid", ${member}}) { mode } }`);
  const bound = (errors?.[0]?.extensions?.errors ?? []) as InputError[];
  expect(bound).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
  expect(bound[0]?.path.join('.')).toBe(`input.${path}`);
});

it.each([
  ['{ wallet(svcId: "") { code } }', 'svcId'],
  ['{ plan(code: " ") { code } }', 'code'],
  ['mutation { terminateWallet(svcId: "") { code } }', 'svcId'],
  ['mutation { updateCharge(planCode: "", chargeCode: "x", input: {}) { code } }', 'planCode'],
  ['{ invoicePreview(input: {planCode: ""}) { mode } }', 'input.planCode'],
])('%s: what is looked up by nothing is missing, not unknown', async (query, path) => {
  const { errors } = await app.graphql(query);
  expect(errors).toMatchObject([
    {
      message: 'Validation failed',
      extensions: { code: 'validation_errors', errors: [{ code: 'value_is_mandatory' }] },
    },
  ]);
  const [bound] = (errors?.[0]?.extensions?.errors ?? []) as InputError[];
  expect(bound?.path.join('.')).toBe(path);
});

it('the one of several that is not there is named, where several are named', async () => {
  const { errors } = await app.graphql(FIXED, { i: { taxCodes: ['vat20', 'nope'] } });
  expect(errors?.[0]?.extensions).toMatchObject({
    errors: [{ path: ['input', 'taxCodes', 1], message: 'tax not found: "nope"' }],
  });
});

it('what is not there is named as it was given', async () => {
  const { errors } = await app.graphql('{ plan(code: "nope") { code } }');
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'object_not_found',
    errors: [{ path: ['code'], code: 'object_not_found', message: 'plan not found: "nope"' }],
  });
});
