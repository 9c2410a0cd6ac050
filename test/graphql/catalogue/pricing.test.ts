import { GraphQLObjectType, GraphQLSchema, graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { defaultProperties } from '../../../src/billing/catalogue/charge-property.ts';
import { PRICE_MODELS, type PriceModel } from '../../../src/billing/catalogue/charge-type.ts';
import { pricingOf } from '../../../src/graphql/catalogue/pricing.ts';
import { schema } from '../../../src/graphql/schema.ts';

const DOCUMENT = `{ pricing {
  __typename chargeModel pricingGroupKeys presentationGroupKeys { value displayInInvoice }
  ... on StandardPricing { amount }
  ... on GraduatedPricing { ranges { fromValue toValue perUnitAmount flatAmount } }
  ... on VolumePricing { ranges { fromValue toValue perUnitAmount flatAmount } }
  ... on GraduatedPercentagePricing { percentages: ranges { fromValue toValue rate flatAmount } }
  ... on PackagePricing { price: amount packageSize freeUnits }
  ... on PercentagePricing { rate fixedAmount freeUnitsPerEvents freeUnitsPerTotalAggregation perTransactionMinAmount perTransactionMaxAmount }
  ... on CustomPricing { customProperties }
} }`;

const type = schema.getType('Charge');
const pricing = type instanceof GraphQLObjectType ? type.getFields().pricing?.type : undefined;

async function shown(model: PriceModel, properties: unknown) {
  if (!pricing) throw new Error('no pricing');
  const query = new GraphQLObjectType({
    name: 'One',
    fields: { pricing: { type: pricing as never, resolve: () => pricingOf(model, properties) } },
  });
  const types = schema.getType('Pricing')
    ? Object.values(schema.getTypeMap()).filter(({ name }) => name.endsWith('Pricing'))
    : [];
  const answer = await graphql({ schema: new GraphQLSchema({ query, types: types as never }), source: DOCUMENT });
  expect(answer.errors).toBeUndefined();
  return JSON.parse(JSON.stringify(answer.data?.pricing));
}

const bare = { pricingGroupKeys: [], presentationGroupKeys: [] };

describe('Pricing', () => {
  it('has a type for every model, also for the properties that a charge begins with', async () => {
    for (const model of PRICE_MODELS) {
      const { __typename, chargeModel } = await shown(model, defaultProperties(model));
      expect(__typename.toLowerCase()).toBe(`${model.replace('_', '')}pricing`);
      expect(chargeModel).toBe(model);
    }
  });

  it('keeps every digit, and fills what was not given', async () => {
    expect(await shown('standard', { amount: '0.000000000000012345' })).toMatchObject({
      ...bare,
      amount: '0.000000000000012345',
    });
    expect(await shown('standard', {})).toMatchObject({ amount: '0.0' });
    expect(await shown('package', { amount: ' 12 ', package_size: 10, free_units: '3' })).toMatchObject({
      ...{ price: '12.0', packageSize: '10.0', freeUnits: '3.0' },
    });
    expect(await shown('percentage', { rate: '1.25', fixed_amount: null, free_units_per_events: 4 })).toMatchObject({
      ...{ rate: '1.25', fixedAmount: null, freeUnitsPerEvents: '4.0', perTransactionMaxAmount: null },
    });
  });

  it('shows ranges with their bounds, and the last one open', async () => {
    const first = { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '0' };
    const last = { from_value: 11, to_value: null, per_unit_amount: '0.5', flat_amount: '20' };
    const ranges = [
      { fromValue: '0.0', toValue: '10.0', perUnitAmount: '1.0', flatAmount: '0.0' },
      { fromValue: '11.0', toValue: null, perUnitAmount: '0.5', flatAmount: '20.0' },
    ];
    expect(await shown('graduated', { graduated_ranges: [first, last] })).toMatchObject({ ranges });
    expect(await shown('volume', { volume_ranges: [first, last] })).toMatchObject({ ranges });
    const percentage = {
      graduated_percentage_ranges: [{ from_value: 0, to_value: null, rate: '2.5', flat_amount: '1' }],
    };
    expect(await shown('graduated_percentage', percentage)).toMatchObject({
      percentages: [{ fromValue: '0.0', toValue: null, rate: '2.5', flatAmount: '1.0' }],
    });
  });

  it('names the groups, by the old name too', async () => {
    expect(await shown('dynamic', { grouped_by: ['region'] })).toMatchObject({ pricingGroupKeys: ['region'] });
    const keys = [{ value: 'team', options: { display_in_invoice: true } }, { value: 'user' }];
    expect(await shown('dynamic', { pricing_group_keys: ['a'], presentation_group_keys: keys })).toMatchObject({
      pricingGroupKeys: ['a'],
      presentationGroupKeys: [
        { value: 'team', displayInInvoice: true },
        { value: 'user', displayInInvoice: false },
      ],
    });
    expect(await shown('custom', { custom_properties: { a: [1] } })).toMatchObject({ customProperties: '{"a":[1]}' });
  });
});
