import { document } from '../document.ts';
import { customer, invoice } from '../fragments.ts';
import type { Route } from '../route.ts';

// What is no positive number leaves the default; one beyond 32 bits asks for a page past any end.
const integer = (text: unknown) =>
  typeof text === 'string' && /^0*[1-9]\d*$/.test(text) ? Math.min(Number(text), 2 ** 31 - 1) : undefined;

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
        meta {
          current_page: currentPage total_pages: totalPages total_count: totalCount
          next_page: nextPage prev_page: prevPage
        }
        payment_requests: nodes {
          svc_id: svcId email: recipient
          amount_cents: amountCents amount_currency: amountCurrency payment_status: paymentStatus created_at: createdAt
          customer { ...Customer } invoices { ...Invoice }
        }
      }
    }`,
    customer,
    invoice,
  ),
  lookup: document(
    'query findCustomer($externalCustomerId: String!) { customer(externalId: $externalCustomerId) { svcId } }',
  ),
  query: ['page', 'per_page', 'payment_status', 'billing_entity_codes[]'],
  variables: ({ params, query }) => ({
    externalId: params.external_customer_id,
    page: integer(query.page),
    perPage: integer(query.per_page),
    paymentStatus: query.payment_status || undefined,
    filter: query.payment_status === '' ? { payment_status: [] } : undefined, // an empty state is that of no request
    billingEntityCodes: query['billing_entity_codes[]'],
  }),
  answer: ['list'],
};
