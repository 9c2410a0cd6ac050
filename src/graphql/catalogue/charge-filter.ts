import { destroyChargeFilter, updateChargeFilter } from '../../engine/catalogue/price/change-charge-filter.ts';
import { createChargeFilter } from '../../engine/catalogue/price/create-charge-filter.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { KeyValues, keysWithValues } from '../base/key-value.ts';
import { actorOf, refusesIgnored } from '../context.ts';
import { defineNode } from '../list/node.ts';
import { mutation } from '../write/mutation.ts';
import { chargeFilterFilter } from './catalogue-filter.ts';
import { cascadeArg, filterMembers } from './filter-input.ts';
import { shownProperties } from './price-properties.ts';
import { Pricing, pricingOf } from './pricing.ts';
import { asFilter, inGivenForm } from './typed-input.ts';

defineNode('ChargeFilter', {
  filter: chargeFilterFilter,
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

const UpdateChargeFilterInput = builder.inputType('UpdateChargeFilterInput', {
  description: 'What changes of a filter. Absent members keep their values.',
  fields: (t) => ({
    invoiceDisplayName: t.string({ description: 'Name printed on documents; null is none.' }),
    ...filterMembers(t, 'They never change: others are refused.'),
    cascadeUpdates: t.boolean({
      description:
        'Whether filters of the same values on overrides follow, where they still have the old prices; false by default.',
    }),
  }),
});

const filterPathArgs = {
  ...chargePathArgs,
  ...builder.args((t) => ({
    svcId: t.field({ type: 'UUID', required: true, description: 'Identifier of the filter, assigned by the service.' }),
  })),
};

mutation('updateChargeFilter', 'ChargeFilter', {
  resource: 'plan',
  description: 'Changes the name and the prices of a filter.',
  args: {
    ...filterPathArgs,
    ...builder.args((t) => ({
      input: t.field({ type: UpdateChargeFilterInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ input, ...path }, context) =>
    inGivenForm(input, () =>
      updateChargeFilter(context.db, actorOf(context), path, { ...asFilter(input), ...refusesIgnored(context) }),
    ),
});

mutation('destroyChargeFilter', 'ChargeFilter', {
  resource: 'plan',
  description:
    'Deletes a filter; the usage that it took falls to other filters or to the price of the charge. Fees keep it.',
  args: { ...filterPathArgs, ...cascadeArg },
  write: ({ input, ...path }, context) => destroyChargeFilter(context.db, actorOf(context), path, input ?? {}),
});
