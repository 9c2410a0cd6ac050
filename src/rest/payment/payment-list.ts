import { document } from '../document.ts';
import { payment, paymentRequest } from '../fragments.ts';
import type { Route } from '../route.ts';
import { listOf, listOfCustomer, one, several } from '../route-list.ts';

const PAYMENTS = { name: 'payments', permission: 'payment:read', shown: ['Payment', payment] } as const;

/** The reads of payments and of requests for them. One alone stands at the top of its answer. */
export const paymentReads: readonly Route[] = [
  listOf({
    ...PAYMENTS,
    parameters: { external_customer_id: one('everExternalCustomerId'), invoice_id: one('svcInvoiceId', 'UUID') },
  }),
  listOfCustomer({ ...PAYMENTS, parameters: { invoice_id: one('svcInvoiceId', 'UUID') } }),
  {
    ...{ method: 'GET', path: '/payments/{svc_id}', permission: 'payment:read' },
    operation: 'findPayment',
    document: document('query findPayment($svcId: UUID!) { payment(svcId: $svcId) { ...Payment } }', payment),
    variables: ({ params }) => ({ svcId: params.svc_id }),
    answer: ['payment'],
  },
  listOf({
    name: 'payment_requests',
    permission: 'payment_request:read',
    shown: ['PaymentRequest', paymentRequest],
    parameters: {
      currency: one('currency'),
      external_customer_id: one('everExternalCustomerId'),
      payment_status: one('paymentStatus', 'PaymentRequestStatus'),
      'billing_entity_codes[]': several('billingEntityCode'),
    },
  }),
  {
    ...{ method: 'GET', path: '/payment_requests/{svc_id}', permission: 'payment_request:read' },
    operation: 'findPaymentRequest',
    document: document(
      'query findPaymentRequest($svcId: UUID!) { request: paymentRequest(svcId: $svcId) { ...PaymentRequest } }',
      paymentRequest,
    ),
    variables: ({ params }) => ({ svcId: params.svc_id }),
    answer: ['request'],
  },
];
