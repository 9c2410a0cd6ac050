import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';
import { nameFromCode } from './name.ts';

/** What needs no property of its events. */
const WITHOUT_FIELD: ReadonlySet<unknown> = new Set(['count_agg', 'custom_agg']);

const isBlank = (value: unknown) => typeof value !== 'string' || value.trim() === '';

/** A new metric is named by its code. One that reads a property of its events says which: without it all usage would be 0. */
export function fillMetrics(drafts: Draft[], importer: Importing): void {
  nameFromCode(drafts);
  for (const { row, place } of drafts) {
    if (row.deleted_at != null || WITHOUT_FIELD.has(row.aggregation_type) || !isBlank(row.field_name)) continue;
    importer.faults.add(`${place}.field_name`, 'value_is_mandatory');
  }
}
