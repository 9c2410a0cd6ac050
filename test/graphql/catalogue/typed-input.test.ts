import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRICE_MODELS } from '../../../src/billing/catalogue/charge-type.ts';
import { snakeCase } from '../../../src/billing/name-case.ts';
import type { InputError } from '../../../src/http/wire/input-message.ts';
import { createPricedApp } from '../../rest/priced.ts';

let app: Awaited<ReturnType<typeof createPricedApp>>;
beforeAll(async () => {
  app = await createPricedApp();
});
afterAll(() => app?.close());

const SHOWN = `{ svcId chargeModel properties pricing { ...Prices } filters { values properties pricing { ...Prices } filterValues { key values } } } }
fragment Prices on Pricing {
  __typename pricingGroupKeys presentationGroupKeys { value displayInInvoice }
  ... on StandardPricing { amount }
  ... on GraduatedPricing { ranges { fromValue toValue perUnitAmount flatAmount } }
  ... on VolumePricing { ranges { fromValue toValue perUnitAmount flatAmount } }
  ... on GraduatedPercentagePricing { percentages: ranges { fromValue toValue rate flatAmount } }
  ... on PackagePricing { amount packageSize freeUnits }
  ... on PercentagePricing { rate fixedAmount freeUnitsPerEvents freeUnitsPerTotalAggregation perTransactionMinAmount perTransactionMaxAmount }
}`;
const CHARGE = `mutation ($i: UpdateChargeInput!) { updateCharge(planCode: "pro.v2", chargeCode: "api_calls", input: $i) ${SHOWN}`;
const SEATS = `mutation ($i: UpdateChargeInput!) { updateCharge(planCode: "orchid", chargeCode: "c_one", input: $i) ${SHOWN}`;
const FILTER = `mutation ($i: CreateChargeFilterInput!) {
  createChargeFilter(planCode: "pro.v2", chargeCode: "api_calls", input: $i) { values properties } }`;
const FIXED = `mutation ($i: UpdateFixedChargeInput!) {
  updateFixedCharge(planCode: "orchid", fixedChargeCode: "desk", input: $i) { chargeModel properties } }`;
const USED = CHARGE.replace('pro.v2', 'used');

const ranges = (price: 'perUnitAmount' | 'rate', from = '11') => [
  { fromValue: 0, toValue: '10', [price]: '0.40', flatAmount: '1.00' },
  { fromValue: from, [price]: '0.250' },
];
const rulesRanges = (price: string, from = 11) => [
  { from_value: 0, to_value: 10, [price]: '0.40', flat_amount: '1.00' },
  { from_value: from, to_value: null, [price]: '0.250', flat_amount: '0' },
];
const groups = {
  pricingGroupKeys: ['region'],
  presentationGroupKeys: [{ value: 'tier', displayInInvoice: true }, { value: 'x' }],
};
const rulesGroups = {
  pricing_group_keys: ['region'],
  presentation_group_keys: [{ value: 'tier', options: { display_in_invoice: true } }, { value: 'x' }],
};

/** The same prices in both forms, by the member of `pricing`. */
const PRICES: Readonly<Record<string, readonly [typed: object, rules: object]>> = {
  standard: [{ amount: '0.10' }, { amount: '0.10' }],
  graduated: [{ ranges: ranges('perUnitAmount') }, { graduated_ranges: rulesRanges('per_unit_amount') }],
  volume: [{ ranges: ranges('perUnitAmount') }, { volume_ranges: rulesRanges('per_unit_amount') }],
  graduatedPercentage: [{ ranges: ranges('rate') }, { graduated_percentage_ranges: rulesRanges('rate') }],
  package: [
    { amount: 3, packageSize: '100', freeUnits: 5 },
    { amount: '3', package_size: 100, free_units: 5 },
  ],
  percentage: [
    {
      rate: '2.5',
      fixedAmount: null,
      freeUnitsPerEvents: '3',
      freeUnitsPerTotalAggregation: '1.5',
      perTransactionMaxAmount: 9,
    },
    { rate: '2.5', free_units_per_events: 3, free_units_per_total_aggregation: '1.5', per_transaction_max_amount: '9' },
  ],
  dynamic: [{}, {}],
  custom: [{ customProperties: { any: [1] } }, { custom_properties: { any: [1] } }],
};

it('every price model has its member', () => {
  expect(Object.keys(PRICES).map(snakeCase).sort()).toEqual([...PRICE_MODELS].sort());
});

// A metric that counts takes no model of sums: what is refused is refused in both forms.
const told = (errors: readonly { extensions?: Record<string, unknown> }[] | undefined) =>
  JSON.stringify((errors ?? []).map(({ extensions }) => extensions?.errorDetails)).replaceAll('pricing', 'properties');

