import { Decimal as DecimalBase } from 'decimal.js';

/** Binary floats of the source are compared with this relative tolerance; whole numbers exactly. */
const TOLERANCE = new DecimalBase('1e-12');

/** A computed value as JSON shows it: bigints and decimals as text, undefined dropped. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (DecimalBase.isDecimal(value)) return (value as DecimalBase).toFixed();
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  }
  return value;
}

/** Whether the computed value has everything that is expected of it; members that are not listed are not claimed. */
export function agrees(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((member, index) => agrees(member, actual[index]));
  }
  if (expected !== null && typeof expected === 'object') {
    if (actual === null || typeof actual !== 'object') return false;
    const members = actual as Record<string, unknown>;
    return Object.entries(expected).every(([key, member]) => agrees(member, members[key]));
  }
  return sameLeaf(expected, actual);
}

function sameLeaf(expected: unknown, actual: unknown): boolean {
  if (expected === actual) return true;
  if (expected === null || actual === null || typeof expected === 'boolean') return expected === actual;
  const [one, other] = [decimalOf(expected), decimalOf(actual)];
  if (one && other) return sameNumber(one, other);
  return sameMoment(expected, actual);
}

function sameNumber(expected: DecimalBase, actual: DecimalBase): boolean {
  if (expected.isInteger()) return expected.eq(actual);
  return expected.minus(actual).abs().lte(expected.abs().times(TOLERANCE));
}

/** Date-times compare to the second: a period may end at :59 or :59.999. */
function sameMoment(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== 'string' || typeof actual !== 'string') return false;
  const isMoment = /^\d{4}-\d\d-\d\dT/.test(expected) && /^\d{4}-\d\d-\d\dT/.test(actual);
  return isMoment && Math.floor(Date.parse(expected) / 1000) === Math.floor(Date.parse(actual) / 1000);
}

function decimalOf(value: unknown): DecimalBase | undefined {
  const text = String(value);
  return /^-?\d+(\.\d+)?(e-?\d+)?$/i.test(text) ? new DecimalBase(text) : undefined;
}

/** Matches every expected member with one of the set; the rest of the set, or undefined when one is missing. */
export function matchSet(expected: readonly unknown[], actual: readonly unknown[]): unknown[] | undefined {
  const [first, ...others] = expected;
  if (expected.length === 0) return [...actual];
  for (const [index, candidate] of actual.entries()) {
    if (!agrees(first, candidate)) continue;
    const rest = matchSet(others, [...actual.slice(0, index), ...actual.slice(index + 1)]);
    if (rest) return rest;
  }
  return undefined;
}
