import { judge } from './deviations.ts';
import { judgeClaims, resolve } from './lifecycle-claim.ts';
import { timelineEngine } from './lifecycle-timeline.ts';
import type { LifecycleCase, LifecycleEngine } from './lifecycle-type.ts';
import type { Evaluation, Json } from './vector-type.ts';

export const file = 'lifecycle';

/** Lives through a case on the rules; one with a verb that they do not have is skipped, and says by which. */
export function evaluate(vectorCase: unknown): Evaluation {
  const life = vectorCase as LifecycleCase;
  return live(life, timelineEngine(life.organization));
}

/** Lives through a case on an engine and judges the claims after each step. */
export function live(life: LifecycleCase, engine: LifecycleEngine): Evaluation {
  const missing = life.steps.map((step) => engine.unable(step)).find((verb) => verb !== null);
  if (missing) return { expected: null, actual: null, agree: true, skip: true, skipped: missing };
  const names = new Map<string, string>();
  const unread = new Set<string>();
  const differences = life.steps.flatMap((step, index) => {
    const made = engine.perform(step, (value) => String(resolve(value, names)));
    if (step.as !== undefined && made.id !== null) names.set(step.as, made.id);
    const { failed, unread: passed } = judgeClaims(step.expect ?? {}, { engine, made, names });
    for (const claim of passed) unread.add(claim);
    return failed.map(({ claim, expected, actual }) => ({
      path: [String(index + 1), step.do, claim],
      expected,
      actual,
    }));
  });
  const expected = differences.map(({ path, expected }) => ({ path, expected }));
  const actual = differences.map((difference) => difference.actual);
  return { ...judge(file, { ...life, expected } as unknown as Json, actual, differences), unread: [...unread] };
}
