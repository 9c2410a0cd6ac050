import type { ChargeProperties, PriceRange } from '../catalogue/charge-type.ts';
import { Decimal, sum, ZERO } from '../money/decimal.ts';
import { type EventShare, type Price, type PricedUsage, perUnit } from './price-type.ts';
import { decimalProperty } from './property.ts';
import { movedUnits, unitsBelow, walkRanges } from './range.ts';

interface Bounded {
  readonly range: PriceRange;
  readonly lower: Decimal | null;
  readonly upper: Decimal | null;
  readonly price: Decimal;
}

/** Ranges without gaps: each begins where the one before ends; the first is open below when it begins at 0. */
function bounded(ranges: readonly PriceRange[]): readonly Bounded[] {
  return ranges.map((range, at) => {
    const previous = ranges[at - 1];
    const opensBelow = previous === undefined && decimalProperty(range.from_value).isZero();
    const lower = previous?.to_value != null ? decimalProperty(previous.to_value) : unitsBelow(range, false);
    const upper = range.to_value === null ? null : decimalProperty(range.to_value);
    return { range, lower: opensBelow ? null : lower, upper, price: decimalProperty(range.per_unit_amount) };
  });
}

/** Came and went before the period: an addition without a share, or the removal that follows such an addition. */
function outsidePeriod(share: EventShare, count: Decimal): boolean {
  if (share.full.isZero()) return true;
  if (!share.prorated.isZero()) return false;
  return share.full.gt(0) || count.plus(share.full).lt(0);
}

/** What a move of the count costs: every moved unit at its range's price times the event's share of the period. */
function priceMove(ranges: readonly Bounded[], from: Decimal, share: EventShare): Decimal {
  const to = from.plus(share.full);
  const full = sum(ranges.map(({ lower, upper, price }) => movedUnits(from, to, lower, upper).times(price)));
  return full.times(share.prorated).div(share.full);
}

/**
 * The full count of units decides the range, the prorated share the money: each event moves the running count, and each
 * moved unit costs its range's price times the share. Flat amounts are due up to the highest count ever reached.
 * 5 units at 10 from half of the period are 25 plus the flat amount. Source: pricing 3.3.
 */
export function priceGraduatedProrated(properties: ChargeProperties, usage: PricedUsage): Price {
  const ranges = properties.graduated_ranges ?? [];
  const bounds = bounded(ranges);
  let count = ZERO;
  let highest = ZERO;
  let moved = ZERO;
  for (const share of usage.shares) {
    if (outsidePeriod(share, count)) continue;
    moved = moved.plus(priceMove(bounds, count, share));
    count = count.plus(share.full);
    highest = Decimal.max(highest, count);
  }
  const flat = (upTo: Decimal) => sum(walkRanges(ranges, upTo).map((range) => decimalProperty(range.flat_amount)));
  const amount = usage.units.isZero() ? flat(ZERO) : count.lt(0) ? ZERO : Decimal.max(moved, ZERO).plus(flat(highest));
  return { amount, unitAmount: perUnit(amount, sum(usage.shares.map((share) => share.full))), amountDetails: {} };
}
