import { document } from '../document.ts';
import { customer, invoice } from '../fragments.ts';
import { pageMeta, pageNumber, pageSize } from '../page.ts';
import type { Route } from '../route.ts';

export const listCustomerPaymentRequests: Route = {
  method: 'GET',
  path: '/customers/{external_customer_id}/payment_requests',
  permission: 'payment_request:read',
  operation: 'listCustomerPaymentRequests',
  document: document(
    `query listCustomerPaymentRequests(
      $externalId: String!, $page: Int = 1, $perPage: Int = 100, $paymentStatus: PaymentRequestStatus,
      $billingEntityCodes: [String!], $filter: PaymentRequestFilter
    ) {
      list: paymentRequests(
        externalCustomerId: $externalId, page: $page, perPage: $perPage, paymentStatus: $paymentStatus,
        billingEntityCodes: $billingEntityCodes, filter: $filter
      ) {
        meta { ...PageMeta }
        payment_requests: nodes {
          svc_id: svcId email: recipient
          amount_cents: amountCents amount_currency: amountCurrency payment_status: paymentStatus created_at: createdAt
          customer { ...Customer } invoices { ...Invoice }
        }
      }
    }`,
    customer,
    invoice,
    pageMeta,
  ),
  lookup: document(
    'query findCustomer($externalCustomerId: String!) { customer(externalId: $externalCustomerId) { svcId } }',
  ),
  query: ['page', 'per_page', 'payment_status', 'billing_entity_codes[]'],
  variables: ({ params, query }) => ({
    externalId: params.external_customer_id,
    page: pageNumber(query.page),
    perPage: pageSize(query.per_page),
    paymentStatus: query.payment_status || undefined,
    filter: query.payment_status === '' ? { payment_status: [] } : undefined, // an empty state is that of no request
    billingEntityCodes: query['billing_entity_codes[]'],
  }),
  answer: ['list'],
};
