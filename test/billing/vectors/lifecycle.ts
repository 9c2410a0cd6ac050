import { judge } from './deviations.ts';
import { type Judgement, judgeClaims, resolve } from './lifecycle-claim.ts';
import { timelineEngine } from './lifecycle-timeline.ts';
import type { LifecycleCase, LifecycleEngine, LifecycleStep, PriceKind } from './lifecycle-type.ts';
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
    const judgement = await judgeStep(step, engine, names).catch((error) => broken(step, error));
    for (const claim of judgement.unread) unread.add(claim);
    for (const { claim, expected, actual } of judgement.failed) {
      differences.push({ path: [String(index + 1), step.do, claim], expected, actual });
    }
    if (judgement.isBroken) break;
  }
  const expected = differences.map(({ path, expected }) => ({ path, expected }));
  const actual = differences.map((difference) => difference.actual);
  return { ...judge(file, { ...life, expected } as unknown as Json, actual, differences), unread: [...unread] };
}

/** A step that cannot be done ends the life: what it did before is told nevertheless. */
function broken({ with: body }: LifecycleStep, error: unknown): Judgement {
  const actual =
    error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
  return { failed: [{ claim: 'done', expected: body, actual }], unread: [], isBroken: true };
}

const PRICE = /^\$([^.]+)\.(charges|fixed_charges)\.(.+)\.svc_id$/;

/** Prices are those of the moment: a plan has others than when it was named, a subscription maybe another plan. */
async function namePrices(value: unknown, engine: LifecycleEngine, names: Map<string, string>): Promise<void> {
  if (typeof value === 'object' && value !== null) {
    for (const one of Object.values(value)) await namePrices(one, engine, names);
  }
  const [text, owner = '', kind, code = ''] = PRICE.exec(String(value)) ?? [];
  const of = names.get(owner);
  if (text === undefined || of === undefined) return;
  const price = await engine.price(kind as PriceKind, of, code);
  if (price?.svc_id) names.set(text.slice(1), String(price.svc_id));
}

async function judgeStep(
  { expect = {}, ...step }: LifecycleStep,
  engine: LifecycleEngine,
  names: Map<string, string>,
): Promise<Judgement> {
  await namePrices(step, engine, names);
  const made = await engine.perform({ ...step, expect }, (value) => resolve(value, names));
  for (const [suffix, id] of Object.entries(made.named)) if (step.as !== undefined) names.set(step.as + suffix, id);
  await namePrices(expect, engine, names);
  return judgeClaims(expect, { engine, made, names });
}
