import { Decimal } from '../../../src/billing/money/decimal.ts';
import type { Difference, Json, Rounding } from './vector-type.ts';

const TOLERANCE = new Decimal('1e-12');
const NUMBER = /^-?\d+(?:\.\d+)?$/;

function numberOf(value: unknown): Decimal | null {
  if (value instanceof Decimal) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return new Decimal(String(value));
  return typeof value === 'string' && NUMBER.test(value) ? new Decimal(value) : null;
}

function rounded(value: Decimal, field: string, rounding: Rounding): Decimal {
  const places = rounding[field];
  if (typeof places !== 'number') return value;
  const mode = rounding[`${field}_mode`] === 'ceil' ? Decimal.ROUND_CEIL : Decimal.ROUND_HALF_UP;
  return value.toDecimalPlaces(places, mode);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !(value instanceof Decimal);
}

/** Where two values differ, looking only at what is expected: numbers as decimals, lists in order, objects by member. */
export function differences(
  expected: unknown,
  actual: unknown,
  rounding: Rounding = {},
  path: readonly string[] = [],
): readonly Difference[] {
  const field = path.findLast((part) => Number.isNaN(Number(part))) ?? '';
  const [a, b] = [numberOf(expected), numberOf(actual)];
  if (a !== null && b !== null) {
    const exact = typeof expected === 'number' && Number.isInteger(expected) && rounding[field] === undefined;
    const distance = rounded(b, field, rounding).minus(a).abs();
    return (exact ? distance.isZero() : distance.lte(TOLERANCE)) ? [] : [{ path, expected, actual }];
  }
  if (isObject(expected) && isObject(actual)) {
    const lengths = Array.isArray(expected) && Array.isArray(actual) && expected.length !== actual.length;
    if (lengths || Array.isArray(expected) !== Array.isArray(actual)) return [{ path, expected, actual }];
    return Object.keys(expected).flatMap((key) => differences(expected[key], actual[key], rounding, [...path, key]));
  }
  return Object.is(expected, actual) ? [] : [{ path, expected, actual }];
}

/**
 * Pairs each expected element with an actual one it has no difference to, each used once; null where none is left.
 * A matching, not a greedy choice: an element that fits two places leaves the other place its only chance.
 */
export function matchElements(
  expected: readonly unknown[],
  actual: readonly unknown[],
  rounding: Rounding,
): (number | null)[] {
  const takenBy = new Map<number, number>();
  const place = (at: number, seen: Set<number>): boolean =>
    actual.some((candidate, index) => {
      if (seen.has(index) || differences(expected[at], candidate, rounding).length > 0) return false;
      seen.add(index);
      const holder = takenBy.get(index);
      if (holder !== undefined && !place(holder, seen)) return false;
      takenBy.set(index, at);
      return true;
    });
  for (const at of expected.keys()) place(at, new Set());
  const found: (number | null)[] = expected.map(() => null);
  for (const [index, at] of takenBy) found[at] = index;
  return found;
}

/** Differences of two unordered lists: every expected element without a partner, against the leftover it resembles most. */
export function setDifferences(
  expected: readonly unknown[],
  actual: readonly unknown[],
  rounding: Rounding,
  path: readonly string[],
): readonly Difference[] {
  const pairs = matchElements(expected, actual, rounding);
  const left = actual.filter((_, index) => !pairs.includes(index));
  return expected.flatMap((element, at) => {
    if (pairs[at] !== null) return [];
    const tries = left.map((candidate) => differences(element, candidate, rounding, [...path, String(at)]));
    const nearest = tries.sort((a, b) => a.length - b.length)[0];
    return nearest ?? [{ path: [...path, String(at)], expected: element, actual: undefined }];
  });
}

/** A value as JSON shows it: decimals and bigints as plain text. */
export function plainText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return inner.toString();
    return inner instanceof Decimal ? inner.toFixed() : inner;
  });
}
