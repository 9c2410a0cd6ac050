import { document } from '../document.ts';
import { extendedSubscription, subscription } from '../fragments.ts';
import type { Route } from '../route.ts';
import { listOf, listOfCustomer, one, several } from '../route-list.ts';

const SUBSCRIPTIONS = {
  name: 'subscriptions',
  permission: 'subscription:read',
  shown: ['Subscription', subscription],
  orderBy: '{ field: subscription_at, direction: desc }',
} as const;

const statuses = several('status', 'SubscriptionStatus');

const OF_SUBSCRIPTIONS = {
  plan_code: one('planCode'),
  // Those that run, where nothing is asked.
  'status[]': { ...statuses, read: (sent: Parameters<typeof statuses.read>[0]) => statuses.read(sent) ?? ['active'] },
  'billing_entity_codes[]': several('billingEntityCode'),
};

/** The reads of subscriptions. */
export const subscriptionReads: readonly Route[] = [
  listOf({
    ...SUBSCRIPTIONS,
    parameters: {
      currency: one('planAmountCurrency'),
      external_customer_id: one('everExternalCustomerId'),
      external_id: one('externalId'),
      ...OF_SUBSCRIPTIONS,
    },
  }),
  listOfCustomer({ ...SUBSCRIPTIONS, parameters: OF_SUBSCRIPTIONS }),
  {
    ...{ method: 'GET', path: '/subscriptions/{external_id}', permission: 'subscription:read' },
    operation: 'findSubscription',
    document: document(
      `query findSubscription($externalId: String!, $status: SubscriptionStatus = active) {
        subscription(externalId: $externalId, status: $status) { ...ExtendedSubscription }
      }`,
      extendedSubscription,
    ),
    query: ['status'],
    variables: ({ params, query }) => ({ externalId: params.external_id, status: query.status || undefined }),
  },
];
