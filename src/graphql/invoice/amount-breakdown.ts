import { builder, type Types } from '../base/builder.ts';

// The details as they are shown: see shownDetails.
type Row = Readonly<Record<string, unknown>>;
type Fields = PothosSchemaTypes.ObjectFieldBuilder<Types, Row>;

const decimal = (t: Fields, member: string, description: string) =>
  t.field({ type: 'Decimal', description, resolve: (row) => String(row[member] ?? '0') });

const rate = (t: Fields) =>
  t.field({
    type: 'Percentage',
    description: 'How much of the units was charged, for example 2.5.',
    resolve: (row) => String(row.rate ?? '0'),
  });

const usedRange = (t: Fields) => ({
  fromValue: decimal(t, 'from_value', 'The first unit of the range.'),
  toValue: t.field({
    type: 'Decimal',
    nullable: true,
    description: 'The last unit of the range; null in the last range.',
    resolve: ({ to_value }) => (to_value === null || to_value === undefined ? null : String(to_value)),
  }),
  units: decimal(t, 'units', 'Units that fell in the range.'),
  perUnitTotalAmount: decimal(t, 'per_unit_total_amount', 'What these units cost, in currency units.'),
  flatUnitAmount: decimal(t, 'flat_unit_amount', 'What the range costs by itself, in currency units.'),
  totalWithFlatAmount: decimal(t, 'total_with_flat_amount', 'What the range came to, in currency units.'),
});

const PricedRange = builder.objectRef<Row>('PricedRange').implement({
  description: 'A range of units with what it came to.',
  fields: (t) => ({
    ...usedRange(t),
    perUnitAmount: decimal(t, 'per_unit_amount', 'Price of a unit in the range, in currency units.'),
  }),
});

const PricedPercentageRange = builder.objectRef<Row>('PricedPercentageRange').implement({
  description: 'A range of units with the percentage that was charged and what it came to.',
  fields: (t) => ({ ...usedRange(t), rate: rate(t) }),
});

const named = (name: string) => builder.objectRef<Row>(name);
const rows = (value: unknown): Row[] => (Array.isArray(value) ? value : []);

const ranges = (t: Fields, member: string, type: typeof PricedRange) =>
  t.field({
    type: [type],
    description: 'The ranges that were entered, from the first unit up.',
    resolve: (row) => rows(row[member]),
  });

const GraduatedBreakdown = named('GraduatedBreakdown').implement({
  description: 'An amount of a graduated price.',
  fields: (t) => ({ ranges: ranges(t, 'graduated_ranges', PricedRange) }),
});

const GraduatedPercentageBreakdown = named('GraduatedPercentageBreakdown').implement({
  description: 'An amount of a graduated percentage.',
  fields: (t) => ({ ranges: ranges(t, 'graduated_percentage_ranges', PricedPercentageRange) }),
});

const VolumeBreakdown = named('VolumeBreakdown').implement({
  description: 'An amount of a volume price.',
  fields: (t) => ({
    perUnitAmount: decimal(t, 'per_unit_amount', 'Price of each unit, in currency units.'),
    perUnitTotalAmount: decimal(t, 'per_unit_total_amount', 'What the units cost, in currency units.'),
    flatUnitAmount: decimal(t, 'flat_unit_amount', 'What the range costs by itself, in currency units.'),
  }),
});

const PackageBreakdown = named('PackageBreakdown').implement({
  description: 'An amount of packages.',
  fields: (t) => ({
    freeUnits: decimal(t, 'free_units', 'Units that cost nothing.'),
    paidUnits: decimal(t, 'paid_units', 'Units that were paid.'),
    perPackageSize: decimal(t, 'per_package_size', 'Units of a package.'),
    perPackageUnitAmount: decimal(t, 'per_package_unit_amount', 'Price of a package, in currency units.'),
  }),
});

const PercentageBreakdown = named('PercentageBreakdown').implement({
  description: 'An amount of a percentage.',
  fields: (t) => ({
    units: decimal(t, 'units', 'Units of the period.'),
    freeUnits: decimal(t, 'free_units', 'Units that cost nothing.'),
    paidUnits: decimal(t, 'paid_units', 'Units that the percentage was taken of.'),
    freeEvents: decimal(t, 'free_events', 'Events that cost nothing.'),
    paidEvents: decimal(t, 'paid_events', 'Events that were paid.'),
    rate: rate(t),
    perUnitTotalAmount: decimal(t, 'per_unit_total_amount', 'What the percentage came to, in currency units.'),
    fixedFeeUnitAmount: decimal(t, 'fixed_fee_unit_amount', 'Price of each event, in currency units.'),
    fixedFeeTotalAmount: decimal(t, 'fixed_fee_total_amount', 'What the events cost, in currency units.'),
    minMaxAdjustmentTotalAmount: decimal(
      ...([t, 'min_max_adjustment_total_amount'] as const),
      'What the least and the highest price of an event added or took away, in currency units.',
    ),
  }),
});

const PlanBreakdown = named('PlanBreakdown').implement({
  description: 'An amount of a subscription.',
  fields: (t) => ({
    planAmountCents: t.field({
      type: 'BigInt',
      description: "The plan's price of a whole period, in minor units.",
      resolve: (row) => BigInt(String(row.plan_amount_cents)),
    }),
  }),
});

// The member by which each kind of details is known; percentages and packages have members of the same names.
const KINDS = [
  ['graduated_ranges', GraduatedBreakdown],
  ['graduated_percentage_ranges', GraduatedPercentageBreakdown],
  ['per_package_size', PackageBreakdown],
  ['paid_events', PercentageBreakdown],
  ['flat_unit_amount', VolumeBreakdown],
  ['plan_amount_cents', PlanBreakdown],
] as const;

const kindOf = (details: Row) => KINDS.find(([member]) => details[member] !== undefined && details[member] !== null);

/** How an amount came about, by the model of its price. */
export const AmountBreakdown = builder.unionType('AmountBreakdown', {
  description:
    'How an amount came about: one type for each model of prices that has more to tell than units and a price.',
  types: KINDS.map(([, type]) => type),
  resolveType: (details) => kindOf(details)?.[1],
});

/** The details of an amount, as they are shown, where a kind of breakdown tells them; null for the others. */
export const breakdownOf = (details: unknown): Row | null => (kindOf((details ?? {}) as Row) ? (details as Row) : null);
