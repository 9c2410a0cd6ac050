import type { SubscriptionInput } from '../customer/subscription.ts';
import { notFound } from '../errors.ts';
import type { Instant } from '../period/calendar.ts';
import type { PreviewCatalogue } from './preview-type.ts';

type Known = Pick<PreviewCatalogue, 'subscriptions'>;

/**
 * The subscriptions that a preview names: active ones; without any, a single one that waits for a future start and follows no
 * other. One whose end has come is no longer active, though nothing may have ended it yet; alone it is left, to be ended.
 * Throws `object_not_found` without any. Source: invoicing 17.1.
 */
export function namedSubscriptions(
  catalogue: Known,
  externalIds: readonly string[],
  now: Instant,
): readonly SubscriptionInput[] {
  const named = catalogue.subscriptions.filter((subscription) => externalIds.includes(subscription.externalId));
  const active = running(named, now);
  if (active.length > 0) return active;
  const waiting = named.filter(
    (one) => one.status === 'pending' && one.subscriptionAt > now && !follows(catalogue, one),
  );
  const [first, second] = waiting;
  if (!first || second) throw notFound('subscription');
  return [first];
}

function running(named: readonly SubscriptionInput[], now: Instant): readonly SubscriptionInput[] {
  const active = named.filter(({ status }) => status === 'active');
  const left = active.filter(({ endingAt }) => endingAt === null || endingAt > now);
  return left.length > 0 || active.length > 1 ? left : active;
}

function follows({ subscriptions }: Known, subscription: SubscriptionInput): boolean {
  return subscription.previousId !== null || subscriptions.some((one) => one.nextId === subscription.id);
}
