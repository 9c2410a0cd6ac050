import { amounts, anyOf, anyText, moments, ofCustomer } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

/** How lists of payments are narrowed and ordered. */
export const paymentFilter = listFilter('Payment', {
  renamed: { type: 'paymentType' },
  conditions: {
    status: anyOf('PaymentStatus', 'status', 'Only payments in one of these states.'),
    paymentType: anyOf('PaymentType', 'paymentType', 'Only payments made in one of these ways.'),
    currency: anyText('amountCurrency', 'Only payments in one of these currencies.'),
    externalCustomerId: anyText(ofCustomer, 'Only payments of customers with one of these external identifiers.'),
    invoiceNumber: anyText('invoice.number', 'Only payments of invoices with one of these numbers.'),
    amountCents: amounts('amountCents', 'Only payments whose amount is in this range.'),
    createdAt: moments('createdAt', 'Only payments created in this time.'),
    search: search(
      "Words in the reference, the provider's identifier or the invoice's number, or in what lists of customers find its customer by.",
      ['invoice', 'customer'],
    ),
  },
  moneyOrders: ['amountCents'],
});
