import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { lifetimeUsage } from './lifetime-usage-fragment.ts';

export const updateSubscriptionLifetimeUsage: Route = {
  method: 'PUT',
  path: '/subscriptions/{external_id}/lifetime_usage',
  permission: 'lifetime_usage:write',
  operation: 'updateSubscriptionLifetimeUsage',
  document: document(
    `mutation updateSubscriptionLifetimeUsage($externalId: String!, $input: UpdateLifetimeUsageInput!) {
      subscription: updateLifetimeUsage(externalId: $externalId, input: $input) {
        lifetime_usage: lifetimeUsage { ...LifetimeUsage }
      }
    }`,
    lifetimeUsage,
  ),
  root: 'lifetime_usage',
  lookup: document('query look($externalId: String!) { subscription(externalId: $externalId) { svcId } }'),
  variables: ({ params, body }) => ({ externalId: params.external_id, input: body }),
  answer: ['subscription'],
};
