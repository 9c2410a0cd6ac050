import { HIDDEN_STATES } from '../../billing/invoice/hidden.ts';
import { amounts, anyId, anyOf, anyText, everOfCustomer, moments, ofCustomer } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

// Of an invoice, or by a request for it.
const ofInvoice = (condition: unknown) => ({
  OR: [{ invoiceId: condition }, { paymentRequest: { invoices: { some: { id: condition } } } }],
});

/** How lists of payments are narrowed and ordered. */
export const paymentFilter = listFilter('Payment', {
  renamed: { type: 'paymentType' },
  visible: { OR: [{ invoiceId: null }, { invoice: { status: { notIn: HIDDEN_STATES } } }] },
  conditions: {
    status: anyOf('PaymentStatus', 'status', 'Only payments in one of these states.'),
    paymentType: anyOf('PaymentType', 'paymentType', 'Only payments made in one of these ways.'),
    currency: anyText('amountCurrency', 'Only payments in one of these currencies.'),
    externalCustomerId: anyText(ofCustomer, 'Only payments of customers with one of these external identifiers.'),
    everExternalCustomerId: everOfCustomer('payments'),
    svcInvoiceId: anyId(ofInvoice, 'Only payments of the invoices with these identifiers, also those by a request.'),
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

/** How lists of payment methods are narrowed. */
export const paymentMethodFilter = listFilter('PaymentMethod', {
  conditions: {
    externalCustomerId: anyText(ofCustomer, 'Only methods of customers with one of these external identifiers.'),
    everExternalCustomerId: everOfCustomer('methods'),
  },
});
