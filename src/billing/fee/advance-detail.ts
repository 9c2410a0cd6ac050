import type { PriceModel } from '../catalogue/charge-type.ts';
import { Decimal, dec, decimalText } from '../money/decimal.ts';
import type { AmountDetails } from '../price/price-type.ts';
import type { PercentageRangeDetail } from '../price/step.ts';

const DIFFERENCES = [
  'units',
  'paid_units',
  'per_unit_total_amount',
  'fixed_fee_total_amount',
  'min_max_adjustment_total_amount',
] as const;
const COUNTS = ['free_events', 'paid_events'] as const;

const figure = (details: AmountDetails, name: string) => dec(String(details[name] ?? '0'));

function percentageDetails(withEvent: AmountDetails, without: AmountDetails): AmountDetails {
  const difference = (name: string) => figure(withEvent, name).minus(figure(without, name));
  return {
    rate: withEvent.rate,
    fixed_fee_unit_amount: withEvent.fixed_fee_unit_amount,
    ...Object.fromEntries(DIFFERENCES.map((name) => [name, decimalText(difference(name))])),
    ...Object.fromEntries(COUNTS.map((name) => [name, difference(name).toNumber()])),
    free_units: decimalText(difference('units').minus(difference('paid_units'))),
  };
}

function rangesOf(details: AmountDetails): readonly PercentageRangeDetail[] {
  const ranges = details.graduated_percentage_ranges;
  return Array.isArray(ranges) ? ranges : [];
}

/** One range of the difference; its total a unit is a quotient rounded to two decimals, as existing fees show it. */
function rangeDifference(
  range: PercentageRangeDetail,
  before: PercentageRangeDetail | undefined,
): PercentageRangeDetail {
  const less = (now: string, then: string | undefined) => dec(now).minus(dec(then ?? '0'));
  const units = less(range.units, before?.units);
  const total = less(range.total_with_flat_amount, before?.total_with_flat_amount);
  const perUnit = units.isZero() ? units : total.div(units).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
  return {
    ...range,
    units: decimalText(units),
    flat_unit_amount: decimalText(less(range.flat_unit_amount, before?.flat_unit_amount)),
    per_unit_total_amount: decimalText(perUnit),
    total_with_flat_amount: decimalText(total),
  };
}

/**
 * What a pay-in-advance fee shows of its price: the difference of each figure for percentage, of each range for graduated
 * percentage, nothing for the other models. Source: pricing 9.
 */
export function advanceDetails(model: PriceModel, withEvent: AmountDetails, without: AmountDetails): AmountDetails {
  if (model === 'percentage') return percentageDetails(withEvent, without);
  if (model !== 'graduated_percentage') return {};
  const before = rangesOf(without);
  return {
    graduated_percentage_ranges: rangesOf(withEvent).map((range, at) => rangeDifference(range, before[at])),
  };
}
