import type { SubscriptionInput, TerminationCredit } from '../customer/subscription.ts';
import { type ErrorDetails, invalid, withCodes } from '../errors.ts';
import type { SentPaymentMethod } from '../invoice/payment.ts';
import { addDays, compareDates, formatDate, type Instant, localDate } from '../period/calendar.ts';
import { periodGrid, periodOf } from '../period/period.ts';
import { planChange } from '../period/proration.ts';
import type { BillingTime, Interval } from '../period/terms.ts';
import { periodTerms } from './billed-subscription.ts';

/** Members of a subscription that can be said at any time; absent: as it is. */
export interface SubscriptionTerms {
  readonly name?: string | null | undefined;
  readonly endingAt?: Date | null | undefined;
  readonly consolidateInvoice?: boolean | null | undefined;
  readonly progressiveBillingDisabled?: boolean | null | undefined;
  readonly onTerminationCreditNote?: TerminationCredit | null | undefined;
  readonly onTerminationInvoice?: 'generate' | 'skip' | null | undefined;
  readonly paymentMethod?: SentPaymentMethod | null | undefined;
}

/** What an application changes of a subscription; absent: as it is. */
export interface ChangedTerms extends SubscriptionTerms {
  /** When it begins. Counts only of one that waits for its date: of others it is left aside. */
  readonly subscriptionAt?: Date | null | undefined;
  /** Who bills it. */
  readonly billingEntityId?: string | undefined;
}

/** What an application sends to subscribe a customer to a plan. */
export interface SentSubscription extends SubscriptionTerms {
  readonly externalCustomerId: string;
  readonly externalId: string;
  readonly planCode: string;
  readonly billingEntityCode?: string | null | undefined;
  readonly billingTime?: BillingTime | null | undefined;
  /** Absent: now. */
  readonly subscriptionAt?: Date | null | undefined;
}

const utcDate = (moment: Date) => localDate(moment.getTime(), 'UTC');

/** An end lies on a day after today, and after that of the start, in UTC. */
function endFaults(endingAt: Date | null | undefined, others: readonly (Date | null | undefined)[]): ErrorDetails {
  const isEarly = (other: Date) => endingAt != null && compareDates(utcDate(endingAt), utcDate(other)) <= 0;
  return others.some((other) => other != null && isEarly(other)) ? { ending_at: ['invalid_date'] } : {};
}

/** Refuses what is wrong with a subscription beside what it names. Source: engine-catalogue 12.2. */
export function checkSubscription(sent: SentSubscription, now: Date): void {
  const mandatory = (text: string) => (text.trim() === '' ? ['value_is_mandatory'] : []);
  const found = withCodes({
    external_customer_id: mandatory(sent.externalCustomerId),
    external_id: mandatory(sent.externalId),
    ...endFaults(sent.endingAt, [now, sent.subscriptionAt]),
  });
  if (Object.keys(found).length > 0) throw invalid(found);
}

/** How a subscription gives back what it paid in advance: said of a plan in arrears, it says nothing. */
export const creditNoteMode = (
  plan: { readonly payInAdvance: boolean },
  sent: TerminationCredit | null | undefined,
): TerminationCredit | null => (plan.payInAdvance ? (sent ?? null) : null);

/** How a payment is collected; what is sent names it as a whole. */
const methodOf = (sent: SentPaymentMethod) => ({
  paymentMethodType: sent.paymentMethodType ?? ('provider' as const),
  paymentMethodId: sent.paymentMethodId ?? null,
});

/** The method that a subscription is paid by: the one that is sent, else the one of the subscription that it follows. */
export const firstMethod = (
  sent: SentPaymentMethod | null | undefined,
  followed?: SentPaymentMethod,
): ReturnType<typeof methodOf> => methodOf(sent ?? followed ?? {});

