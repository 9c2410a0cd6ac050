import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { type Decimal, HUNDRED, ZERO } from '../money/decimal.ts';
import { freeAllowance } from './allowance.ts';
import type { PricedUsage } from './price-type.ts';
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

/**
 * The values that pay, after the free allowance: a remaining free amount keeps events free even when the free events are
 * used up, and using it up ends the free events. An event that uses it up exactly pays with a rest of 0.
 */
function* paidValues(values: readonly Decimal[], events: number, amount: Decimal): Generator<Decimal> {
  let eventsLeft = events;
  let amountLeft = amount;
  for (const value of values) {
    if (eventsLeft <= 0 && amountLeft.lte(0)) {
      yield value;
      continue;
    }
    eventsLeft -= 1;
    if (amountLeft.lte(0)) continue;
    if (amountLeft.gt(value)) {
      amountLeft = amountLeft.minus(value);
      continue;
    }
    const rest = value.minus(amountLeft);
    amountLeft = ZERO;
    eventsLeft = 0;
    yield rest;
  }
}

/**
 * Percentage and fixed amount event by event, each held between the minimum and maximum per transaction; in currency
 * units. 100 at 1 % + 1 with a maximum of 1.75 is 1.75. Source: pricing 3.7.
 */
export function priceTransactions(properties: ChargeProperties, usage: PricedUsage): Decimal {
  const optional = (text: string | null | undefined) => (text == null ? null : decimalProperty(text));
  const price: TransactionPrice = {
    rate: decimalProperty(properties.rate),
    fixed: decimalProperty(properties.fixed_amount),
    min: optional(properties.per_transaction_min_amount),
    max: optional(properties.per_transaction_max_amount),
  };
  const allowance = freeAllowance(properties);
  const values = usage.withoutEvent ? usage.eventValues.slice(0, -1) : usage.eventValues;
  let amount = ZERO;
  for (const value of paidValues(values, allowance.events, allowance.amount)) {
    amount = amount.plus(priceTransaction(value, price));
  }
  return amount;
}
