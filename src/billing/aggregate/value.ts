import { Decimal } from '../decimal.ts';
import type { MetricInput, UsageEvent } from '../fee-type.ts';

const PLAIN_DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** A property's value as text, the way events are compared: 1 and "1" are the same; missing and null are null. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : String(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** JavaScript writes some numbers with an exponent, JSON senders mean the plain notation. */
function numberText(value: number): string {
  const text = String(value);
  return text.includes('e') ? new Decimal(text).toFixed() : text;
}

/** A property that reads as a plain decimal (no exponent, leading dot or space); null for any other, which is ignored. */
export function decimalOf(value: unknown): Decimal | null {
  const text = textOf(value);
  return text !== null && PLAIN_DECIMAL.test(text) ? new Decimal(text) : null;
}

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
