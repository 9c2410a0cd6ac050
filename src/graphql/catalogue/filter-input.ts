import { builder, type Types } from '../base/builder.ts';
import { GRAPH_ONLY, replacedBy } from '../base/deprecation.ts';
import { PricingInput } from './pricing-input.ts';

type Fields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

const KeyValuesInput = builder.inputType('KeyValuesInput', {
  description: 'A property of events with the values that are taken.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'A key of the metric: the name of the property.' }),
    values: t.stringList({
      required: true,
      description: 'The values. The one value `__ALL_FILTER_VALUES__` means any value of its key.',
    }),
  }),
});

const ANY = 'The one value `__ALL_FILTER_VALUES__` means any value of its key.';

/** Prices and values of a filter, each typed and in the form of REST. */
export const filterMembers = (t: Fields, ofValues = '') => ({
  pricing: t.field({ type: PricingInput, ...GRAPH_ONLY, description: 'Prices, of the model of the charge.' }),
  properties: t.field({
    type: 'JSON',
    deprecationReason: replacedBy('pricing'),
    description: 'Prices; which members there are depends on the charge model, and others are dropped.',
  }),
  filterValues: t.field({
    type: [KeyValuesInput],
    ...GRAPH_ONLY,
    description: ofValues
      ? `Keys of the metric, each with the values that are taken. ${ofValues}`
      : 'Keys of the metric, each with the values that are taken; there must be one.',
  }),
  values: t.field({
    type: 'JSON',
    deprecationReason: replacedBy('filterValues'),
    description: `Lists of values by the keys of the metric. ${ofValues || ANY}`,
  }),
});

/** A filter as one of the list of its charge. */
export const ChargeFilterInput = builder.inputType('ChargeFilterInput', {
  description: 'A price for a part of the usage, as one of a list.',
  fields: (t) => ({
    invoiceDisplayName: t.string({ description: 'Name printed on documents; none without it.' }),
    ...filterMembers(t),
  }),
});

const CascadeInput = builder.inputType('CascadeInput', {
  description: 'What is deleted besides.',
  fields: (t) => ({
    cascadeUpdates: t.boolean({
      description: 'Whether overrides whose subscription is active or pending lose it too; false by default.',
    }),
  }),
});

/** The argument of mutations that delete a part of a plan. */
export const cascadeArg = builder.args((t) => ({
  input: t.field({ type: CascadeInput, description: 'What is deleted besides.' }),
}));
