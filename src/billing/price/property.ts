import type { Bound } from '../catalogue/charge-type.ts';
import { type Decimal, dec } from '../money/decimal.ts';

/** A decimal of the properties as the caller wrote it, blanks around it allowed; absent and null are 0. */
export function decimalProperty(value: Bound | null | undefined): Decimal {
  if (value === null || value === undefined) return dec(0);
  return dec(typeof value === 'string' ? value.trim() : value);
}
