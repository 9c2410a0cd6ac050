import { expect, it } from 'vitest';
import type { SubscriptionInput } from '../../../src/billing/customer/subscription.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import { lifetimeUsage } from '../../../src/billing/subscription/lifetime-usage.ts';
import { accountOf } from '../../../src/billing/timeline/account.ts';
import { newTimeline } from '../../../src/billing/timeline/timeline.ts';
import { parseInstant } from '../../instant.ts';
import { customerInput, entityInput, feeInput, planInput, subscriptionInput } from '../vectors/scenario-input.ts';

const plan = planInput({ code: 'p', amount_cents: 0 }, []);
const one = (id: string, members: Partial<SubscriptionInput> = {}): SubscriptionInput => ({
  ...subscriptionInput({ id, external_id: 'x', plan: 'p', subscription_at: '2024-01-01T00:00:00Z' }, plan),
  ...members,
});

it('lifetime usage is that of the subscriptions of one external id and first date, those that never began aside', () => {
  const running = one('s');
  const subscriptions = [
    running,
    one('before', { status: 'terminated' }),
    one('canceled', { status: 'canceled' }),
    one('elsewhere', { externalId: 'y' }),
    one('later', { subscriptionAt: parseInstant('2024-02-01T00:00:00Z') }),
    one('other', { externalId: 'y', subscriptionAt: parseInstant('2024-02-01T00:00:00Z') }),
  ];
  const state = newTimeline({ customer: customerInput({}), billingEntity: entityInput(undefined, []), plans: [plan] });
  const account = accountOf({ ...state, subscriptions });
  // 1 of the first, 10 of the second, 100 of the third.
  const loose = subscriptions.map(({ id }, at) =>
    feeInput({ type: 'charge', amount_cents: 10 ** at, subscription: id }, at, []),
  );
  const billed = billedSubscription(account, running, parseInstant('2024-03-01T00:00:00Z'), 'subscription_periodic');
  expect(lifetimeUsage(account, billed, { current: loose, chargesFrom: null, loose })).toEqual({
    ...{ invoicedCents: 11n, currentCents: 11n, passedCents: 11n },
  });
});
