import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { lifetimeUsage } from './lifetime-usage-fragment.ts';

export const getSubscriptionLifetimeUsage: Route = {
  method: 'GET',
  path: '/subscriptions/{external_id}/lifetime_usage',
  permission: 'lifetime_usage:read',
  operation: 'getSubscriptionLifetimeUsage',
  document: document(
    `query getSubscriptionLifetimeUsage($externalId: String!) {
      subscription(externalId: $externalId) {
        lifetime_usage: lifetimeUsage { ...LifetimeUsage }
      }
    }`,
    lifetimeUsage,
  ),
  variables: ({ params }) => ({ externalId: params.external_id }),
  answer: ['subscription'],
};
