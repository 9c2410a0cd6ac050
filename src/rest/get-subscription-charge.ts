import { document } from './document.ts';
import { charge } from './fragments.ts';
import type { Route } from './route.ts';

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
    externalId: params.external_id,
    chargeCode: params.charge_code,
    status: query.status,
  }),
  answer: ['subscription'],
};
