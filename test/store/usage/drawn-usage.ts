import fc from 'fast-check';
import type { UsageAsked, UsageGroup } from '../../../src/billing/aggregate/metric-usage.ts';
import type { ChargeProperties } from '../../../src/billing/catalogue/charge-type.ts';
import type { AggregationType } from '../../../src/billing/catalogue/metric.ts';
import { Decimal } from '../../../src/billing/money/decimal.ts';
import { parseInstant } from '../../instant.ts';

/** Properties as JSON: numbers of every notation, and what no metric can read. */
const VALUES = [
  ...['5', '-3', '0', '-0.0', '1.50', '10.0', '1e21', '1e-7', '0.1', '12345678901234567', '0.12345678901234567890'],
  ...['"2.5"', '"-0.000000000000000000001"', '"12345678901234567890.123"', '"5"', '"1.50"', '"07"', '"1.5"'],
  ...['"many"', '""', '"1e5"', '" 7"', '".5"', '"7\\n"', '"٣"', 'null', 'true', 'false', '"true"'],
];
const ODD = ['{"a":1,"10":2}', '[1]', '{"10":2,"a":1.0}'];
const json = (list: readonly string[], weight = 20) =>
  fc.oneof({ weight, arbitrary: fc.constantFrom(...list) }, { weight: 1, arbitrary: fc.constantFrom(...ODD) });

export const ZONES = [
  { timezone: 'UTC', from: '2024-03-01T00:00:00Z', to: '2024-03-31T23:59:59.999Z' },
  { timezone: 'Europe/Paris', from: '2024-02-29T23:00:00Z', to: '2024-03-31T21:59:59.999Z' },
  { timezone: 'America/Sao_Paulo', from: '2018-02-05T14:30:00Z', to: '2018-03-01T02:59:59.999Z' },
  { timezone: 'Pacific/Apia', from: '2011-12-20T10:00:00Z', to: '2012-01-01T09:59:59.999Z' },
  { timezone: 'America/New_York', from: '2024-03-10T05:00:00Z', to: '2024-03-10T17:29:59.999Z' },
  { timezone: 'Asia/Kathmandu', from: '2024-02-29T18:15:00Z', to: '2024-03-31T18:14:59.999Z' },
].map(({ timezone, from, to }) => ({ timezone, from: parseInstant(from), to: parseInstant(to) }));

// Few moments, so that many events share one: the first and last of the period, its nights, and some before and after.
const HOUR = 3_600_000;
const moment = fc.oneof(
  fc.constantFrom(0, -1, 1, -400 * 24 * HOUR, 40 * 24 * HOUR),
  fc.integer({ min: -3, max: 33 * 24 * 4 }).map((quarter) => (quarter * HOUR) / 4),
  fc.integer({ min: 0, max: 4 }).map((day) => (-10 + 9 * day) * 24 * HOUR),
);

export const event = fc.record({
  at: moment,
  createdAt: fc.integer({ min: 0, max: 2 }),
  amount: fc.constantFrom(null, '1.5', '-0.000000000000001', '12.50'),
  // Metrics change what they measure: events keep what was measured when they came.
  by: fc.constantFrom('=n', '=n', '#n', '#n', '', '=region'),
  members: fc.record(
    {
      n: json(VALUES),
      region: json(['"eu"', '"us"', '"ap"', '"other"', '""', 'null', '1', '1.0', 'true'], 40),
      cloud: fc.constantFrom('"aws"', '"gcp"', '"azure"', '1.50', '"1.5"'),
      operation_type: fc.constantFrom('"add"', '"remove"', '"remove"', '["remove"]', '1'),
    },
    { requiredKeys: [] },
  ),
});
/** An event as it is drawn: moments are counted from the begin of the period. */
export type Drawn = typeof event extends fc.Arbitrary<infer T> ? T : never;

const keys = fc.subarray(['region', 'cloud']);
const values = (list: readonly string[]) =>
  fc.oneof(fc.subarray([...list], { minLength: 1 }), fc.constant(['__ALL_FILTER_VALUES__']));
const filter = fc.record({
  values: fc.record(
    { region: values(['eu', 'us', 'ap', '1', 'true']), cloud: values(['aws', 'gcp', '1.5']) },
    { requiredKeys: [] },
  ),
  age: fc.integer({ min: 0, max: 2 }),
  keys,
});

