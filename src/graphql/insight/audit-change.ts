import { builder } from '../base/builder.ts';
import { jsonText } from '../base/key-value.ts';

interface Change {
  readonly path: readonly string[];
  readonly before: string | null;
  readonly after: string | null;
}

export const AuditChange = builder.objectRef<Change>('AuditChange').implement({
  description: 'A value that a write has changed.',
  fields: (t) => ({
    path: t.stringList({
      description: 'Where the value stands in the object: names of members, and places in lists from 0.',
      resolve: ({ path }) => [...path],
    }),
    before: t.exposeString('before', {
      nullable: true,
      description: 'The value before, as text; null where there was none.',
    }),
    after: t.exposeString('after', {
      nullable: true,
      description: 'The value afterwards, as text; null where there is none.',
    }),
  }),
});

/** The values of JSON by their paths, in order; an empty list or object is a value of its own. */
function* leaves(json: unknown, path: readonly string[] = []): Generator<readonly [readonly string[], string | null]> {
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  if (members.length === 0) yield [path, jsonText(json)];
  for (const [name, value] of members) yield* leaves(value, [...path, name]);
}

const byPath = (json: unknown) =>
  new Map(json === null ? [] : [...leaves(json)].map(([path, text]) => [JSON.stringify(path), { path, text }]));

/** What differs between an object before and after a write, value by value, in the order of the members. */
export function auditChanges(before: unknown, after: unknown): Change[] {
  const [old, now] = [byPath(before), byPath(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [left, right] = [old.get(key), now.get(key)];
    const path = (left ?? right)?.path ?? [];
    const change = { path, before: left?.text ?? null, after: right?.text ?? null };
    return change.before === change.after ? [] : [change];
  });
}
