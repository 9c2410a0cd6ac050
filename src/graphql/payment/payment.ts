import { defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';
import { paymentFilter } from './payment-filter.ts';

defineNode('Payment', {
  sums: { currency: 'amountCurrency', columns: ['amountCents'] },
  filter: paymentFilter,
  resource: 'payment',
});

lookupById('payment', 'Payment', 'payment', 'A payment by the identifier that the service assigned.');

listing('payments', 'Payment', { resource: 'payment', description: 'Payments.' });
