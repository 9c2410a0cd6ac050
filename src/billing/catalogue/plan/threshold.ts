import { type BillingError, invalid, withCodes } from '../../errors.ts';

interface Threshold {
  readonly amountCents: bigint;
  readonly recurring: boolean;
}

/** What does not go together among the thresholds of a plan; undefined where all does. Source: engine-catalogue 13.3. */
export function thresholdRefusal(thresholds: readonly Threshold[]): BillingError | undefined {
  const names = thresholds.map(({ amountCents, recurring }) => `${amountCents} ${recurring}`);
  const isTwice = new Set(names).size < names.length;
  const isManyTimes = thresholds.filter(({ recurring }) => recurring).length > 1;
  const details = withCodes({
    usage_thresholds: [
      ...(isTwice ? ['duplicated_values'] : []),
      ...(isManyTimes ? ['multiple_recurring_thresholds'] : []),
    ],
  });
  return Object.keys(details).length > 0
    ? invalid(details, { usage_thresholds: { limit: 'one for each amount, one that is recurring' } })
    : undefined;
}

/** Thresholds from the lowest; of two of one amount the recurring one comes second. */
export const inOrder = <T extends Threshold>(thresholds: readonly T[]): readonly T[] =>
  thresholds.toSorted((one, other) =>
    one.amountCents === other.amountCents
      ? Number(one.recurring) - Number(other.recurring)
      : one.amountCents < other.amountCents
        ? -1
        : 1,
  );
