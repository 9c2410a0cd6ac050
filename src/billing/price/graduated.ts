import type { ChargeProperties, PriceRange } from '../catalogue/charge-type.ts';
import { type Decimal, dec, decimalText } from '../money/decimal.ts';
import { type Price, type PricedUsage, perUnit } from './price-type.ts';
import { decimalProperty } from './property.ts';
import { shareBounds, unitsBelow, unitsInRange } from './range.ts';
import { onceFor, rangeTable } from './range-table.ts';
import { type RangeDetail, rangeSteps } from './step.ts';

/** What one entered range costs: its units times its price, plus its flat amount. `halfOpen` as in `shareBounds`. */
export function priceRange(
  range: PriceRange,
  units: Decimal,
  halfOpen: boolean,
): { total: Decimal; detail: RangeDetail } {
  const inside = unitsInRange(range, units, unitsBelow(range, halfOpen));
  const flat = decimalProperty(range.flat_amount);
  const perUnitTotal = inside.times(decimalProperty(range.per_unit_amount));
  const total = perUnitTotal.plus(flat);
  const detail = {
    from_value: range.from_value,
    to_value: range.to_value,
    units: decimalText(inside),
    per_unit_amount: inside.isZero() ? '0.0' : decimalText(decimalProperty(range.per_unit_amount)),
    per_unit_total_amount: decimalText(perUnitTotal),
    flat_unit_amount: decimalText(flat),
    total_with_flat_amount: decimalText(total),
  };
  return { total, detail };
}

const NO_RANGES: readonly PriceRange[] = [];

const tableOf = onceFor((ranges: readonly PriceRange[]) => {
  const halfOpen = shareBounds(ranges);
  return rangeTable(ranges, (range, units) => priceRange(range, units, halfOpen));
});

/**
 * Each range prices the units inside it, and every entered range adds its flat amount; in currency units. The side of a
 * pay-in-advance difference without any unit is 0, so that the first event pays the first flat amount.
 * 12 units over 0..10 at 10 (flat 2) and 11..20 at 5 (flat 3) are 102 + 13 = 115. Source: pricing 3.2.
 */
export function priceGraduated(properties: ChargeProperties, usage: PricedUsage): Price {
  const { total, details } = tableOf(properties.graduated_ranges ?? NO_RANGES)(usage.units);
  const amount = usage.withoutEvent && usage.units.isZero() ? dec(0) : total;
  return {
    amount,
    unitAmount: perUnit(amount, usage.fullUnits ?? usage.units),
    amountDetails: { graduated_ranges: details },
    steps: () => (amount.eq(total) ? rangeSteps(details) : []),
  };
}
