import type { ChargeProperties, PriceRange } from '../charge-type.ts';
import { Decimal, decimalText, ZERO } from '../decimal.ts';
import { type Price, type PricedUsage, perUnit } from './price-type.ts';
import { decimalProperty } from './property.ts';

/** The range a quantity is priced in. Below the first range and in a hole between two, the next range up is taken. */
function rangeOf(ranges: readonly PriceRange[], units: Decimal): PriceRange | undefined {
  const ordered = [...ranges].sort((a, b) => decimalProperty(a.from_value).cmp(decimalProperty(b.from_value)));
  const fits = ordered.find((range) => range.to_value === null || units.lte(decimalProperty(range.to_value)));
  return fits ?? ordered.at(-1);
}

/**
 * One range prices all units: the one that holds the full units; in currency units. Negative units are priced as 0.
 * 100.5 units over 0..100 and 101..200 at 1 are 100.5. Source: pricing 3.6.
 */
export function priceVolume(properties: ChargeProperties, usage: PricedUsage): Price {
  const units = Decimal.max(usage.units, ZERO);
  const counted = Decimal.max(usage.fullUnits ?? usage.units, ZERO);
  const range = rangeOf(properties.volume_ranges ?? [], counted);
  const flat = decimalProperty(range?.flat_amount);
  const perUnitTotal = units.times(decimalProperty(range?.per_unit_amount));
  const amount = perUnitTotal.plus(flat);
  return {
    amount,
    unitAmount: perUnit(amount, counted),
    amountDetails: {
      flat_unit_amount: decimalText(flat),
      per_unit_amount: decimalText(perUnit(perUnitTotal, counted)),
      per_unit_total_amount: decimalText(perUnitTotal),
    },
  };
}
