import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usageOfEvents } from '../../src/billing/aggregate/usage-source.ts';
import type { ChargeInput } from '../../src/billing/catalogue/charge.ts';
import { filterMatcher } from '../../src/billing/catalogue/filter.ts';
import type { AggregationType } from '../../src/billing/catalogue/metric.ts';
import { chargeFees } from '../../src/billing/fee/fee.ts';
import { type Decimal, dec, sum } from '../../src/billing/money/decimal.ts';
import type { ChargePeriod } from '../../src/billing/period/charge-period.ts';
import { priceFunction } from '../../src/billing/price/price.ts';
import { NO_RUNNING_TOTALS, type PricedUsage } from '../../src/billing/price/price-type.ts';
import type { UsageEvent } from '../../src/billing/usage/usage.ts';
import { shareTotals } from './price/totals.ts';

const DAY_MS = 86_400_000;
const PERIOD: ChargePeriod = { from: 0, to: 30 * DAY_MS - 1, durationDays: 30, timezone: 'UTC' };

const usageOf = (units: Decimal): PricedUsage => ({
  units,
  fullUnits: null,
  eventsCount: dec(1),
  runningTotals: NO_RUNNING_TOTALS,
  preciseTotalAmountCents: dec(0),
  currency: 'EUR',
});

const amount = fc
  .tuple(fc.nat(100_000), fc.nat(9999))
  .map(([whole, part]) => `${whole}.${String(part).padStart(4, '0')}`);
const units = amount.map(dec);
const bounds = fc
  .uniqueArray(fc.integer({ min: 1, max: 5000 }), { minLength: 0, maxLength: 6 })
  .map((list) => list.sort((a, b) => a - b));
const ranges = fc.tuple(bounds, fc.array(amount, { minLength: 14, maxLength: 14 })).map(([ends, amounts]) =>
  [...ends, null].map((to, at) => ({
    from_value: at === 0 ? 0 : (ends[at - 1] ?? 0) + 1,
    to_value: to,
    per_unit_amount: amounts[2 * at] ?? '0',
    flat_amount: amounts[2 * at + 1] ?? '0',
  })),
);

function chargeOf(
  properties: ChargeInput['properties'],
  aggregation: AggregationType,
  rest: Partial<ChargeInput> = {},
): ChargeInput {
  const metric = { aggregation, fieldName: 'value', recurring: false, filters: [] };
  return { id: 'charge', model: 'standard', properties, metric, filters: [], ...rest };
}

const feesOf = (charge: ChargeInput, events: Iterable<UsageEvent>) =>
  chargeFees({
    charge,
    currency: 'EUR',
    period: PERIOD,
    context: 'current_usage',
    levelFrom: null,
    usage: usageOfEvents(events),
  });

