import { nextNumber } from '../invoice/numbering.ts';
import { isDue, lastBillingDay } from '../period/billing-day.ts';
import type { Instant } from '../period/calendar.ts';
import { isInTrial } from '../period/trial.ts';
import { billedPeriods } from '../subscription/billed-subscription.ts';
import type { Change, MadeInvoice, SubscriptionChange } from '../subscription/change.ts';
import { isSubscriptionFeeDue } from '../subscription/subscription-fees.ts';
import { billedHere, billedIn, subscriptionOf, withSubscription } from './account.ts';
import { afterChanges } from './apply.ts';
import { datedFinal } from './finalize.ts';
import { gatherPaidFees } from './loose-fee.ts';
import { makeInvoice, makeTerminationNote, makeTrialEnd } from './make.ts';
import type { ActivationOutcome, TimelineState } from './timeline-type.ts';
import { usesBack } from './void.ts';

const openInvoice = ({ invoices }: TimelineState, id: string) =>
  invoices.find(
    ({ status, billingPeriods }) =>
      status === 'open' && billingPeriods.some(({ subscriptionId }) => subscriptionId === id),
  );

/**
 * What an incomplete subscription waited for is known: it is paid and becomes active, its invoice final with its number; or it is given up, its
 * invoice closed, and what that used is given back. The first outcome counts. Source: engine-money 7.4.
 */
export function settleActivation(
  state: TimelineState,
  id: string,
  outcome: ActivationOutcome,
  at: Instant,
): TimelineState {
  if (subscriptionOf(state, id).status !== 'incomplete') return state;
  const invoice = openInvoice(state, id);
  if (outcome === 'paid') return paid(invoice ? finalized(state, invoice, at) : state, id, at);
  const closed = invoice ? afterChanges(state, closing(state, invoice, at)) : state;
  const canceled = withSubscription(closed, id, given(subscriptionOf(state, id).activation, outcome));
  const previous = canceled.subscriptions.find(({ nextId }) => nextId === id);
  return previous ? withSubscription(canceled, previous.id, { nextId: null }) : canceled;
}

function finalized(state: TimelineState, open: MadeInvoice, at: Instant): TimelineState {
  const paidUp = { ...open, status: 'finalized' as const, paymentStatus: 'succeeded' as const };
  const dated = { ...paidUp, ...datedFinal(state, open, at) };
  const numbering = nextNumber(state.billingEntity, state.customer, state.ranks, dated, at);
  return afterChanges(state, [
    { kind: 'invoice_settled', invoice: { ...dated, ...numbering } },
    { kind: 'number_taken', numbering, selfBilled: open.selfBilled },
  ]);
}

const closing = (state: TimelineState, open: MadeInvoice, at: Instant): Change[] => [
  { kind: 'invoice_settled', invoice: { ...open, status: 'closed' } },
  ...usesBack(state, open, at),
];

const ENDS: Readonly<Record<Exclude<ActivationOutcome, 'paid'>, Pick<SubscriptionChange, 'cancellationReason'>>> = {
  failed: { cancellationReason: 'payment_failed' },
  expired: { cancellationReason: 'timeout' },
  canceled: {},
};

function given(
  activation: SubscriptionChange['activation'],
  outcome: Exclude<ActivationOutcome, 'paid'>,
): SubscriptionChange {
  const status = outcome === 'canceled' ? ('inactive' as const) : outcome;
  return { status: 'canceled', ...ENDS[outcome], ...(activation && { activation: { ...activation, status } }) };
}

/** Gives up what was not paid in time. */
export function expireIncomplete(state: TimelineState, at: Instant): TimelineState {
  const late = billedHere(state).filter(
    ({ status, activation }) => status === 'incomplete' && activation?.expiresAt != null && activation.expiresAt <= at,
  );
  return late.reduce((changed, { id }) => settleActivation(changed, id, 'expired', at), state);
}

/** Invoices that got their taxes and turned out to cost nothing are paid. */
export function settleFree(state: TimelineState, at: Instant): TimelineState {
  const free = state.subscriptions.filter(({ id, status }) => status === 'incomplete' && !openInvoice(state, id));
  return free.reduce((changed, { id }) => paid(changed, id, at), state);
}

/**
 * An incomplete subscription whose first invoice is paid becomes active. One that it follows ends now, with its last invoice and what it paid in
 * advance for days to come as a credit note; else the running period is billed where it opened meanwhile, or where its trial ended in it, on one
 * invoice, and those between are not. Source: engine-money 7.4.
 */
export function paid(state: TimelineState, id: string, at: Instant): TimelineState {
  const { activation, previousId } = subscriptionOf(state, id);
  const previous = state.subscriptions.find((one) => one.id === previousId && one.status === 'active');
  // Never two of one name at once.
  const ended = previous ? withSubscription(state, previous.id, { status: 'terminated', terminatedAt: at }) : state;
  const active = withSubscription(ended, id, {
    ...{ status: 'active', activatedAt: at },
    ...(activation && { activation: { ...activation, status: 'satisfied' as const } }),
  });
  return previous ? billEnded(active, previous.id, at) : catchUp(active, id, at);
}

function billEnded(state: TimelineState, id: string, at: Instant): TimelineState {
  const billed = billedIn(state, id, at, 'subscription_terminating');
  const noted = makeTerminationNote(state, billed);
  return gatherPaidFees(makeInvoice(noted, { at, subscriptions: [billed] }), [id], at);
}

function catchUp(state: TimelineState, id: string, at: Instant): TimelineState {
  const billed = billedIn(state, id, at, 'subscription_periodic');
  const { terms, past, subscription } = billed;
  const missed = isDue(terms, lastBillingDay(terms, at), billedPeriods(past, id), subscription.endingAt);
  if (missed) return makeInvoice(state, { at, subscriptions: [billed] });
  return hasMissedTrialEnd(state, id, at) ? makeTrialEnd(state, id, at) : state;
}

/** Whether the trial of a plan in advance ended while its subscription was not paid for, and nothing has billed the plan since. */
function hasMissedTrialEnd(state: TimelineState, id: string, at: Instant): boolean {
  const billed = billedIn(state, id, at, 'subscription_starting');
  const { subscription, trialEndsAt, zone } = billed;
  const { startedAt, plan } = subscription;
  if (!plan.payInAdvance || startedAt === null || trialEndsAt === null || trialEndsAt > at) return false;
  return isInTrial(startedAt, trialEndsAt, zone) && isSubscriptionFeeDue(billed);
}
