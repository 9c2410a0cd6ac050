import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import type { UsageEvent } from '../usage/usage.ts';
import { decimalOf } from '../usage/value.ts';
import { periodDays } from './day.ts';
import { type Aggregate, aggregateOf, type Fold, type FoldOptions } from './fold.ts';
import { ceilProrated } from './rounding.ts';
import { runningTotalFold } from './running-total.ts';

/** Sum of values; may be negative. A recurring metric counts the events before the period too. Source: pricing 4.2. */
export function sumFold(options: FoldOptions): Fold {
  return options.prorated ? proratedSumFold(options) : plainSumFold(options);
}

function plainSumFold(options: FoldOptions): Fold {
  const field = options.metric.fieldName ?? '';
  const totals = runningTotalFold(options.allowance);
  let count = 0;
  let total = ZERO;
  let amount = ZERO;
  return {
    add: (event) => {
      const value = decimalOf(event.properties[field]);
      if (value === null) return false;
      count += 1;
      total = total.plus(value);
      if (options.amounts) amount = amount.plus(eventAmount(event));
      totals.add(value);
      options.onValue?.(value, 1);
      return true;
    },
    finish: () =>
      aggregateOf(total, dec(count), {
        runningTotals: totals.finish(),
        preciseTotalAmountCents: amount,
      }),
  };
}

function eventAmount(event: UsageEvent): Decimal {
  return event.preciseTotalAmountCents == null ? ZERO : dec(event.preciseTotalAmountCents);
}

/**
 * Each value weighs the days from its date to the last date over the length of the full period; what was there before
 * the period weighs all its days. Rounded up at 5 decimals on the total. 15 on the 17th of 30 days are 15 × 14/30 = 7.
 * Value times days is summed before the one division, so no quotient is rounded on the way. Source: pricing 5.
 */
function proratedSumFold(options: FoldOptions): Fold {
  const { period, onShare } = options;
  const field = options.metric.fieldName ?? '';
  const plain = plainSumFold(options);
  const days = periodDays(period);
  let carried = ZERO;
  let valueDays = ZERO;
  let isWithin = false;
  // What was there before goes first, at the latest at the end.
  const tellCarried = () => {
    if (!isWithin && !carried.isZero()) onShare?.({ full: carried, prorated: ofDays(carried, days.whole, period) });
    isWithin = true;
  };
  return {
    add: (event) => {
      const value = decimalOf(event.properties[field]);
      if (value === null) return false;
      plain.add(event);
      if (event.timestamp < period.from) {
        carried = carried.plus(value);
        return true;
      }
      const left = days.left(event.timestamp);
      valueDays = valueDays.plus(value.times(left));
      if (onShare) {
        tellCarried();
        onShare({ full: value, prorated: ofDays(value, left, period) });
      }
      return true;
    },
    finish: () => {
      tellCarried();
      return proratedSumOf(plain.finish(), { carried, valueDays }, period);
    },
  };
}

const ofDays = (value: Decimal, days: number, { durationDays }: ChargePeriod): Decimal =>
  value.times(days).div(dec(durationDays));

/** What was there before a period, and the values within it times the days that each was there. */
export interface ValueDays {
  readonly carried: Decimal;
  readonly valueDays: Decimal;
}

/** The prorated aggregate of a plain sum: 15 for 14 of 30 days are 7. */
export function proratedSumOf(full: Aggregate, { carried, valueDays }: ValueDays, period: ChargePeriod): Aggregate {
  const prorated = carried.times(periodDays(period).whole).plus(valueDays).div(dec(period.durationDays));
  return { ...full, units: ceilProrated(prorated), unroundedUnits: prorated, fullUnits: full.units };
}
