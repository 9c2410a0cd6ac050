import { eventsInMemory } from '../aggregate/usage-source.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import type { InvoicingReason } from '../invoice/issued-invoice.ts';
import type { Instant } from '../period/calendar.ts';
import { type BilledSubscription, billedSubscription, zoneOf } from '../subscription/billed-subscription.ts';
import type { MadeInvoice, SubscriptionChange } from '../subscription/change.ts';
import { afterChanges } from './apply.ts';
import type { TimelineState } from './timeline-type.ts';

/** The account as an invoice sees it: without the invoice itself, and without credit notes that were made on it. */
export function accountOf(state: TimelineState, without?: MadeInvoice): CustomerAccount {
  const position = without ? state.invoices.findIndex((invoice) => invoice.id === without.id) : state.invoices.length;
  return {
    customer: state.customer,
    billingEntity: state.billingEntity,
    subscriptions: state.subscriptions,
    usage: state.usage ?? eventsInMemory(state.events),
    pastInvoices: state.invoices.slice(0, position),
    coupons: state.coupons,
    creditNotes: state.creditNotes.filter((note) => note.invoiceId === null || note.invoiceId !== without?.id),
    wallets: state.wallets,
  };
}

/**
 * The subscriptions that the billing entity of the timeline bills. One name may stand for several, one after another, of different entities: each
 * is known to all that happens under the name, and billed by its own.
 */
export const billedHere = ({ subscriptions, billingEntity }: TimelineState): SubscriptionInput[] =>
  subscriptions.filter((one) => (one.billingEntityCode ?? billingEntity.code) === billingEntity.code);

/** The state as an invoice sees it that was made while the customer lived in another zone. */
export function inZoneOf(state: TimelineState, { zone }: Pick<MadeInvoice, 'zone'>): TimelineState {
  if (zone === zoneOf(state.customer, state.billingEntity)) return state;
  return { ...state, customer: { ...state.customer, timezone: zone } };
}

/** A subscription of the timeline as an invoice at a moment sees it. */
export function billedIn(
  state: TimelineState,
  subscriptionId: string,
  at: Instant,
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
export function withSubscription(state: TimelineState, id: string, members: SubscriptionChange): TimelineState {
  return afterChanges(state, [{ kind: 'subscription_changed', subscriptionId: id, members }]);
}
