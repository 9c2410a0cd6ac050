import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { happening, INVOICE_WRITE, LOOKUP } from './invoice-write.ts';

interface Body {
  readonly payment_method?: unknown;
}

const ofInvoice = (verb: string) =>
  ({ method: 'POST', path: `/invoices/{svc_id}/${verb}`, permission: INVOICE_WRITE }) as const;

/** The endpoints that try again what an invoice waits for: its taxes and its payment. */
export const invoiceRetries: readonly Route[] = [
  { ...happening('POST', 'retry', 'retryInvoice', 'retryInvoice'), dependsOnState: true },
  {
    ...{ ...ofInvoice('retry_payment'), operation: 'retryPayment' },
    document: document(
      `mutation retryPayment($svcId: UUID!, $paymentMethod: PaymentMethodReferenceInput) {
        invoice: retryInvoicePayment(svcId: $svcId, paymentMethod: $paymentMethod) { svc_id: svcId }
      }`,
    ),
    ...{ body: true, lookup: LOOKUP, dependsOnState: true, empty: true },
    formFaults: { payment_method: 'invalid_payment_method' },
    variables: ({ params, body }) => {
      const { payment_method }: Body = Object(body);
      return { svcId: params.svc_id, paymentMethod: payment_method };
    },
  },
  {
    ...{ ...ofInvoice('payment_url'), operation: 'invoicePaymentUrl' },
    document: document(
      `mutation invoicePaymentUrl($svcId: UUID!) {
        invoice_payment_details: generateInvoicePaymentPage(svcId: $svcId) {
          svc_customer_id: svcCustomerId
          svc_invoice_id: svcInvoiceId
          external_customer_id: externalCustomerId
          payment_provider: paymentProvider
          payment_url: paymentUrl
        }
      }`,
    ),
    variables: ({ params }) => ({ svcId: params.svc_id }),
  },
];
