import { Decimal as DecimalBase } from 'decimal.js';

/**
 * The one decimal type of the rules: 60 significant digits while a rule computes, so that a 30-digit amount times a
 * 20-digit ratio stays exact to the last stored digit; half away from zero; never an exponent in its text up to 1e60.
 */
export const Decimal = DecimalBase.clone({
  precision: 60,
  rounding: DecimalBase.ROUND_HALF_UP,
  toExpNeg: -60,
  toExpPos: 60,
});
export type Decimal = InstanceType<typeof Decimal>;

export const ZERO: Decimal = new Decimal(0);
export const ONE: Decimal = new Decimal(1);
export const HUNDRED: Decimal = new Decimal(100);

/** A decimal from its text, an integer or another decimal. Throws on anything that is not a finite number. */
export function dec(value: Decimal | DecimalBase | string | bigint | number): Decimal {
  const decimal = new Decimal(typeof value === 'bigint' ? value.toString() : value);
  if (!decimal.isFinite()) throw new RangeError(`not a finite decimal: ${String(value)}`);
  return decimal;
}

/** Whether a number of the language has all digits of a decimal text: it has those of 0.1, and 15 of any, but not of 4503599627370497.5. */
export function isHeldByNumber(text: string): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length <= 15 || dec(text).equals(dec(Number(text)));
}

/** Adds up; an empty list is 0. */
export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}

/** Half away from zero to a whole number, as a bigint: 2.5 is 3n, -2.5 is -3n. */
export function roundToInteger(value: Decimal): bigint {
  return BigInt(value.toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toFixed(0));
}

/** Decimals dropped: 332.58 is 332n. */
export function cutToInteger(value: Decimal): bigint {
  return BigInt(value.toDecimalPlaces(0, Decimal.ROUND_DOWN).toFixed(0));
}

/**
 * Text as every door shows it, the only writer of it: plain notation, at least one fractional digit, no trailing zeros, no
 * "-0". Takes the decimals of every class, which all write their digits with `toFixed`.
 * `20` is "20.0", `1.2e-8` is "0.000000012".
 */
export function decimalText(value: { isZero(): boolean; toFixed(): string }): string {
  const text = value.isZero() ? '0' : value.toFixed();
  return text.includes('.') ? text : `${text}.0`;
}
