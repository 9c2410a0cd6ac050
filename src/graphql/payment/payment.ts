import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { defineNode } from '../list/node.ts';
import { listing, lookupById } from '../list/root.ts';
import { paymentFilter } from './payment-filter.ts';

const PayableType = builder.enumType('PayableType', {
  description: 'What a payment pays.',
  values: { Invoice: { description: 'One invoice.' }, PaymentRequest: { description: 'A request for several.' } },
});

const PAID = { select: { id: true, number: true } } as const;

/** The invoices that a payment pays: its own, else those of its request, oldest first. */
const PAID_INVOICES = {
  invoice: PAID,
  paymentRequest: { select: { invoices: { ...PAID, orderBy: OLDEST_FIRST } } },
} as const;

interface Paid {
  readonly id: string;
  readonly number: string;
}

interface Payment {
  readonly invoice: Paid | null;
  readonly paymentRequest: { readonly invoices: readonly Paid[] } | null;
}

const paidBy = ({ invoice, paymentRequest }: Payment) => (invoice ? [invoice] : (paymentRequest?.invoices ?? []));

defineNode('Payment', {
  sums: { currency: 'amountCurrency', columns: ['amountCents'] },
  filter: paymentFilter,
  resource: 'payment',
  fields: (t) => ({
    externalCustomerId: t.string({
      description: "The customer's identifier in the caller's application.",
      extensions: firstOf(['customer.externalId']),
      select: { customer: { select: { externalId: true } } },
      resolve: (payment) => payment.customer.externalId,
    }),
    payableType: t.field({
      type: PayableType,
      nullable: true,
      description: 'What it pays; null where that is not known.',
      select: { invoiceId: true, paymentRequestId: true },
      resolve: ({ invoiceId, paymentRequestId }) => {
        if (invoiceId) return 'Invoice';
        return paymentRequestId ? 'PaymentRequest' : null;
      },
    }),
    svcPayableId: t.field({
      type: 'UUID',
      nullable: true,
      description: 'Identifier of the invoice or request that it pays.',
      extensions: firstOf(['invoiceId', 'paymentRequestId']),
      select: { invoiceId: true, paymentRequestId: true },
      resolve: ({ invoiceId, paymentRequestId }) => invoiceId ?? paymentRequestId,
    }),
    svcInvoiceIds: t.field({
      type: ['UUID'],
      description: 'Identifiers of the invoices that it pays: its own, else those of its request.',
      select: PAID_INVOICES,
      resolve: (payment) => paidBy(payment).map(({ id }) => id),
    }),
    invoiceNumbers: t.stringList({
      description: 'Numbers of the invoices that it pays, in the order of their identifiers.',
      select: PAID_INVOICES,
      resolve: (payment) => paidBy(payment).map(({ number }) => number),
    }),
  }),
});

lookupById('payment', 'Payment', 'payment', 'A payment by the identifier that the service assigned.');

listing('payments', 'Payment', { resource: 'payment', description: 'Payments.' });
