import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import type { EventShare } from '../price/price-type.ts';
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
  const values: Decimal[] = [];
  let count = 0;
  let total = ZERO;
  let amount = ZERO;
  return {
    add: (event) => {
      const value = decimalOf(event.properties[field]);
      if (value === null) return false;
      count += 1;
      total = total.plus(value);
      amount = amount.plus(eventAmount(event));
      totals.add(value);
      if (options.keepValues) values.push(value);
      return true;
    },
    finish: () =>
      aggregateOf(total, dec(count), {
        runningTotals: totals.finish(),
        eventValues: values,
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
  const field = options.metric.fieldName ?? '';
  const plain = plainSumFold(options);
  const days = periodDays(options.period);
  const length = dec(options.period.durationDays);
  const shares: EventShare[] = [];
  let carried = ZERO;
  let valueDays = ZERO;
  return {
    add: (event) => {
      const value = decimalOf(event.properties[field]);
      if (value === null) return false;
      plain.add(event);
      if (event.timestamp < options.period.from) {
        carried = carried.plus(value);
        return true;
      }
      const weighted = value.times(days.left(event.timestamp));
      valueDays = valueDays.plus(weighted);
      if (options.keepShares) shares.push({ full: value, prorated: weighted.div(length) });
      return true;
    },
    finish: (): Aggregate => {
      const carriedDays = carried.times(days.whole);
      const prorated = carriedDays.plus(valueDays).div(length);
      const first = carried.isZero() ? [] : [{ full: carried, prorated: carriedDays.div(length) }];
      const full = plain.finish();
      return {
        ...full,
        units: ceilProrated(prorated),
        unroundedUnits: prorated,
        fullUnits: full.units,
        shares: options.keepShares ? [...first, ...shares] : [],
      };
    },
  };
}
