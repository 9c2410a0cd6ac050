import { describe, expect, it } from 'vitest';
import { propertyErrors } from '../../../src/billing/catalogue/charge-property-check.ts';
import type { PlanChargeInput, PlanInput } from '../../../src/billing/catalogue/plan.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { checkSupposedWork, supposedWork } from '../../../src/billing/preview/work.ts';
import { priceGraduated } from '../../../src/billing/price/graduated.ts';
import { NO_RUNNING_TOTALS } from '../../../src/billing/price/price-type.ts';
import { priceVolume } from '../../../src/billing/price/volume.ts';

const ranges = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    from_value: index * 2 + Number(index > 0),
    to_value: index === count - 1 ? null : index * 2 + 2,
    per_unit_amount: '0.1',
    flat_amount: '0.2',
  }));

const plan = (count: number) =>
  ({
    charges: [
      {
        metric: { code: 'calls' },
        properties: { graduated_ranges: ranges(count), pricing_group_keys: ['region'] },
        filters: [] as PlanChargeInput['filters'],
      },
    ],
  }) as unknown as PlanInput;

const usage = (groups: number, each = 1) => [
  {
    metricCode: 'calls',
    events: Array.from({ length: groups * each }, (_, index) => ({ properties: { region: `r${index % groups}` } })),
  },
];

describe('the work of supposed usage', () => {
  it('is its events, its groups, and the ranges that these show', () => {
    expect(supposedWork(plan(5), usage(10, 3))).toEqual({ events: 30, fees: 11, lines: 55 });
  });

  it.each([
    [8, 104],
    [3, 65],
  ])('counts the longest of the prices: 13 fees of 5 ranges, or of %i of a filter, are %i lines', (filtered, lines) => {
    const [charge] = plan(5).charges;
    const filters = [{ id: 'f', values: {}, properties: { graduated_ranges: ranges(filtered) } }];
    const charges = charge ? [{ ...charge, filters }] : [];
    // Ten groups and that of the filter, which has no keys; one fee each price without usage.
    expect(supposedWork({ ...plan(5), charges }, usage(10))).toEqual({ events: 10, fees: 13, lines });
  });

  it.each([
    ['fees', plan(1), usage(1000)],
    ['lines', plan(500), usage(40)],
    ['events', plan(1), usage(2, 5001)],
  ])('is refused beyond the limit of %s, and not below it', (_name, of, asked) => {
    expect(() => checkSupposedWork(of, asked)).toThrow(
      expect.objectContaining({ details: { usage: ['value_is_too_long'] } }),
    );
    const [{ metricCode, events } = { metricCode: '', events: [] }] = asked;
    expect(() => checkSupposedWork(of, [{ metricCode, events: events.slice(2) }])).not.toThrow();
  });
});

it('a price has at most 500 ranges, and one that has more is told once', () => {
  expect(propertyErrors('graduated', { graduated_ranges: ranges(500) }, null)).toEqual([]);
  expect(propertyErrors('graduated', { graduated_ranges: ranges(501) }, null)).toEqual(['value_is_too_long']);
  expect(propertyErrors('volume', { volume_ranges: ranges(60_000) }, null)).toEqual(['value_is_too_long']);
});

describe('a price of 4,000 ranges', () => {
  const usageOf = (units: number) => ({
    ...{ units: dec(units), fullUnits: null, eventsCount: dec(1), runningTotals: NO_RUNNING_TOTALS },
    ...{ preciseTotalAmountCents: dec(0), currency: 'EUR' },
  });

  it.each([
    ['graduated', priceGraduated, { graduated_ranges: ranges(4000) }],
    ['volume', priceVolume, { volume_ranges: ranges(4000) }],
  ])('is read once for 500 groups: %s', (_name, price, properties) => {
    const before = performance.now();
    for (let group = 0; group < 500; group += 1) price(properties, usageOf(7990 + group));
    // Read for each group, it took more than ten seconds.
    expect(performance.now() - before).toBeLessThan(2500);
  });

  it('costs every group what it costs alone', () => {
    const properties = { graduated_ranges: ranges(4000) };
    for (const units of [0, 1, 2, 2.5, 7997, 7998, 7999, 100_000, -3]) {
      const { steps: alone, ...price } = priceGraduated({ graduated_ranges: ranges(4000) }, usageOf(units));
      const { steps, ...same } = priceGraduated(properties, usageOf(units));
      expect({ ...same, steps: steps() }).toEqual({ ...price, steps: alone() });
    }
  });
});