describe.each([
  ['nothing', {}, {}],
  ['group keys', groups, rulesGroups],
] as const)('with %s', (_, keys, rulesKeys) => {
  it.each(Object.entries(PRICES))('%s: both forms are stored alike', async (name, [typed, rules]) => {
    for (const mutation of [CHARGE, SEATS]) {
      const byType = await app.graphql(mutation, { i: { pricing: { [name]: { ...typed, ...keys } } } });
      const input = { chargeModel: snakeCase(name), properties: { ...rules, ...rulesKeys } };
      const byJson = await app.graphql(mutation, { i: input }, app.other);
      expect(told(byType.errors)).toBe(told(byJson.errors));
      const { svcId: own, ...charge } = byType.data.updateCharge ?? { svcId: '' };
      const { svcId: other, ...same } = byJson.data.updateCharge ?? { svcId: '' };
      expect(charge).toEqual(same);
      if (name === 'dynamic' || name === 'custom') continue;
      expect(byType.errors).toBeUndefined();
      expect(own).not.toBe(other);
      expect(charge.properties).toMatchObject({ ...rules, ...rulesKeys });
    }
  });
});

it('what is shown can be sent again', async () => {
  for (const [name, [typed]] of Object.entries(PRICES)) {
    const { data, errors } = await app.graphql(SEATS, { i: { pricing: { [name]: typed } } });
    if (errors) continue;
    const { __typename, percentages, ...shown } = data.updateCharge.pricing;
    const again = { ...shown, ...(percentages && { ranges: percentages }) };
    const answer = await app.graphql(SEATS, { i: { pricing: { [name]: again } } });
    expect([name, answer.errors, answer.data.updateCharge.pricing]).toEqual([
      name,
      undefined,
      data.updateCharge.pricing,
    ]);
  }
});

it('filters and fixed charges take both forms too', async () => {
  await app.graphql(CHARGE, { i: { pricing: { standard: { amount: 1 } } } });
  await app.graphql(CHARGE, { i: { chargeModel: 'standard', properties: { amount: '1' } } }, app.other);
  const filterValues = [
    { key: 'region', values: ['eu', 'us'] },
    { key: 'tier', values: ['__ALL_FILTER_VALUES__'] },
  ];
  const values = { region: ['eu', 'us'], tier: ['__ALL_FILTER_VALUES__'] };
  const typed = { pricing: { standard: { amount: '0.20', pricingGroupKeys: ['x'] } }, filterValues };
  const json = { properties: { amount: '0.20', pricing_group_keys: ['x'] }, values };
  const lists = [{ filters: [typed] }, { filters: [json] }];
  const [one, other] = [
    await app.graphql(CHARGE, { i: lists[0] }),
    await app.graphql(CHARGE, { i: lists[1] }, app.other),
  ];
  expect(one.data.updateCharge.filters).toMatchObject([
    { values, properties: json.properties, filterValues: expect.arrayContaining(filterValues) },
  ]);
  expect(other.data.updateCharge.filters).toEqual(one.data.updateCharge.filters);
  const more = { ...typed, filterValues: [{ key: 'region', values: ['1'] }] };
  expect((await app.graphql(FILTER, { i: more })).data.createChargeFilter.values).toEqual({ region: ['1'] });
  for (const name of ['graduated', 'volume', 'standard']) {
    const [prices, properties] = PRICES[name] ?? [];
    const { data } = await app.graphql(FIXED, { i: { pricing: { [name]: prices } } });
    expect(data.updateFixedCharge).toEqual({ chargeModel: name, properties });
  }
});

const standard = { standard: { amount: '1' } };
const filter = (more: object) => ({
  filters: [{ filterValues: [{ key: 'region', values: ['eu'] }], pricing: standard, ...more }],
});

