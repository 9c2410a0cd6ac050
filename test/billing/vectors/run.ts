import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainText } from './compare.ts';
import type { Evaluation, Evaluator } from './vector-type.ts';

/** The files of cases, each judged by the module of the same name beside this one. */
const EVALUATORS: Readonly<Record<string, () => Promise<Evaluator>>> = {
  'charge-models': () => import('./charge-models.ts'),
  aggregations: () => import('./aggregations.ts'),
  fees: () => import('./fees.ts'),
  periods: () => import('./periods.ts'),
  'invoice-scenarios': () => import('./invoice-scenarios.ts'),
  lifecycle: () => import('./lifecycle.ts'),
};

export const FILES: readonly string[] = Object.keys(EVALUATORS);

const OWN_CASES = fileURLToPath(new URL('../../vectors/', import.meta.url));

export interface Judged extends Evaluation {
  readonly id: string;
}

export interface FileReport {
  readonly file: string;
  readonly agreeing: number;
  readonly skipped: number;
  /** How many cases were skipped for the lack of a verb, and how many have a claim that was not read, by name. */
  readonly skippedBy: Readonly<Record<string, number>>;
  readonly unread: Readonly<Record<string, number>>;
  readonly deviating: readonly Judged[];
  readonly differing: readonly Judged[];
}

/** The folder of the cases: VECTORS_DIR, or the project's own. */
export function vectorsFolder(): string {
  return process.env.VECTORS_DIR ?? OWN_CASES;
}

/** The cases of a file, a list or `{cases}`; null when the folder does not have it. */
export function readCases(folder: string, file: string): readonly unknown[] | null {
  const path = join(folder, `${file}.json`);
  if (!existsSync(path)) return null;
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (Array.isArray(content)) return content;
  const cases = typeof content === 'object' && content !== null && 'cases' in content ? content.cases : null;
  if (!Array.isArray(cases)) throw new Error(`${path}: neither a list nor {cases: []}`);
  return cases;
}

function idOf(vectorCase: unknown, at: number): string {
  const named = typeof vectorCase === 'object' && vectorCase !== null && 'id' in vectorCase;
  return named ? String(vectorCase.id) : `#${at + 1}`;
}

/** One case; whatever is thrown inside it is a difference. */
async function judgeCase(evaluator: Evaluator, vectorCase: unknown, at: number): Promise<Judged> {
  const id = idOf(vectorCase, at);
  try {
    return { id, ...(await evaluator.evaluate(vectorCase)) };
  } catch (error) {
    const expected = (vectorCase as { expected?: unknown } | null)?.expected;
    return {
      id,
      expected,
      actual: error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error),
      agree: false,
    };
  }
}

/** An evaluator that cannot be loaded makes every case of its file a difference; the other files are still judged. */
async function loadEvaluator(file: string): Promise<Evaluator> {
  try {
    return (await EVALUATORS[file]?.()) ?? brokenEvaluator(file, new Error(`no evaluator for ${file}`));
  } catch (error) {
    return brokenEvaluator(file, error);
  }
}

function brokenEvaluator(file: string, error: unknown): Evaluator {
  return {
    file,
    evaluate: () => {
      throw error;
    },
  };
}

/** Judges every case of a file. */
export async function reportOn(file: string, cases: readonly unknown[]): Promise<FileReport> {
  const evaluator = await loadEvaluator(file);
  const judged: Judged[] = [];
  for (const [at, vectorCase] of cases.entries()) judged.push(await judgeCase(evaluator, vectorCase, at));
  const counted = judged.filter((one) => !one.skip);
  return {
    file,
    skipped: judged.length - counted.length,
    skippedBy: tally(judged.flatMap(({ skipped }) => skipped ?? [])),
    unread: tally(judged.flatMap(({ unread }) => unread ?? [])),
    agreeing: counted.filter((one) => one.agree && !one.deviation).length,
    deviating: counted.filter((one) => one.agree && one.deviation),
    differing: counted.filter((one) => !one.agree),
  };
}

/** How often each name occurs, the most frequent first. */
function tally(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

function printTally(title: string, counts: Readonly<Record<string, number>>): void {
  const entries = Object.entries(counts);
  if (entries.length > 0) console.log(`  ${title}: ${entries.map(([name, count]) => `${name} ${count}`).join(', ')}`);
}

function print({ file, agreeing, skipped, deviating, differing, skippedBy, unread }: FileReport): void {
  const skips = skipped > 0 ? `, ${skipped} skipped` : '';
  console.log(`${file}: ${agreeing} agree, ${deviating.length} deviate on purpose, ${differing.length} differ${skips}`);
  printTally('verbs that the rules do not have', skippedBy);
  printTally('claims that the rules do not keep', unread);
  if (process.argv.includes('--deviations')) {
    for (const one of deviating) console.log(`  ~ ${one.id}: ${one.deviation?.reason}\n${values(one)}`);
  }
  for (const one of differing) console.log(`  ! ${one.id}\n${values(one)}`);
}

function values(one: Judged): string {
  return `    expected ${plainText(one.expected)}\n    actual   ${plainText(one.actual)}`;
}

/** The previews once more, as requests: what they need is stored first. Loaded late, for it needs the whole gateway. */
async function runThroughRest(cases: readonly unknown[]): Promise<number> {
  const { reportOnRest } = await import('../../rest/scenario-rest.ts');
  const report = await reportOnRest(cases);
  print(report);
  return report.differing.length;
}

async function main(): Promise<void> {
  const folder = vectorsFolder();
  const only = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  let differing = 0;
  for (const file of FILES) {
    if (only.length > 0 && !only.includes(file)) continue;
    const cases = readCases(folder, file);
    if (cases === null) {
      console.log(`${file}: absent`);
      continue;
    }
    const report = await reportOn(file, cases);
    print(report);
    differing += report.differing.length;
    if (file === 'invoice-scenarios') differing += await runThroughRest(cases);
  }
  process.exitCode = differing > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
