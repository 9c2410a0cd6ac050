import type { ChargeProperties, PriceRange } from '../catalogue/charge-type.ts';
import { Decimal, ZERO } from '../money/decimal.ts';
import { type EventShare, type Price, type PricedUsage, perUnit, type ShareTotals } from './price-type.ts';
import { decimalProperty } from './property.ts';
import { unitsBelow } from './range.ts';
import { onceFor, rangeFinder } from './range-table.ts';
import { type Slope, slopeTotals } from './slope.ts';

const NO_RANGES: readonly PriceRange[] = [];

/** Ranges without gaps: each begins where the one before ends; the first is open below when it begins at 0. */
function slopesOf(ranges: readonly PriceRange[]): readonly Slope[] {
  return ranges.map((range, at) => {
    const previous = ranges[at - 1];
    const opensBelow = previous === undefined && decimalProperty(range.from_value).isZero();
    const lower = previous?.to_value != null ? decimalProperty(previous.to_value) : unitsBelow(range, false);
    const upper = range.to_value === null ? null : decimalProperty(range.to_value);
    return { lower: opensBelow ? null : lower, upper, price: decimalProperty(range.per_unit_amount) };
  });
}

/** What units up to a count cost, and the flat amounts of the ranges that they enter: the first one's always. */
interface Totals {
  upTo(count: Decimal): Decimal;
  flat(count: Decimal): Decimal;
}

const totalsOf = onceFor((ranges: readonly PriceRange[]): Totals => {
  const place = rangeFinder(ranges);
  const flats = [ZERO];
  for (const range of ranges) flats.push((flats.at(-1) ?? ZERO).plus(decimalProperty(range.flat_amount)));
  return { upTo: slopeTotals(slopesOf(ranges)), flat: (count) => flats[place(count) + 1] ?? flats.at(-1) ?? ZERO };
});

/** Came and went before the period: an addition without a share, or the removal that follows such an addition. */
function outsidePeriod(share: EventShare, count: Decimal): boolean {
  if (share.full.isZero()) return true;
  if (!share.prorated.isZero()) return false;
  return share.full.gt(0) || count.plus(share.full).lt(0);
}

/** Moves units through the ranges of a price as they come, in constant memory. */
export interface ShareFold {
  add(share: EventShare): void;
  totals(): ShareTotals;
}

/**
 * The full count of units decides the range, the prorated share the money: each event moves the running count, and each
 * moved unit costs its range's price times the share. 5 units at 10 from half of the period are 25. Source: pricing 3.3.
 */
export function shareFold(properties: ChargeProperties): ShareFold {
  const totals = totalsOf(properties.graduated_ranges ?? NO_RANGES);
  let count = ZERO;
  let paid = totals.upTo(count);
  let highest = ZERO;
  let moved = ZERO;
  let full = ZERO;
  return {
    add(share) {
      full = full.plus(share.full);
      if (outsidePeriod(share, count)) return;
      const before = paid;
      count = count.plus(share.full);
      paid = totals.upTo(count);
      moved = moved.plus(paid.minus(before).times(share.prorated).div(share.full));
      highest = Decimal.max(highest, count);
    },
    totals: () => ({ count, highest, moved, full }),
  };
}

const NO_SHARES: ShareTotals = { count: ZERO, highest: ZERO, moved: ZERO, full: ZERO };

/**
 * What the moved units cost, and the flat amounts up to the highest count ever reached. 25 for what moved and 3 for the first range
 * are 28. Source: pricing 3.3.
 */
export function priceGraduatedProrated(properties: ChargeProperties, usage: PricedUsage): Price {
  const totals = totalsOf(properties.graduated_ranges ?? NO_RANGES);
  const { count, highest, moved, full } = usage.shares ?? NO_SHARES;
  const flat = totals.flat(usage.units.isZero() ? ZERO : highest);
  const amount = usage.units.isZero() ? flat : count.lt(0) ? ZERO : Decimal.max(moved, ZERO).plus(flat);
  const ofUnits = amount.isZero() ? ZERO : amount.minus(flat);
  return {
    ...{ amount, unitAmount: perUnit(amount, full), amountDetails: {} },
    steps: () => [
      { kind: 'moved_units', units: usage.units, amount: ofUnits },
      ...(amount.isZero() || flat.isZero() ? [] : [{ kind: 'flat' as const, amount: flat }]),
    ],
  };
}
