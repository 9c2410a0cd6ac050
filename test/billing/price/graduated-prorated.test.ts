import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { PriceRange } from '../../../src/billing/catalogue/charge-type.ts';
import { Decimal, dec, ONE, sum, ZERO } from '../../../src/billing/money/decimal.ts';
import { priceGraduatedProrated } from '../../../src/billing/price/graduated-prorated.ts';
import { type EventShare, NO_RUNNING_TOTALS } from '../../../src/billing/price/price-type.ts';
import { shareTotals } from './totals.ts';

const usageOf = (graduated_ranges: readonly PriceRange[], shares: readonly EventShare[]) => ({
  ...{ units: sum(shares.map(({ prorated }) => prorated)), fullUnits: sum(shares.map(({ full }) => full)) },
  ...{ eventsCount: dec(shares.length), runningTotals: NO_RUNNING_TOTALS },
  shares: shareTotals({ graduated_ranges }, shares),
  ...{ preciseTotalAmountCents: ZERO, currency: 'EUR' },
});

/** Each event asks each range how many of its units fall into it. */
function summed(ranges: readonly PriceRange[], shares: readonly EventShare[]): Decimal {
  const price = (text: string | number) => dec(text);
  let [count, highest, moved] = [ZERO, ZERO, ZERO];
  for (const { full, prorated } of shares) {
    const isOutside = prorated.isZero() && (full.gt(0) || count.plus(full).lt(0));
    if (full.isZero() || isOutside) continue;
    const to = count.plus(full);
    const costs = ranges.map((range, at) => {
      const before = ranges[at - 1]?.to_value;
      const from = price(range.from_value);
      const lower = before != null ? price(before) : from.isZero() ? null : from.minus(ONE);
      const inside = (units: Decimal) => {
        const above = lower === null ? units : Decimal.max(units, lower);
        return range.to_value === null ? above : Decimal.min(above, price(range.to_value));
      };
      return inside(to).minus(inside(count)).times(price(range.per_unit_amount));
    });
    moved = moved.plus(sum(costs).times(prorated).div(full));
    count = to;
    highest = Decimal.max(highest, count);
  }
  const units = sum(shares.map(({ prorated }) => prorated));
  const upTo = units.isZero() ? ZERO : highest;
  const last = ranges.findIndex(({ to_value }) => to_value === null || upTo.lte(price(to_value)));
  const entered = last === -1 ? ranges : ranges.slice(0, last + 1);
  const flat = sum(entered.map(({ flat_amount }) => price(flat_amount)));
  if (units.isZero()) return flat;
  return count.lt(0) ? ZERO : Decimal.max(moved, ZERO).plus(flat);
}

const cents = fc.integer({ min: 0, max: 99_999 }).map((number) => dec(number).div(1000).toFixed());
const range = (tops: readonly number[], isOpen: boolean, starts: number, closed: boolean) => {
  return (prices: readonly string[]): PriceRange[] =>
    tops.map((top, at) => ({
      from_value: at === 0 ? starts : (tops[at - 1] ?? 0) + (closed ? 1 : 0),
      to_value: isOpen && at === tops.length - 1 ? null : top,
      per_unit_amount: prices[2 * at] ?? '0',
      flat_amount: prices[2 * at + 1] ?? '0',
    }));
};
const ranges = fc
  .tuple(
    fc.array(fc.integer({ min: -3, max: 60 }), { minLength: 1, maxLength: 12 }), // in no order now and then
    ...([fc.boolean(), fc.boolean(), fc.boolean()] as const),
    fc.constantFrom(0, 1, 3),
    fc.array(cents, { minLength: 24, maxLength: 24 }),
  )
  .map(([tops, sorts, isOpen, closed, starts, prices]) => {
    const order = sorts ? [...new Set(tops)].sort((one, other) => one - other) : tops;
    return range(order, isOpen, starts, closed)(prices);
  });
const share = fc
  .tuple(fc.integer({ min: -400, max: 600 }), fc.constantFrom('0', '0.5', '0.33333', '1'))
  .map(([units, part]) => ({ full: dec(units).div(10), prorated: dec(units).div(10).times(part) }));

it('units that move through ranges cost what every event and range cost, summed one by one', () => {
  fc.assert(
    fc.property(ranges, fc.array(share, { maxLength: 15 }), (graduated_ranges, shares) => {
      const { amount } = priceGraduatedProrated({ graduated_ranges }, usageOf(graduated_ranges, shares));
      expect(amount.toFixed(30)).toBe(summed(graduated_ranges, shares).toFixed(30));
    }),
    { numRuns: 500 },
  );
});

it('what it takes grows with the events and the ranges, not with both', () => {
  const graduated_ranges = range(
    Array.from({ length: 500 }, (_, at) => 10 * at + 10),
    true,
    0,
    true,
  )(Array.from({ length: 1000 }, (_, at) => (at % 2 ? '0' : '0.5')));
  const shares = Array.from({ length: 200 }, () => ({ full: ONE, prorated: dec('0.5') }));
  const times = vi.spyOn(Decimal.prototype, 'times');
  const { amount } = priceGraduatedProrated({ graduated_ranges }, usageOf(graduated_ranges, shares));
  const count = times.mock.calls.length;
  times.mockRestore();
  expect(amount.toFixed()).toBe('50');
  expect(count).toBeLessThan(2 * (500 + 200) + 100);
});
