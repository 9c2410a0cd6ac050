import { zoneOf } from '../billed-subscription.ts';
import { compareDates, localDate } from '../calendar.ts';
import type { EpochMs } from '../fee-type.ts';
import type { TerminationCredit } from '../invoice-input.ts';
import { billedIn, subscriptionOf, withSubscription } from './account.ts';
import { makeInvoice, makeTerminationNote, unchanged } from './make.ts';
import type { TimelineResult, TimelineState } from './timeline-type.ts';

/**
 * Ends a subscription: the credit note for what it paid in advance first, then its last invoice, which may use it. A waiting
 * successor is given up. Source: invoicing 3 and 12.2.
 */
export function terminate(
  state: TimelineState,
  id: string,
  at: EpochMs,
  how: { readonly invoice?: 'generate' | 'skip'; readonly creditNote?: TerminationCredit } = {},
): TimelineResult {
  const ended = withSubscription(cancelSuccessor(state, id), id, { status: 'terminated', terminatedAt: at });
  const billed = billedIn(ended, id, at, 'subscription_terminating');
  const subscription = subscriptionOf(ended, id);
  const mode = how.creditNote ?? subscription.onTerminationCreditNote ?? 'credit';
  const noted = makeTerminationNote(ended, billed, mode);
  if ((how.invoice ?? subscription.onTerminationInvoice) === 'skip') return noted;
  const made = makeInvoice(noted.state, { at, subscriptions: [billed] });
  return { ...made, creditNotes: [...noted.creditNotes, ...made.creditNotes] };
}

/** Ends every subscription whose end falls on the local day of the run, or before it. */
export function terminateEnded(state: TimelineState, at: EpochMs): TimelineResult {
  const zone = zoneOf(state.customer, state.billingEntity);
  const today = localDate(at, zone);
  const due = state.subscriptions.filter(
    (subscription) =>
      subscription.status === 'active' &&
      subscription.endingAt !== null &&
      compareDates(localDate(subscription.endingAt, zone), today) <= 0,
  );
  return due.reduce((result, { id }) => afterwards(result, terminate(result.state, id, at)), unchanged(state));
}

/** What two steps made, and the state after both. */
export function afterwards(before: TimelineResult, after: TimelineResult): TimelineResult {
  return {
    state: after.state,
    invoices: [...before.invoices, ...after.invoices],
    creditNotes: [...before.creditNotes, ...after.creditNotes],
  };
}

/** A subscription that waits to follow another one does not start any more. */
export function cancelSuccessor(state: TimelineState, id: string): TimelineState {
  const { nextId } = subscriptionOf(state, id);
  if (nextId === null || subscriptionOf(state, nextId).status !== 'pending') return state;
  return withSubscription(withSubscription(state, nextId, { status: 'canceled' }), id, { nextId: null });
}
