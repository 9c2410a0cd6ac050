import type { BilledSubscription } from '../billed-subscription.ts';
import type { EpochMs, UsageEvent } from '../fee-type.ts';
import type { InvoiceFee } from '../invoice-type.ts';
import { crossedThresholds } from '../progressive-billing.ts';
import { eventBilling, running } from '../running-bill.ts';
import { feeOwner } from '../subscription-bill.ts';
import { usageSoFar } from '../usage-bill.ts';
import { accountOf, billedIn, subscriptionOf } from './account.ts';
import { makeInvoice, unchanged } from './make.ts';
import { afterwards } from './terminate.ts';
import type { TimelineResult, TimelineState, TimelineStep } from './timeline-type.ts';

type EventStep = Extract<TimelineStep, { do: 'event' }>;

/**
 * Usage that arrives: an invoiceable charge in advance is invoiced at once, and lifetime usage that crosses a threshold makes a
 * progressive invoice. Everything else waits for the billing day. Source: invoicing 3 and 9.
 */
export function recordEvent(state: TimelineState, step: EventStep): TimelineResult {
  const event = { ...step.event, externalSubscriptionId: step.externalId, metricCode: step.metricCode };
  const recorded = { ...state, events: [...state.events, event] };
  const active = recorded.subscriptions.find(
    (subscription) => subscription.externalId === step.externalId && subscription.status === 'active',
  );
  if (!active) return unchanged(recorded);
  const charges = active.plan.charges.filter(
    (charge) => charge.payInAdvance && charge.invoiceable !== false && charge.metric.code === step.metricCode,
  );
  const billed = charges.reduce((result, charge) => {
    const made = billEvent(result.state, active.id, charge.id, event);
    return afterwards(result, made);
  }, unchanged(recorded));
  return afterwards(billed, billProgress(billed.state, active.id, step.at));
}

function billEvent(state: TimelineState, id: string, chargeId: string, event: UsageEvent): TimelineResult {
  const subscription = subscriptionOf(state, id);
  const charge = subscription.plan.charges.find((candidate) => candidate.id === chargeId);
  const billing = charge ? eventBilling(accountOf(state), subscription, charge, event) : null;
  return billing === null ? unchanged(state) : makeInvoice(state, billing);
}

/** A progressive invoice when the usage of all periods crosses a threshold. */
function billProgress(state: TimelineState, id: string, at: EpochMs): TimelineResult {
  const billed = billedIn(state, id, at, 'progressive_billing');
  const { usageThresholds } = billed.subscription.plan;
  if (usageThresholds.length === 0) return unchanged(state);
  const account = accountOf(state);
  const fees = usageSoFar(billed, state.events, feeOwner(billed, account));
  const after = usageBilledBefore(state, billed) + totalOf(fees);
  const key = billed.subscription.externalId;
  const before = state.lifetimeUsage[key] ?? 0n;
  const crossed = crossedThresholds(usageThresholds, before, after);
  if (after <= before) return unchanged(state);
  const next = { ...state, lifetimeUsage: { ...state.lifetimeUsage, [key]: after } };
  if (crossed.length === 0) return unchanged(next);
  const made = makeInvoice(next, { at, subscriptions: [running(billed)], fees, type: 'progressive_billing' });
  const appliedThresholds = crossed.map((threshold) => ({ ...threshold, lifetimeUsageCents: after }));
  const invoices = made.invoices.map((invoice) => ({ ...invoice, appliedThresholds }));
  const last = invoices[0];
  const stored = made.state.invoices.map((invoice) => (last && invoice.id === last.id ? last : invoice));
  return { ...made, invoices, state: { ...made.state, invoices: stored } };
}

/** Usage of the periods that are over, also of the plans before: what invoices billed in arrears under the external identifier. */
function usageBilledBefore({ subscriptions, invoices }: TimelineState, { subscription }: BilledSubscription): bigint {
  const ids = subscriptions.filter(({ externalId }) => externalId === subscription.externalId).map(({ id }) => id);
  const past = invoices.filter(({ type, status }) => type === 'subscription' && status !== 'voided');
  const isUsage = (fee: InvoiceFee) =>
    fee.type === 'charge' && !fee.payInAdvance && ids.includes(fee.subscriptionId ?? '');
  return totalOf(past.flatMap((invoice) => invoice.fees.filter(isUsage)));
}

function totalOf(fees: readonly InvoiceFee[]): bigint {
  return fees.reduce((total, fee) => total + fee.amountCents, 0n);
}
