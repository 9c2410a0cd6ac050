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
  return datesOf(localDate(invoice.at, invoice.zone), invoice, customer, entity);
}

const graceOf = (customer: DocumentSettings, entity: DocumentSettings) =>
  customer.invoiceGracePeriod ?? entity.invoiceGracePeriod ?? 0;

function datesOf(
  billingDate: LocalDate,
  invoice: Pick<DatedInvoice, 'subscription' | 'periodic'>,
  customer: DocumentSettings,
  entity: DocumentSettings,
): InvoiceDates {
  const grace = invoice.subscription ? graceOf(customer, entity) : 0;
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

/** A draft of a subscription, whose dates follow the settings until it is final. */
export interface DatedDraft {
  readonly expectedFinalizationDate: LocalDate;
  readonly periodic: boolean;
}

/** What documents of a customer of an entity are dated by. */
export interface Dating {
  readonly customer: DocumentSettings;
  readonly entity: DocumentSettings;
}

/**
 * The dates of a draft after a change of settings: it was billed as many days before it becomes final as it had of grace. Made on 10 May
 * with 3 days of grace, final on 13 May; with 5 days it becomes final on 15 May.
 */
export function redated(
  { expectedFinalizationDate, periodic }: DatedDraft,
  before: Dating,
  after: Dating,
): InvoiceDates {
  const billingDate = addDays(expectedFinalizationDate, -graceOf(before.customer, before.entity));
  return datesOf(billingDate, { subscription: true, periodic }, after.customer, after.entity);
}

/**
 * The dates of a draft that becomes final on a day: issued on that day, unless it is of a billing day and keeps the date that it was billed
 * for. Due after the term that holds by now. Expected on 13 May, finalized on 11 May: issued on 11 May. Source: engine-money 2.4.
 */
export function finalDates(
  draft: { readonly issuingDate: LocalDate; readonly periodic: boolean },
  today: LocalDate,
  customer: DocumentSettings,
  entity: DocumentSettings,
): Pick<InvoiceDates, 'issuingDate' | 'paymentDueDate' | 'netPaymentTerm'> {
  const netPaymentTerm = customer.netPaymentTerm ?? entity.netPaymentTerm ?? 0;
  const adjustment = customer.issuingDateAdjustment ?? entity.issuingDateAdjustment ?? 'align_with_finalization_date';
  const issuingDate = draft.periodic && adjustment === 'keep_anchor' ? draft.issuingDate : today;
  return { issuingDate, netPaymentTerm, paymentDueDate: addDays(issuingDate, netPaymentTerm) };
}
