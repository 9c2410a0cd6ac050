import { anyCountry, anyOf, anyText, either, moments, needing } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

const OVERDUE = { paymentOverdue: true, status: 'finalized' };

/** How lists of customers are narrowed and ordered. */
export const customerFilter = listFilter('Customer', {
  renamed: { billingEntityCodes: 'billingEntityCode' },
  conditions: {
    externalId: anyText('externalId', 'Only customers with one of these external identifiers.'),
    currency: anyText('currency', 'Only customers with one of these currencies.'),
    country: anyCountry('Only customers in one of these countries, by ISO 3166 alpha-2 code.'),
    accountType: anyOf('CustomerAccountType', 'accountType', 'Only accounts of one of these kinds.'),
    billingEntityCode: anyText('billingEntity.code', 'Only customers of billing entities with one of these codes.'),
    hasOverdueInvoices: needing(
      'invoice',
      either(
        'Only customers with an overdue invoice, or only those without one.',
        { invoices: { some: OVERDUE } },
        { invoices: { none: OVERDUE } },
      ),
    ),
    hasActiveSubscriptions: needing(
      'subscription',
      either(
        'Only customers with an active subscription, or only those without one.',
        { subscriptions: { some: { status: 'active' } } },
        { subscriptions: { none: { status: 'active' } } },
      ),
    ),
    createdAt: moments('createdAt', 'Only customers created in this time.'),
    search: search('Words in the external identifier, a name, the e-mail address, the legal name or the tax number.'),
  },
  orders: ['name', 'externalId'],
  moneyOrders: ['outstandingBalanceCents', 'overdueBalanceCents'],
  orderNeeds: { outstandingBalanceCents: 'invoice', overdueBalanceCents: 'invoice' },
});
