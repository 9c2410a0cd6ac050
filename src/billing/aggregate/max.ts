import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import { decimalOf } from '../usage/value.ts';
import { aggregateOf, type Fold, type FoldOptions } from './fold.ts';

/** Largest value, 0 without events; negative values alone have a negative maximum. Constant memory. Source: pricing 4.2. */
export function maxFold(options: FoldOptions): Fold {
  const field = options.metric.fieldName ?? '';
  let count = 0;
  let highest: Decimal | null = null;
  let highestAt = 0;
  return {
    add: (event) => {
      const value = decimalOf(event.properties[field]);
      if (value === null) return false;
      if (highest === null || value.gt(highest)) {
        highest = value;
        highestAt = count;
      }
      count += 1;
      return true;
    },
    finish: () => {
      const units = highest ?? ZERO;
      // Only the event that first reached the maximum weighs anything.
      if (count > 0) {
        options.onValue?.(ZERO, highestAt);
        options.onValue?.(units, 1);
        options.onValue?.(ZERO, count - highestAt - 1);
      }
      return aggregateOf(units, dec(count));
    },
  };
}
