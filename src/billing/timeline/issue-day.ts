import type { SubscriptionInput } from '../customer/subscription.ts';
import { isDue } from '../period/billing-day.ts';
import type { Instant } from '../period/calendar.ts';
import { isTrialOverOn } from '../period/trial.ts';
import { type BilledSubscription, billedPeriods, billedSubscription } from '../subscription/billed-subscription.ts';
import { isSubscriptionFeeDue } from '../subscription/subscription-fees.ts';
import { isWholePeriodOver } from '../subscription/succession.ts';
import { accountOf, billedHere, billedIn, subscriptionOf } from './account.ts';
import { replace, startsOf } from './change-plan.ts';
import { gate, isGated } from './gate.ts';
import { gatherPaidFees, renewLooseFees } from './loose-fee.ts';
import { makeInvoice, makeTrialEnd } from './make.ts';
import { start } from './subscribe.ts';
import type { TimelineState } from './timeline-type.ts';

/**
 * One run of the periodic biller: starts what waited for this day, bills what is due (a waiting downgrade takes its turn), and
 * bills plans in advance whose trial is over. All that is due in one currency and entity shares an invoice. Source: invoicing 2.6 and 3.
 */
export function issueDay(state: TimelineState, at: Instant): TimelineState {
  const billed = issueDue(startPending(state, at), at);
  const trials = billedHere(billed).filter((subscription) => isTrialDue(billed, subscription, at));
  return trials.reduce((changed, { id }) => makeTrialEnd(changed, id, at), billed);
}

/** Subscriptions that waited for their date start, or one of them. Source: invoicing 3. */
export function startPending(state: TimelineState, at: Instant, only?: string): TimelineState {
  const waiting = billedHere(state).filter(
    ({ id, status, previousId, subscriptionAt }) =>
      status === 'pending' && previousId === null && subscriptionAt <= at && (only ?? id) === id,
  );
  return waiting.reduce((changed, { id }) => start(changed, id, at), state);
}

function issueDue(state: TimelineState, at: Instant): TimelineState {
  const due = billedHere(state).filter((subscription) => isDueAt(state, subscription, at));
  return [...new Set(due.map(invoiceKey))].reduce((changed, key) => {
    const ids = due.filter((subscription) => invoiceKey(subscription) === key).map(({ id }) => id);
    return issueTogether(changed, ids, at);
  }, state);
}

/** What due subscriptions must share to share an invoice; one that opted out shares with none. */
function invoiceKey(subscription: SubscriptionInput): string {
  const { plan, billingEntityCode, consolidateInvoice, id } = subscription;
  return JSON.stringify([plan.currency, billingEntityCode ?? null, consolidateInvoice === false ? id : null]);
}

/** A subscription with a waiting successor ends here, and that one starts on the same invoice; where that has to be paid first, it goes on until then. */
function issueTogether(state: TimelineState, ids: readonly string[], at: Instant): TimelineState {
  const followed = ids.filter((id) => isFollowed(state, id) && isOver(state, id, at));
  const gated = followed.filter((id) => isGated(state, subscriptionOf(state, id).nextId, at));
  const replaced = followed.filter((id) => !gated.includes(id));
  const next = replaced.reduce((changed, id) => replace(changed, id, at), state);
  const subscriptions: BilledSubscription[] = ids.flatMap((id) =>
    replaced.includes(id)
      ? [billedIn(next, id, at, 'subscription_terminating'), ...startsOf(next, id, at)]
      : [billedIn(next, id, at, 'subscription_periodic')],
  );
  const renewed = renewLooseFees(next, ids, at);
  const issued = gatherPaidFees(makeInvoice(renewed, { at, subscriptions }), ids, at);
  return gated.reduce((changed, id) => gate(changed, subscriptionOf(changed, id).nextId, at), issued);
}

/** Whether another is to take its place at the end of its period; one that has to be paid first takes it when that is done. */
function isFollowed(state: TimelineState, id: string): boolean {
  const { nextId } = subscriptionOf(state, id);
  return nextId !== null && subscriptionOf(state, nextId).status === 'pending';
}

function isOver(state: TimelineState, id: string, at: Instant): boolean {
  return isWholePeriodOver(billedIn(state, id, at, 'subscription_periodic').terms, at);
}

function isDueAt(state: TimelineState, subscription: SubscriptionInput, at: Instant): boolean {
  if (subscription.status !== 'active') return false;
  const billed = billedSubscription(accountOf(state), subscription, at, 'subscription_periodic');
  // What was billed and voided was billed: it is made anew by hand.
  return isDue(billed.terms, at, billedPeriods(state.invoices, subscription.id), subscription.endingAt);
}

/** A plan in advance whose trial ended today and that no periodic invoice billed today. */
function isTrialDue(state: TimelineState, subscription: SubscriptionInput, at: Instant): boolean {
  if (subscription.status !== 'active' || !subscription.plan.payInAdvance) return false;
  const billed = billedSubscription(accountOf(state), subscription, at, 'subscription_starting');
  return isTrialOverOn(at, billed.trialEndsAt, billed.zone) && isSubscriptionFeeDue(billed);
}
