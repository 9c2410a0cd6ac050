import type { PlanInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { compareDates, type Instant, localDate } from '../period/calendar.ts';
import { zoneOf } from '../subscription/billed-subscription.ts';
import { isBilledAtStart } from '../subscription/subscription-fees.ts';
import { billedIn, subscriptionOf, withSubscription } from './account.ts';
import { beginningOf, gate, isGated } from './gate.ts';
import { makeInvoice } from './make.ts';
import type { TimelineState, TimelineStep } from './timeline-type.ts';

type Subscribe = Extract<TimelineStep, { do: 'subscribe' }>;

/**
 * A new subscription: it starts now, in the past, or waits for its date. Under an external id whose last subscription has
 * ended it never starts before that end. Source: invoicing 3.
 */
export function subscribe(state: TimelineState, step: Subscribe): TimelineState {
  const subscriptionAt = step.subscriptionAt ?? step.at;
  const subscription: SubscriptionInput = {
    id: step.subscriptionId,
    externalId: step.externalId,
    name: step.name ?? null,
    plan: planOf(state, step.planCode),
    stored: true,
    status: 'pending',
    subscriptionAt,
    startedAt: null,
    createdAt: step.at,
    endingAt: step.endingAt ?? null,
    terminatedAt: null,
    billingTime: step.billingTime,
    previousId: null,
    nextId: null,
    onTerminationCreditNote: step.onTerminationCreditNote ?? null,
    activation: step.activation ?? null,
  };
  const added = { ...state, subscriptions: [...state.subscriptions, subscription] };
  if (subscriptionAt > step.at) return added;
  return start(added, subscription.id, step.at);
}

/**
 * Starts a waiting subscription and bills what its plan takes in advance, unless its start lies on an earlier day: then nothing must be paid first,
 * either.
 */
export function start(state: TimelineState, id: string, at: Instant): TimelineState {
  const started = activate(state, id, at);
  const zone = zoneOf(state.customer, state.billingEntity);
  const startedAt = subscriptionOf(started, id).startedAt ?? at;
  const today = compareDates(localDate(startedAt, zone), localDate(at, zone)) === 0;
  if (!today)
    return subscriptionOf(started, id).activation ? withSubscription(started, id, { activation: null }) : started;
  if (isGated(state, id, at)) return gate(state, id, at);
  return isStartBilled(started, id, at) ? startInvoice(started, id, at) : started;
}

/** Subscription waiting for its start becomes active: where it had to be paid first, it turned out that there is nothing to be paid. */
export function activate(state: TimelineState, id: string, at: Instant, startedAt?: Instant): TimelineState {
  const { activation } = subscriptionOf(state, id);
  return withSubscription(state, id, {
    ...{ status: 'active', ...beginningOf(state, id, at, startedAt) },
    ...(activation && { activation: { ...activation, status: 'not_applicable' as const } }),
  });
}

/** Whether a subscription of the timeline is billed when it starts. */
export function isStartBilled(state: TimelineState, id: string, at: Instant): boolean {
  return isBilledAtStart(billedIn(state, id, at, 'subscription_starting'));
}

function startInvoice(state: TimelineState, id: string, at: Instant): TimelineState {
  return makeInvoice(state, { at, subscriptions: [billedIn(state, id, at, 'subscription_starting')] });
}

/** Throws a RangeError for a code the timeline does not know. */
export function planOf(state: TimelineState, code: string): PlanInput {
  const plan = state.plans.find((candidate) => candidate.code === code);
  if (!plan) throw new RangeError(`no plan ${code} in the timeline`);
  return plan;
}
