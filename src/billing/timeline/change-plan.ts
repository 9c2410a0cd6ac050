import type { SubscriptionInput } from '../customer/subscription.ts';
import type { Instant } from '../period/calendar.ts';
import { planChange } from '../period/proration.ts';
import type { BilledSubscription } from '../subscription/billed-subscription.ts';
import { settledChange } from '../subscription/succession.ts';
import { billedHere, billedIn, subscriptionOf, withSubscription } from './account.ts';
import { gate, isGated } from './gate.ts';
import { gatherPaidFees } from './loose-fee.ts';
import { makeInvoice, makeTerminationNote } from './make.ts';
import { activate, isStartBilled, planOf } from './subscribe.ts';
import { cancelSuccessor } from './terminate.ts';
import type { TimelineState, TimelineStep } from './timeline-type.ts';

type ChangePlan = Extract<TimelineStep, { do: 'change_plan' }>;

/**
 * Another plan for a subscription: as dear or dearer a year takes effect at once, cheaper waits for the next period. The new
 * one keeps the external id and the anchor of its periods. Source: invoicing 3.
 */
export function changePlan(state: TimelineState, step: ChangePlan): TimelineState {
  const plan = planOf(state, step.planCode);
  const current = subscriptionOf(state, step.subscriptionId);
  const kind = planChange(current.plan, plan);
  const successor: SubscriptionInput = {
    ...current,
    id: step.newSubscriptionId,
    plan,
    status: 'pending',
    startedAt: null,
    createdAt: step.at,
    billingTime: step.billingTime ?? current.billingTime,
    previousId: current.id,
    nextId: null,
    activation: step.activation ?? null,
    unitEvents: undefined,
  };
  const free = cancelSuccessor(state, current.id, step.at);
  const linked = withSubscription(free, current.id, { nextId: successor.id });
  const added = { ...linked, subscriptions: [...linked.subscriptions, successor] };
  return kind === 'downgrade' ? added : followNow(added, current.id, successor.id, step.at);
}

/** What waits takes its place at once, or once it is paid where that has to be. */
const followNow = (state: TimelineState, id: string, nextId: string, at: Instant): TimelineState =>
  isGated(state, nextId, at) ? gate(state, nextId, at) : upgrade(state, id, at);

/**
 * Some plans cost something else now. Changes that wait are given up that lead away from one of them to a plan that is the dearer one now, as the amounts
 * stand whatever the periods; those that lead to one of them take effect at once where it is as dear or dearer a year. Source: engine-catalogue 10.2.
 */
export function settleWaiting(state: TimelineState, at: Instant, planIds: readonly string[]): TimelineState {
  return billedHere(state).reduce((changed, { id, status, plan, nextId }) => {
    const next = nextId === null ? null : subscriptionOf(changed, nextId);
    if (status !== 'active' || next?.status !== 'pending') return changed;
    const settled = settledChange({ plan }, next, planIds);
    if (settled === 'give_up') return cancelSuccessor(changed, id, at);
    return settled === 'follow' ? followNow(changed, id, next.id, at) : changed;
  }, state);
}

/** Ends the old subscription and starts the new one now: a credit note for the old, one invoice for both. */
function upgrade(state: TimelineState, id: string, at: Instant): TimelineState {
  const replaced = replace(state, id, at);
  const ended = billedIn(replaced, id, at, 'subscription_terminating');
  const noted = makeTerminationNote(replaced, ended);
  const made = makeInvoice(noted, { at, subscriptions: [ended, ...startsOf(noted, id, at)] });
  return gatherPaidFees(made, [id], at);
}

/** The old subscription ends and its successor starts at one moment. */
export function replace(state: TimelineState, id: string, at: Instant): TimelineState {
  const { nextId } = subscriptionOf(state, id);
  const ended = withSubscription(state, id, { status: 'terminated', terminatedAt: at });
  return nextId === null ? ended : activate(ended, nextId, at, at);
}

/** The successor of a subscription on the invoice that ends it, when it has anything to bill at its start. */
export function startsOf(state: TimelineState, id: string, at: Instant): BilledSubscription[] {
  const { nextId } = subscriptionOf(state, id);
  if (nextId === null || !isStartBilled(state, nextId, at)) return [];
  return [billedIn(state, nextId, at, 'subscription_starting')];
}
