import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { looseBoolean, said } from '../route-query.ts';

const NAMES = {
  time_granularity: ['timeGranularity: BilledUsageInterval', 'interval'],
  from_date: ['fromDate: Date', 'fromDate'],
  to_date: ['toDate: Date', 'toDate'],
  customer_type: ['customerType: CustomerType', 'customerType'],
  customer_country: ['customerCountry: CountryCode', 'customerCountry'],
  external_subscription_id: ['externalSubscriptionId: String', 'externalSubscriptionId'],
  is_billable_metric_recurring: ['isBillableMetricRecurring: Boolean', 'isBillableMetricRecurring'],
  plan_code: ['planCode: String', 'planCode'],
  billable_metric_code: ['billableMetricCode: String', 'billableMetricCode'],
} as const;

const declared = Object.values(NAMES).map(([variable]) => `, $${variable}`);
const given = Object.values(NAMES).map(([variable, member]) => `${member}: $${variable.split(':')[0]}`);

/** Usage that was billed, by days, weeks or months. */
export const findAllUsages: Route = {
  ...{ method: 'GET', path: '/analytics/usage', permission: 'analytic:read', operation: 'findAllUsages' },
  document: document(
    `query findAllUsages($currency: String, $externalCustomerId: String${declared.join('')}) {
      analytics(currency: $currency, externalCustomerId: $externalCustomerId) {
        usages: billedUsage(filter: { ${given.join(', ')} }) {
          organization_id: svcOrganizationId
          start_of_period_dt: startDate
          end_of_period_dt: endDate
          amount_currency: currency
          amount_cents: amountCents
          billable_metric_code: billableMetricCode
          units
          is_billable_metric_deleted: isBillableMetricDeleted
        }
      }
    }`,
  ),
  query: ['currency', 'external_customer_id', ...Object.keys(NAMES)],
  variables: ({ query }) => ({
    currency: query.currency,
    externalCustomerId: query.external_customer_id,
    ...Object.fromEntries(
      Object.entries(NAMES).map(([name, [variable]]) => [variable.split(':')[0], said(query[name])]),
    ),
    isBillableMetricRecurring: looseBoolean(query.is_billable_metric_recurring),
  }),
  answer: ['analytics'],
};
