import type { MetricInput } from '../../../billing/catalogue/metric.ts';

/** What a metric measures of its events, as the index has it: see `metric_measure`. Null for a count. */
export interface Measure {
  readonly by: '=' | '#';
  readonly field: string;
}

export function measureOf({ aggregation, fieldName }: MetricInput): Measure | null {
  if (aggregation === 'count' || aggregation === 'custom') return null;
  return { by: aggregation === 'unique_count' ? '#' : '=', field: fieldName ?? '' };
}

/** The same as the column `measured_by` has it. */
export const measureText = (measure: Measure | null): string =>
  measure === null ? '' : `${measure.by}${measure.field}`;

/**
 * What is measured of events that are written, in SQL: the value of their column `measured_by`, and the join that it needs. The rows
 * have an `organization_id` and a `code`. A trigger looks it up for each row of those who do not say, which takes longer.
 */
export const measuredBy = (rows: string): { readonly value: string; readonly join: string } => ({
  value: `COALESCE(metric_measure(metric.aggregation_type::text, metric.field_name), '')`,
  join: `LEFT JOIN billable_metrics metric ON metric.organization_id = ${rows}.organization_id
    AND metric.code = ${rows}.code AND metric.deleted_at IS NULL`,
});
