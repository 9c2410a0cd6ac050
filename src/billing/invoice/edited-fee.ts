import type { AppliedPricingUnit } from '../catalogue/charge.ts';
import type { ChargeProperties, PriceModel } from '../catalogue/charge-type.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { type RoundedAmounts, roundFee } from '../fee/rounding.ts';
import { minorUnits } from '../money/currency.ts';
import { type Decimal, HUNDRED, ZERO } from '../money/decimal.ts';
import { priceFunction } from '../price/price.ts';
import { type AmountDetails, NO_RUNNING_TOTALS } from '../price/price-type.ts';
import type { InvoiceStatus } from './issued-invoice.ts';

/** What was changed by hand on a fee of a draft. Absent members keep what was computed. */
export interface FeeEdit {
  readonly units?: Decimal | null;
  /** Minor units, decimals allowed; only together with units. Absent: the charge's prices. */
  readonly unitPreciseAmountCents?: Decimal | null;
  readonly invoiceDisplayName?: string | null;
}

/** The prices of the charge or fixed charge of a fee. */
export interface EditedCharge {
  readonly model: PriceModel;
  readonly properties: ChargeProperties;
  readonly pricingUnit?: AppliedPricingUnit | null;
}

/**
 * A fee of a draft with its units, unit amount or name changed by hand; it is kept even when it is empty. New units are priced in
 * full, never prorated; a new unit price is multiplied, and its unit amount is rounded instead of cut. Ignored once the invoice is
 * final. 10 units at 500 are 5000; 1000 units at 0.1 cents are 100, unit amount 0. No operation edits a fee: the rule stands here
 * because the numeric cases state it, for whatever will. Source: pricing 8.6 and invoicing 6.
 */
export function editFee(
  fee: InvoiceFee,
  charge: EditedCharge,
  currency: string,
  edit: FeeEdit,
  status: InvoiceStatus,
): InvoiceFee {
  if (status !== 'draft') return fee;
  const item = { ...fee.item, invoiceDisplayName: edit.invoiceDisplayName ?? fee.item.invoiceDisplayName };
  if (edit.units == null) return { ...fee, item };
  const { units, unitPreciseAmountCents: unitCents } = edit;
  const amounts =
    unitCents == null ? atChargePrices(charge, currency, units) : atUnitPrice(charge, currency, units, unitCents);
  return { ...fee, item, units, ...amounts, eventsCount: fee.type === 'charge' ? ZERO : null };
}

type EditedAmounts = RoundedAmounts & { readonly amountDetails: AmountDetails };

function atUnitPrice(charge: EditedCharge, currency: string, units: Decimal, unitCents: Decimal): EditedAmounts {
  const { pricingUnit } = charge;
  const unitAmount = unitCents.div(pricingUnit ? HUNDRED : minorUnits(currency));
  const options = { currency, pricingUnit, roundUnitAmount: true };
  return { amountDetails: {}, ...roundFee(units.times(unitAmount), unitAmount, options) };
}

function atChargePrices(charge: EditedCharge, currency: string, units: Decimal): EditedAmounts {
  const { model, properties, pricingUnit } = charge;
  const { amount, unitAmount, amountDetails } = priceFunction(model)(properties, {
    units,
    fullUnits: null,
    eventsCount: ZERO,
    runningTotals: NO_RUNNING_TOTALS,
    preciseTotalAmountCents: ZERO,
    currency,
  });
  return { amountDetails, ...roundFee(amount, unitAmount, { currency, pricingUnit }) };
}
