import { readFileSync } from 'node:fs';

export interface KnownCase {
  readonly id: string;
  readonly surface: string;
  // biome-ignore lint/suspicious/noExplicitAny: cases of any shape
  readonly small_input: any;
  // biome-ignore lint/suspicious/noExplicitAny: cases of any shape
  readonly right_value: any;
}

/** Known faults of other systems, each with what is right. */
export function knownCases(): readonly KnownCase[] {
  return JSON.parse(readFileSync(new URL('./bugs.json', import.meta.url), 'utf8'));
}

/** Cases that no test holds yet, each with the reason. One that is held by now is reported as well. */
export const PENDING: Readonly<Record<string, string>> = {};

export interface Outcome {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
}

/** What a run of all tests leaves open: a case is held by a test that ran, passed and bears its number. */
export function openCases(
  ids: readonly string[],
  outcomes: readonly Outcome[],
  pending: Readonly<Record<string, string>> = PENDING,
): string[] {
  const passed = outcomes
    .filter(({ state }) => state === 'passed')
    .flatMap(({ name }) => name.match(/GB-\d{3}/g) ?? []);
  const held = new Set(passed);
  return [
    ...ids.filter((id) => !held.has(id) && !(id in pending)).map((id) => `${id}: no test that ran and passed holds it`),
    ...Object.keys(pending)
      .filter((id) => held.has(id))
      .map((id) => `${id}: a test holds it, it is pending no more`),
    ...Object.keys(pending)
      .filter((id) => !ids.includes(id))
      .map((id) => `${id}: pending, but no case`),
    ...[...held].filter((id) => !ids.includes(id)).map((id) => `${id}: a test names it, but it is no case`),
  ];
}
