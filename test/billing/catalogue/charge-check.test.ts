import { describe, expect, it } from 'vitest';
import {
  type ChargeDraft,
  chargeErrors,
  filterValueErrors,
  fixedChargeErrors,
} from '../../../src/billing/catalogue/charge-check.ts';
import { defaultProperties, keptProperties } from '../../../src/billing/catalogue/charge-property.ts';
import { propertyErrors } from '../../../src/billing/catalogue/charge-property-check.ts';
import { PRICE_MODELS } from '../../../src/billing/catalogue/charge-type.ts';
import { dec } from '../../../src/billing/money/decimal.ts';

const range = (from_value: unknown, to_value: unknown, rest: object = {}) => ({
  from_value,
  to_value,
  per_unit_amount: '1',
  flat_amount: '0',
  ...rest,
});

describe('keptProperties', () => {
  const charge = { owner: 'charge' } as const;

  it("keeps the model's members and drops everything else", () => {
    const sent = { amount: '1.50', rate: '2', foo: 1, package_size: 3 };
    expect(keptProperties('standard', sent, charge)).toEqual({ amount: '1.50' });
    expect(keptProperties('dynamic', sent, charge)).toEqual({});
  });

  it('turns the older name of the group keys into the new one, unless both were sent', () => {
    expect(keptProperties('dynamic', { grouped_by: ['a', ''] }, charge)).toEqual({ pricing_group_keys: ['a'] });
    expect(keptProperties('dynamic', { grouped_by: ['a'], pricing_group_keys: ['b'] }, charge)).toEqual({
      pricing_group_keys: ['b'],
    });
    expect(keptProperties('dynamic', { pricing_group_keys: [] }, charge)).toEqual({});
  });

  it('has presentation groups on charges only, and no groups on fixed charges', () => {
    const sent = { amount: '1', pricing_group_keys: ['a'], presentation_group_keys: [{ value: 'b' }] };
    expect(keptProperties('standard', sent, charge)).toEqual(sent);
    expect(keptProperties('standard', sent, { owner: 'filter' })).toEqual({ amount: '1', pricing_group_keys: ['a'] });
    expect(keptProperties('standard', sent, { owner: 'fixed_charge' })).toEqual({ amount: '1' });
  });

  it('reads custom properties from text', () => {
    expect(keptProperties('custom', { custom_properties: '{"a":1}' }, charge)).toEqual({ custom_properties: { a: 1 } });
    expect(keptProperties('custom', { custom_properties: '{' }, charge)).toEqual({ custom_properties: {} });
    const kept = keptProperties(
      'standard',
      { amount: '1', custom_properties: { a: 1 } },
      { ...charge, customMetric: true },
    );
    expect(kept).toEqual({ amount: '1', custom_properties: { a: 1 } });
  });
});

