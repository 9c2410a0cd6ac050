import { judge } from './deviations.ts';
import { judgeClaims, resolve } from './lifecycle-claim.ts';
import { timelineEngine } from './lifecycle-timeline.ts';
import type { LifecycleCase, LifecycleEngine, LifecycleStep } from './lifecycle-type.ts';
import type { Difference, Evaluation, Json } from './vector-type.ts';

export const file = 'lifecycle';

/** Lives through a case on the rules; one with a verb that they do not have is skipped, and says by which. */
export function evaluate(vectorCase: unknown): Promise<Evaluation> {
  const life = vectorCase as LifecycleCase;
  return live(life, timelineEngine(life.organization));
}

const skipped = (by: string): Evaluation => ({
  ...{ expected: null, actual: null, agree: true, skip: true, skipped: by },
});

/** Lives through a case on an engine and judges the claims after each step. */
export async function live(life: LifecycleCase, engine: LifecycleEngine): Promise<Evaluation> {
  const missing = life.steps.map((step) => engine.unable(step)).find((verb) => verb !== null);
  if (missing) return skipped(missing);
  const names = new Map<string, string>();
  const unread = new Set<string>();
  const differences: Difference[] = [];
  for (const [index, step] of life.steps.entries()) {
    const judgement = await judgeStep(step, engine, names);
    for (const claim of judgement.unread) unread.add(claim);
    for (const { claim, expected, actual } of judgement.failed) {
      differences.push({ path: [String(index + 1), step.do, claim], expected, actual });
    }
  }
  const expected = differences.map(({ path, expected }) => ({ path, expected }));
  const actual = differences.map((difference) => difference.actual);
  return { ...judge(file, { ...life, expected } as unknown as Json, actual, differences), unread: [...unread] };
}

async function judgeStep(step: LifecycleStep, engine: LifecycleEngine, names: Map<string, string>) {
  const made = await engine.perform(step, (value) => resolve(value, names));
  for (const [suffix, id] of Object.entries(made.named)) if (step.as !== undefined) names.set(step.as + suffix, id);
  return judgeClaims(step.expect ?? {}, { engine, made, names });
}
