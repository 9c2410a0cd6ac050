import type { Bound, ChargeProperties, PriceModel } from '../../billing/catalogue/charge-type.ts';
import { decimalText } from '../../billing/money/decimal.ts';
import { decimalProperty } from '../../billing/price/property.ts';
import { builder, type Types } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { jsonText } from '../base/key-value.ts';

/** Properties of a charge, a filter or a fixed charge with the model that reads them. */
interface Priced {
  readonly chargeModel: PriceModel;
  readonly properties: ChargeProperties;
}

/** The properties as the database gives them, with the model of their charge. */
export const pricingOf = (chargeModel: PriceModel, properties: unknown): Priced => ({
  chargeModel,
  properties: (properties ?? {}) as ChargeProperties,
});

type Row = Readonly<Record<string, unknown>>;
type Fields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>;

const textOf = (value: unknown) => decimalText(decimalProperty(value as Bound | null | undefined));

/** A decimal member of a range; absent ones are 0. */
const decimalOf = (t: Fields<Row>, member: string, description: string) =>
  t.field({ type: 'Decimal', description, resolve: (row) => textOf(row[member]) });

const openDecimalOf = (t: Fields<Row>, member: string, description: string) =>
  t.field({
    ...{ type: 'Decimal', nullable: true, description },
    resolve: (row) => (row[member] === null || row[member] === undefined ? null : textOf(row[member])),
  });

const rangeBounds = (t: Fields<Row>) => ({
  fromValue: decimalOf(t, 'from_value', 'The first unit of the range; 0 and 1 both begin with the first.'),
  toValue: openDecimalOf(t, 'to_value', 'The last unit of the range; null in the last range.'),
  flatAmount: decimalOf(t, 'flat_amount', 'What the range costs by itself, once it is entered, in currency units.'),
});

const PriceRange = builder.objectRef<Row>('PriceRange').implement({
  description: 'A range of units with its price.',
  fields: (t) => ({
    ...rangeBounds(t),
    perUnitAmount: decimalOf(t, 'per_unit_amount', 'Price of a unit in the range, in currency units.'),
  }),
});

const RATE = 'How much of the units is charged, for example 2.5.';

const PercentageRange = builder.objectRef<Row>('PercentageRange').implement({
  description: 'A range of units with the percentage of it that is charged.',
  fields: (t) => ({
    ...rangeBounds(t),
    rate: t.field({ type: 'Percentage', description: RATE, resolve: ({ rate }) => textOf(rate) }),
  }),
});

const PresentationGroupKey = builder.objectRef<Row>('PresentationGroupKey').implement({
  description: 'A property of events by which usage is broken down for display.',
  fields: (t) => ({
    value: t.string({ description: 'Name of the property.', resolve: ({ value }) => String(value) }),
    displayInInvoice: t.boolean({
      description: 'Whether documents show the parts.',
      resolve: ({ options }) => (options as Row | undefined)?.display_in_invoice === true,
    }),
  }),
});

/** How units become an amount, with the prices: one type a model. */
export const Pricing = builder.interfaceRef<Priced>('Pricing').implement({
  description: 'How units become an amount, with its prices: one type for each charge model.',
  resolveType: ({ chargeModel }) => TYPE_OF_MODEL[chargeModel],
  fields: (t) => ({
    chargeModel: t.field({
      type: enumRef('ChargeModel'),
      description: 'How units become an amount.',
      resolve: (pricing) => pricing.chargeModel,
    }),
    pricingGroupKeys: t.stringList({
      description: 'Properties of events: units of the same values are priced together.',
      resolve: ({ properties }) => [...(properties.pricing_group_keys ?? properties.grouped_by ?? [])],
    }),
    presentationGroupKeys: t.field({
      type: [PresentationGroupKey],
      description: 'Properties of events by which usage is broken down for display.',
      resolve: ({ properties }) => (properties.presentation_group_keys ?? []).map((key) => ({ ...key })),
    }),
  }),
});

type Member = keyof ChargeProperties;

