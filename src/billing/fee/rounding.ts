import type { AppliedPricingUnit } from '../catalogue/charge.ts';
import { minorUnits, toCents } from '../money/currency.ts';
import { cutToInteger, Decimal, HUNDRED, roundToInteger } from '../money/decimal.ts';
import type { DraftFee, PricingUnitDetail } from './draft-fee.ts';

export type RoundedAmounts = Pick<
  DraftFee,
  'amountCents' | 'preciseAmountCents' | 'unitAmountCents' | 'preciseUnitAmount' | 'pricingUnit'
>;

interface AmountOptions {
  readonly currency: string;
  readonly pricingUnit?: AppliedPricingUnit | null;
  /** Edited unit prices and fixed charges paid in advance round the unit amount; all others cut it. */
  readonly roundUnitAmount?: boolean;
}

/**
 * The one rounding of a fee: the exact amount half away from zero to whole minor units; the precise fields stay exact.
 * 10.12345 EUR is 1012 cents and 1012.345 precise cents; a unit amount of 3.3258 is cut to 332. In a pricing unit the
 * rounding happens there, at two decimals, and the rounded value is converted. Source: pricing 2 and 8.5.
 */
export function roundFee(amount: Decimal, unitAmount: Decimal, options: AmountOptions): RoundedAmounts {
  const toWhole = options.roundUnitAmount ? roundToInteger : cutToInteger;
  const minor = minorUnits(options.currency);
  if (options.pricingUnit != null) return convertedAmounts(amount, unitAmount, options.pricingUnit, options.currency);
  return {
    amountCents: toCents(amount, options.currency),
    preciseAmountCents: amount.times(minor),
    unitAmountCents: toWhole(unitAmount.times(minor)),
    preciseUnitAmount: unitAmount,
    pricingUnit: null,
  };
}

function convertedAmounts(
  amount: Decimal,
  unitAmount: Decimal,
  unit: AppliedPricingUnit,
  currency: string,
): RoundedAmounts {
  const detail: PricingUnitDetail = {
    ...unit,
    amountCents: roundToInteger(amount.times(HUNDRED)),
    preciseAmountCents: amount.times(HUNDRED),
    unitAmountCents: cutToInteger(unitAmount.times(HUNDRED)),
    preciseUnitAmount: unitAmount,
  };
  const inCurrency = (cents: bigint) => new Decimal(cents.toString()).div(HUNDRED).times(unit.conversionRate);
  const fiat = inCurrency(detail.amountCents);
  const fiatUnit = inCurrency(detail.unitAmountCents);
  return {
    amountCents: toCents(fiat, currency),
    preciseAmountCents: fiat.times(minorUnits(currency)),
    unitAmountCents: toCents(fiatUnit, currency),
    preciseUnitAmount: fiatUnit,
    pricingUnit: detail,
  };
}
