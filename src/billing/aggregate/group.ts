import type { ChargeProperties } from '../catalogue/charge-type.ts';
import type { GroupedBy } from '../usage/grouped-by.ts';
import { textOf } from '../usage/value.ts';

/** The pricing group keys of a charge or filter; the older name `grouped_by` is read only when the new one is absent. */
export function pricingGroupKeys(properties: ChargeProperties): readonly string[] {
  return properties.pricing_group_keys ?? properties.grouped_by ?? [];
}

/** The keys that a fee's breakdown shows: those with `display_in_invoice`. They never change a price. */
export function presentationKeys(properties: ChargeProperties): readonly string[] {
  const keys = properties.presentation_group_keys ?? [];
  return keys.filter(({ options }) => options?.display_in_invoice === true).map(({ value }) => value);
}

/** An event's values of the given keys. A missing value, null and the empty text are one null group. */
export function groupOf(properties: Readonly<Record<string, unknown>>, keys: readonly string[]): GroupedBy {
  return Object.fromEntries(keys.map((key) => [key, textOf(properties[key]) || null]));
}

/** The group of a bucket without any event: every key null. */
export function emptyGroup(keys: readonly string[]): GroupedBy {
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/** A text that is equal for equal groups of the same keys. */
export function groupKey(group: GroupedBy, keys: readonly string[]): string {
  if (keys.length === 0) return '';
  const only = keys.length === 1 ? keys[0] : undefined;
  if (only !== undefined) return group[only] == null ? '' : `=${group[only]}`;
  return JSON.stringify(keys.map((key) => group[key] ?? null));
}
