import { document } from '../document.ts';
import { charge } from '../fragments.ts';
import type { Route } from '../route.ts';

export const getSubscriptionCharge: Route = {
  method: 'GET',
  path: '/subscriptions/{external_id}/charges/{charge_code}',
  permission: 'subscription:read',
  operation: 'getSubscriptionCharge',
  document: document(
    `query getSubscriptionCharge($externalId: String!, $status: SubscriptionStatus = active, $chargeCode: String!) {
      subscription(externalId: $externalId, status: $status) { charge(code: $chargeCode) { ...Charge } }
    }`,
    charge,
  ),
  query: ['status'],
  queryAliases: { subscription_status: 'status' },
  variables: ({ params, query }) => ({
    // An empty state is that of no subscription, and no subscription has an empty name.
    externalId: query.status === '' ? '' : params.external_id,
    chargeCode: params.charge_code,
    status: query.status || undefined,
  }),
  answer: ['subscription'],
};
