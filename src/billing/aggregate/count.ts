import { dec, ONE } from '../money/decimal.ts';
import { aggregateOf, type Fold, type FoldOptions } from './fold.ts';
import { countedRunningTotals } from './running-total.ts';

/** Number of events. Constant memory. Source: pricing 4.2. */
export function countFold(options: FoldOptions): Fold {
  let count = 0;
  return {
    add: () => {
      count += 1;
      return true;
    },
    finish: () =>
      aggregateOf(dec(count), dec(count), {
        runningTotals: countedRunningTotals(count, options.allowance),
        eventValues: options.keepValues ? new Array(count).fill(ONE) : [],
      }),
  };
}
