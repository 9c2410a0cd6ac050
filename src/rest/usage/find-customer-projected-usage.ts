import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { customerLookup, looseBoolean } from '../route-query.ts';
import { projectedUsage } from './usage-fragment.ts';

export const findCustomerProjectedUsage: Route = {
  method: 'GET',
  path: '/customers/{external_customer_id}/projected_usage',
  permission: 'customer_usage:read',
  operation: 'findCustomerProjectedUsage',
  document: document(
    `query findCustomerProjectedUsage(
      $externalCustomerId: String!, $externalSubscriptionId: String!, $applyTaxes: Boolean = true
    ) {
      customer(externalId: $externalCustomerId) {
        customer_projected_usage: projectedUsage(
          externalSubscriptionId: $externalSubscriptionId, applyTaxes: $applyTaxes
        ) { ...CustomerProjectedUsage }
      }
    }`,
    projectedUsage,
  ),
  lookup: customerLookup,
  query: ['external_subscription_id', 'apply_taxes'],
  variables: ({ params, query }) => ({
    externalCustomerId: params.external_customer_id,
    // No subscription has an empty name.
    externalSubscriptionId: query.external_subscription_id ?? '',
    applyTaxes: looseBoolean(query.apply_taxes),
  }),
  dependsOnState: true,
  answer: ['customer'],
};
