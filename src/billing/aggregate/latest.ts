import { Decimal, dec, ZERO } from '../money/decimal.ts';
import { decimalOf } from '../usage/value.ts';
import { type Aggregate, aggregateOf, type Fold, type FoldOptions } from './fold.ts';

/** Value of the last event, 0 when negative or without events. Constant memory. Source: pricing 4.2. */
export function latestFold(options: FoldOptions): Fold {
  const field = options.metric.fieldName ?? '';
  let count = 0;
  let last = ZERO;
  return {
    add: (event) => {
      const value = decimalOf(event.properties[field]);
      if (value === null) return false;
      last = value;
      count += 1;
      return true;
    },
    finish: () => latestOf(last, dec(count)),
  };
}

/** The aggregate of a last value. */
export function latestOf(last: Decimal, count: Decimal): Aggregate {
  return aggregateOf(Decimal.max(last, ZERO), count, { variation: last });
}
