import { defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';

defineNode('Payment', { resource: 'payment' });

lookupById('payment', 'Payment', 'payment', 'A payment by the identifier that the service assigned.');

listing('payments', 'Payment', { resource: 'payment', description: 'Payments.' });
