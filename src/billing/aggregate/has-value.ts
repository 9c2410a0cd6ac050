import type { MetricInput } from '../catalogue/metric.ts';
import type { UsageEvent } from '../usage/usage.ts';
import { decimalOf, textOf } from '../usage/value.ts';

/**
 * Whether an event weighs anything where it is billed at once: every event of a count, one that has the property of a unique
 * count, one whose property is a number for the others. In arrears a unique count takes a missing property for a value.
 * Source: pricing 4.1 and 9.
 */
export function hasValue(metric: Pick<MetricInput, 'aggregation' | 'fieldName'>, event: UsageEvent): boolean {
  if (metric.aggregation === 'count') return true;
  const value = event.properties[metric.fieldName ?? ''];
  return metric.aggregation === 'unique_count' ? textOf(value) !== null : decimalOf(value) !== null;
}
