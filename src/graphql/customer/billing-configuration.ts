import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { enumRef } from '../base/enum.ts';

export const BILLING_CONFIGURATION = {
  invoiceGracePeriod: true,
  subscriptionInvoiceIssuingDateAnchor: true,
  subscriptionInvoiceIssuingDateAdjustment: true,
  paymentProvider: true,
  paymentProviderCode: true,
  providerCustomerId: true,
  documentLocale: true,
  sync: true,
  syncWithProvider: true,
  providerPaymentMethods: true,
} as const;

interface Row {
  readonly invoiceGracePeriod: number | null;
  readonly subscriptionInvoiceIssuingDateAnchor: string | null;
  readonly subscriptionInvoiceIssuingDateAdjustment: string | null;
  readonly paymentProvider: string | null;
  readonly paymentProviderCode: string | null;
  readonly providerCustomerId: string | null;
  readonly documentLocale: string | null;
  readonly sync: boolean | null;
  readonly syncWithProvider: boolean | null;
  readonly providerPaymentMethods: readonly string[];
}

const nullable = true;

/** How a customer is billed. */
export const BillingConfiguration = builder.objectRef<Row>('BillingConfiguration').implement({
  description: 'How a customer is billed; null members follow the billing entity.',
  fields: (t) => ({
    invoiceGracePeriod: t.exposeInt('invoiceGracePeriod', {
      nullable,
      description: 'Days between the end of a period and the finalization of its invoice.',
    }),
    subscriptionInvoiceIssuingDateAnchor: t.expose('subscriptionInvoiceIssuingDateAnchor', {
      type: enumRef('IssuingDateAnchor'),
      nullable,
      description: 'The date that the issuing date of a periodic invoice is counted from.',
    }),
    subscriptionInvoiceIssuingDateAdjustment: t.expose('subscriptionInvoiceIssuingDateAdjustment', {
      type: enumRef('IssuingDateAdjustment'),
      nullable,
      description: 'Whether the issuing date keeps its anchor or follows the finalization date.',
    }),
    paymentProvider: t.exposeString('paymentProvider', { nullable, description: 'Payment provider.' }),
    paymentProviderCode: t.exposeString('paymentProviderCode', {
      nullable,
      description: "Code of the provider's connection.",
    }),
    providerCustomerId: t.exposeString('providerCustomerId', {
      nullable,
      description: "The customer's identifier at the provider.",
    }),
    documentLocale: t.expose('documentLocale', {
      type: 'Locale',
      nullable,
      description: "Language of the customer's documents.",
    }),
    sync: t.exposeBoolean('sync', { nullable, description: 'Whether provider calls are synchronous.' }),
    syncWithProvider: t.exposeBoolean('syncWithProvider', {
      nullable,
      description: 'Whether the customer is created at the provider.',
    }),
    providerPaymentMethods: t.stringList({
      description: 'Payment methods allowed at the provider.',
      extensions: firstOf(['providerPaymentMethods']),
      resolve: (row) => [...row.providerPaymentMethods],
    }),
  }),
});
