import type { PlanInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { compareDates, type Instant, localDate } from '../period/calendar.ts';
import { zoneOf } from '../subscription/billed-subscription.ts';
import { isBilledAtStart } from '../subscription/subscription-fees.ts';
import { billedIn, subscriptionOf, withSubscription } from './account.ts';
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
  };
  const added = { ...state, subscriptions: [...state.subscriptions, subscription] };
  if (subscriptionAt > step.at) return added;
  return start(added, subscription.id, step.at);
}

/** Starts a waiting subscription and bills what its plan takes in advance, unless its start lies on an earlier day. */
export function start(state: TimelineState, id: string, at: Instant): TimelineState {
  const started = activate(state, id, at);
  const zone = zoneOf(state.customer, state.billingEntity);
  const startedAt = subscriptionOf(started, id).startedAt ?? at;
  const today = compareDates(localDate(startedAt, zone), localDate(at, zone)) === 0;
  return today && isStartBilled(started, id, at) ? startInvoice(started, id, at) : started;
}

/** Subscription waiting for its start becomes active. */
export function activate(state: TimelineState, id: string, at: Instant, startedAt?: Instant): TimelineState {
  const subscription = subscriptionOf(state, id);
  const family = state.subscriptions.filter((other) => other.externalId === subscription.externalId && other.id !== id);
  const lastEnd = Math.max(...family.map((other) => other.terminatedAt ?? Number.NEGATIVE_INFINITY));
  const begins = Math.max(startedAt ?? Math.min(subscription.subscriptionAt, at), lastEnd);
  const firstStartedAt = Math.min(begins, ...family.map((other) => other.startedAt ?? begins));
  return withSubscription(state, id, { status: 'active', startedAt: begins, firstStartedAt });
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
