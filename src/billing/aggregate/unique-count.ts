import { dec, ONE, ZERO } from '../decimal.ts';
import { aggregateOf, type Fold, type FoldOptions } from './fold.ts';
import { countedRunningTotals } from './running-total.ts';
import { proratedUniqueCountFold } from './unique-count-prorated.ts';
import { textOf } from './value.ts';

/**
 * Number of values that are active at the end: an event adds its value or, with `operation_type` remove, takes it away;
 * adding what is active and removing what is not changes nothing. Events without the property share one value. Memory
 * for each distinct value. Source: pricing 4.3.
 */
export function uniqueCountFold(options: FoldOptions): Fold {
  return options.prorated ? proratedUniqueCountFold(options) : plainUniqueCountFold(options);
}

function plainUniqueCountFold(options: FoldOptions): Fold {
  const field = options.metric.fieldName ?? '';
  const active = new Set<string | null>();
  const values: (typeof ONE)[] = [];
  return {
    add: (event) => {
      const value = textOf(event.properties[field]);
      const removes = event.properties.operation_type === 'remove';
      const changes = removes ? active.delete(value) : !active.has(value);
      if (changes && !removes) active.add(value);
      if (options.keepValues) values.push(changes ? (removes ? ONE.neg() : ONE) : ZERO);
      return true;
    },
    finish: () => {
      const count = dec(active.size);
      return aggregateOf(count, count, {
        runningTotals: countedRunningTotals(active.size, options.allowance),
        eventValues: values,
      });
    },
  };
}