describe('propertyErrors', () => {
  it.each(PRICE_MODELS)('%s: the default properties are right', (model) => {
    expect(propertyErrors(model, { ...defaultProperties(model) }, 'sum')).toEqual([]);
  });

  it.each([
    ['standard', {}, ['invalid_amount']],
    ['standard', { amount: 1 }, ['invalid_amount']],
    ['standard', { amount: '-1' }, ['invalid_amount']],
    ['standard', { amount: 'NaN' }, ['invalid_amount']],
    ['standard', { amount: '1e999' }, ['invalid_amount']],
    ['standard', { amount: ' +1e-3 ' }, []],
    ['package', {}, ['invalid_amount', 'invalid_free_units', 'invalid_package_size']],
    ['package', { amount: '1', free_units: '0', package_size: 0 }, ['invalid_free_units', 'invalid_package_size']],
    [
      'percentage',
      { rate: '1', fixed_amount: 1, free_units_per_events: 0 },
      ['invalid_fixed_amount', 'invalid_free_units_per_events'],
    ],
    [
      'percentage',
      { rate: '1', per_transaction_min_amount: '2', per_transaction_max_amount: '1' },
      ['per_transaction_max_lower_than_per_transaction_min'],
    ],
    ['percentage', { rate: '1', per_transaction_min_amount: 'x' }, ['invalid_amount']],
    ['graduated', {}, ['missing_graduated_ranges']],
    ['volume', { volume_ranges: [] }, ['missing_volume_ranges']],
    ['graduated_percentage', {}, ['missing_graduated_percentage_ranges']],
    ['graduated', { graduated_ranges: [range(0, 10), range(11, null)] }, []],
    ['graduated', { graduated_ranges: [range(1, 10), range(10, null)] }, []],
    ['graduated', { graduated_ranges: [range(0, 10), range(12, null)] }, ['invalid_graduated_ranges']],
    ['graduated', { graduated_ranges: [range(2, null)] }, ['invalid_graduated_ranges']],
    ['graduated', { graduated_ranges: [range(0, 10), range(11, 20)] }, ['invalid_graduated_ranges']],
    [
      'graduated',
      { graduated_ranges: [range(0, null), range(11, null)] },
      ['invalid_graduated_ranges', 'invalid_graduated_ranges'],
    ],
    ['graduated', { graduated_ranges: [range(0, 0.1), range(0.1, null)] }, []],
    ['volume', { volume_ranges: [range(0, 10), range(12, null)] }, []],
    ['volume', { volume_ranges: [range(0, 10), range(10, null)] }, ['invalid_volume_ranges']],
    [
      'graduated',
      {
        graduated_ranges: [
          range(0, 1, { flat_amount: 'x' }),
          range(2, null, { flat_amount: -1, per_unit_amount: null }),
        ],
      },
      ['invalid_amount', 'invalid_amount', 'invalid_amount'],
    ],
    ['graduated', { graduated_ranges: ['x'] }, ['invalid_amount', 'invalid_amount', 'invalid_graduated_ranges']],
    ['dynamic', { pricing_group_keys: 'a' }, ['invalid_type']],
    ['dynamic', { pricing_group_keys: ['a', 1] }, ['invalid_type']],
    ['dynamic', { presentation_group_keys: ['a'] }, ['invalid_type']],
    ['dynamic', { presentation_group_keys: [{ value: 'a', options: { other: 1 } }] }, ['invalid_type']],
    [
      'dynamic',
      { presentation_group_keys: [{ value: 'a' }, { value: 'b' }, { value: 'a' }] },
      ['too_many_keys', 'value_is_duplicated'],
    ],
    ['dynamic', { presentation_group_keys: [{ value: 'a', options: { display_in_invoice: true } }] }, []],
  ] as const)('%s %j is %j', (model, properties, codes) => {
    expect(propertyErrors(model, properties, 'sum')).toEqual(codes);
  });

  it('refuses percentages of a latest metric', () => {
    expect(propertyErrors('percentage', { rate: '1' }, 'latest')).toEqual(['invalid_value']);
    expect(propertyErrors('standard', { amount: '1' }, 'latest')).toEqual([]);
  });
});

