import type { SubscriptionInput } from '../customer/subscription.ts';
import type { Instant } from '../period/calendar.ts';
import { planChange } from '../period/proration.ts';
import type { BilledSubscription } from '../subscription/billed-subscription.ts';
import { billedIn, subscriptionOf, withSubscription } from './account.ts';
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
  if (kind === 'downgrade') return added;
  return isGated(added, successor.id, step.at)
    ? gate(added, successor.id, step.at)
    : upgrade(added, current.id, step.at);
}

/** Ends the old subscription and starts the new one now: a credit note for the old, one invoice for both. */
function upgrade(state: TimelineState, id: string, at: Instant): TimelineState {
  const replaced = replace(state, id, at);
  const ended = billedIn(replaced, id, at, 'subscription_terminating');
  const noted = makeTerminationNote(replaced, ended, 'credit');
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
