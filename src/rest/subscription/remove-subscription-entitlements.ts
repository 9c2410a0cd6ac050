import { document } from '../document.ts';
import { subscriptionEntitlement } from '../fragments.ts';
import type { Route } from '../route.ts';
import { BY_STATUS, subscriptionOf } from '../route-query.ts';

const ONE = '/subscriptions/{external_id}/entitlements/{feature_code}';

/** Takes a feature from a subscription, or one of its values. */
export const removeSubscriptionEntitlements: readonly Route[] = [
  {
    ...{ method: 'DELETE', path: ONE, permission: 'subscription:write', operation: 'destroySubscriptionEntitlement' },
    document: document(
      `mutation destroySubscriptionEntitlement(
        $externalId: String!, $status: SubscriptionStatus = active, $featureCode: String!
      ) {
        entitlement: removeSubscriptionEntitlement(
          externalSubscriptionId: $externalId, status: $status, featureCode: $featureCode
        ) { ...SubscriptionEntitlement }
      }`,
      subscriptionEntitlement,
    ),
    ...BY_STATUS,
    variables: (request) => ({ ...subscriptionOf(request), featureCode: request.params.feature_code }),
  },
  {
    ...{ method: 'DELETE', path: `${ONE}/privileges/{privilege_code}`, permission: 'subscription:write' },
    operation: 'destroySubscriptionEntitlementPrivilege',
    document: document(
      `mutation destroySubscriptionEntitlementPrivilege(
        $externalId: String!, $status: SubscriptionStatus = active, $featureCode: String!, $privilegeCode: String!
      ) {
        entitlement: removeSubscriptionEntitlementPrivilege(
          externalSubscriptionId: $externalId, status: $status, featureCode: $featureCode, privilegeCode: $privilegeCode
        ) { ...SubscriptionEntitlement }
      }`,
      subscriptionEntitlement,
    ),
    ...BY_STATUS,
    variables: (request) => ({
      ...{ ...subscriptionOf(request), featureCode: request.params.feature_code },
      privilegeCode: request.params.privilege_code,
    }),
  },
];
