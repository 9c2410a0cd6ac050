import type { BilledSubscription } from '../billed-subscription.ts';
import { billedSubscription } from '../billed-subscription.ts';
import type { EpochMs } from '../fee-type.ts';
import type { SubscriptionInput } from '../invoice-input.ts';
import type { CustomerAccount, InvoicingReason } from '../invoice-type.ts';
import type { MadeInvoice, TimelineState } from './timeline-type.ts';

/** The account as an invoice sees it: without the invoice itself, and without credit notes that were made on it. */
export function accountOf(state: TimelineState, without?: MadeInvoice): CustomerAccount {
  const position = without ? state.invoices.findIndex((invoice) => invoice.id === without.id) : state.invoices.length;
  return {
    customer: state.customer,
    billingEntity: state.billingEntity,
    subscriptions: state.subscriptions,
    events: state.events,
    pastInvoices: state.invoices.slice(0, position),
    coupons: state.coupons,
    creditNotes: state.creditNotes.filter((note) => note.invoiceId === null || note.invoiceId !== without?.id),
    wallets: state.wallets,
  };
}

/** A subscription of the timeline as an invoice at a moment sees it. */
export function billedIn(
  state: TimelineState,
  subscriptionId: string,
  at: EpochMs,
  reason: InvoicingReason,
  without?: MadeInvoice,
): BilledSubscription {
  return billedSubscription(accountOf(state, without), subscriptionOf(state, subscriptionId), at, reason);
}

/** Throws a RangeError for an id the timeline does not know. */
export function subscriptionOf(state: TimelineState, id: string): SubscriptionInput {
  const subscription = state.subscriptions.find((candidate) => candidate.id === id);
  if (!subscription) throw new RangeError(`no subscription ${id} in the timeline`);
  return subscription;
}

/** The state with some members of a subscription replaced. */
export function withSubscription(state: TimelineState, id: string, members: Partial<SubscriptionInput>): TimelineState {
  const subscriptions = state.subscriptions.map((other) => (other.id === id ? { ...other, ...members } : other));
  return { ...state, subscriptions };
}