const price = (t: Fields<Priced>, member: Member, description: string) =>
  t.field({ type: 'Decimal', description, resolve: ({ properties }) => textOf(properties[member]) });

const optionalPrice = (t: Fields<Priced>, member: Member, description: string) =>
  t.field({
    ...{ type: 'Decimal', nullable: true, description },
    resolve: ({ properties }) =>
      properties[member] === undefined || properties[member] === null ? null : textOf(properties[member]),
  });

const ranges = (t: Fields<Priced>, member: Member, type: typeof PriceRange, description: string) =>
  t.field({
    type: [type],
    description,
    resolve: ({ properties }) => [...((properties[member] ?? []) as readonly Row[])],
  });

const named = (name: string) => builder.objectRef<Priced>(name);

named('StandardPricing').implement({
  description: 'Every unit has the same price.',
  interfaces: [Pricing],
  fields: (t) => ({ amount: price(t, 'amount', 'Price of a unit, in currency units.') }),
});

named('GraduatedPricing').implement({
  description: 'Each unit has the price of the range that it falls in.',
  interfaces: [Pricing],
  fields: (t) => ({ ranges: ranges(t, 'graduated_ranges', PriceRange, 'The ranges, from the first unit up.') }),
});

named('VolumePricing').implement({
  description: 'All units have the price of the range that their number falls in.',
  interfaces: [Pricing],
  fields: (t) => ({ ranges: ranges(t, 'volume_ranges', PriceRange, 'The ranges, from the first unit up.') }),
});

named('GraduatedPercentagePricing').implement({
  description: 'A percentage of the units, which depends on the range that they fall in.',
  interfaces: [Pricing],
  fields: (t) => ({
    ranges: ranges(t, 'graduated_percentage_ranges', PercentageRange, 'The ranges, from the first unit up.'),
  }),
});

named('PackagePricing').implement({
  description: 'Units are sold in packages; a package that is begun is paid.',
  interfaces: [Pricing],
  fields: (t) => ({
    amount: price(t, 'amount', 'Price of a package, in currency units.'),
    packageSize: price(t, 'package_size', 'Units of a package.'),
    freeUnits: price(t, 'free_units', 'Units that cost nothing.'),
  }),
});

named('PercentagePricing').implement({
  description: 'A percentage of the units, which are an amount, and a fixed price of each event.',
  interfaces: [Pricing],
  fields: (t) => ({
    rate: t.field({ type: 'Percentage', description: RATE, resolve: ({ properties }) => textOf(properties.rate) }),
    fixedAmount: optionalPrice(t, 'fixed_amount', 'Price of each event, in currency units.'),
    freeUnitsPerEvents: optionalPrice(t, 'free_units_per_events', 'Number of events that cost nothing.'),
    freeUnitsPerTotalAggregation: optionalPrice(
      ...([t, 'free_units_per_total_aggregation', 'Units that cost nothing.'] as const),
    ),
    perTransactionMinAmount: optionalPrice(
      t,
      'per_transaction_min_amount',
      'Least price of an event, in currency units.',
    ),
    perTransactionMaxAmount: optionalPrice(
      ...([t, 'per_transaction_max_amount', 'Highest price of an event, in currency units.'] as const),
    ),
  }),
});

named('DynamicPricing').implement({
  description: 'Each event tells what it costs.',
  interfaces: [Pricing],
});

named('CustomPricing').implement({
  description: 'A metric with an aggregation of its own says how units are priced.',
  interfaces: [Pricing],
  fields: (t) => ({
    customProperties: t.string({
      nullable: true,
      description: 'What the aggregation reads, as the text of JSON; null without any.',
      resolve: ({ properties }) => jsonText(properties.custom_properties),
    }),
  }),
});

const TYPE_OF_MODEL: Readonly<Record<PriceModel, string>> = {
  standard: 'StandardPricing',
  graduated: 'GraduatedPricing',
  graduated_percentage: 'GraduatedPercentagePricing',
  package: 'PackagePricing',
  percentage: 'PercentagePricing',
  volume: 'VolumePricing',
  dynamic: 'DynamicPricing',
  custom: 'CustomPricing',
};
