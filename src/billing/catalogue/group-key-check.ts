import type { PropertyErrors } from './range-check.ts';

const MAX_PRESENTATION_KEYS = 2;

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** `{ value, options?: { display_in_invoice: boolean } }` and nothing else. */
function isPresentationKey(value: unknown): value is { readonly value: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { value: key, options, ...others } = value as Readonly<Record<string, unknown>>;
  if (!isKey(key) || Object.keys(others).length > 0) return false;
  if (options === undefined) return true;
  if (typeof options !== 'object' || options === null) return false;
  return Object.entries(options).every(([name, shown]) => name === 'display_in_invoice' && typeof shown === 'boolean');
}

/** Checks the group keys of properties, where they have any. Source: behaviour 3.2. */
export function groupKeyErrors(properties: Readonly<Record<string, unknown>>, errors: PropertyErrors): void {
  for (const name of ['pricing_group_keys', 'grouped_by']) {
    const keys = properties[name];
    if (keys != null && !(Array.isArray(keys) && keys.every(isKey))) errors.add(name, 'invalid_type');
  }
  const shown = properties.presentation_group_keys;
  if (shown == null) return;
  if (!Array.isArray(shown) || !shown.every(isPresentationKey)) {
    errors.add('presentation_group_keys', 'invalid_type');
    return;
  }
  if (shown.length > MAX_PRESENTATION_KEYS)
    errors.add('presentation_group_keys', 'too_many_keys', { limit: `at most ${MAX_PRESENTATION_KEYS} keys` });
  if (new Set(shown.map(({ value }) => value)).size < shown.length) {
    errors.add('presentation_group_keys', 'value_is_duplicated');
  }
}
