import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import type { FreeAllowance } from '../price/allowance.ts';
import { NO_RUNNING_TOTALS, type RunningTotals } from '../price/price-type.ts';

/** Running totals of event values, cut off where a free allowance does not look any further. */
export interface RunningTotalFold {
  add(value: Decimal): void;
  finish(): RunningTotals;
  /** The totals one by one, for those who want to see them. */
  readonly totals: readonly Decimal[];
}

/**
 * With free events: the totals of that many events. With a free amount alone: totals until one exceeds it, that one
 * included. With neither: none. Source: pricing 3.7.
 */
export function runningTotalFold(allowance: FreeAllowance): RunningTotalFold {
  const totals: Decimal[] = [];
  let last = ZERO;
  let open = allowance.events > 0 || allowance.amount.gt(0);
  return {
    totals,
    add(value) {
      if (!open) return;
      last = last.plus(value);
      totals.push(last);
      open = allowance.events > 0 ? totals.length < allowance.events : last.lte(allowance.amount);
    },
    finish: () => runningTotalsOf(totals, allowance),
  };
}

/** What a list of running totals tells about a free allowance. */
export function runningTotalsOf(totals: readonly Decimal[], allowance: FreeAllowance): RunningTotals {
  return {
    length: totals.length,
    last: totals.at(-1) ?? ZERO,
    afterFreeEvents: allowance.events > 0 ? (totals[allowance.events - 1] ?? null) : null,
    belowFreeAmount: totals.filter((total) => total.lt(allowance.amount)).length,
  };
}

/** The running totals 1, 2, ... `count` of a metric whose events weigh 1 each, all of them, without listing them. */
export function countedRunningTotals(count: number, allowance: FreeAllowance): RunningTotals {
  if (allowance.events <= 0 && allowance.amount.lte(0)) return NO_RUNNING_TOTALS;
  const below = Math.max(allowance.amount.ceil().toNumber() - 1, 0);
  return {
    length: count,
    last: dec(count),
    afterFreeEvents: allowance.events > 0 && allowance.events <= count ? dec(allowance.events) : null,
    belowFreeAmount: Math.min(below, count),
  };
}
