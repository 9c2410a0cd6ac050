import { builder, type Types } from '../base/builder.ts';

type Fields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

const needed = (t: Fields, description: string) => t.field({ type: 'Decimal', required: true, description });
const optional = (t: Fields, description: string) => t.field({ type: 'Decimal', description });
const elseZero = (t: Fields, description: string) =>
  t.field({ type: 'Decimal', required: true, defaultValue: '0', description });
const rate = (t: Fields) =>
  t.field({ type: 'Percentage', required: true, description: 'How much of the units is charged, for example 2.5.' });

const rangeBounds = (t: Fields) => ({
  fromValue: needed(t, 'The first unit of the range: 0 or 1 in the first one.'),
  toValue: optional(t, 'The last unit of the range; absent or null in the last range.'),
  flatAmount: elseZero(t, 'What the range costs by itself, once it is entered, in currency units.'),
});

const PriceRangeInput = builder.inputType('PriceRangeInput', {
  description: 'A range of units with its price.',
  fields: (t) => ({
    ...rangeBounds(t),
    perUnitAmount: needed(t, 'Price of a unit in the range, in currency units.'),
  }),
});

const PercentageRangeInput = builder.inputType('PercentageRangeInput', {
  description: 'A range of units with the percentage of it that is charged.',
  fields: (t) => ({ ...rangeBounds(t), rate: rate(t) }),
});

const PresentationGroupKeyInput = builder.inputType('PresentationGroupKeyInput', {
  description: 'A property of events by which usage is broken down for display.',
  fields: (t) => ({
    value: t.string({ required: true, description: 'Name of the property.' }),
    displayInInvoice: t.boolean({ description: 'Whether documents show the parts; false by default.' }),
  }),
});

const groupKeys = (t: Fields) => ({
  pricingGroupKeys: t.stringList({
    description: 'Properties of events: units of the same values are priced together.',
  }),
  presentationGroupKeys: t.field({
    type: [PresentationGroupKeyInput],
    description: 'Properties of events by which usage is broken down for display. A filter has none.',
  }),
});

const priceRanges = (t: Fields) => ({
  ranges: t.field({ type: [PriceRangeInput], required: true, description: 'The ranges, from the first unit up.' }),
});

const StandardPricingInput = builder.inputType('StandardPricingInput', {
  description: 'Every unit has the same price.',
  fields: (t) => ({ amount: needed(t, 'Price of a unit, in currency units.'), ...groupKeys(t) }),
});

const RangePricingInput = builder.inputType('RangePricingInput', {
  description: 'Ranges of units, each with its price.',
  fields: (t) => ({ ...priceRanges(t), ...groupKeys(t) }),
});

const PercentageRangePricingInput = builder.inputType('PercentageRangePricingInput', {
  description: 'Ranges of units, each with the percentage of it that is charged.',
  fields: (t) => ({
    ranges: t.field({
      type: [PercentageRangeInput],
      required: true,
      description: 'The ranges, from the first unit up.',
    }),
    ...groupKeys(t),
  }),
});

const PackagePricingInput = builder.inputType('PackagePricingInput', {
  description: 'Units are sold in packages; a package that is begun is paid.',
  fields: (t) => ({
    amount: needed(t, 'Price of a package, in currency units.'),
    packageSize: needed(t, 'Units of a package: a whole number.'),
    freeUnits: elseZero(t, 'Units that cost nothing: a whole number.'),
    ...groupKeys(t),
  }),
});

const PercentagePricingInput = builder.inputType('PercentagePricingInput', {
  description: 'A percentage of the units, which are an amount, and a fixed price of each event.',
  fields: (t) => ({
    rate: rate(t),
    fixedAmount: optional(t, 'Price of each event, in currency units.'),
    freeUnitsPerEvents: optional(t, 'Number of events that cost nothing.'),
    freeUnitsPerTotalAggregation: optional(t, 'Units that cost nothing.'),
    perTransactionMinAmount: optional(t, 'Least price of an event, in currency units.'),
    perTransactionMaxAmount: optional(t, 'Highest price of an event, in currency units.'),
    ...groupKeys(t),
  }),
});

const DynamicPricingInput = builder.inputType('DynamicPricingInput', {
  description: 'Each event tells what it costs.',
  fields: groupKeys,
});

const CustomPricingInput = builder.inputType('CustomPricingInput', {
  description: 'A metric with an aggregation of its own says how units are priced.',
  fields: (t) => ({
    customProperties: t.field({
      type: 'JSON',
      description: 'What the aggregation reads: of any shape, since it is its own.',
    }),
    ...groupKeys(t),
  }),
});

/** Prices of a charge or of a filter; the member that is given names the model. */
export const PricingInput = builder.inputType('PricingInput', {
  isOneOf: true,
  description: 'How units become an amount, with the prices: exactly one member, which names the charge model.',
  fields: (t) => ({
    standard: t.field({ type: StandardPricingInput, description: 'Every unit has the same price.' }),
    graduated: t.field({
      type: RangePricingInput,
      description:
        'Each unit has the price of the range that it falls in. A range begins where the one before ends, or one after.',
    }),
    volume: t.field({
      type: RangePricingInput,
      description:
        'All units have the price of the range that their number falls in. A range begins one or two after the one before.',
    }),
    graduatedPercentage: t.field({
      type: PercentageRangePricingInput,
      description:
        'A percentage of the units, which depends on the range that they fall in. Ranges as those of `graduated`.',
    }),
    package: t.field({ type: PackagePricingInput, description: 'Units are sold in packages.' }),
    percentage: t.field({ type: PercentagePricingInput, description: 'A percentage of the units.' }),
    dynamic: t.field({ type: DynamicPricingInput, description: 'Each event tells what it costs.' }),
    custom: t.field({ type: CustomPricingInput, description: 'The metric says how units are priced.' }),
  }),
});

const FixedChargePriceInput = builder.inputType('FixedChargePriceInput', {
  description: 'Every unit has the same price.',
  fields: (t) => ({ amount: needed(t, 'Price of a unit, in currency units.') }),
});

const FixedChargeRangesInput = builder.inputType('FixedChargeRangesInput', {
  description: 'Ranges of units, each with its price.',
  fields: priceRanges,
});

/** Prices of a fixed charge; the member that is given names the model. */
export const FixedChargePricingInput = builder.inputType('FixedChargePricingInput', {
  isOneOf: true,
  description: 'How units become an amount, with the prices: exactly one member, which names the charge model.',
  fields: (t) => ({
    standard: t.field({ type: FixedChargePriceInput, description: 'Every unit has the same price.' }),
    graduated: t.field({
      type: FixedChargeRangesInput,
      description:
        'Each unit has the price of the range that it falls in. A range begins where the one before ends, or one after.',
    }),
    volume: t.field({
      type: FixedChargeRangesInput,
      description:
        'All units have the price of the range that their number falls in. A range begins one or two after the one before.',
    }),
  }),
});
