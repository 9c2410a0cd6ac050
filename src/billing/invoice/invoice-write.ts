import { metadataRefusal, OF_INVOICES, type SentPair } from '../customer/metadata.ts';
import { gathered, invalid, notAllowed, within } from '../errors.ts';
import type { PastInvoice } from './past-invoice.ts';

export type PaymentState = 'pending' | 'succeeded' | 'failed';

/** Of a fee that is paid alone. */
export type FeePaymentState = PaymentState | 'refunded';

/** A pair of an invoice: all of them are printed, or none. */
export type SentInvoicePair = Omit<SentPair, 'displayInInvoice'>;

/** What an application changes on an invoice by hand; absent: as it is. */
export interface SentInvoice {
  readonly paymentStatus?: PaymentState | null | undefined;
  readonly metadata?: readonly SentInvoicePair[] | null | undefined;
}

/** The state of an invoice, and of its taxes. */
interface InvoiceState {
  readonly status: string;
  readonly taxStatus: string | null;
}

/** Refuses a change of an invoice whose state does not allow it, and what is wrong with its pairs. Source: engine-money 2.15. */
export function checkInvoiceChange({ status, taxStatus }: InvoiceState, sent: SentInvoice): void {
  if (status === 'voided') throw notAllowed('update_on_voided_invoice');
  if ((status === 'draft' || status === 'open') && sent.metadata) throw notAllowed('metadata_on_draft_invoice');
  // What is to be paid is not known before the taxes are.
  const waits = (status === 'pending' || status === 'open') && taxStatus === 'pending';
  const isOpen = status === 'draft' || waits;
  if (isOpen && sent.paymentStatus) throw notAllowed('payment_status_update_on_draft_invoice');
  const refusal = sent.metadata ? metadataRefusal(sent.metadata, OF_INVOICES) : undefined;
  if (refusal) throw refusal;
}

/** Refuses to ask once more for the taxes of an invoice that has them, or needs none yet. Source: engine-money 2.10. */
export function checkTaxRetry({ status, taxStatus }: InvoiceState): void {
  if (status !== 'failed' && (status !== 'pending' || taxStatus !== 'pending')) throw notAllowed('invalid_status');
}

/** A fee's payment by hand: its state, and since when. Another state before is over. Source: engine-money 2.15. */
export function paidByHand(paymentStatus: FeePaymentState, now: Date) {
  const since = (state: FeePaymentState) => (paymentStatus === state ? now : null);
  return {
    paymentStatus,
    succeededAt: since('succeeded'),
    failedAt: since('failed'),
    refundedAt: since('refunded'),
  };
}

/** Refuses a dispute about an invoice that is not final. Source: engine-money 2.16. */
export function checkDispute({ status }: { readonly status: string }): void {
  if (status !== 'finalized' && status !== 'voided') throw notAllowed('not_disputable');
}

/** Refuses to make an invoice anew that is not voided, of a purchase of credits, and a second time. Source: engine-money 2.9. */
export function checkRegeneration(
  { status, type }: { readonly status: string; readonly type: string },
  isRegenerated: boolean,
): void {
  if (status !== 'voided' || type === 'credit') throw notAllowed('not_regenerable');
  if (isRegenerated) throw notAllowed('already_regenerated');
}

// As the graph calls it.
const FEE_ID = { id: { name: 'svcFeeId' } };

/**
 * Refuses an invoice that is made anew without fees, with one fee twice, with what tops a fee up to its minimum without that fee, and what `checkEdit`
 * refuses of one. Throws one validation error of all.
 */
export function checkListedFees<F extends { readonly feeKey: string | null }>(
  voided: Pick<PastInvoice, 'fees'>,
  listed: readonly F[],
  checkEdit: (one: F) => void,
): void {
  if (listed.length === 0) throw invalid({ fees: ['value_is_mandatory'] });
  const keys = listed.map(({ feeKey }) => feeKey);
  const checkPlace = (key: string | null, place: number) => {
    const parent = voided.fees.find((fee) => fee.key === key)?.trueUpParentKey ?? null;
    if (key !== null && keys.indexOf(key) !== place) throw invalid({ id: ['value_already_exist'] }, FEE_ID);
    if (parent !== null && !keys.includes(parent)) throw invalid({ id: ['value_is_invalid'] }, FEE_ID);
  };
  const checks = listed.map((one, place) => () => {
    checkPlace(one.feeKey, place);
    checkEdit(one);
  });
  gathered(checks.map((check, place) => () => within(['fees', place], check)));
}
