import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainText } from './compare.ts';
import { type FileReport, type Judged, reportWith } from './report.ts';
import type { Evaluator } from './vector-type.ts';

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
  return reportWith(await loadEvaluator(file), cases);
}

function printTally(title: string, counts: Readonly<Record<string, number>>): void {
  const entries = Object.entries(counts);
  if (entries.length > 0) console.log(`  ${title}: ${entries.map(([name, count]) => `${name} ${count}`).join(', ')}`);
}

function print({ file, agreeing, agreeingInPart, skipped, deviating, differing, skippedBy, unread }: FileReport): void {
  const skips = skipped > 0 ? `, ${skipped} skipped` : '';
  const parts = agreeingInPart > 0 ? `, ${agreeingInPart} agree in what is read` : '';
  console.log(
    `${file}: ${agreeing} agree${parts}, ${deviating.length} deviate on purpose, ${differing.length} differ${skips}`,
  );
  printTally('cases that wait for a verb', skippedBy);
  printTally('cases with claims that nothing reads', unread);
  if (process.argv.includes('--deviations')) {
    for (const one of deviating) console.log(`  ~ ${one.id}: ${one.deviation?.reason}\n${values(one)}`);
  }
  for (const one of differing) console.log(`  ! ${one.id}\n${values(one)}`);
}

function values(one: Judged): string {
  return `    expected ${plainText(one.expected)}\n    actual   ${plainText(one.actual)}`;
}

type Reporter = (cases: readonly unknown[]) => Promise<FileReport>;

/** Files whose cases are driven once more as requests. Loaded late, for it needs the whole gateway. */
const THROUGH_REST: Readonly<Record<string, () => Promise<Reporter>>> = {
  'invoice-scenarios': async () => (await import('../../rest/scenario-rest.ts')).reportOnRest,
  lifecycle: async () => (await import('../../rest/lifecycle/lifecycle-rest.ts')).reportOnLives,
};

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
    const throughRest = await THROUGH_REST[file]?.();
    if (throughRest === undefined) continue;
    const requested = await throughRest(cases);
    print(requested);
    differing += requested.differing.length;
  }
  process.exitCode = differing > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
