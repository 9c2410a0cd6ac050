import { amounts, anyOf, anyText, dates, flag, moments, ofCustomer, search, text } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';

// The reference keeps these out of every list; they are the workings of an invoice that does not exist yet.
const HIDDEN = ['generating', 'open', 'closed'];

const ofSubscription = (condition: unknown) => ({
  billingPeriods: { some: { subscription: { externalId: condition } } },
});

/** Lists of invoices leave out those that are still being made and those of zero that were skipped. */
export const invoiceFilter = listFilter('Invoice', {
  visible: { status: { notIn: HIDDEN } },
  conditions: {
    status: anyOf('InvoiceStatus', 'status', 'Only invoices in one of these states.'),
    paymentStatus: anyOf(
      'InvoicePaymentStatus',
      'paymentStatus',
      'Only invoices whose payment is in one of these states.',
    ),
    type: anyOf('InvoiceType', 'invoiceType', 'Only invoices of one of these types.'),
    currency: anyText('currency', 'Only invoices in one of these currencies.'),
    externalCustomerId: anyText(ofCustomer, 'Only invoices of customers with one of these external identifiers.'),
    externalSubscriptionId: text(
      ofSubscription,
      'Only invoices that bill the subscription with this external identifier.',
    ),
    billingEntityCodes: anyText('billingEntity.code', 'Only invoices of billing entities with one of these codes.'),
    issuingDate: dates('issuingDate', 'Only invoices issued on these dates.'),
    paymentDueDate: dates('paymentDueDate', 'Only invoices due on these dates.'),
    createdAt: moments('createdAt', 'Only invoices created in this time.'),
    totalAmountCents: amounts('totalAmountCents', 'Only invoices whose total with taxes is in this range.'),
    paymentOverdue: flag('paymentOverdue', 'Only invoices that are overdue, or only those that are not.'),
    selfBilled: flag('selfBilled', 'Only self-billed invoices, or only the others.'),
    search: search(
      ['number', 'customer.externalId', 'customer.name', 'customer.legalName', 'customer.email'],
      "Words in the invoice's number or in the customer's external identifier, names or e-mail address.",
    ),
  },
  orders: ['issuingDate', 'paymentDueDate', 'totalAmountCents', 'number'],
});
