import type { PlanChargeInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { eventRequest } from '../subscription/invoice-request.ts';
import type { UsageEvent } from '../usage/usage.ts';
import { accountOf } from './account.ts';
import { addLooseFees } from './loose-fee.ts';
import { makeInvoice } from './make.ts';
import { issueProgress } from './threshold.ts';
import type { TimelineState, TimelineStep } from './timeline-type.ts';

type EventStep = Extract<TimelineStep, { do: 'event' }>;

/**
 * Usage that arrives: a charge in advance is billed at once, on an invoice or as a fee of its own, and lifetime usage that
 * crosses a threshold makes a progressive invoice. Everything else waits for the request day. Source: invoicing 3 and 9.
 */
export function recordEvent(state: TimelineState, step: EventStep): TimelineState {
  const event = { ...step.event, externalSubscriptionId: step.externalId, metricCode: step.metricCode };
  const recorded = { ...state, events: [...state.events, event] };
  const active = recorded.subscriptions.find(
    (subscription) => subscription.externalId === step.externalId && subscription.status === 'active',
  );
  if (!active) return recorded;
  const charges = active.plan.charges.filter((charge) => charge.payInAdvance && charge.metric.code === step.metricCode);
  const billed = charges.reduce<TimelineState>(
    (changed, charge) => issueEvent(changed, active, charge, event),
    recorded,
  );
  return step.deferThresholds ? billed : issueProgress(billed, active.id, step.at);
}

function issueEvent(
  state: TimelineState,
  subscription: SubscriptionInput,
  charge: PlanChargeInput,
  event: UsageEvent,
): TimelineState {
  const request = eventRequest(accountOf(state), subscription, charge, event);
  if (request === null) return state;
  return charge.invoiceable === false ? addLooseFees(state, request.fees) : makeInvoice(state, request);
}
