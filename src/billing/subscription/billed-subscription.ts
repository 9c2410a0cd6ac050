import type { PlanInput } from '../catalogue/plan.ts';
import type { BillingEntityInput, CustomerInput } from '../customer/customer.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import type { PlacedEdit } from '../fee/edited-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { Trace } from '../fee/step.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import type { BillingPeriod, InvoicingReason } from '../invoice/issued-invoice.ts';
import type { PastInvoice } from '../invoice/past-invoice.ts';
import { type BilledPeriod, terminationBoundaries } from '../period/billing-day.ts';
import { isTerminatedBy } from '../period/boundaries.ts';
import type { Instant } from '../period/calendar.ts';
import type { Boundaries, PeriodTerms } from '../period/terms.ts';
import { trialEnd } from '../period/trial.ts';
import { isResumed, planChangeAt, type Successor, successorOf } from './succession.ts';

/** One subscription on one invoice, with everything its fees depend on. */
export interface BilledSubscription {
  readonly subscription: SubscriptionInput;
  readonly reason: InvoicingReason;
  readonly at: Instant;
  readonly zone: string;
  readonly terms: PeriodTerms;
  readonly dates: Boundaries;
  readonly previous: SubscriptionInput | null;
  readonly next: SubscriptionInput | null;
  readonly terminated: boolean;
  readonly startedByUpgrade: boolean;
  readonly trialEndsAt: Instant | null;
  /** Start of the first of the subscriptions that changes of plan led from to this one: levels go on through them. */
  readonly levelFrom: Instant;
  /** When it began, where another of its external identifier that it does not follow ended at that moment: what came then was that one's. */
  readonly resumedAt: Instant | null;
  /** Invoices that billed this subscription, voided ones left out, oldest first. */
  readonly past: readonly PastInvoice[];
  /** What was changed by hand on its fees, of a draft that is computed again. */
  readonly edits: readonly PlacedEdit[];
  /** Is told how its fees came about, where somebody asks why. */
  readonly trace?: Trace | undefined;
}

/** Time zone of a customer: own, else the billing entity's, else UTC. Source: invoicing 2.1. */
export function zoneOf(
  customer: Pick<CustomerInput, 'timezone'>,
  entity: Pick<BillingEntityInput, 'timezone'>,
): string {
  return customer.timezone ?? entity.timezone ?? 'UTC';
}

/** A subscription as it stands on an invoice made at a moment for a reason. Source: invoicing 2.3 to 2.5. */
export function billedSubscription(
  account: CustomerAccount,
  subscription: SubscriptionInput,
  at: Instant,
  reason: InvoicingReason,
): BilledSubscription {
  const zone = zoneOf(account.customer, account.billingEntity);
  const previous = linked(account, subscription.previousId);
  const waiting = linked(account, subscription.nextId);
  // Nothing ends for one that may never begin.
  const next = waiting?.status === 'incomplete' ? null : waiting;
  const past = pastOf(account.pastInvoices, subscription.id);
  // A draft is computed again later: what ended since then had not ended for it.
  const ends = reason === 'subscription_terminating';
  const terms = { ...periodTerms(subscription, zone, next, past), ...(ends ? {} : { terminatedAt: null }) };
  const terminated = isTerminatedBy(terms.terminatedAt, at);
  // An upgrade ends inside a running period: that one is billed, not the one before it.
  const view = terminated && terms.successor === 'upgrade' ? 'current_usage' : 'billing';
  return {
    subscription,
    reason,
    at,
    zone,
    terms,
    dates: terminationBoundaries(terms, at, billedPeriods(past, subscription.id), view),
    previous,
    next,
    terminated,
    startedByUpgrade: previous !== null && planChangeAt(ownTerms(previous, zone), subscription) === 'upgrade',
    trialEndsAt: trialEnd(subscription.firstStartedAt ?? terms.startedAt, subscription.plan.trialDays, zone),
    levelFrom: firstOf(account, subscription, terms.startedAt),
    resumedAt: isResumed(account.subscriptions, subscription, terms.startedAt) ? terms.startedAt : null,
    past,
    edits: [],
  };
}

/** What the periods of a subscription follow from. */
type PeriodSubscription = Pick<
  SubscriptionInput,
  'id' | 'billingTime' | 'subscriptionAt' | 'startedAt' | 'status' | 'terminatedAt'
