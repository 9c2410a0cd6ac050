import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { customerLookup, FORMER_NAMES, jsonList, keysWithValues, looseBoolean } from '../route-query.ts';
import { customerUsage } from './usage-fragment.ts';

export const findCustomerCurrentUsage: Route = {
  method: 'GET',
  path: '/customers/{external_customer_id}/current_usage',
  permission: 'customer_usage:read',
  operation: 'findCustomerCurrentUsage',
  document: document(
    `query findCustomerCurrentUsage(
      $externalCustomerId: String!, $externalSubscriptionId: String!, $applyTaxes: Boolean = true, $chargeId: UUID,
      $chargeCode: String, $billableMetricCode: String, $group: [UsageGroupInput!], $filterByPresentation: [String!],
      $skipGrouping: Boolean = false, $fullUsage: Boolean = false
    ) {
      customer(externalId: $externalCustomerId) {
        customer_usage: currentUsage(
          externalSubscriptionId: $externalSubscriptionId, applyTaxes: $applyTaxes, skipGrouping: $skipGrouping,
          fullUsage: $fullUsage, filter: {
            svcChargeId: $chargeId, chargeCode: $chargeCode, billableMetricCode: $billableMetricCode, groups: $group,
            presentationKeys: $filterByPresentation
          }
        ) { ...CustomerUsage }
      }
    }`,
    customerUsage,
  ),
  lookup: customerLookup,
  query: [
    ...['external_subscription_id', 'apply_taxes', 'charge_id', 'charge_code', 'billable_metric_code', 'group'],
    ...['filter_by_presentation', 'skip_grouping', 'full_usage'],
  ],
  queryAliases: FORMER_NAMES,
  queryMembers: ['group', 'filter_by_group'],
  variables: ({ params, query }) => ({
    externalCustomerId: params.external_customer_id,
    externalSubscriptionId: query.external_subscription_id ?? '',
    applyTaxes: looseBoolean(query.apply_taxes),
    chargeId: query.charge_id || undefined,
    chargeCode: query.charge_code || undefined,
    billableMetricCode: query.billable_metric_code || undefined,
    group: keysWithValues(query.group),
    filterByPresentation: jsonList(query.filter_by_presentation),
    skipGrouping: looseBoolean(query.skip_grouping),
    fullUsage: looseBoolean(query.full_usage),
  }),
  dependsOnState: true,
  answer: ['customer'],
};
