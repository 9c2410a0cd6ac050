import { Decimal } from '../money/decimal.ts';

// A number of a thousand digits is none: databases do not count further than some ten thousand.
const MOST_DIGITS = 1000;

const PLAIN_DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** Whether a value is an object, as JSON has them. */
export const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// As what is read from a store has them: a number that is not held is its digits.
const held = (_name: string, member: unknown) => (typeof member === 'bigint' ? String(member) : member);

/** A property's value as text, the way events are compared: 1 and "1" are the same; missing and null are null. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : String(value);
  return typeof value === 'object' ? JSON.stringify(value, held) : String(value);
}

/** JavaScript writes some numbers with an exponent, JSON senders mean the plain notation. */
function numberText(value: number): string {
  const text = String(value);
  return text.includes('e') ? new Decimal(text).toFixed() : text;
}

/** A property that reads as a plain decimal (no exponent, leading dot or space, at most 1000 characters); null for any other, which is ignored. */
export function decimalOf(value: unknown): Decimal | null {
  const text = textOf(value);
  return text !== null && text.length <= MOST_DIGITS && PLAIN_DECIMAL.test(text) ? new Decimal(text) : null;
}
