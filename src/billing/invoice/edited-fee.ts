import type { AppliedPricingUnit } from '../catalogue/charge.ts';
import type { ChargeProperties, PriceModel } from '../catalogue/charge-type.ts';
import { type RoundedAmounts, roundFee } from '../fee/rounding.ts';
import { minorUnits } from '../money/currency.ts';
import { type Decimal, HUNDRED, ZERO } from '../money/decimal.ts';
import { priceFunction } from '../price/price.ts';
import { type AmountDetails, NO_RUNNING_TOTALS } from '../price/price-type.ts';

/** A fee of a draft changed by hand: new units at the charge's prices, or new units at a new unit price. */
export interface FeeEdit {
  readonly model: PriceModel;
  readonly properties: ChargeProperties;
  readonly currency: string;
  readonly pricingUnit?: AppliedPricingUnit | null;
  readonly units: Decimal;
  /** Minor units, decimals allowed; absent: the charge's prices. */
  readonly unitPreciseAmountCents?: Decimal | null;
}

export interface EditedAmounts extends RoundedAmounts {
  readonly units: Decimal;
  readonly eventsCount: Decimal;
  readonly amountDetails: AmountDetails;
}

/**
 * The amounts of an edited fee. New units are priced whole, never prorated; a new unit price is multiplied, and its unit
 * amount is rounded instead of cut. 1000 units at 0.1 cents are 100 cents, unit amount 0. Source: pricing 8.6.
 */
export function editedAmounts(edit: FeeEdit): EditedAmounts {
  const { currency, pricingUnit, units } = edit;
  const common = { units, eventsCount: ZERO };
  if (edit.unitPreciseAmountCents != null) {
    const unitAmount = edit.unitPreciseAmountCents.div(pricingUnit ? HUNDRED : minorUnits(currency));
    const options = { currency, pricingUnit, roundUnitAmount: true };
    return { ...common, amountDetails: {}, ...roundFee(units.times(unitAmount), unitAmount, options) };
  }
  const price = priceFunction(edit.model)(edit.properties, {
    units,
    fullUnits: null,
    eventsCount: ZERO,
    runningTotals: NO_RUNNING_TOTALS,
    eventValues: [],
    shares: [],
    preciseTotalAmountCents: ZERO,
    currency,
  });
  const amounts = roundFee(price.amount, price.unitAmount, { currency, pricingUnit });
  return { ...common, amountDetails: price.amountDetails, ...amounts };
}
