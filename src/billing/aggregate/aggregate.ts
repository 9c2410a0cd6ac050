import type { AggregationType } from '../catalogue/metric.ts';
import { invalid } from '../errors.ts';
import { countFold } from './count.ts';
import type { Fold, FoldOptions } from './fold.ts';
import { latestFold } from './latest.ts';
import { maxFold } from './max.ts';
import { sumFold } from './sum.ts';
import { uniqueCountFold } from './unique-count.ts';
import { weightedSumFold } from './weighted-sum.ts';

const FOLDS: Partial<Record<AggregationType, (options: FoldOptions) => Fold>> = {
  count: countFold,
  sum: sumFold,
  max: maxFold,
  latest: latestFold,
  unique_count: uniqueCountFold,
  weighted_sum: weightedSumFold,
};

/** The fold of a metric's aggregation. Throws a 422 on `custom`, which has no meaning of its own. Source: pricing 4. */
export function startFold(options: FoldOptions): Fold {
  const start = FOLDS[options.metric.aggregation];
  if (start === undefined) throw invalid({ aggregation_type: ['value_is_invalid'] });
  return start(options);
}
