import type { Bound } from '../catalogue/charge-type.ts';
import { Decimal, ZERO } from '../money/decimal.ts';
import { decimalProperty } from './property.ts';

interface Bounds {
  readonly to_value: Bound | null;
}

/** What one range costs, and how an amount's details show it. */
export interface RangePrice<D> {
  readonly total: Decimal;
  readonly detail: D;
}

const OPEN = new Decimal(Number.POSITIVE_INFINITY);

const topOf = ({ to_value }: Bounds) => (to_value === null ? OPEN : decimalProperty(to_value));

/**
 * Finds the first range that holds so many units, by its upper bound, which is inclusive: its place in the list, or the list's
 * length where none does. The bounds are read once, and halved for each question: 12 in 0..10, 11..20 is place 1. Source: pricing 3.2.
 */
export function rangeFinder(ranges: readonly Bounds[]): (units: Decimal) => number {
  let highest = ZERO.minus(OPEN);
  // The highest bound so far only grows, also where bounds themselves do not.
  return placeFinder(
    ranges.map((range) => {
      highest = Decimal.max(highest, topOf(range));
      return highest;
    }),
  );
}

/** Finds the first of growing numbers that is at least so many units, or their count: 12 in 10, 20, 30 is place 1. */
export function placeFinder(tops: readonly Decimal[]): (units: Decimal) => number {
  return (units) => {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tops[middle]?.gte(units)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/**
 * Prices units that walk through ranges: those that are passed cost the same for whoever passes them, and are priced once for all
 * groups; only the range in which the units end is priced for them. `priceOne` is given units that end in its range or beyond.
 * 12 units over 0..10 and 11..20 share the price of the first range with 13. Source: pricing 3.2 and 3.4.
 */
export function rangeTable<R extends Bounds, D>(
  ranges: readonly R[],
  priceOne: (range: R, units: Decimal) => RangePrice<D>,
): (units: Decimal) => { readonly total: Decimal; readonly details: readonly D[] } {
  const find = rangeFinder(ranges);
  const details: D[] = [];
  const totals: Decimal[] = [ZERO];
  const pass = (range: R) => {
    const { total, detail } = priceOne(range, topOf(range));
    totals.push((totals.at(-1) ?? ZERO).plus(total));
    details.push(detail);
  };
  return (units) => {
    const place = find(units);
    for (const range of ranges.slice(details.length, place)) pass(range);
    const passed = totals[place] ?? ZERO;
    const last = ranges[place];
    if (last === undefined) return { total: passed, details: details.slice(0, place) };
    const { total, detail } = priceOne(last, units);
    return { total: passed.plus(total), details: [...details.slice(0, place), detail] };
  };
}

/** Makes something of a list once, for as long as the list is kept. */
export function onceFor<L extends object, T>(make: (list: L) => T): (list: L) => T {
  const made = new WeakMap<L, T>();
  return (list) => {
    const known = made.get(list);
    if (known !== undefined) return known;
    const fresh = make(list);
    made.set(list, fresh);
    return fresh;
  };
}
