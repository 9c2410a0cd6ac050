import { createChargeFilter } from '../../engine/catalogue/create-charge-filter.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { KeyValues, keysWithValues } from '../base/key-value.ts';
import { actorOf } from '../context.ts';
import { defineNode } from '../list/node.ts';
import { mutation } from '../write/mutation.ts';
import { filterMembers } from './filter-input.ts';
import { shownProperties } from './price-properties.ts';
import { Pricing, pricingOf } from './pricing.ts';
import { asFilter, inGivenForm } from './typed-input.ts';

defineNode('ChargeFilter', {
  resource: 'plan',
  omit: ['properties'],
  fields: (t) => ({
    chargeCode: t.string({
      description: 'Code of the charge.',
      extensions: firstOf(['charge.code']),
      select: { charge: { select: { code: true } } },
      resolve: (filter) => filter.charge.code,
    }),
    properties: t.field({
      type: 'JSON',
      description: 'Prices; which members there are depends on the charge model. `pricing` has them typed.',
      select: { properties: true },
      resolve: (filter) => shownProperties(filter.properties),
    }),
    pricing: t.field({
      type: Pricing,
      description: 'Prices, by the model of the charge.',
      select: { properties: true, charge: { select: { chargeModel: true } } },
      resolve: (filter) => pricingOf(filter.charge.chargeModel, filter.properties),
    }),
    filterValues: t.field({
      type: [KeyValues],
      description: 'The property values that the filter takes, in the order given; `values` has them as JSON.',
      select: { values: true },
      resolve: (filter) => keysWithValues(filter.values),
    }),
  }),
});

/** Arguments that name a charge of a plan. */
export const chargePathArgs = builder.args((t) => ({
  planCode: t.string({ required: true, description: 'Code of the plan; overrides of subscriptions are not found.' }),
  chargeCode: t.string({ required: true, description: 'Code of the charge on the plan.' }),
}));

const CreateChargeFilterInput = builder.inputType('CreateChargeFilterInput', {
  description: 'A price for a part of the usage.',
  fields: (t) => ({
    invoiceDisplayName: t.string({ description: 'Name printed on documents.' }),
    ...filterMembers(t),
    cascadeUpdates: t.boolean({ description: 'Whether overrides of the charge get the filter too; false by default.' }),
  }),
});

mutation('createChargeFilter', 'ChargeFilter', {
  resource: 'plan',
  description:
    'Adds a filter to a charge. The same values, in whatever order, are refused when the charge has them already.',
  args: {
    ...chargePathArgs,
    ...builder.args((t) => ({
      input: t.field({ type: CreateChargeFilterInput, required: true, description: 'The filter.' }),
    })),
  },
  write: ({ input, ...path }, context) =>
    inGivenForm(input, () => createChargeFilter(context.db, actorOf(context), path, asFilter(input))),
});