describe('prices', () => {
  it('graduated: the amount is the sum of its ranges, and the ranges hold all units', () => {
    fc.assert(
      fc.property(ranges, units, (graduated_ranges, total) => {
        const price = priceFunction('graduated')({ graduated_ranges }, usageOf(total));
        const lines = price.amountDetails.graduated_ranges as { units: string; total_with_flat_amount: string }[];
        expect(sum(lines.map((line) => dec(line.total_with_flat_amount))).eq(price.amount)).toBe(true);
        expect(sum(lines.map((line) => dec(line.units))).eq(total)).toBe(true);
      }),
    );
  });

  it('graduated: prorated with whole shares in one event is the plain price', () => {
    fc.assert(
      fc.property(ranges, units, (graduated_ranges, total) => {
        const plain = priceFunction('graduated')({ graduated_ranges }, usageOf(total));
        const shares = shareTotals({ graduated_ranges }, [{ full: total, prorated: total }]);
        const prorated = priceFunction('graduated', true)({ graduated_ranges }, { ...usageOf(total), shares });
        expect(prorated.amount.minus(plain.amount).abs().lt('1e-30')).toBe(true);
      }),
    );
  });

  it('prices times ten are amounts times ten, in every model', () => {
    const tenfold = (text: string) => dec(text).times(10).toFixed();
    fc.assert(
      fc.property(ranges, amount, units, (list, price, total) => {
        const scaled = list.map((range) => ({
          ...range,
          per_unit_amount: tenfold(range.per_unit_amount),
          flat_amount: tenfold(range.flat_amount),
        }));
        const percentages = (of: typeof list) => of.map(({ per_unit_amount: rate, ...range }) => ({ ...range, rate }));
        const pairs = [
          ['standard', { amount: price }, { amount: tenfold(price) }],
          [
            'package',
            { amount: price, package_size: 7, free_units: 3 },
            { amount: tenfold(price), package_size: 7, free_units: 3 },
          ],
          ['percentage', { rate: price, fixed_amount: price }, { rate: tenfold(price), fixed_amount: tenfold(price) }],
          ['graduated', { graduated_ranges: list }, { graduated_ranges: scaled }],
          ['volume', { volume_ranges: list }, { volume_ranges: scaled }],
          [
            'graduated_percentage',
            { graduated_percentage_ranges: percentages(list) },
            { graduated_percentage_ranges: percentages(scaled) },
          ],
        ] as const;
        for (const [model, once, ten] of pairs) {
          const [small, large] = [once, ten].map(
            (properties) => priceFunction(model)(properties, usageOf(total)).amount,
          );
          expect(large?.eq(small?.times(10) ?? 0), model).toBe(true);
        }
      }),
    );
  });

  it('amounts of 30 digits stay exact', () => {
    const digits = fc.bigInt({ min: 10n ** 29n, max: 10n ** 30n - 1n });
    fc.assert(
      fc.property(digits, fc.bigInt({ min: 1n, max: 10n ** 20n }), (price, count) => {
        const [fee] = feesOf(chargeOf({ amount: price.toString() }, 'sum'), [
          { timestamp: 0, properties: { value: count.toString() } },
        ]);
        expect(fee?.amountCents).toBe(price * count * 100n);
        expect(fee?.preciseAmountCents.toFixed()).toBe((price * count * 100n).toString());
      }),
    );
  });

  it('a remainder of any size starts a package', () => {
    const properties = { amount: '1', package_size: 3, free_units: 0 };
    const price = (text: string) => priceFunction('package')(properties, usageOf(dec(text))).amount.toFixed();
    expect(price('300000000000000000000000000000')).toBe('100000000000000000000000000000');
    expect(price('300000000000000000000000000000.0000000000000000001')).toBe('100000000000000000000000000001');
  });
});

const event = fc.record({
  day: fc.nat(29),
  value: fc.integer({ min: -50, max: 50 }),
  removes: fc.boolean(),
  region: fc.constantFrom('eu', 'us', 'ap', '', null),
  cloud: fc.constantFrom('aws', 'gcp', 'other'),
});
const eventsOf = (
  list: readonly { day: number; value: number; removes: boolean; region: string | null; cloud: string }[],
): UsageEvent[] =>
  list.map(({ day, removes, ...properties }, at) => ({
    timestamp: day * DAY_MS,
    createdAt: 1000 + at,
    transactionId: `t${at}`,
    properties: { ...properties, operation_type: removes ? 'remove' : 'add' },
  }));
