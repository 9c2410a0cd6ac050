import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema, schemaText } from '../../src/graphql/schema.ts';
import { deprecationsOf, isGoodReason, type StatedBreak, unstatedBreaks } from './schema-change.ts';

const root = new URL('../../', import.meta.url);
const committed = readFileSync(new URL('schema.graphql', root), 'utf8');
const decided: StatedBreak[] = JSON.parse(readFileSync(new URL('./breaking.json', import.meta.url), 'utf8'));

/** The schema as it was committed; undefined outside of a repository and before its beginning. */
function committedAt(commit: string): string | undefined {
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 } as const;
    return execFileSync('git', ['show', `${commit}:schema.graphql`], options);
  } catch {
    return undefined;
  }
}

it('schema.graphql is what the code says: else run npm run schema', () => {
  expect(committed).toBe(schemaText());
});

// HEAD is for who is about to commit, the commit before it for whoever checks a commit.
it.each(['HEAD', 'HEAD~1'])('breaks no client of %s without saying so in test/graphql/breaking.json', (commit) => {
  expect(unstatedBreaks(committedAt(commit) ?? committed, schemaText(), decided)).toEqual([]);
});

it('whatever is deprecated names its replacement and the day of its removal', () => {
  const bad = [...deprecationsOf(schema)].filter(([, reason]) => !isGoodReason(reason));
  expect(bad).toEqual([]);
});

describe('the check itself', () => {
  const before = 'type Query { a: Int, b(c: Int): String } enum E { x y } input I { m: Int }';

  it.each([
    ['a field that goes', 'type Query { b(c: Int): String } enum E { x y } input I { m: Int }', 'Query.a was removed.'],
    [
      'an argument that is asked for',
      'type Query { a: Int, b(c: Int, d: Int!): String } enum E { x y } input I { m: Int }',
      'A required arg d on Query.b was added.',
    ],
    [
      'an enum value that goes',
      'type Query { a: Int, b(c: Int): String } enum E { x } input I { m: Int }',
      'y was removed from enum type E.',
    ],
    [
      'a member that is asked for',
      'type Query { a: Int, b(c: Int): String } enum E { x y } input I { m: Int, n: Int! }',
      'A required field n on input type I was added.',
    ],
  ])('finds %s, unless it is stated with a reason', (_, after, description) => {
    expect(unstatedBreaks(before, after, [])).toEqual([description]);
    expect(unstatedBreaks(before, after, [{ description, reason: ' ' }])).toEqual([description]);
    expect(unstatedBreaks(before, after, [{ description, reason: 'Nobody has used it.' }])).toEqual([]);
  });

  it('lets the schema grow', () => {
    const after =
      'type Query { a: Int!, b(c: Int, d: Int): String, e: Int } enum E { x y z } input I { m: Int, n: Int }';
    expect(unstatedBreaks(before, after, [])).toEqual([]);
  });

  it('knows a good reason of a deprecation from a bad one', () => {
    const all = deprecationsOf(
      buildSchema(`
        interface N { i: Int @deprecated(reason: "a") }
        type Query { f: Int @deprecated(reason: "b"), g(h: Int @deprecated(reason: "c")): Int }
        enum E { v @deprecated(reason: "d") w }
        input I { m: Int @deprecated }`),
    );
    expect([...all.keys()].sort()).toEqual(['E.v', 'I.m', 'N.i', 'Query.f', 'Query.g(h)']);
    expect(isGoodReason('Use `amountCents`. Removed on 2027-01-31.')).toBe(true);
    for (const bad of ['No longer supported', 'Use `amountCents`.', 'Removed on 2027-01-31.', 'Old. Removed soon.']) {
      expect(isGoodReason(bad)).toBe(false);
    }
  });
});
