import type { SubscriptionInput } from '../customer/subscription.ts';
import { isBillingDay } from '../period/billing-day.ts';
import { compareDates, type Instant, localDate } from '../period/calendar.ts';
import { planChange } from '../period/proration.ts';
import type { PeriodTerms } from '../period/terms.ts';

/** What of a subscription says how it follows another. */
export type Successor = Pick<SubscriptionInput, 'activation' | 'createdAt'> & {
  readonly plan: Pick<SubscriptionInput['plan'], 'interval' | 'amountCents'>;
};

type Followed = Omit<PeriodTerms, 'successor' | 'lastInvoice'>;

/**
 * How a subscription is, or was, followed by another. Once it has ended the day counts, not what the plans cost today: inside a period it was
 * an upgrade, and one that had waited for a period to open took its turn then, also where its plan has become the dearer one. Source: invoicing 3.
 */
export function planChangeAt(terms: Followed, next: Successor): 'upgrade' | 'downgrade' {
  const { terminatedAt, zone } = terms;
  const change = planChange(terms, next.plan);
  if (terminatedAt === null) return change;
  if (!isBillingDay(terms, terminatedAt)) return 'upgrade';
  const hasWaited = compareDates(localDate(next.createdAt, zone), localDate(terminatedAt, zone)) < 0;
  return hasWaited && isWholePeriodOver(terms, terminatedAt) ? 'downgrade' : change;
}

/** Whether the whole period of a plan ends, and not only a month of one whose usage is billed by the month. Source: engine-catalogue 12.6. */
export const isWholePeriodOver = (terms: Followed, at: Instant): boolean =>
  isBillingDay({ ...terms, billChargesMonthly: false, billFixedChargesMonthly: false }, at);

/** One that had to be paid first begins whenever that is: the one before it ends inside a period. */
export function successorOf(terms: Followed, next: Successor | null): PeriodTerms['successor'] {
  if (next === null) return 'none';
  return next.activation?.status === 'satisfied' ? 'upgrade' : planChangeAt(terms, next);
}

interface Priced {
  readonly plan: Pick<SubscriptionInput['plan'], 'id' | 'interval' | 'amountCents'>;
}

/** What becomes of a change that waits, from one subscription to another, once some plans have got another amount. Source: engine-catalogue 10.2. */
export function settledChange(
  { plan: from }: Priced,
  { plan: to }: Priced,
  planIds: readonly string[],
): 'give_up' | 'follow' | 'wait' {
  if (planIds.includes(from.id) && to.amountCents > from.amountCents) return 'give_up';
  return planIds.includes(to.id) && planChange(from, to) === 'upgrade' ? 'follow' : 'wait';
}

type Lived = Pick<SubscriptionInput, 'id' | 'previousId' | 'status' | 'startedAt' | 'terminatedAt'>;

/**
 * Whose time a moment is, of the subscriptions of one external identifier: to the millisecond of an end. At the very moment of a change of plan it is that
 * of the one that follows; where another begins without following, of the one that ended.
 */
export function ownerAt<S extends Lived>(family: readonly S[], at: Instant): S | undefined {
  const holding = family.filter(
    ({ status, startedAt, terminatedAt }) =>
      (status === 'active' || status === 'terminated') &&
      startedAt !== null &&
      startedAt <= at &&
      (terminatedAt === null || at <= terminatedAt),
  );
  return holding.find((one) => !isFollowedAt(holding, one, at));
}

const isFollowedAt = (others: readonly Lived[], { id }: Lived, at: Instant) =>
  others.some(({ previousId, startedAt }) => previousId === id && startedAt === at);

/** Whether another of its external identifier, which nothing follows, ended at the moment at which a subscription began. */
export const isResumed = (
  others: readonly SubscriptionInput[],
  { id, externalId, previousId }: SubscriptionInput,
  startedAt: Instant,
): boolean =>
  others.some(
    (other) =>
      other.externalId === externalId &&
      other.id !== id &&
      other.id !== previousId &&
      other.status === 'terminated' &&
      other.terminatedAt === startedAt &&
      !isFollowedAt(others, other, startedAt),
  );
