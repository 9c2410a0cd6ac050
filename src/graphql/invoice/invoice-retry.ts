import { paymentPage, retryPayment } from '../../engine/invoice/retry-payment.ts';
import { retryInvoice } from '../../engine/subscription/invoice/retry-invoice.ts';
import { builder } from '../base/builder.ts';
import { actorOf } from '../context.ts';
import { PaymentMethodReferenceInput } from '../payment/payment-method.ts';
import { checkDry, dryRunArg, mutation } from '../write/mutation.ts';
import { svcIdArg } from './invoice-write.ts';

mutation('retryInvoice', 'Invoice', {
  resource: 'invoice',
  description:
    "Asks once more for the taxes of an invoice that failed without them, or waits for them: the register of VAT numbers is asked at once. Known, they make the invoice final, and the customer's others that wait; not known, it stays as it is. Others are refused (`invalid_status`).",
  args: svcIdArg,
  write: ({ svcId }, context) =>
    retryInvoice(context.db, actorOf(context), svcId, context.dryRun ? undefined : context.checkVat),
});

mutation('retryInvoicePayment', 'Invoice', {
  resource: 'invoice',
  description:
    'Collects once more what is due of a final invoice that is not paid. What costs nothing is paid then; else it stays as it is, and the log tells that the customer has no connected provider that would collect it (`customer_must_have_payment_provider`). Others are refused (`invalid_status`).',
  args: {
    ...svcIdArg,
    ...builder.args((t) => ({
      paymentMethod: t.field({
        type: PaymentMethodReferenceInput,
        description: 'Which method is to collect it. The default one without it.',
      }),
    })),
  },
  write: ({ svcId, paymentMethod }, context) => retryPayment(context.db, actorOf(context), svcId, paymentMethod),
});

interface PaymentPage {
  readonly svcCustomerId: string;
  readonly externalCustomerId: string;
  readonly paymentProvider: string;
  readonly svcInvoiceId: string;
  readonly paymentUrl: string;
}

const InvoicePaymentPage = builder.objectRef<PaymentPage>('InvoicePaymentPage').implement({
  description: 'Where an invoice is paid: on a page of the provider that its customer is connected to.',
  fields: (t) => ({
    svcCustomerId: t.expose('svcCustomerId', { type: 'UUID', description: "The customer's identifier." }),
    externalCustomerId: t.exposeString('externalCustomerId', {
      description: "The customer's identifier in the caller's application.",
    }),
    paymentProvider: t.exposeString('paymentProvider', { description: 'Whose page it is.' }),
    svcInvoiceId: t.expose('svcInvoiceId', { type: 'UUID', description: "The invoice's identifier." }),
    paymentUrl: t.expose('paymentUrl', { type: 'URL', description: 'Address of the page.' }),
  }),
});

builder.mutationField('generateInvoicePaymentPage', (t) =>
  t.field({
    type: InvoicePaymentPage,
    nullable: true,
    description:
      'Makes the page on which an invoice is paid. No provider can be connected yet, so that it is refused with the reason, as `base`: `no_linked_payment_provider`, `invalid_payment_provider` for one without pages, `invalid_invoice_status_or_payment_status` where nothing is to be paid, else `missing_payment_provider`.',
    args: { ...svcIdArg, ...dryRunArg },
    extensions: { permission: 'invoice:write' },
    resolve: (_root, { svcId, dryRun }, context) => {
      checkDry(dryRun, context);
      return paymentPage(context.db, actorOf(context), svcId);
    },
  }),
);
