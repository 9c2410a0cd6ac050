import type { BillingEntityInput, CustomerInput, DocumentSettings } from '../customer/customer.ts';
import type { InvoiceStatus } from './issued-invoice.ts';
import type { PastInvoice } from './past-invoice.ts';

/**
 * What an invoice becomes when its grace period is over: `closed` (never numbered, not listed) when its fees are 0 and the
 * customer, or else the billing entity, skips such invoices; `finalized` otherwise. A total of 0 that coupons or credits
 * caused is a normal final invoice. Source: invoicing 14.
 */
export function finalStatus(
  feesAmountCents: bigint,
  customer: Pick<CustomerInput, 'finalizeZeroAmountInvoice'>,
  entity: Pick<BillingEntityInput, 'finalizeZeroAmountInvoice'>,
): InvoiceStatus {
  const setting = customer.finalizeZeroAmountInvoice;
  const skips = setting === 'inherit' ? !entity.finalizeZeroAmountInvoice : setting === 'skip';
  return feesAmountCents === 0n && skips ? 'closed' : 'finalized';
}

/** Whether an invoice may be computed once more before it is final: a draft, or one that waits for its taxes or to be paid. */
export const isOpen = ({ status }: { readonly status: InvoiceStatus }): boolean =>
  status === 'draft' || status === 'pending' || status === 'open';

/** Whether an invoice gathers fees that are paid already; what is made anew of one is to be paid as any other. */
export const isGathering = ({ type, voidedInvoiceId }: Pick<PastInvoice, 'type' | 'voidedInvoiceId'>): boolean =>
  type === 'advance_charges' && voidedInvoiceId == null;

/** Days that a subscription invoice stays a draft: the customer's setting, else the entity's, else 0. */
export function gracePeriodDays(customer: DocumentSettings, entity: DocumentSettings): number {
  return customer.invoiceGracePeriod ?? entity.invoiceGracePeriod ?? 0;
}