> & {
  readonly plan: Pick<
    PlanInput,
    'interval' | 'payInAdvance' | 'billChargesMonthly' | 'billFixedChargesMonthly' | 'amountCents'
  >;
};

/** Where the chain of previous subscriptions began. Each comes once, whatever the links say. */
function firstOf(account: CustomerAccount, subscription: SubscriptionInput, startedAt: Instant): Instant {
  let first = startedAt;
  const seen = new Set<string>();
  for (let one = linked(account, subscription.previousId); one !== null && !seen.has(one.id); ) {
    seen.add(one.id);
    first = Math.min(first, one.startedAt ?? one.subscriptionAt);
    one = linked(account, one.previousId);
  }
  return first;
}

/** The terms of a subscription's periods; `past` matters where the customer's time zone has changed. */
export function periodTerms(
  subscription: PeriodSubscription,
  zone: string,
  next: Successor | null,
  past: readonly PastInvoice[] = [],
): PeriodTerms {
  const terms = ownTerms(subscription, zone);
  return { ...terms, successor: successorOf(terms, next), lastInvoice: lastInvoice(past, subscription.id) };
}

/** Of the terms what a subscription says itself. */
function ownTerms(subscription: PeriodSubscription, zone: string): Omit<PeriodTerms, 'successor' | 'lastInvoice'> {
  const { plan } = subscription;
  return {
    interval: plan.interval,
    billingTime: subscription.billingTime,
    subscriptionAt: subscription.subscriptionAt,
    zone,
    payInAdvance: plan.payInAdvance,
    billChargesMonthly: plan.billChargesMonthly,
    billFixedChargesMonthly: plan.billFixedChargesMonthly,
    amountCents: plan.amountCents,
    startedAt: subscription.startedAt ?? subscription.subscriptionAt,
    terminatedAt: subscription.status === 'terminated' ? subscription.terminatedAt : null,
  };
}

/** Invoices that billed a subscription, oldest first. Voided ones count as never made. */
export function pastOf(invoices: readonly PastInvoice[], subscriptionId: string): PastInvoice[] {
  return invoices
    .filter((invoice) => invoice.status !== 'voided' && periodOn(invoice, subscriptionId) !== undefined)
    .sort((a, b) => a.billedAt - b.billedAt);
}

/** Fees of a subscription on its invoices; usage that a progressive invoice billed early is left out on request. */
export function pastFees(billed: BilledSubscription, withProgressive = true): InvoiceFee[] {
  return billed.past
    .filter((invoice) => withProgressive || invoice.type !== 'progressive_billing')
    .flatMap((invoice) => invoice.fees.filter((fee) => fee.subscriptionId === billed.subscription.id));
}

/** What the periodic biller has billed of a subscription. */
export function billedPeriods(past: readonly PastInvoice[], subscriptionId: string): BilledPeriod[] {
  return past.flatMap((invoice) =>
    invoice.billingPeriods
      .filter((period) => period.subscriptionId === subscriptionId && period.reason === 'subscription_periodic')
      .map((period) => ({
        zone: invoice.zone,
        billedAt: period.billedAt,
        from: period.from ?? period.billedAt,
        to: period.to ?? period.billedAt,
        chargesFrom: period.chargesFrom,
        chargesTo: period.chargesTo,
        fixedChargesFrom: period.fixedChargesFrom,
        fixedChargesTo: period.fixedChargesTo,
      })),
  );
}

/** The period of a subscription on an invoice. */
export function periodOn(invoice: PastInvoice, subscriptionId: string): BillingPeriod | undefined {
  return invoice.billingPeriods.find((period) => period.subscriptionId === subscriptionId);
}

function lastInvoice(past: readonly PastInvoice[], subscriptionId: string): PeriodTerms['lastInvoice'] {
  const last = past.at(-1);
  const period = last && periodOn(last, subscriptionId);
  return last && period
    ? { zone: last.zone, chargesTo: period.chargesTo, fixedChargesTo: period.fixedChargesTo }
    : null;
}

function linked(account: CustomerAccount, id: string | null): SubscriptionInput | null {
  return account.subscriptions.find((other) => other.id === id && other.status !== 'canceled') ?? null;
}
