import type { Evaluation, Evaluator } from './vector-type.ts';

export interface Judged extends Evaluation {
  readonly id: string;
}

export interface FileReport {
  readonly file: string;
  readonly agreeing: number;
  /** Cases that agree in what is read of them, which is not all that they claim. */
  readonly agreeingInPart: number;
  readonly skipped: number;
  /** How many cases were skipped for the lack of a verb, and how many have a claim that was not read, by name. */
  readonly skippedBy: Readonly<Record<string, number>>;
  readonly unread: Readonly<Record<string, number>>;
  readonly deviating: readonly Judged[];
  readonly differing: readonly Judged[];
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

/** Judges every case by an evaluator. */
export async function reportWith(evaluator: Evaluator, cases: readonly unknown[]): Promise<FileReport> {
  const { file } = evaluator;
  const judged: Judged[] = [];
  for (const [at, vectorCase] of cases.entries()) judged.push(await judgeCase(evaluator, vectorCase, at));
  const counted = judged.filter((one) => !one.skip);
  const agreeing = counted.filter((one) => one.agree && !one.deviation);
  return {
    file,
    skipped: judged.length - counted.length,
    skippedBy: tally(judged.flatMap(({ skipped }) => skipped ?? [])),
    unread: tally(judged.flatMap(({ unread }) => unread ?? [])),
    agreeing: agreeing.filter((one) => !one.unread?.length).length,
    agreeingInPart: agreeing.filter((one) => one.unread?.length).length,
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
