import { invalid, notAllowed } from '../errors.ts';

/** Which of a customer's methods is to collect a payment; absent: the one that does by default. */
export interface SentPaymentMethod {
  readonly paymentMethodType?: 'provider' | 'manual' | null | undefined;
  readonly paymentMethodId?: string | null | undefined;
}

/**
 * Refuses a method that is none: one that collects by itself is the customer's default or one of those that are stored, what is paid by hand
 * names none. Source: engine-money 3.5.
 */
export function checkPaymentMethod(sent: SentPaymentMethod, storedIds: readonly string[]): void {
  const { paymentMethodType: type, paymentMethodId: id } = sent;
  const isKnown = type === 'provider' ? id == null || storedIds.includes(id) : type === 'manual' && id == null;
  if (!isKnown) throw invalid({ payment_method: ['invalid_payment_method'] });
}

interface PayableState {
  readonly status: string;
  readonly paymentStatus: string;
}

/** Refuses to collect what is not to be paid: of an invoice that is not final nobody knows it yet, or it is void or paid. Source: engine-money 3.3. */
export function checkPaymentRetry({ status, paymentStatus }: PayableState): void {
  if (status !== 'finalized' || paymentStatus === 'succeeded') throw notAllowed('invalid_status');
}

/** A provider that only debits accounts: nobody can be sent to a page of it. */
const WITHOUT_PAGES: readonly string[] = ['gocardless'];

/**
 * Why an invoice has no page on which it is paid, the first that holds. A page is its provider's, and this gateway is connected to none:
 * a customer who is said to pay by one has nobody who would make it. Source: engine-money 3.4.
 */
export function paymentPageRefusal(invoice: PayableState, provider: string | null): string {
  if (provider === null) return 'no_linked_payment_provider';
  if (WITHOUT_PAGES.includes(provider)) return 'invalid_payment_provider';
  const isPayable = invoice.status === 'finalized' && invoice.paymentStatus !== 'succeeded';
  return isPayable ? 'missing_payment_provider' : 'invalid_invoice_status_or_payment_status';
}
