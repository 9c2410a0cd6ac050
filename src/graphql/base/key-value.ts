import { builder } from './builder.ts';

interface KeyValueRow {
  readonly key: string;
  readonly value: string | null;
}

interface KeyValuesRow {
  readonly key: string;
  readonly values: readonly string[];
}

/** One key with its value, where JSON has a member whose name is data. */
export const KeyValue = builder.objectRef<KeyValueRow>('KeyValue').implement({
  description: 'A key with its value: metadata, or a property of events.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key.' }),
    value: t.exposeString('value', { nullable: true, description: 'The value as text; null where there is none.' }),
  }),
});

/** One key with the values it may have. */
export const KeyValues = builder.objectRef<KeyValuesRow>('KeyValues').implement({
  description: 'A property of events with the values that are taken.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Name of the property.' }),
    values: t.stringList({ description: 'The values, in the order given.', resolve: ({ values }) => [...values] }),
  }),
});

/** A value of JSON as text: a string as it is, anything else as its JSON; null stays null. */
export const jsonText = (value: unknown): string | null =>
  value === null || value === undefined || typeof value === 'string' ? (value ?? null) : JSON.stringify(value);

const members = (json: unknown): [string, unknown][] =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.entries(json) : [];

/** The members of a JSON object, or the entries of a list of `{key, value}`, as keys with values. */
export function keyValues(json: unknown): KeyValueRow[] {
  const named = Array.isArray(json)
    ? json.map((entry): [string, unknown] => [String(entry?.key), entry?.value])
    : members(json);
  return named.map(([key, value]) => ({ key, value: jsonText(value) }));
}

/** The members of a JSON object of lists as keys with values. */
export const keysWithValues = (json: unknown): KeyValuesRow[] =>
  members(json).map(([key, values]) => ({ key, values: (Array.isArray(values) ? values : [values]).map(String) }));
