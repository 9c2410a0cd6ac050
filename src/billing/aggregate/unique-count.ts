import { textOf } from '../usage/value.ts';
import { countOf } from './count.ts';
import type { Fold, FoldOptions } from './fold.ts';
import { proratedUniqueCountFold } from './unique-count-prorated.ts';

/**
 * Number of values that are active at the end: an event adds its value or, with `operation_type` remove, takes it away;
 * adding what is active and removing what is not changes nothing. Events without the property share one value. Memory
 * for each distinct value. Transactions are the active values, one each. Source: pricing 4.3 and 3.7.
 */
export function uniqueCountFold(options: FoldOptions): Fold {
  return options.prorated ? proratedUniqueCountFold(options) : plainUniqueCountFold(options);
}

function plainUniqueCountFold(options: FoldOptions): Fold {
  const field = options.metric.fieldName ?? '';
  const active = new Set<string | null>();
  return {
    add: (event) => {
      const value = textOf(event.properties[field]);
      const removes = event.properties.operation_type === 'remove';
      if (removes) active.delete(value);
      else active.add(value);
      return true;
    },
    finish: () => countOf(active.size, options),
  };
}
