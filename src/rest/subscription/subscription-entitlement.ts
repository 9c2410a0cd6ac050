import { document } from '../document.ts';
import { subscriptionEntitlement } from '../fragments.ts';
import type { Route } from '../route.ts';
import { entitlementBody } from '../route-body.ts';
import { BY_STATUS, subscriptionLookup, subscriptionOf } from '../route-query.ts';
import { removeSubscriptionEntitlements } from './remove-subscription-entitlements.ts';

const ALL = '/subscriptions/{external_id}/entitlements';

/** The endpoints of the features that a subscription has. */
export const subscriptionEntitlementRoutes: readonly Route[] = [
  {
    ...{ method: 'GET', path: ALL, permission: 'subscription:read', operation: 'findAllSubscriptionEntitlements' },
    document: document(
      `query findAllSubscriptionEntitlements($externalId: String!, $status: SubscriptionStatus = active) {
        subscription(externalId: $externalId, status: $status) { entitlements { ...SubscriptionEntitlement } }
      }`,
      subscriptionEntitlement,
    ),
    ...BY_STATUS,
    variables: subscriptionOf,
    answer: ['subscription'],
  },
  {
    ...{ method: 'PATCH', path: ALL, permission: 'subscription:write', operation: 'updateSubscriptionEntitlements' },
    document: document(
      `mutation updateSubscriptionEntitlements(
        $externalId: String!, $status: SubscriptionStatus = active, $entitlements: [EntitlementInput!]
      ) {
        subscription: mergeSubscriptionEntitlements(
          externalSubscriptionId: $externalId, status: $status, entitlements: $entitlements
        ) { entitlements { ...SubscriptionEntitlement } }
      }`,
      subscriptionEntitlement,
    ),
    ...{ ...BY_STATUS, ...entitlementBody },
    ...{ lookup: subscriptionLookup, looksUp: subscriptionOf },
    variables: (request) => ({
      ...subscriptionOf(request),
      entitlements: (request.body as { entitlements?: unknown }).entitlements,
    }),
    answer: ['subscription'],
  },
  ...removeSubscriptionEntitlements,
];
