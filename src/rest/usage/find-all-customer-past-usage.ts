import { document } from '../document.ts';
import { pageMeta, pageNumber, pageSize } from '../page.ts';
import type { Route } from '../route.ts';
import { customerUsage } from './usage-fragment.ts';

export const findAllCustomerPastUsage: Route = {
  method: 'GET',
  path: '/customers/{external_customer_id}/past_usage',
  permission: 'customer_usage:read',
  operation: 'findAllCustomerPastUsage',
  document: document(
    `query findAllCustomerPastUsage(
      $externalCustomerId: String!, $externalSubscriptionId: String!, $billableMetricCode: String, $page: Int = 1,
      $perPage: Int = 100
    ) {
      list: pastUsage(
        externalCustomerId: $externalCustomerId, externalSubscriptionId: $externalSubscriptionId,
        billableMetricCode: $billableMetricCode, page: $page, perPage: $perPage
      ) {
        usage_periods: nodes { ...CustomerUsage }
        meta { ...PageMeta }
      }
    }`,
    customerUsage,
    pageMeta,
  ),
  query: ['external_subscription_id', 'page', 'per_page', 'billable_metric_code', 'periods_count'],
  variables: ({ params, query }) => ({
    externalCustomerId: params.external_customer_id,
    externalSubscriptionId: query.external_subscription_id ?? '',
    billableMetricCode: query.billable_metric_code || undefined,
    page: pageNumber(query.page),
    perPage: pageSize(query.periods_count) ?? pageSize(query.per_page),
  }),
  answer: ['list'],
};
