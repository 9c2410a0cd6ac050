import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { firstOf } from '../base/column.ts';
import { derivesFrom } from '../base/guard.ts';
import { connection, defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';
import { holderFilter, paymentRequestListFilter } from './payment-request-filter.ts';

defineNode('PaymentRequest', {
  sums: { currency: 'amountCurrency', columns: ['amountCents'] },
  filter: paymentRequestListFilter,
  resource: 'payment_request',
  fields: (t) => ({
    recipient: t.field({
      type: 'EmailAddress',
      description: "Address it was sent to, else the customer's; empty where neither is known.",
      extensions: { ...derivesFrom('customer').extensions, ...firstOf(['email', 'customer.email'], '') },
      select: { email: true, customer: { select: { email: true } } },
      resolve: (request) => request.email ?? request.customer.email ?? '',
    }),
    invoices: t.relation('invoices', { query: { orderBy: OLDEST_FIRST } }),
    payments: connection(t, 'PaymentRequest', 'payments', {
      model: 'Payment',
      resource: 'payment',
      foreignKey: 'paymentRequestId',
    }),
  }),
});

lookupById(
  'paymentRequest',
  'PaymentRequest',
  'payment_request',
  'A payment request by the identifier that the service assigned.',
);

listing('paymentRequests', 'PaymentRequest', {
  resource: 'payment_request',
  description: 'Payment requests.',
  ...holderFilter,
});
