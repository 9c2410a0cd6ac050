import { amounts, anyOf, anyText, either, everOfCustomer, flag, moments, ofCustomer } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';

/** How lists of fees are narrowed and ordered. */
export const feeFilter = listFilter('Fee', {
  renamed: { type: 'feeType' },
  conditions: {
    feeType: anyOf('FeeType', 'feeType', 'Only fees of one of these types.'),
    paymentStatus: anyOf('FeePaymentStatus', 'paymentStatus', 'Only fees whose payment is in one of these states.'),
    currency: anyText('amountCurrency', 'Only fees in one of these currencies.'),
    externalCustomerId: anyText(ofCustomer, 'Only fees of customers with one of these external identifiers.'),
    everExternalCustomerId: everOfCustomer('fees'),
    externalSubscriptionId: anyText(
      'subscription.externalId',
      'Only fees of subscriptions with one of these external identifiers.',
    ),
    chargeCode: anyText('charge.code', 'Only fees of charges with one of these codes.'),
    billableMetricCode: anyText(
      'charge.billableMetric.code',
      'Only fees for usage of metrics with one of these codes.',
    ),
    invoiced: either(
      'Only fees that are on an invoice, or only those that are not.',
      { invoiceId: { not: null } },
      {
        invoiceId: null,
      },
    ),
    payInAdvance: flag('payInAdvance', 'Only fees charged in advance, or only the others.'),
    createdAt: moments('createdAt', 'Only fees created in this time.'),
    succeededAt: moments('succeededAt', 'Only fees whose payment succeeded in this time.'),
    failedAt: moments('failedAt', 'Only fees whose payment failed in this time.'),
    refundedAt: moments('refundedAt', 'Only fees that were paid back in this time.'),
    eventTransactionId: anyText('eventTransactionId', 'Only fees that were charged at one of these events.'),
    fromDate: moments('fromDate', 'Only fees whose period begins in this time.'),
    amountCents: amounts('amountCents', 'Only fees whose amount without taxes is in this range.'),
  },
  orders: ['fromDate'],
  moneyOrders: ['amountCents'],
});
