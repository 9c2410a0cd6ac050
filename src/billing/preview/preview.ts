import { usageUntil } from '../aggregate/usage-source.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { invalid, notFound } from '../errors.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import type { CreditNoteInput } from '../invoice/credit-input.ts';
import type { InvoicingReason } from '../invoice/issued-invoice.ts';
import { boundaries } from '../period/boundaries.ts';
import { type Instant, isTimeZone } from '../period/calendar.ts';
import {
  type BilledSubscription,
  billedSubscription,
  periodTerms,
  zoneOf,
} from '../subscription/billed-subscription.ts';
import { issueInvoice } from '../subscription/issue.ts';
import { withExcess } from '../subscription/issuer.ts';
import { isBilledAtStart } from '../subscription/subscription-fees.ts';
import { terminationCreditNote } from '../subscription/termination.ts';
import { previewFees } from './fees.ts';
import type {
  Preview,
  PreviewCatalogue,
  PreviewedSubscription,
  PreviewRequest,
  PreviewSelection,
} from './preview-type.ts';
import { checkPreviewedDates } from './request.ts';
import { nextInvoiceAt, selectSubscriptions } from './selection.ts';
import type { SupposedUsage } from './supposed-usage.ts';
import { checkTogether } from './together.ts';
import { supposedEvents, withSupposedUsage } from './usage.ts';

/**
 * The next invoice of a customer, or the first of a proposed subscription, without storing anything: the one that would be
 * issued. `account` holds the billed entity, and what is stored of the customer; a customer that is not stored has no notes and
 * no wallets. Throws what `selectSubscriptions` and `checkTogether` throw. Source: invoicing 17.
 */
export function previewInvoice(
  request: PreviewRequest,
  account: CustomerAccount,
  catalogue: Omit<PreviewCatalogue, 'customer' | 'subscriptions'>,
  now: Instant,
): Preview {
  const zone = zoneOf(account.customer, account.billingEntity);
  if (!isTimeZone(zone)) throw invalid({ timezone: ['invalid_timezone'] });
  const { customer, subscriptions } = account;
  const selection = selectSubscriptions(request, { ...catalogue, customer, subscriptions }, zone, now);
  return previewSelected(selection, account, now, request.usage ?? []);
}

/**
 * The preview of subscriptions that were selected before. Supposed usage belongs to the first one, and is billed at the end of
 * its period. Throws what `checkTogether` and `withSupposedUsage` throw.
 */
export function previewSelected(
  selection: PreviewSelection,
  account: CustomerAccount,
  now: Instant,
  usage: readonly SupposedUsage[] = [],
): Preview {
  const zone = zoneOf(account.customer, account.billingEntity);
  const { mode } = selection;
  const subscriptions = selection.subscriptions.map((one, index) =>
    index === 0 ? withSupposedUsage(one, usage) : one,
  );
  checkTogether(subscriptions, account, now);
  const seen = accountSeen(account, selection, now);
  const ending = subscriptions.map((one) => endedInTime(one, selection.linked));
  const at = billingMoment(ending, zone, now, usage.length > 0);
  const billed = ending
    .map((one) => billedSubscription(seen, one, at, reasonOf(one, ending, usage.length > 0)))
    .filter((one) => !isFollowing(one.subscription, ending) || isBilledAtStart(one));
  const notes = billed.flatMap((one) => terminationNoteOf(one));
  const request = {
    at,
    subscriptions: billed,
    fees: billed.flatMap((one, index) => previewFees(one, seen, index === 0 ? supposedEvents(one, usage) : [])),
    final: true,
  };
  const noted = { ...seen, creditNotes: [...notes, ...seen.creditNotes] };
  let excess = 0;
  const creditNote = () => {
    excess += 1;
    return `excess-credit-note-${excess}`;
  };
  const { invoice } = withExcess(noted, at, { creditNote }, (creditNotes) =>
    issueInvoice({ ...noted, creditNotes }, request),
  );
  checkPreviewedDates(invoice);
  const shown = subscriptions.map((one) => previewed(one, seen, zone, now));
  return { ...invoice, status: 'finalized', paymentStatus: 'pending', mode, subscriptions: shown };
}

/** A customer that is not stored has nothing to pay with; links reach what is billed. Events count up to now: invoicing 17.3. */
function accountSeen(account: CustomerAccount, selection: PreviewSelection, now: Instant): CustomerAccount {
  const changed = [...selection.subscriptions, ...selection.linked];
  const ids = new Set(changed.map(({ id }) => id));
  const rest = account.subscriptions.filter(({ id }) => !ids.has(id));
  const seen = { ...account, usage: usageUntil(account.usage, now), subscriptions: [...changed, ...rest] };
  return account.customer.stored ? seen : { ...seen, creditNotes: [], wallets: [] };
}

/** What another follows is billed as ended when that starts, with the run of the day on which it ends. */
function endedInTime(subscription: SubscriptionInput, linked: readonly SubscriptionInput[]): SubscriptionInput {
  const next = linked.find(({ id }) => id === subscription.nextId);
  return next && isEnded(subscription) ? { ...subscription, terminatedAt: next.startedAt } : subscription;
}

function isEnded(subscription: SubscriptionInput): boolean {
  return subscription.status === 'terminated';
}

/** When the previewed invoice is made: at the end of what ends, else at the end of the period, or at a start in advance. */
function billingMoment(
  subscriptions: readonly SubscriptionInput[],
  zone: string,
  now: Instant,
  hasUsage: boolean,
): Instant {
  const ended = subscriptions.find(isEnded);
  if (ended?.terminatedAt != null) return ended.terminatedAt;
  const [first] = subscriptions;
  if (!first) throw notFound('subscription');
  if (first.stored) return nextInvoiceAt(first, zone, now);
  return first.plan.payInAdvance && !hasUsage ? first.subscriptionAt : nextInvoiceAt(first, zone, first.subscriptionAt);
}

function isFollowing({ id }: SubscriptionInput, all: readonly SubscriptionInput[]): boolean {
  return all.some((one) => isEnded(one) && one.nextId === id);
}

function reasonOf(
  subscription: SubscriptionInput,
  all: readonly SubscriptionInput[],
  hasUsage: boolean,
): InvoicingReason {
  if (isEnded(subscription)) return 'subscription_terminating';
  if (isFollowing(subscription, all)) return 'subscription_starting';
  return subscription.stored || !subscription.plan.payInAdvance || hasUsage
    ? 'subscription_periodic'
    : 'subscription_starting';
}

/** The note that the termination would make, first in line: stored notes pay what it leaves. */
function terminationNoteOf(billed: BilledSubscription): CreditNoteInput[] {
  const note = terminationCreditNote(billed);
  if (note === null || note.creditAmountCents === 0n) return [];
  return [
    {
      id: `${billed.subscription.id}/credit-note`,
      number: '',
      invoiceNumber: note.invoiceNumber,
      invoiceId: note.invoiceId,
      currency: note.currency,
      balanceCents: note.creditAmountCents,
      status: 'finalized',
      creditStatus: 'available',
      createdAt: Number.NEGATIVE_INFINITY,
    },
  ];
}

function previewed(
  subscription: SubscriptionInput,
  account: CustomerAccount,
  zone: string,
  now: Instant,
): PreviewedSubscription {
  const next = account.subscriptions.find(({ id }) => id === subscription.nextId) ?? null;
  const terms = { ...periodTerms(subscription, zone, next), terminatedAt: null };
  const dates = boundaries(terms, Math.max(now, terms.startedAt), 'current_usage');
  return { subscription, currentPeriodFrom: dates.chargesFrom, currentPeriodTo: dates.chargesTo };
}
