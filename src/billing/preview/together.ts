import type { SubscriptionInput } from '../customer/subscription.ts';
import { invalid, notFound } from '../errors.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import { compareDates, type Instant, localDate } from '../period/calendar.ts';
import { zoneOf } from '../subscription/billed-subscription.ts';
import { nextInvoiceAt } from './selection.ts';

/**
 * Whether subscriptions can share one preview: one currency, one billing entity, and current periods that end on one date.
 * Throws `object_not_found` without any, `validation_errors` otherwise. Source: invoicing 17.2.
 */
export function checkTogether(
  subscriptions: readonly SubscriptionInput[],
  account: Pick<CustomerAccount, 'customer' | 'billingEntity'>,
  now: Instant,
): void {
  const zone = zoneOf(account.customer, account.billingEntity);
  const [first, ...others] = subscriptions;
  if (!first) throw notFound('subscription');
  const differs = (of: (one: SubscriptionInput) => unknown) => others.some((one) => of(one) !== of(first));
  if (differs((one) => one.plan.currency)) throw invalid({ base: ['subscription_currencies_does_not_match'] });
  if (differs((one) => one.billingEntityCode ?? account.billingEntity.code)) {
    throw invalid({ base: ['subscription_billing_entities_do_not_match'] });
  }
  const running = subscriptions.filter((one) => one.stored && one.status === 'active' && (one.startedAt ?? now) <= now);
  const ends = running.map((one) => localDate(nextInvoiceAt(one, zone, now), zone));
  if (ends.some((end) => ends[0] && compareDates(end, ends[0]) !== 0)) {
    throw invalid({ base: ['billing_periods_does_not_match'] });
  }
}
