import type { AppliedPricingUnit } from '../catalogue/charge.ts';
import type { ChargeProperties, PriceModel } from '../catalogue/charge-type.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { Decimal } from '../money/decimal.ts';
import { editedAmounts } from './edited-fee.ts';
import type { InvoiceStatus } from './issued-invoice.ts';

/** What was changed by hand on a fee of a draft. Absent members keep what was computed. */
export interface InvoiceFeeEdit {
  readonly units?: Decimal | null;
  /** Minor units, decimals allowed; only together with units. */
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
 * A fee of a draft with its units, unit amount or name changed by hand; new units are priced in full, never prorated, and the
 * fee is kept even when it is empty. Ignored once the invoice is final. 10 units at 500 are 5000. Source: invoicing 6.
 */
export function editInvoiceFee(
  fee: InvoiceFee,
  charge: EditedCharge,
  currency: string,
  edit: InvoiceFeeEdit,
  status: InvoiceStatus,
): InvoiceFee {
  if (status !== 'draft') return fee;
  const item = { ...fee.item, invoiceDisplayName: edit.invoiceDisplayName ?? fee.item.invoiceDisplayName };
  if (edit.units == null) return { ...fee, item };
  const { units, unitPreciseAmountCents } = edit;
  const { eventsCount, ...amounts } = editedAmounts({ ...charge, currency, units, unitPreciseAmountCents });
  return { ...fee, item, ...amounts, eventsCount: fee.type === 'charge' ? eventsCount : null };
}