describe('chargeErrors', () => {
  const fine: ChargeDraft = {
    model: 'standard',
    payInAdvance: false,
    prorated: false,
    invoiceable: true,
    minAmountCents: 0n,
    regroupPaidFees: null,
    metric: { aggregation: 'sum', recurring: false },
  };
  const recurring = { aggregation: 'sum', recurring: true } as const;

  it.each<[Partial<ChargeDraft>, object]>([
    [{}, {}],
    [{ model: null }, { charge_model: ['value_is_invalid', 'value_is_mandatory'] }],
    [{ model: 'other' }, { charge_model: ['value_is_invalid'] }],
    [{ model: 'dynamic' }, {}],
    [
      { model: 'dynamic', metric: { aggregation: 'count', recurring: false } },
      { charge_model: ['invalid_aggregation_type_or_charge_model'] },
    ],
    [{ model: 'custom' }, { charge_model: ['invalid_aggregation_type_or_charge_model'] }],
    [{ model: 'volume', payInAdvance: true }, { pay_in_advance: ['invalid_aggregation_type_or_charge_model'] }],
    [
      { payInAdvance: true, metric: { aggregation: 'max', recurring: false } },
      { pay_in_advance: ['invalid_aggregation_type_or_charge_model'] },
    ],
    [{ prorated: true }, { prorated: ['invalid_billable_metric_or_charge_model'] }],
    [{ prorated: true, metric: recurring }, {}],
    [{ prorated: true, metric: recurring, model: 'graduated' }, {}],
    [
      { prorated: true, metric: recurring, model: 'graduated', payInAdvance: true },
      { prorated: ['invalid_billable_metric_or_charge_model'] },
    ],
    [
      { prorated: true, metric: { aggregation: 'weighted_sum', recurring: true } },
      { prorated: ['invalid_billable_metric_or_charge_model'] },
    ],
    [{ invoiceable: false }, { invoiceable: ['must_be_true_unless_pay_in_advance'] }],
    [{ invoiceable: false, payInAdvance: true, regroupPaidFees: 'invoice' }, {}],
    [
      { regroupPaidFees: 'invoice' },
      { regroup_paid_fees: ['only_compatible_with_pay_in_advance_and_non_invoiceable'] },
    ],
    [{ regroupPaidFees: 'other' }, { regroup_paid_fees: ['value_is_invalid'] }],
    [{ minAmountCents: -1n }, { min_amount_cents: ['value_is_out_of_range'] }],
    [{ minAmountCents: 1n, payInAdvance: true }, { min_amount_cents: ['not_compatible_with_pay_in_advance'] }],
  ])('%o gives %j', (change, details) => {
    expect(chargeErrors({ ...fine, ...change })).toEqual(details);
  });
});

describe('fixedChargeErrors', () => {
  const fine = { model: 'standard', payInAdvance: false, prorated: false, units: dec(1) };
  it.each([
    [{}, {}],
    [{ model: 'package' }, { charge_model: ['value_is_invalid'] }],
    [{ model: null }, { charge_model: ['value_is_mandatory'] }],
    [{ units: null }, { units: ['is not a number'] }],
    [{ units: dec(-1) }, { units: ['value_is_out_of_range'] }],
    [{ model: 'volume', payInAdvance: true }, { pay_in_advance: ['invalid_charge_model'] }],
    [{ model: 'graduated', payInAdvance: true, prorated: true }, { prorated: ['invalid_charge_model'] }],
  ])('%o gives %j', (change, details) => {
    expect(fixedChargeErrors({ ...fine, ...change })).toEqual(details);
  });
});

describe('filterValueErrors', () => {
  const declared = [{ key: 'tier', values: ['1', '2'] }];
  it.each([
    [undefined, { values: ['value_is_mandatory'] }],
    [{}, { values: ['value_is_mandatory'] }],
    [[], { values: ['value_is_mandatory'] }],
    [{ tier: ['1'] }, {}],
    [{ tier: [1] }, {}],
    [{ tier: ['__ALL_FILTER_VALUES__'] }, {}],
    [{ tier: ['__ALL_FILTER_VALUES__', '1'] }, { values: ['value_is_invalid'] }],
    [{ tier: ['3'] }, { values: ['value_is_invalid'] }],
    [{ tier: [] }, { values: ['value_is_mandatory'] }],
    [{ tier: null }, { values: ['value_is_mandatory', 'value_is_invalid'] }],
    [{ tier: '1' }, { values: ['value_is_mandatory'] }],
    [{ other: ['1'] }, { billable_metric_filter: ['relation_must_exist'], values: ['value_is_invalid'] }],
  ])('%j gives %j', (values, details) => {
    expect(filterValueErrors(values, declared)).toEqual(details);
  });
});
