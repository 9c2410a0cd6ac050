import type { TerminationCredit } from '../customer/subscription.ts';
import { leastCents } from '../money/share.ts';
import type { Instant } from '../period/calendar.ts';
import type { BilledSubscription } from '../subscription/billed-subscription.ts';
import type { MadeCreditNote, MadeInvoice } from '../subscription/change.ts';
import type { InvoiceRequest } from '../subscription/invoice-request.ts';
import { creditNote, type IssuingAccount, issue, type NewIds } from '../subscription/issuer.ts';
import { feeOwner, planFee } from '../subscription/subscription-fees.ts';
import { terminationCreditNote } from '../subscription/termination.ts';
import { accountOf, billedIn } from './account.ts';
import { afterChanges } from './apply.ts';
import type { TimelineState } from './timeline-type.ts';

/** Makes an invoice: numbers it when it is final, and moves coupons, notes and wallets on. */
export function makeInvoice(state: TimelineState, request: InvoiceRequest): TimelineState {
  return afterChanges(state, issue(issuingAccount(state), request, idsOf(state)));
}

/** Bills the rest of the period of a plan in advance whose trial is over. Source: engine-money 1.6. */
export function makeTrialEnd(state: TimelineState, id: string, at: Instant): TimelineState {
  const billed = billedIn(state, id, at, 'subscription_starting');
  const fees = [planFee(billed, feeOwner(billed, accountOf(state)))];
  return makeInvoice(state, { at, subscriptions: [billed], fees });
}

/** Money that arrives for an invoice: in full unless an amount is named, never more than is due. */
export function pay(state: TimelineState, invoiceId: string, amountCents?: bigint): TimelineState {
  const invoice = state.invoices.find((candidate) => candidate.id === invoiceId);
  if (!invoice) throw new RangeError(`no invoice ${invoiceId} in the timeline`);
  const owed = invoice.totalAmountCents - (invoice.offsetCents ?? 0n);
  const due = owed - invoice.totalPaidAmountCents;
  const totalPaidAmountCents = invoice.totalPaidAmountCents + leastCents(amountCents ?? due, due);
  const paymentStatus = totalPaidAmountCents >= owed ? 'succeeded' : 'pending';
  return withInvoice(state, { ...invoice, totalPaidAmountCents, paymentStatus });
}

/** The account that the next invoice is issued to. */
function issuingAccount(state: TimelineState): IssuingAccount {
  return { ...accountOf(state), ranks: state.ranks };
}

/** Identifiers for what is made: counted, unless the state has its own. */
export function idsOf(state: TimelineState): NewIds {
  if (state.ids) return state.ids;
  let notes = state.madeNotes.length;
  let fees = state.fees.length;
  let credits = state.wallets.reduce((count, { inbound }) => count + inbound.length, 0);
  return {
    invoice: () => `invoice-${state.invoices.length + 1}`,
    creditNote: () => {
      notes += 1;
      return `credit-note-${notes}`;
    },
    fee: () => {
      fees += 1;
      return `fee-${fees}`;
    },
    walletCredit: () => {
      credits += 1;
      return `wallet-credit-${credits}`;
    },
  };
}

/** The state with an invoice replaced by a later version of itself. */
function withInvoice(state: TimelineState, made: MadeInvoice): TimelineState {
  return { ...state, invoices: state.invoices.map((other) => (other.id === made.id ? made : other)) };
}

/** Makes the credit note of a subscription that has ended, when it has unused days, as it says itself unless another way is named. Source: invoicing 12.2. */
export function makeTerminationNote(
  state: TimelineState,
  billed: BilledSubscription,
  mode: TerminationCredit = billed.subscription.onTerminationCreditNote ?? 'credit',
): TimelineState {
  const made = terminationCreditNote(billed, mode);
  const invoice = state.invoices.find(({ id }) => id === made?.invoiceId);
  if (made === null || !invoice) return state;
  const { at, subscription } = billed;
  const origin = { at, id: idsOf(state).creditNote(), subscriptionId: subscription.id, mode };
  const note: MadeCreditNote = creditNote(accountOf(state), invoice, made, origin);
  return afterChanges(state, [{ kind: 'credit_note_made', note }]);
}
