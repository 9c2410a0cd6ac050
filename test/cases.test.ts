import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { knownCases, type Outcome, openCases, PENDING } from './cases/known-case.ts';
import { previewCases } from './rest/preview-case.ts';

const ids = knownCases().map(({ id }) => id);
const folder = new URL('./', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts') && file !== 'cases.test.ts',
);

/** Titles of the tests of a file that are not left out. */
function titlesOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(new URL(file, folder), 'utf8'), ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText(source);
      if (/\.(skip|todo|fails)\b/.test(called)) return;
      const [title] = node.arguments;
      if (/^(describe|it|test|entry)\b/.test(called) && title && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

const running = (): Outcome[] =>
  [...files.flatMap(titlesOf), ...previewCases().map(({ id }) => id)].map((name) => ({ name, state: 'passed' }));

// That each of them runs and passes is what the reporter looks at, when all tests are run.
it('every known case is named by a test, or pending with a reason', () => {
  expect(ids.length).toBeGreaterThan(50);
  expect(new Set(ids).size).toBe(ids.length);
  expect(openCases(ids, running())).toEqual([]);
  for (const reason of Object.values(PENDING)) expect(reason.length).toBeGreaterThan(20);
});

it('a case whose test failed, was skipped or does not exist is open', () => {
  const outcomes: Outcome[] = [
    { name: 'a > GB-001: x', state: 'passed' },
    { name: 'GB-002 1', state: 'failed' },
    { name: 'GB-003 x', state: 'skipped' },
    { name: 'something else', state: 'passed' },
    { name: 'GB-006, which is no case', state: 'passed' },
  ];
  const open = openCases(['GB-001', 'GB-002', 'GB-003', 'GB-004', 'GB-005'], outcomes, { 'GB-005': 'later' });
  expect(open.map((line) => line.slice(0, 6))).toEqual(['GB-002', 'GB-003', 'GB-004', 'GB-006']);
});

it('a pending case that a test holds, or that is none, is open', () => {
  const pending = { 'GB-001': 'later', 'GB-002': 'later', 'GB-009': 'later' };
  const open = openCases(['GB-001', 'GB-002'], [{ name: 'GB-001', state: 'passed' }], pending);
  expect(open.map((line) => line.slice(0, 6))).toEqual(['GB-001', 'GB-009']);
});
