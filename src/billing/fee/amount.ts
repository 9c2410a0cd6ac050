import { fromCents } from '../money/currency.ts';
import { Decimal, dec, roundToInteger } from '../money/decimal.ts';

/** What is stored of a fee's amounts: minor units, rounded ones as integers, exact ones as decimals. */
export interface StoredFeeAmounts {
  readonly amountCents: bigint;
  readonly taxesAmountCents: bigint;
  readonly amountCurrency: string;
  readonly preciseAmountCents: { toFixed(): string };
  readonly taxesPreciseAmountCents: { toFixed(): string };
  readonly preciseCouponsAmountCents: { toFixed(): string };
}

/** Amounts of a fee that follow from the stored ones. `*Cents` are minor units, the others currency units. */
export interface FeeAmounts {
  readonly totalAmountCents: bigint;
  readonly preciseAmount: Decimal;
  readonly preciseTotalAmount: Decimal;
  readonly taxesPreciseAmount: Decimal;
  readonly subTotalExcludingTaxesAmountCents: bigint;
  readonly subTotalExcludingTaxesPreciseAmountCents: Decimal;
}

/**
 * Total with taxes, amounts in currency units, and what is left after the coupons' share. Dividing by minor units is exact.
 * Source: behaviour.md 4.2. Example: 1000 cents with a coupon share of 33.33 leave round(966.67) = 967 cents.
 */
export function feeAmounts(fee: StoredFeeAmounts): FeeAmounts {
  const precise = dec(fee.preciseAmountCents.toFixed());
  const taxes = dec(fee.taxesPreciseAmountCents.toFixed());
  const coupons = dec(fee.preciseCouponsAmountCents.toFixed());
  return {
    totalAmountCents: fee.amountCents + fee.taxesAmountCents,
    preciseAmount: fromCents(precise, fee.amountCurrency),
    preciseTotalAmount: fromCents(precise.plus(taxes), fee.amountCurrency),
    taxesPreciseAmount: fromCents(taxes, fee.amountCurrency),
    subTotalExcludingTaxesAmountCents: roundToInteger(new Decimal(fee.amountCents.toString()).minus(coupons)),
    subTotalExcludingTaxesPreciseAmountCents: precise.minus(coupons),
  };
}
