import { type Decimal, dec, sum, ZERO } from './decimal.ts';

/** Decimals of a fee's share of a coupon or credit note. */
export const SHARE_DECIMALS = 5;

/**
 * Splits a credit over weights: each part is `credit x weight / sum of weights` at 5 decimals, and what rounding leaves
 * over goes to the largest weight, so that the parts always add up to the credit. No part exceeds its weight.
 * 12 over 200 and 100 is 8 and 4; 10 over 1, 1, 1 is 3.33334, 3.33333, 3.33333. Weights of 0 or less get nothing.
 * Source: invoicing 10.5 and 12.1.
 */
export function splitCredit(credit: Decimal, weights: readonly Decimal[]): Decimal[] {
  const positive = weights.map((weight) => (weight.isPositive() ? weight : ZERO));
  const whole = sum(positive);
  if (whole.isZero()) return weights.map(() => ZERO);
  if (credit.gte(whole)) return positive;
  const parts = positive.map((weight) =>
    limit(credit.times(weight).div(whole).toDecimalPlaces(SHARE_DECIMALS), weight),
  );
  let left = credit.minus(sum(parts));
  // The largest weight first: it has room for the remainder, unless every fee is smaller than the rounding step.
  for (const index of indexesByWeight(positive)) {
    if (left.isZero()) break;
    const part = parts[index] ?? ZERO;
    const changed = limit(part.plus(left), positive[index] ?? ZERO);
    parts[index] = changed;
    left = left.minus(changed.minus(part));
  }
  return parts;
}

function indexesByWeight(weights: readonly Decimal[]): number[] {
  const indexed = weights.map((weight, index) => ({ weight, index }));
  return indexed.sort((a, b) => b.weight.comparedTo(a.weight) || a.index - b.index).map(({ index }) => index);
}

function limit(part: Decimal, weight: Decimal): Decimal {
  return part.isNegative() ? dec(0) : part.gt(weight) ? weight : part;
}

/** The smaller of two amounts in minor units. */
export function leastCents(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** The larger of two amounts in minor units. */
export function mostCents(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
