import type { DateAdjustment, DateAnchor, DocumentSettings } from '../customer/customer.ts';
import { addDays, type Instant, type LocalDate, localDate } from '../period/calendar.ts';

export interface DatedInvoice {
  /** Moment of billing; its local date in `zone` counts. */
  readonly at: Instant;
  readonly zone: string;
  /** Of type subscription and not for a charge in advance: the only kind that has a grace period. */
  readonly subscription: boolean;
  /** Made by a billing day, not by a start, an end or an upgrade. */
  readonly periodic: boolean;
}

export interface InvoiceDates {
  issuingDate: LocalDate;
  paymentDueDate: LocalDate;
  expectedFinalizationDate: LocalDate;
  netPaymentTerm: number;
}

/**
 * The dates on a document. Each setting is the customer's, else the billing entity's, else 0 days, `next_period_start`
 * and `align_with_finalization_date`. Source: invoicing 15. Periodic, 10 May, `current_period_end` kept, 3 days of grace:
 * issued on 9 May, final on 13 May.
 */
export function invoiceDates(
  invoice: DatedInvoice,
  customer: DocumentSettings,
  entity: DocumentSettings,
): InvoiceDates {
  const billingDate = localDate(invoice.at, invoice.zone);
  const grace = invoice.subscription ? (customer.invoiceGracePeriod ?? entity.invoiceGracePeriod ?? 0) : 0;
  const netPaymentTerm = customer.netPaymentTerm ?? entity.netPaymentTerm ?? 0;
  const anchor = customer.issuingDateAnchor ?? entity.issuingDateAnchor ?? 'next_period_start';
  const adjustment = customer.issuingDateAdjustment ?? entity.issuingDateAdjustment ?? 'align_with_finalization_date';
  const shift = invoice.subscription && invoice.periodic ? periodicShift(anchor, adjustment, grace) : grace;
  const issuingDate = addDays(billingDate, shift);
  return {
    issuingDate,
    paymentDueDate: addDays(issuingDate, netPaymentTerm),
    expectedFinalizationDate: addDays(billingDate, grace),
    netPaymentTerm,
  };
}

function periodicShift(anchor: DateAnchor, adjustment: DateAdjustment, grace: number): number {
  if (adjustment === 'align_with_finalization_date' && grace !== 0) return grace;
  return anchor === 'current_period_end' ? -1 : 0;
}
