import { listedInvoice } from '../fragments.ts';
import type { Route } from '../route.ts';
import { amount, date, listOf, listOfCustomer, metadata, one, several, text, yesOrNo } from '../route-list.ts';

const INVOICES = {
  name: 'invoices',
  permission: 'invoice:read',
  shown: ['ListedInvoice', listedInvoice],
} as const;

const OF_INVOICES = {
  amount_from: amount('totalAmountCents.from'),
  amount_to: amount('totalAmountCents.to'),
  issuing_date_from: date('issuingDate.from'),
  issuing_date_to: date('issuingDate.to'),
  payment_overdue: yesOrNo('paymentOverdue'),
  search_term: text('search'),
  payment_dispute_lost: yesOrNo('paymentDisputeLost'),
  invoice_type: one('invoiceType', 'InvoiceType'),
  self_billed: yesOrNo('selfBilled'),
  metadata: metadata('InvoiceMetadataCondition'),
};

/** All invoices, and those of a customer. */
export const invoiceLists: readonly Route[] = [
  listOf({
    ...INVOICES,
    parameters: {
      external_customer_id: one('everExternalCustomerId'),
      'statuses[]': several('status', 'InvoiceStatus'),
      'payment_statuses[]': several('paymentStatus', 'InvoicePaymentStatus'),
      currency: one('currency'),
      'billing_entity_codes[]': several('billingEntityCode'),
      ...OF_INVOICES,
    },
  }),
  listOfCustomer({
    ...INVOICES,
    parameters: {
      status: one('status', 'InvoiceStatus'),
      payment_status: one('paymentStatus', 'InvoicePaymentStatus'),
      ...OF_INVOICES,
    },
  }),
];
