import { BILLABLE_METRIC } from '../../../billing/resource/billable-metric.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { checkTogether } from './check.ts';
import { nameFromCode } from './name.ts';

/** A new metric is named by its code; a level is weighted by the seconds that it lasts, there is no other way. */
export function fillMetrics(drafts: Draft[], importer: Importing): void {
  nameFromCode(drafts);
  for (const { row } of drafts) if (row.aggregation_type === 'weighted_sum_agg') row.weighted_interval ??= 'seconds';
  checkTogether(BILLABLE_METRIC, drafts, importer);
}
