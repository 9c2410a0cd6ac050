import { notAllowed } from '../errors.ts';
import { compareDates, type Instant, localDate } from '../period/calendar.ts';
import { zoneOf } from '../subscription/billed-subscription.ts';
import type { MadeCreditNote } from '../subscription/change.ts';
import { billedHere, billedIn, subscriptionOf, withSubscription } from './account.ts';
import { settleActivation } from './activation.ts';
import { gatherPaidFees } from './loose-fee.ts';
import { makeInvoice, makeTerminationNote } from './make.ts';
import type { TimelineState, TimelineStep } from './timeline-type.ts';

/**
 * Ends a subscription: the credit note for what it paid in advance first, then its last invoice, which may use it. Without one, paid fees are gathered
 * all the same. A waiting successor is given up. Source: invoicing 3 and 12.2, engine-catalogue 12.8.
 */
export function terminate(
  state: TimelineState,
  id: string,
  at: Instant,
  how: Pick<Extract<TimelineStep, { do: 'terminate' }>, 'invoice' | 'creditNote' | 'refusesWaiting'> = {},
): TimelineState {
  const { status, onTerminationCreditNote, onTerminationInvoice } = subscriptionOf(state, id);
  if (status === 'pending') return cancelPending(state, id, at);
  const mode = how.creditNote ?? onTerminationCreditNote ?? 'credit';
  const invoice = how.invoice ?? onTerminationInvoice ?? 'generate';
  // What was chosen is kept: a draft note follows it, and readers see it.
  const chosen = {
    onTerminationCreditNote: how.creditNote ?? onTerminationCreditNote ?? null,
    onTerminationInvoice: invoice,
  };
  const ended = withSubscription(cancelSuccessor(state, id, at), id, {
    status: 'terminated',
    terminatedAt: at,
    ...chosen,
  });
  const billed = billedIn(ended, id, at, 'subscription_terminating');
  const noted = makeTerminationNote(ended, billed, mode);
  if (how.refusesWaiting) refuseWaiting(noted, noted.madeNotes.slice(ended.madeNotes.length));
  const last = invoice === 'skip' ? noted : makeInvoice(noted, { at, subscriptions: [billed] });
  return gatherPaidFees(last, [id], at);
}

/** What is given back of an invoice is not known before its taxes are. Source: engine-catalogue 12.8. */
function refuseWaiting({ invoices }: TimelineState, notes: readonly MadeCreditNote[]): void {
  const waiting = new Set(invoices.filter(({ taxStatus }) => taxStatus === 'pending').map(({ id }) => id));
  if (notes.some(({ invoiceId }) => waiting.has(invoiceId))) throw notAllowed('cannot_terminate_with_pending_taxes');
}

/** One that never started bills nothing, so there is nothing to give back either. */
function cancelPending(state: TimelineState, id: string, at: Instant): TimelineState {
  const previous = state.subscriptions.find(({ nextId }) => nextId === id);
  if (previous) return cancelSuccessor(state, previous.id, at);
  return withSubscription(state, id, {
    status: 'canceled',
    onTerminationCreditNote: null,
  });
}

/** Ends every subscription whose end falls on the local day of the run, or before it. */
export function terminateEnded(state: TimelineState, at: Instant): TimelineState {
  const zone = zoneOf(state.customer, state.billingEntity);
  const today = localDate(at, zone);
  const due = billedHere(state).filter(
    (subscription) =>
      subscription.status === 'active' &&
      subscription.endingAt !== null &&
      compareDates(localDate(subscription.endingAt, zone), today) <= 0,
  );
  return due.reduce((changed, { id }) => terminate(changed, id, at), state);
}

/** A subscription that waits to follow another one does not start any more. */
export function cancelSuccessor(state: TimelineState, id: string, at: Instant): TimelineState {
  const { nextId } = subscriptionOf(state, id);
  const next = nextId === null ? null : subscriptionOf(state, nextId).status;
  if (nextId !== null && next === 'incomplete') return settleActivation(state, nextId, 'canceled', at);
  if (nextId === null || next !== 'pending') return state;
  return withSubscription(withSubscription(state, nextId, { status: 'canceled' }), id, { nextId: null });
}
