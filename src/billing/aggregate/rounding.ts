import type { MetricRounding } from '../catalogue/metric.ts';
import { Decimal } from '../money/decimal.ts';

const MODES = { round: Decimal.ROUND_HALF_UP, ceil: Decimal.ROUND_CEIL, floor: Decimal.ROUND_FLOOR } as const;

/**
 * The metric's own rounding of aggregated units: half away from zero, up or down, to `precision` decimals (default 0; -2
 * works on hundreds). 123.456 up at -2 is 200. Source: pricing 2.
 */
export function roundUnits(units: Decimal, rounding: MetricRounding | null | undefined): Decimal {
  if (rounding == null) return units;
  const mode = MODES[rounding.function];
  const places = rounding.precision ?? 0;
  if (places >= 0) return units.toDecimalPlaces(places, mode);
  const step = new Decimal(10).pow(-places);
  return units.div(step).toDecimalPlaces(0, mode).times(step);
}

/** Prorated units are rounded up at 5 decimals, once, on the total. */
export function ceilProrated(units: Decimal): Decimal {
  return units.toDecimalPlaces(5, Decimal.ROUND_CEIL);
}
