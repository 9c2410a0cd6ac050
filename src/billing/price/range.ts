import type { Bound } from '../catalogue/charge-type.ts';
import { Decimal, ONE } from '../money/decimal.ts';
import { decimalProperty } from './property.ts';

interface Bounds {
  readonly from_value: Bound;
  readonly to_value: Bound | null;
}

/** Whether every range begins at the bound where the one before ends: they are then half open, (from, to]. */
export function shareBounds(ranges: readonly Bounds[]): boolean {
  return ranges.length > 1 && ranges.every((range, at) => at === 0 || sharesBound(range, ranges[at - 1]));
}

function sharesBound(range: Bounds, previous: Bounds | undefined): boolean {
  return previous?.to_value != null && decimalProperty(range.from_value).eq(decimalProperty(previous.to_value));
}

/**
 * Units below a range. Bounds are integers and inclusive, so the range 11..20 begins above 10; a first range from 1
 * begins at 0 like one from 0.
 */
export function unitsBelow(range: Bounds, halfOpen: boolean): Decimal {
  const from = decimalProperty(range.from_value);
  if (halfOpen || from.isZero()) return from;
  return from.minus(ONE);
}

/** Units of a total that fall into a range it enters: 12 units hold 2 in the range 11..20. */
export function unitsInRange(range: Bounds, units: Decimal, below: Decimal): Decimal {
  const top = range.to_value === null ? units : Decimal.min(units, decimalProperty(range.to_value));
  return top.minus(below);
}
