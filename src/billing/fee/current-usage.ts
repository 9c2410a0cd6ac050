import type { AdvanceState } from '../aggregate/advance.ts';
import { ceilProrated } from '../aggregate/rounding.ts';
import { Decimal, dec, ZERO } from '../money/decimal.ts';
import { dayCount } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';

/**
 * Current usage of a charge paid in advance: what was billed at events so far (the highest total) plus what is not yet;
 * it shows the total. Prorated: the carried total for the part of the period the subscription covers, plus the prorated
 * highest. Total 9, now 4, highest 6: prices 11, shows 9. Source: pricing 10.
 */
export function advanceUsageUnits(
  total: Decimal,
  state: AdvanceState | null,
  period: ChargePeriod,
  prorated: boolean,
): { readonly priced: Decimal; readonly shown: Decimal } {
  const current = state?.currentUnits ?? ZERO;
  const shown = Decimal.max(total, ZERO);
  if (!prorated) return { priced: Decimal.max(total.minus(current).plus(state?.maxUnits ?? ZERO), ZERO), shown };
  const carried = shown.minus(Decimal.max(current, ZERO));
  const covered = dayCount(period.from, period.to, period.timezone);
  const share =
    covered < period.durationDays ? ceilProrated(carried.times(covered).div(dec(period.durationDays))) : carried;
  return { priced: Decimal.max(share.plus(state?.maxUnitsProrated ?? ZERO), ZERO), shown };
}