/** The terms of a subscription that is there. */
interface KnownTerms {
  readonly subscriptionAt: Date;
  readonly billingEntityId: string | null;
  readonly paymentMethodType: 'provider' | 'manual';
  readonly paymentMethodId: string | null;
  readonly name: string | null;
  readonly endingAt: Date | null;
  readonly consolidateInvoice: boolean;
  readonly progressiveBillingDisabled: boolean;
  readonly onTerminationCreditNote: TerminationCredit | null;
  readonly onTerminationInvoice: 'generate' | 'skip';
}

const sameTerm = (one: unknown, other: unknown) =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;

/**
 * What of the terms of a subscription becomes another, and what it was: what is absent stays, and null takes the name and the end away.
 * Refuses an end that is too early, also for a start that becomes later. Source: engine-catalogue 12.7.
 */
export function changedTerms(
  known: KnownTerms & { readonly status: string; readonly previousSubscriptionId: string | null },
  sent: ChangedTerms,
  plan: { readonly payInAdvance: boolean },
  now: Date,
): { readonly before: Partial<KnownTerms>; readonly after: Partial<KnownTerms> } {
  const waits = known.status === 'pending' && known.previousSubscriptionId === null;
  const wanted: KnownTerms = {
    subscriptionAt: (waits ? sent.subscriptionAt : null) ?? known.subscriptionAt,
    billingEntityId: sent.billingEntityId ?? known.billingEntityId,
    ...firstMethod(sent.paymentMethod, known),
    name: sent.name === undefined ? known.name : sent.name?.trim() || null,
    endingAt: sent.endingAt === undefined ? known.endingAt : sent.endingAt,
    consolidateInvoice: sent.consolidateInvoice ?? known.consolidateInvoice,
    progressiveBillingDisabled: sent.progressiveBillingDisabled ?? known.progressiveBillingDisabled,
    onTerminationCreditNote: creditNoteMode(plan, sent.onTerminationCreditNote) ?? known.onTerminationCreditNote,
    onTerminationInvoice: sent.onTerminationInvoice ?? known.onTerminationInvoice,
  };
  const members = (Object.keys(wanted) as (keyof KnownTerms)[]).filter(
    (member) => !sameTerm(known[member], wanted[member]),
  );
  const isDated = members.includes('endingAt') || members.includes('subscriptionAt');
  const found = isDated ? endFaults(wanted.endingAt, [now, wanted.subscriptionAt]) : {};
  if (Object.keys(found).length > 0) throw invalid(found);
  const of = (terms: KnownTerms) => Object.fromEntries(members.map((member) => [member, terms[member]]));
  return { before: of(known), after: of(wanted) };
}

interface PricedPlan {
  readonly id: string;
  readonly parentId: string | null;
  readonly interval: Interval;
  readonly amountCents: bigint;
}

/**
 * What becomes of a subscription when its external identifier is subscribed to a plan: nothing on the plan that it has (or whose override it
 * has); one that waits for its date gets the plan; else it is followed by another, now or at the end of its period. Overrides that are asked
 * for make another plan of the one whose override it has. Source: engine-catalogue 12.3.
 */
export function planDecision(
  current: { readonly status: string; readonly plan: PricedPlan },
  plan: PricedPlan,
  isOverridden = false,
): 'keep' | 'replace_plan' | 'upgrade' | 'downgrade' {
  if (current.plan.id === plan.id || (current.plan.parentId === plan.id && !isOverridden)) return 'keep';
  if (current.status === 'pending') return 'replace_plan';
  return planChange(current.plan, plan);
}

/** The first day of the period after the one of a moment: a cheaper plan begins on it. Local, YYYY-MM-DD. */
export function nextPeriodStart(subscription: SubscriptionInput, zone: string, at: Instant): string {
  const grid = periodGrid(periodTerms(subscription, zone, null));
  return formatDate(addDays(periodOf(grid, localDate(at, zone)).last, 1));
}

/** Whether a subscription that is made now starts at once. Source: engine-catalogue 12.4. */
export const startsNow = (subscriptionAt: Instant, now: Instant): boolean => subscriptionAt <= now;
