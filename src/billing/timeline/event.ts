import type { PlanChargeInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { eventRequest } from '../subscription/invoice-request.ts';
import { ownerAt } from '../subscription/succession.ts';
import type { UsageEvent } from '../usage/usage.ts';
import { accountOf } from './account.ts';
import { addLooseFees } from './loose-fee.ts';
import { makeInvoice } from './make.ts';
import { issueProgress } from './threshold.ts';
import type { TimelineState, TimelineStep } from './timeline-type.ts';

type EventStep = Extract<TimelineStep, { do: 'event' }>;

/**
 * Usage that arrives: a charge in advance is billed at once, on an invoice or as a fee of its own, and lifetime usage that
 * crosses a threshold makes a progressive invoice. Everything else waits for the request day. What an event was billed for already is
 * not billed again. Source: invoicing 3 and 9, engine-catalogue 14.3.
 */
export function recordEvent(state: TimelineState, step: EventStep): TimelineState {
  const event = { ...step.event, externalSubscriptionId: step.externalId, metricCode: step.metricCode };
  const recorded = { ...state, events: [...state.events, event] };
  const family = recorded.subscriptions.filter(({ externalId }) => externalId === step.externalId);
  const active = family.find(({ status }) => status === 'active');
  const owner = ownerAt(family, event.timestamp);
  const billed = instantCharges(owner, active, step.metricCode).reduce<TimelineState>(
    (changed, [subscription, charge]) => issueEvent(changed, subscription, charge, event),
    recorded,
  );
  return step.deferThresholds || !active ? billed : issueProgress(billed, active.id, step.at);
}

/** Charges in advance of a metric: those of whose time it is, and without one recurring charges of who runs now. */
function instantCharges(
  owner: SubscriptionInput | undefined,
  active: SubscriptionInput | undefined,
  metricCode: string,
): [SubscriptionInput, PlanChargeInput][] {
  const subscription = owner ?? active;
  if (!subscription) return [];
  return subscription.plan.charges
    .filter(({ payInAdvance, metric }) => payInAdvance && metric.code === metricCode)
    .filter(({ metric }) => owner !== undefined || metric.recurring)
    .map((charge) => [subscription, charge]);
}

/** Whether there is a fee already of an event for a charge. */
function isBilled(
  state: TimelineState,
  subscriptionId: string,
  chargeId: string,
  { transactionId }: UsageEvent,
): boolean {
  if (transactionId === undefined) return false;
  const fees = [...state.fees.map(({ fee }) => fee), ...state.invoices.flatMap((invoice) => invoice.fees)];
  return fees.some(
    (fee) =>
      fee.eventTransactionId === transactionId && fee.chargeId === chargeId && fee.subscriptionId === subscriptionId,
  );
}

function issueEvent(
  state: TimelineState,
  subscription: SubscriptionInput,
  charge: PlanChargeInput,
  event: UsageEvent,
): TimelineState {
  if (isBilled(state, subscription.id, charge.id, event)) return state;
  const request = eventRequest(accountOf(state), subscription, charge, event);
  if (request === null) return state;
  return charge.invoiceable === false ? addLooseFees(state, request.fees) : makeInvoice(state, request);
}