const ranges = [
  { from_value: 0, to_value: 2, per_unit_amount: '3', flat_amount: '1' },
  { from_value: 3, to_value: null, per_unit_amount: '0.7', flat_amount: '0' },
];
const MODELS: Record<string, ChargeProperties> = {
  standard: { amount: '1' },
  dynamic: {},
  graduated: { graduated_ranges: ranges },
  percentage: { rate: '1' },
  bounded: { rate: '1', fixed_amount: '0.3', per_transaction_min_amount: '1', free_units_per_events: 2 },
  allowed: { rate: '1', free_units_per_events: 2, free_units_per_total_aggregation: '6' },
  amount: { rate: '1', free_units_per_total_aggregation: '6' },
};
export const charge = fc.record({
  aggregation: fc.constantFrom<AggregationType>('count', 'sum', 'max', 'latest', 'unique_count', 'weighted_sum'),
  model: fc.constantFrom(...Object.keys(MODELS)),
  ...{ recurring: fc.boolean(), prorated: fc.boolean(), payInAdvance: fc.boolean(), withAdvance: fc.boolean() },
  ...{ keys, shown: keys, filters: fc.array(filter, { maxLength: 4 }) },
  levelFrom: fc.constantFrom(null, 0, -5 * 24 * HOUR, 24 * HOUR),
  until: fc.constantFrom(undefined, undefined, 10 * 24 * HOUR),
  supposed: fc.array(event, { maxLength: 3 }),
});
type Charge = typeof charge extends fc.Arbitrary<infer T> ? T : never;

/** What is kept of hours and days is of usage that is one group, and not prorated. */
export const oneGroup = charge.map(
  (drawn): Charge => ({ ...drawn, prorated: false, keys: [], shown: [], filters: [] }),
);

/** The properties of a drawn event as JSON. */
export const bodyOf = ({ members }: Pick<Drawn, 'members'>) =>
  `{${Object.entries(members)
    .map(([name, value]) => `"${name}":${value}`)
    .join()}}`;

/** What a drawn charge asks of the usage of a period. */
export function askedOf(drawn: Charge, zone: (typeof ZONES)[number]): UsageAsked {
  const { aggregation, model, recurring, keys: grouped, shown, filters, levelFrom, until } = drawn;
  const isProratable = aggregation === 'sum' || aggregation === 'unique_count';
  const price = MODELS[model] ?? {};
  const declared = [
    { key: 'region', values: ['eu', 'us', '1'] },
    { key: 'cloud', values: ['aws', 'gcp'] },
  ];
  return {
    charge: {
      ...{ id: 'c', prorated: isProratable && drawn.prorated, payInAdvance: drawn.payInAdvance },
      model: ['bounded', 'allowed', 'amount'].includes(model) ? 'percentage' : (model as 'standard'),
      properties: {
        ...{ ...price, pricing_group_keys: grouped },
        presentation_group_keys: shown.map((value) => ({ value, options: { display_in_invoice: true } })),
      },
      metric: { aggregation, fieldName: aggregation === 'count' ? null : 'n', recurring, filters: declared },
      filters: filters.map(({ values: sets, age, keys: own }, at) => ({
        ...{ id: `f${at}`, values: sets as Record<string, string[]>, createdAt: age },
        properties: { ...price, pricing_group_keys: own },
      })),
    },
    period: { ...zone, durationDays: 31 },
    levelFrom: levelFrom === null ? null : zone.from + levelFrom,
    withAdvance: drawn.withAdvance,
    ...(until === undefined ? {} : { until: zone.from + until }),
    supposed: drawn.supposed.map((one) => ({
      ...{ timestamp: zone.from + one.at, properties: JSON.parse(bodyOf(one)), preciseTotalAmountCents: one.amount },
    })),
  };
}

/** Values as text, exact and equal for equal ones. */
export const plain = (value: unknown): string =>
  JSON.stringify(
    value,
    function (this: Record<string, unknown>, name, one) {
      const held = this[name];
      return held instanceof Decimal ? (held.isZero() ? '0' : held.toFixed()) : one;
    },
    1,
  );
export const view = (groups: readonly UsageGroup[]) =>
  groups.map(({ filter: of, ...group }) => ({ filter: of?.id, ...group }));