/** What is refused: where, with which code, and what is said of it. */
const REFUSED: readonly (readonly [string, object, string, string, string])[] = [
  [
    CHARGE,
    { pricing: { standard: { amount: '-1' } } },
    'input.pricing.standard.amount',
    'invalid_amount',
    'given: "-1"',
  ],
  [
    CHARGE,
    { pricing: { graduated: { ranges: [{ fromValue: 0, perUnitAmount: '1', flatAmount: '-2' }] } } },
    'input.pricing.graduated.ranges.0.flatAmount',
    'invalid_amount',
    'given: "-2"',
  ],
  [
    CHARGE,
    { pricing: { volume: { ranges: ranges('perUnitAmount', '15') } } },
    'input.pricing.volume.ranges.1',
    'invalid_volume_ranges',
    'without a gap',
  ],
  [
    CHARGE,
    { pricing: { graduated: { ranges: [] } } },
    'input.pricing.graduated.ranges',
    'missing_graduated_ranges',
    'one range',
  ],
  [
    CHARGE,
    { pricing: { package: { amount: 1, packageSize: '1.5' } } },
    'input.pricing.package.packageSize',
    'invalid_package_size',
    'whole number',
  ],
  [
    CHARGE,
    { pricing: { package: { amount: 1, packageSize: '9007199254740993' } } },
    'input.pricing.package.packageSize',
    'invalid_package_size',
    'whole number',
  ],
  [CHARGE, { pricing: { standard: {} } }, 'input.pricing.standard.amount', 'value_is_mandatory', 'amount'],
  [CHARGE, { pricing: {} }, 'input.pricing', 'value_is_invalid', 'Exactly one key'],
  [CHARGE, { pricing: { ...standard, dynamic: {} } }, 'input.pricing', 'value_is_invalid', 'Exactly one key'],
  [CHARGE, { pricing: standard, properties: { amount: '1' } }, 'input.pricing', 'value_is_invalid', 'not both'],
  [CHARGE, { pricing: standard, chargeModel: 'volume' }, 'input.chargeModel', 'value_is_invalid', '"standard"'],
  [
    USED,
    { pricing: { package: { amount: 1, packageSize: 2 } } },
    'input.pricing',
    'value_cannot_be_changed',
    '"standard"',
  ],
  [SEATS, { pricing: { custom: {} } }, 'input.pricing', 'invalid_aggregation_type_or_charge_model', 'fits the metric'],
  [USED, filter({ pricing: { dynamic: {} } }), 'input.filters.0.pricing', 'value_is_invalid', '"standard"'],
  [
    USED,
    filter({ pricing: { standard: { amount: '-1' } } }),
    'input.filters.0.pricing.standard.amount',
    'invalid_amount',
    '"-1"',
  ],
  [
    USED,
    filter({ pricing: { standard: { amount: '1', ...groups } } }),
    'input.filters.0.pricing.standard.presentationGroupKeys',
    'value_is_invalid',
    'of a filter',
  ],
  [USED, filter({ values: { region: ['eu'] } }), 'input.filters.0.filterValues', 'value_is_invalid', 'not both'],
  [USED, filter({ filterValues: [] }), 'input.filters.0.filterValues', 'value_is_mandatory', 'keys'],
  [
    USED,
    filter({
      filterValues: [
        { key: 'tier', values: ['gold'] },
        { key: 'region', values: ['x'] },
      ],
    }),
    'input.filters.0.filterValues.1.values',
    'value_is_invalid',
    '"eu"',
  ],
  [
    USED,
    filter({ filterValues: [{ key: 'colour', values: ['red'] }] }),
    'input.filters.0.filterValues.0.values',
    'relation_must_exist',
    '"region"',
  ],
  [
    USED,
    filter({
      filterValues: [
        { key: 'tier', values: ['gold'] },
        { key: 'tier', values: ['gold'] },
      ],
    }),
    'input.filters.0.filterValues.1.key',
    'value_is_duplicated',
    'each value once',
  ],
  [FILTER, { pricing: standard }, 'input.values', 'value_is_mandatory', 'keys'],
  [FIXED, { pricing: { standard: { amount: '-1' } } }, 'input.pricing.standard.amount', 'invalid_amount', '"-1"'],
  [FIXED, { pricing: { dynamic: {} } }, 'input.pricing.dynamic', 'value_is_invalid', 'not defined'],
];

it.each(REFUSED.map((row) => [`${row[2]}: ${row[3]}`, ...row] as const))(
  '%s',
  async (_, mutation, input, path, code, words) => {
    const { errors = [] } = await app.graphql(mutation, { i: input });
    const bound = errors.flatMap(({ extensions }) => (extensions?.errors ?? []) as InputError[]);
    const found = bound.find((error) => error.path.join('.') === path && error.code === code);
    expect(found, JSON.stringify(errors)).toBeDefined();
    expect(found?.message).toContain(words);
  },
);

it('REST has no such members: a body that has them says nothing by them', async () => {
  const before = await app.rest('GET', '/plans/used/charges/api_calls/filters/x');
  const charge = { pricing: { standard: { amount: '77' } }, filters: null };
  const { status, body } = await app.rest('PUT', '/plans/used/charges/api_calls', { charge });
  expect([before.status, status, body.charge.properties.amount]).toEqual([404, 200, '0.05']);
  const bodies = JSON.stringify(await (await app.app.fetch(new Request('http://gateway.test/openapi.json'))).json());
  for (const member of ['"pricing"', '"filter_values"', 'PricingInput']) expect(bodies).not.toContain(member);
});
