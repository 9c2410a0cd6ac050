import { type ErrorDetails, type ErrorHint, invalid, notFound } from '../errors.ts';

/** Most keys of an object's metadata, counted on the merged object. */
export const MOST_METADATA_KEYS = 50;
const LONGEST_KEY = 100;
const LONGEST_VALUE = 255;

const LIMITS: Readonly<Record<string, string>> = {
  key_is_too_long: `at most ${LONGEST_KEY} characters`,
  value_is_invalid: 'a text or null',
  value_is_too_long: `at most ${LONGEST_VALUE} characters`,
};

/** Key-value pairs as they are merged into an object's metadata. A value of null is stored, it removes nothing. */
export type MetadataPatch = Readonly<Record<string, string | null>>;

// A NUL and half of a surrogate pair are texts that no database stores.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

// Code points, not UTF-16 units. Far too long texts are not taken apart.
const isLonger = (text: string, most: number) => text.length > 2 * most || [...text].length > most;

/** The name of a key in error details: cut to the length that a key may have, with what cannot be shown replaced. */
const shownKey = (key: string) =>
  [...key.slice(0, 2 * LONGEST_KEY)]
    .slice(0, LONGEST_KEY)
    .join('')
    .replace(/[\0\p{Surrogate}]/gu, '?');

function faultsOf(key: string, value: unknown): string[] {
  const faults: string[] = [];
  if (isLonger(key, LONGEST_KEY)) faults.push('key_is_too_long');
  else if (UNSTORABLE.test(key)) faults.push('key_is_invalid');
  if (value === null) return faults;
  if (typeof value !== 'string') faults.push('value_is_invalid');
  else if (isLonger(value, LONGEST_VALUE)) faults.push('value_is_too_long');
  else if (UNSTORABLE.test(value)) faults.push('value_is_invalid');
  return faults;
}

/**
 * Checks what is to be merged into an object's metadata: an object of at most 50 keys of at most 100 characters, with values
 * that are null or strings of at most 255 characters; characters are Unicode code points. Nothing is coerced: `{ a: 7 }` is
 * refused as `metadata.a: ["value_is_invalid"]`. Absent and null are an empty patch. Throws a validation error that names
 * every key at fault. Source: specification, limits; reference 2.3.
 */
export function checkMetadataPatch(patch: unknown): MetadataPatch {
  if (patch === undefined || patch === null) return {};
  if (typeof patch !== 'object' || Array.isArray(patch))
    throw invalid({ metadata: ['value_is_invalid'] }, { metadata: { limit: 'an object' } });
  const entries = Object.entries(patch);
  if (entries.length > MOST_METADATA_KEYS) throw tooManyKeys();
  const details: ErrorDetails = {};
  const hints: Record<string, ErrorHint> = {};
  for (const [key, value] of entries) {
    const faults = faultsOf(key, value);
    if (faults.length === 0) continue;
    const field = `metadata.${shownKey(key)}`;
    details[field] = faults;
    hints[field] = { name: 'metadata', below: [shownKey(key)], each: faults.map((code) => ({ limit: LIMITS[code] })) };
  }
  if (Object.keys(details).length > 0) throw invalid(details, hints);
  return patch as MetadataPatch;
}

/** The refusal of a merge that would leave more than 50 keys. */
export const tooManyKeys = () =>
  invalid({ metadata: ['too_many_keys'] }, { metadata: { limit: `at most ${MOST_METADATA_KEYS} keys in all` } });

/** What is done with the metadata of an object: all pairs anew, pairs added or changed, one key or all taken away. */
export type MetadataChange =
  | { readonly replaced: unknown }
  | { readonly merged: unknown }
  | { readonly removedKey: string }
  | { readonly cleared: true };

/**
 * The metadata after a change; null where there is none. Throws a validation error for pairs that cannot be stored or are too many, and
 * `object_not_found` where a key is to be taken from what has no metadata. {a} merged with {b: null} is {a, b: null}. Source:
 * engine-catalogue 10.4.
 */
export function changedMetadata(stored: MetadataPatch | null, change: MetadataChange): MetadataPatch | null {
  if ('cleared' in change) return null;
  if ('replaced' in change) return checkMetadataPatch(change.replaced);
  if ('removedKey' in change) {
    if (stored === null) throw notFound('metadata');
    return Object.fromEntries(Object.entries(stored).filter(([key]) => key !== change.removedKey));
  }
  const patch = checkMetadataPatch(change.merged);
  if (Object.keys(patch).length === 0) return stored;
  const merged = Object.fromEntries([...Object.entries(stored ?? {}), ...Object.entries(patch)]);
  if (Object.keys(merged).length > MOST_METADATA_KEYS) throw tooManyKeys();
  return merged;
}