const shuffled = <T>(list: readonly T[], keys: readonly number[]): T[] =>
  list
    .map((item, at) => ({ item, key: keys[at % keys.length] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('events', () => {
  it('unique_count: transactions are the active values, however often one was added or removed', () => {
    const add = { value: 1, removes: false, region: null, cloud: 'x' };
    const list = [add, add, { ...add, value: 2 }, { ...add, value: 2, removes: true }];
    const properties = { rate: '0', fixed_amount: '1', per_transaction_min_amount: '1' };
    const [fee] = feesOf(
      chargeOf(properties, 'unique_count', { model: 'percentage' }),
      eventsOf(list.map((one, day) => ({ ...one, day }))),
    );
    expect([fee?.amountCents, fee?.amountDetails.min_max_adjustment_total_amount]).toEqual([100n, '0.0']);
  });

  const aggregations: AggregationType[] = ['count', 'sum', 'max', 'latest', 'unique_count', 'weighted_sum'];

  it.each(aggregations)('%s: the order in which a list of events arrives changes nothing', (aggregation) => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 30 }),
        fc.array(fc.integer(), { minLength: 1, maxLength: 30 }),
        (list, keys) => {
          const events = eventsOf(list);
          for (const prorated of aggregation === 'sum' || aggregation === 'unique_count' ? [false, true] : [false]) {
            const charge = chargeOf({ amount: '3.17', pricing_group_keys: ['region'] }, aggregation, { prorated });
            const view = (of: UsageEvent[]) =>
              feesOf(charge, of)
                .map((fee) => `${fee.key} ${fee.units} ${fee.preciseAmountCents} ${fee.eventsCount}`)
                .sort();
            expect(view(shuffled(events, keys))).toEqual(view(events));
          }
        },
      ),
    );
  });

  it.each(['count', 'sum', 'max', 'weighted_sum'] as const)(
    '%s: nothing depends on the order of events of one moment, even without ingestion times',
    (aggregation) => {
      fc.assert(
        fc.property(
          fc.array(event, { maxLength: 30 }),
          fc.array(fc.integer(), { minLength: 1, maxLength: 30 }),
          (list, keys) => {
            const events = eventsOf(list).map(({ timestamp, properties }) => ({
              timestamp: timestamp > 15 * DAY_MS ? DAY_MS : 0,
              properties,
            }));
            const view = (of: UsageEvent[]) =>
              feesOf(chargeOf({ amount: '1' }, aggregation), of).map(({ units: shown }) => shown.toFixed());
            expect(view(shuffled(events, keys))).toEqual(view(events));
          },
        ),
      );
    },
  );

  it('a list and a stream in time order give the same fees; a stream out of order is refused', () => {
    const events = eventsOf([
      { day: 1, value: 5, removes: false, region: 'eu', cloud: 'aws' },
      { day: 2, value: 7, removes: false, region: 'us', cloud: 'gcp' },
    ]);
    const charge = chargeOf({ amount: '1' }, 'sum');
    expect(feesOf(charge, new Set(events))[0]?.amountCents).toBe(feesOf(charge, events)[0]?.amountCents);
    expect(() => feesOf(charge, new Set([...events].reverse()))).toThrow(/time order/);
  });
});

const filterValues = fc.record(
  {
    region: fc.oneof(fc.subarray(['eu', 'us', 'ap'], { minLength: 1 }), fc.constant(['__ALL_FILTER_VALUES__'])),
    cloud: fc.oneof(fc.subarray(['aws', 'gcp'], { minLength: 1 }), fc.constant(['__ALL_FILTER_VALUES__'])),
  },
  { requiredKeys: [] },
);

describe('buckets', () => {
  const declared = [
    { key: 'region', values: ['eu', 'us', 'ap'] },
    { key: 'cloud', values: ['aws', 'gcp'] },
  ];

  it('hold every event exactly once, whatever the filters and groups', () => {
    fc.assert(
      fc.property(fc.array(filterValues, { maxLength: 6 }), fc.array(event, { maxLength: 40 }), (sets, list) => {
        const filters = sets.map((values, at) => ({
          id: `f${at}`,
          values: values as Record<string, string[]>,
          properties: { amount: '1', pricing_group_keys: at % 2 === 0 ? ['cloud'] : [] },
        }));
        const metric = { aggregation: 'count' as const, recurring: false, filters: declared };
        const fees = feesOf(
          chargeOf({ amount: '1', pricing_group_keys: ['region'] }, 'count', { filters, metric }),
          eventsOf(list),
        );
        expect(sum(fees.map((fee) => fee.eventsCount ?? dec(0))).toNumber()).toBe(list.length);
      }),
    );
  });

  it('the choice does not depend on the order of the list when filters have an age', () => {
    fc.assert(
      fc.property(fc.array(filterValues, { maxLength: 6 }), event, (sets, one) => {
        const filters = sets.map((values, at) => ({
          id: `f${at}`,
          values: values as Record<string, string[]>,
          createdAt: at % 3,
        }));
        const choose = (of: typeof filters) => filterMatcher(of, declared)(one)?.id;
        expect(choose([...filters].reverse())).toBe(choose(filters));
      }),
    );
  });

  it('a narrower filter wins, then the older one', () => {
    const wide = { id: 'wide', values: { region: ['eu', 'us'] }, createdAt: 1 };
    const narrow = { id: 'narrow', values: { region: ['us'] }, createdAt: 3 };
    const twin = { id: 'twin', values: { region: ['us'] }, createdAt: 2 };
    const choose = filterMatcher([wide, narrow, twin], declared);
    expect(choose({ region: 'us' })?.id).toBe('twin');
    expect(choose({ region: 'eu' })?.id).toBe('wide');
    expect(choose({ region: 'ap' })).toBeNull();
  });
});
