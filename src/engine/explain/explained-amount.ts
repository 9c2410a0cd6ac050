import type { FeeStep } from '../../billing/fee/step.ts';
import { afterStep } from '../../billing/fee/step.ts';
import { minorDigits } from '../../billing/money/currency.ts';
import { type Decimal, dec, ZERO } from '../../billing/money/decimal.ts';

const MORE_DIGITS = 4;

/** Minor units as an amount: `1234.5` of EUR is "12.345", with commas; what goes on for more than four digits is cut, and marked so. */
export function amountText(cents: Decimal | bigint, digits: number): string {
  const amount = dec(cents).div(dec(10).pow(digits));
  const shown = amount.toDecimalPlaces(digits + MORE_DIGITS, 1);
  const text = shown.toFixed(Math.max(digits, shown.decimalPlaces()));
  const [whole = '', part] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',').replace('-', '−');
  return `${grouped}${part === undefined ? '' : `.${part}`}${shown.eq(amount) ? '' : '…'}`;
}

/** A step with what it adds and what there is after it, written in what it is reckoned in. */
export interface Row {
  readonly step: FeeStep;
  /** What it changes, in minor units; null where it goes from one unit to another. */
  readonly change: Decimal | null;
  readonly adds: string;
  readonly total: string;
}

/** Steps with their amounts: up to a conversion in units of the price, of two decimals, then in the currency. */
export function rowsOf(steps: readonly FeeStep[], currency: string, unit: string | undefined): Row[] {
  const converted = steps.findIndex(({ kind }) => kind === 'conversion');
  let total = ZERO;
  return steps.map((step, at) => {
    const isInUnit = at < converted;
    const digits = isInUnit ? 2 : minorDigits(currency);
    const before = total;
    total = afterStep(total, step);
    const change = at === converted ? null : total.minus(before);
    const sign = change?.gt(0) && at > 0 ? '+' : '';
    const name = isInUnit && unit ? ` ${unit}` : '';
    return {
      ...{ step, change },
      adds: step.effect === 'none' || change === null ? '' : `${sign}${amountText(change, digits)}${name}`,
      total: step.effect === 'none' ? '' : `${amountText(total, digits)}${name}`,
    };
  });
}
