import type { UsageThresholdInput } from '../catalogue/plan.ts';
import { type Decimal, dec, ONE, ZERO } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';

/** That a progressive invoice was made for a threshold. */
export interface ReachedThreshold {
  readonly thresholdId: string;
  /** Lifetime usage by then, in minor units. */
  readonly usageCents: bigint;
  readonly at: Instant;
}

/** How far lifetime usage has come towards a threshold. */
export interface ThresholdProgress {
  readonly amountCents: bigint;
  /** 0 to 1: the part of the way from the threshold before it. */
  readonly ratio: Decimal;
  /** When an invoice was made for it; null where none was. */
  readonly reachedAt: Instant | null;
}

// Of a recurring threshold that was passed more often, the first ones are left out.
const MOST_PASSED = 100n;

interface Step {
  readonly id: string;
  readonly amountCents: bigint;
}

/** The fixed thresholds, and those of the recurring one that are passed, with the next one. */
function stepsOf(thresholds: readonly UsageThresholdInput[], totalCents: bigint): Step[] {
  const fixed = thresholds
    .filter(({ recurring }) => !recurring)
    .sort((one, other) => (one.amountCents < other.amountCents ? -1 : 1));
  const recurring = thresholds.find((threshold) => threshold.recurring);
  if (!recurring || recurring.amountCents <= 0n) return fixed;
  const largest = fixed.at(-1)?.amountCents ?? 0n;
  const passed = totalCents > largest ? (totalCents - largest) / recurring.amountCents : 0n;
  const first = passed > MOST_PASSED ? passed - MOST_PASSED : 0n;
  const multiples = Array.from({ length: Number(passed - first) + 1 }, (_, at) => first + BigInt(at) + 1n);
  return [
    ...fixed,
    ...multiples.map((times) => ({ id: recurring.id, amountCents: largest + times * recurring.amountCents })),
  ];
}

/**
 * How far lifetime usage has come: passed thresholds are whole, the next one is what is done of the way from the last passed one, later
 * ones are nothing. The recurring one comes once for each time it was passed, and once more. Thresholds of 100 and 200 at 120: 1 and
 * 0.2. Source: engine-catalogue 13.1.
 */
export function thresholdProgress(
  thresholds: readonly UsageThresholdInput[],
  totalCents: bigint,
  reached: readonly ReachedThreshold[],
): ThresholdProgress[] {
  const steps = stepsOf(thresholds, totalCents);
  const isPassed = ({ amountCents }: Step) => totalCents >= amountCents;
  const next = steps.findIndex((step) => !isPassed(step));
  const last = steps[(next < 0 ? steps.length : next) - 1]?.amountCents ?? 0n;
  const ratioOf = (step: Step, at: number) => {
    if (isPassed(step)) return ONE;
    return at === next ? dec(totalCents - last).div(dec(step.amountCents - last)) : ZERO;
  };
  return steps.map((step, at) => ({
    amountCents: step.amountCents,
    ratio: ratioOf(step, at),
    reachedAt: reachedAt(step, reached),
  }));
}

function reachedAt({ id, amountCents }: Step, reached: readonly ReachedThreshold[]): Instant | null {
  const times = reached
    .filter(({ thresholdId, usageCents }) => thresholdId === id && usageCents >= amountCents)
    .map(({ at }) => at);
  return times.length === 0 ? null : Math.min(...times);
}
