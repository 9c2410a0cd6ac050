import { PaymentRequestStatus, PaymentStatus, PaymentType } from '../../generated/prisma/enums.ts';
import { fillPaymentRequests, fillPayments } from '../default/payment.ts';
import { choice, field, ref, shape, stamps } from '../document/shape.ts';

/** A request that a customer pay overdue invoices. */
export const PAYMENT_REQUEST = shape({
  name: 'payment_request',
  table: 'payment_requests',
  section: 'payment_requests',
  fields: [
    field('email', 'text'),
    field('amount_cents', 'cents', { nullable: false }),
    field('amount_currency', 'currency', { nullable: false }),
    choice('payment_status', PaymentRequestStatus, { initial: 'pending' }),
    ...stamps('updated'),
  ],
  refs: [
    ref(
      'customer_id',
      'customer',
      ['svc_customer_id', 'customer.svc_id'],
      ['external_customer_id', 'customer.external_id'],
      { required: true },
    ),
  ],
  links: [
    {
      member: 'invoices',
      codes: ['invoice_numbers', 'svc_invoice_ids'],
      to: 'invoice',
      table: '_PaymentRequestInvoices',
      own: 'B',
    },
  ],
  lookup: ['customer_id', 'amount_currency'],
  fill: fillPaymentRequests,
});

/** Money received. */
export const PAYMENT = shape({
  name: 'payment',
  table: 'payments',
  section: 'payments',
  fields: [
    field('amount_cents', 'cents', { required: true }),
    field('amount_currency', 'currency', { nullable: false }),
    choice('status', PaymentStatus, { initial: 'succeeded', aliases: ['payment_status'] }),
    choice('payment_type', PaymentType, { initial: 'manual' }),
    field('reference', 'text'),
    field('provider_payment_id', 'text'),
    field('payment_provider_type', 'text'),
    field('payment_provider_code', 'text'),
    field('provider_customer_id', 'text'),
    field('next_action', 'json', { initial: {} }),
    ...stamps('updated'),
  ],
  refs: [
    ref('customer_id', 'customer', ['svc_customer_id'], ['external_customer_id']),
    ref('invoice_id', 'invoice', ['svc_invoice_id'], ['invoice_number']),
    ref('payment_request_id', 'payment_request', ['svc_payment_request_id']),
  ],
  fill: fillPayments,
});
