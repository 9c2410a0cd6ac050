import type { ChargeProperties, PriceRange } from '../catalogue/charge-type.ts';
import { Decimal, decimalText, ZERO } from '../money/decimal.ts';
import { type Price, type PricedUsage, perUnit } from './price-type.ts';
import { decimalProperty } from './property.ts';
import { onceFor, rangeFinder } from './range-table.ts';

const NO_RANGES: readonly PriceRange[] = [];

/** The range a quantity is priced in. Below the first range and in a hole between two, the next range up is taken. */
const rangeOf = onceFor((ranges: readonly PriceRange[]) => {
  const starts = new Map(ranges.map((range) => [range, decimalProperty(range.from_value)]));
  const ordered = [...ranges].sort((a, b) => (starts.get(a) ?? ZERO).cmp(starts.get(b) ?? ZERO));
  const find = rangeFinder(ordered);
  return (units: Decimal): PriceRange | undefined => ordered[find(units)] ?? ordered.at(-1);
});

/**
 * One range prices all units: the one that holds the full units; in currency units. Negative units are priced as 0.
 * 100.5 units over 0..100 and 101..200 at 1 are 100.5. Source: pricing 3.6.
 */
export function priceVolume(properties: ChargeProperties, usage: PricedUsage): Price {
  const units = Decimal.max(usage.units, ZERO);
  const counted = Decimal.max(usage.fullUnits ?? usage.units, ZERO);
  const range = rangeOf(properties.volume_ranges ?? NO_RANGES)(counted);
  const flat = decimalProperty(range?.flat_amount);
  const price = decimalProperty(range?.per_unit_amount);
  const perUnitTotal = units.times(price);
  const amount = perUnitTotal.plus(flat);
  return {
    amount,
    unitAmount: perUnit(amount, counted),
    amountDetails: {
      flat_unit_amount: decimalText(flat),
      per_unit_amount: decimalText(perUnit(perUnitTotal, counted)),
      per_unit_total_amount: decimalText(perUnitTotal),
    },
    steps: () => {
      if (range === undefined) return [];
      const bounds = { from: String(range.from_value), to: range.to_value === null ? null : String(range.to_value) };
      return [
        { kind: 'units', units, unitAmount: price, amount: perUnitTotal, ...bounds },
        ...(flat.isZero() ? [] : [{ kind: 'flat' as const, amount: flat, ...bounds }]),
      ];
    },
  };
}
