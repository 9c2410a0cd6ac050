import { dec, ONE } from '../money/decimal.ts';
import { type Aggregate, aggregateOf, type Fold, type FoldOptions } from './fold.ts';
import { countedRunningTotals } from './running-total.ts';

/** Number of events. Constant memory. Source: pricing 4.2. */
export function countFold(options: FoldOptions): Fold {
  let count = 0;
  return {
    add: () => {
      count += 1;
      return true;
    },
    finish: () => countOf(count, options),
  };
}

/** What so many events, each of the value 1, come to. */
export function countOf(count: number, { allowance, onValue }: Pick<FoldOptions, 'allowance' | 'onValue'>): Aggregate {
  onValue?.(ONE, count);
  return aggregateOf(dec(count), dec(count), { runningTotals: countedRunningTotals(count, allowance) });
}
