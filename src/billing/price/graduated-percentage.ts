import type { ChargeProperties, PercentageRange } from '../catalogue/charge-type.ts';
import { type Decimal, decimalText, HUNDRED, ZERO } from '../money/decimal.ts';
import { type Price, type PricedUsage, perUnit } from './price-type.ts';
import { decimalProperty } from './property.ts';
import { unitsBelow, unitsInRange } from './range.ts';
import { onceFor, rangeTable } from './range-table.ts';
import { type PercentageRangeDetail, percentageRangeSteps } from './step.ts';

/** Units below a range: integer bounds are inclusive; a decimal lower bound is the end of the range before. */
function below(range: PercentageRange): Decimal {
  const from = decimalProperty(range.from_value);
  return unitsBelow(range, !from.isInteger());
}

/** What one entered range costs: a share of its units plus its flat amount, which `withoutFlat` shows and counts as 0. */
export function pricePercentageRange(
  range: PercentageRange,
  units: Decimal,
  withoutFlat = false,
): { total: Decimal; detail: PercentageRangeDetail } {
  const inside = unitsInRange(range, units, below(range));
  const flat = withoutFlat ? ZERO : decimalProperty(range.flat_amount);
  const perUnitTotal = inside.times(decimalProperty(range.rate)).div(HUNDRED);
  const total = perUnitTotal.plus(flat);
  const detail = {
    from_value: range.from_value,
    to_value: range.to_value,
    units: decimalText(inside),
    rate: decimalText(decimalProperty(range.rate)),
    per_unit_total_amount: decimalText(perUnitTotal),
    flat_unit_amount: decimalText(flat),
    total_with_flat_amount: decimalText(total),
  };
  return { total, detail };
}

const NO_RANGES: readonly PercentageRange[] = [];

const tables = (withoutFlat: boolean) =>
  onceFor((ranges: readonly PercentageRange[]) =>
    rangeTable(ranges, (range, units) => pricePercentageRange(range, units, withoutFlat)),
  );
const tableOf = tables(false);
const tableWithoutFlatOf = tables(true);

/**
 * Each range takes its rate in percent of the units inside it, and every entered range adds its flat amount; in currency
 * units. Integer bounds that are shared count one unit twice, as existing amounts do.
 * 12 units over 0..10 at 1 % and 11..20 at 2 % are 0.1 + 0.04. Source: pricing 3.4.
 */
export function priceGraduatedPercentage(properties: ChargeProperties, usage: PricedUsage): Price {
  const ranges = properties.graduated_percentage_ranges ?? NO_RANGES;
  const withoutFlat = usage.withoutEvent === true && usage.units.isZero();
  const { total: amount, details } = (withoutFlat ? tableWithoutFlatOf : tableOf)(ranges)(usage.units);
  return {
    amount,
    unitAmount: perUnit(amount, usage.fullUnits ?? usage.units),
    amountDetails: { graduated_percentage_ranges: details },
    steps: () => percentageRangeSteps(details),
  };
}
