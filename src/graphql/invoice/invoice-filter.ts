import { HIDDEN_STATES } from '../../billing/invoice/hidden.ts';
import {
  amounts,
  anyOf,
  anyText,
  dates,
  either,
  everOfCustomer,
  flag,
  moments,
  ofCustomer,
  text,
} from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { metadataPairs } from '../list/metadata-condition.ts';
import { search } from '../list/search.ts';

const ofSubscription = (condition: unknown) => ({
  billingPeriods: { some: { subscription: { externalId: condition } } },
});

const DUE = { status: 'finalized', totalDueAmountCents: { gt: 0 } };
const PARTIALLY_PAID = { totalPaidAmountCents: { gt: 0 }, totalDueAmountCents: { gt: 0 } };

/** Lists of invoices leave out those that are still being made and those of zero that were skipped. */
export const invoiceFilter = listFilter('Invoice', {
  visible: { status: { notIn: HIDDEN_STATES } },
  renamed: { type: 'invoiceType', billingEntityCodes: 'billingEntityCode' },
  conditions: {
    status: anyOf('InvoiceStatus', 'status', 'Only invoices in one of these states.'),
    taxStatus: anyOf('InvoiceTaxStatus', 'taxStatus', 'Only invoices whose taxes are in one of these states.'),
    paymentStatus: anyOf(
      'InvoicePaymentStatus',
      'paymentStatus',
      'Only invoices whose payment is in one of these states.',
    ),
    invoiceType: anyOf('InvoiceType', 'invoiceType', 'Only invoices of one of these types.'),
    currency: anyText('currency', 'Only invoices in one of these currencies.'),
    externalCustomerId: anyText(ofCustomer, 'Only invoices of customers with one of these external identifiers.'),
    everExternalCustomerId: everOfCustomer('invoices'),
    externalSubscriptionId: text(
      ofSubscription,
      'Only invoices that bill the subscription with this external identifier.',
    ),
    billingEntityCode: anyText('billingEntity.code', 'Only invoices of billing entities with one of these codes.'),
    issuingDate: dates('issuingDate', 'Only invoices issued on these dates.'),
    paymentDueDate: dates('paymentDueDate', 'Only invoices due on these dates.'),
    createdAt: moments('createdAt', 'Only invoices created in this time.'),
    totalAmountCents: amounts('totalAmountCents', 'Only invoices whose total with taxes is in this range.'),
    totalDueAmountCents: amounts('totalDueAmountCents', 'Only invoices of which so much is still to be paid.'),
    due: either('Only final invoices on which something is still to be paid, or only the others.', DUE, { NOT: DUE }),
    partiallyPaid: either(
      'Only invoices on which something is paid and something still to be paid, or only the others.',
      PARTIALLY_PAID,
      { NOT: PARTIALLY_PAID },
    ),
    paymentDisputeLost: either(
      'Only invoices whose payment was lost in a dispute, or only the others.',
      { paymentDisputeLostAt: { not: null } },
      { paymentDisputeLostAt: null },
    ),
    paymentOverdue: flag('paymentOverdue', 'Only invoices that are overdue, or only those that are not.'),
    selfBilled: flag('selfBilled', 'Only self-billed invoices, or only the others.'),
    metadata: metadataPairs('Invoice', ['an', 'invoice']),
    search: search("Words in the invoice's number, or in what lists of customers find its customer by.", ['customer']),
  },
  orders: ['issuingDate', 'paymentDueDate', 'number'],
  moneyOrders: ['totalAmountCents', 'totalDueAmountCents'],
});
