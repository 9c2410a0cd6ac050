import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { type Decimal, dec, HUNDRED, ZERO } from '../money/decimal.ts';
import { freeAllowance } from './allowance.ts';
import type { TransactionTotals } from './price-type.ts';
import { decimalProperty } from './property.ts';

interface TransactionPrice {
  readonly rate: Decimal;
  readonly fixed: Decimal;
  readonly min: Decimal | null;
  readonly max: Decimal | null;
}

function priceTransaction(value: Decimal, price: TransactionPrice): Decimal {
  const amount = value.times(price.rate).div(HUNDRED).plus(price.fixed);
  if (price.min !== null && amount.lt(price.min)) return price.min;
  if (price.max !== null && amount.gt(price.max)) return price.max;
  return amount;
}

function transactionPrice(properties: ChargeProperties): TransactionPrice {
  const optional = (text: string | null | undefined) => (text == null ? null : decimalProperty(text));
  return {
    rate: decimalProperty(properties.rate),
    fixed: decimalProperty(properties.fixed_amount),
    min: optional(properties.per_transaction_min_amount),
    max: optional(properties.per_transaction_max_amount),
  };
}

/** Prices transactions as they come, in constant memory. */
export interface TransactionFold {
  /** The next transaction in time order, or so many of one value. */
  add(value: Decimal, times: number): void;
  totals(): TransactionTotals;
}

/**
 * Percentage and fixed amount event by event, each held between the minimum and maximum per transaction; in currency
 * units. 100 at 1 % + 1 with a maximum of 1.75 is 1.75. A remaining free amount keeps events free even when the free events are
 * used up, and using it up ends the free events; an event that uses it up exactly pays with a rest of 0. Source: pricing 3.7.
 */
export function transactionFold(properties: ChargeProperties): TransactionFold {
  const price = transactionPrice(properties);
  const allowance = freeAllowance(properties);
  let eventsLeft = allowance.events;
  let amountLeft = allowance.amount;
  let amount = ZERO;
  let amountBefore = ZERO;
  const addOne = (value: Decimal) => {
    amountBefore = amount;
    if (eventsLeft <= 0 && amountLeft.lte(0)) {
      amount = amount.plus(priceTransaction(value, price));
      return;
    }
    eventsLeft -= 1;
    if (amountLeft.lte(0)) return;
    if (amountLeft.gt(value)) {
      amountLeft = amountLeft.minus(value);
      return;
    }
    const rest = value.minus(amountLeft);
    amountLeft = ZERO;
    eventsLeft = 0;
    amount = amount.plus(priceTransaction(rest, price));
  };
  return {
    add(value, times) {
      let left = times;
      // What is free goes one by one, the rest at once; zeros never use a free amount up.
      if (value.isZero() && amountLeft.gt(0) && left > 0) {
        eventsLeft -= left;
        amountBefore = amount;
        return;
      }
      for (; left > 0 && (left === 1 || eventsLeft > 0 || amountLeft.gt(0)); left -= 1) addOne(value);
      if (left === 0) return;
      const each = priceTransaction(value, price);
      amountBefore = amount.plus(each.times(dec(left - 1)));
      amount = amountBefore.plus(each);
    },
    totals: () => ({ amount, amountBefore }),
  };
}
