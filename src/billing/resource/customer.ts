import { integrationRefusal, type SentIntegration } from '../customer/integration.ts';
import { metadataRefusal, type SentPair } from '../customer/metadata.ts';
import { type BillingError, invalid, joined } from '../errors.ts';
import {
  BOOLEAN,
  COUNTRY,
  CURRENCY,
  choice,
  codes,
  EMAIL,
  grouped,
  INTEGER,
  initially,
  LINE,
  LOCALE,
  mandatory,
  optional,
  PROVIDER,
  type Sent,
  TEXT,
  TEXTS,
  TIME_ZONE,
  type Values,
  WEB_ADDRESS,
} from './field.ts';
import { refusalOfNew, resource } from './resource.ts';

const ADDRESS = {
  addressLine1: optional(LINE),
  addressLine2: optional(LINE),
  city: optional(LINE),
  state: optional(LINE),
  zipcode: optional(LINE),
  country: optional(COUNTRY),
};

/** How a provider is paid; the names are those of the one that has the most. */
const PAYMENT_METHODS = [
  ...['card', 'sepa_debit', 'us_bank_account', 'bacs_debit', 'link', 'boleto', 'crypto', 'customer_balance'],
];

const BILLING = {
  invoiceGracePeriod: optional(INTEGER),
  subscriptionInvoiceIssuingDateAnchor: optional(
    choice<'current_period_end' | 'next_period_start'>('IssuingDateAnchor'),
  ),
  subscriptionInvoiceIssuingDateAdjustment: optional(
    choice<'keep_anchor' | 'align_with_finalization_date'>('IssuingDateAdjustment'),
  ),
  documentLocale: optional(LOCALE),
  paymentProvider: optional(PROVIDER),
  paymentProviderCode: optional(TEXT),
  providerCustomerId: optional(TEXT),
  providerPaymentMethods: initially({ ...TEXTS, among: { texts: PAYMENT_METHODS, code: 'value_is_invalid' } }, []),
  sync: optional(BOOLEAN),
  syncWithProvider: optional(BOOLEAN),
};

/** Somebody who is billed, but for what has rows of its own. Source: engine-catalogue 4. */
export const CUSTOMER = resource('customer', {
  externalId: mandatory(TEXT),
  name: optional(TEXT),
  firstname: optional(TEXT),
  lastname: optional(TEXT),
  email: optional(EMAIL),
  phone: optional(TEXT),
  url: optional(WEB_ADDRESS),
  logoUrl: optional(WEB_ADDRESS),
  legalName: optional(TEXT),
  legalNumber: optional(TEXT),
  taxIdentificationNumber: optional(TEXT),
  currency: optional(CURRENCY),
  timezone: optional(TIME_ZONE),
  accountType: initially(choice<'customer' | 'partner'>('CustomerAccountType'), 'customer'),
  customerType: optional(choice<'company' | 'individual'>('CustomerType')),
  ...ADDRESS,
  ...grouped('shippingAddress', ADDRESS, 'shipping'),
  netPaymentTerm: optional(INTEGER),
  finalizeZeroAmountInvoice: initially(choice<'inherit' | 'skip' | 'finalize'>('FinalizeZeroAmountInvoice'), 'inherit'),
  skipInvoiceCustomSections: initially(BOOLEAN, false),
  ...grouped('billingConfiguration', BILLING),
  taxCodes: codes('tax', 'taxes'),
  invoiceCustomSectionCodes: codes('invoice_custom_section', 'selectedInvoiceCustomSections'),
});

/** A customer as it is stored, but for what has rows of its own. */
export type CustomerValues = Values<typeof CUSTOMER.fields>;

/** What is sent of a customer, members of objects among the others. */
export interface SentCustomer {
  readonly members: Sent<typeof CUSTOMER.fields>;
  readonly billingEntityCode?: string | null | undefined;
  readonly metadata?: readonly SentPair[] | null | undefined;
  readonly integrationCustomers?: readonly SentIntegration[] | null | undefined;
}

const CONTRADICTION = { invoice_custom_sections: ['skip_sections_and_selected_ids_sent_together'] };

function sectionRefusal({ skipInvoiceCustomSections, invoiceCustomSectionCodes }: SentCustomer['members']) {
  const hint = { name: 'invoiceCustomSectionCodes', limit: 'codes, or that sections are skipped' };
  const isBoth = skipInvoiceCustomSections && (invoiceCustomSectionCodes ?? []).length > 0;
  return isBoth ? invalid(CONTRADICTION, { invoice_custom_sections: hint }) : undefined;
}

/** What is wrong beyond the customer's own members; each alone of those is told with it. */
export function besideRefusals({ members, metadata, integrationCustomers }: SentCustomer): BillingError[] {
  const found = [
    sectionRefusal(members),
    metadataRefusal(metadata ?? []),
    integrationRefusal(integrationCustomers ?? []),
  ];
  return found.filter((one) => one !== undefined);
}

/** All that is wrong with what was sent for a new customer; undefined where nothing is. */
export function newCustomerRefusal(sent: SentCustomer): BillingError | undefined {
  const own = refusalOfNew(CUSTOMER, sent.members);
  const all = [...(own ? [own] : []), ...besideRefusals(sent)];
  return all.length > 0 ? joined(...all) : undefined;
}

/** What is meant: sections that are chosen are printed, those of one that skips them are none; null goes by the entity again. */
export function meantMembers(sent: SentCustomer['members']): SentCustomer['members'] {
  const { skipInvoiceCustomSections: skips, invoiceCustomSectionCodes: chosen, finalizeZeroAmountInvoice } = sent;
  return {
    ...sent,
    ...(finalizeZeroAmountInvoice === null && { finalizeZeroAmountInvoice: 'inherit' }),
    ...(skips && { invoiceCustomSectionCodes: [] }),
    ...(!skips && chosen && chosen.length > 0 && { skipInvoiceCustomSections: false }),
  };
}
