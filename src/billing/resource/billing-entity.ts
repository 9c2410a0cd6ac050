import { COUNTRIES } from '../customer/country.ts';
import { type BillingError, invalid } from '../errors.ts';
import { isMemberState } from '../vat/member-state.ts';
import {
  BOOLEAN,
  COUNTRY,
  CURRENCY,
  choice,
  codes,
  EMAIL,
  type FieldType,
  grouped,
  INTEGER,
  initially,
  LINE,
  LOCALE,
  LOGO,
  mandatory,
  optional,
  TEXT,
  TEXTS,
  TIME_ZONE,
} from './field.ts';
import { resource } from './resource.ts';

const PREFIX: FieldType<string> = { kind: 'text', shortest: 1, longest: 10, isUpper: true };
const FOOTER: FieldType<string> = { kind: 'text', isBlankNone: true, longest: 600 };
/** The occasions on which an e-mail may be sent. */
const OCCASIONS = ['invoice.finalized', 'credit_note.created', 'payment_receipt.created'];

/** What an entity has in common with the organization, whose own it is where it is the default one. */
export const COMMON = {
  defaultCurrency: initially({ ...CURRENCY, isUpper: true }, 'USD'),
  documentNumberPrefix: optional(PREFIX),
  timezone: initially(TIME_ZONE, 'UTC'),
  finalizeZeroAmountInvoice: initially(BOOLEAN, true),
  netPaymentTerm: initially(INTEGER, 0),
  euTaxManagement: initially(BOOLEAN, false),
  emailSettings: initially({ ...TEXTS, among: { texts: OCCASIONS, code: 'unsupported_value' } }, []),
  addressLine1: optional(LINE),
  addressLine2: optional(LINE),
  city: optional(LINE),
  state: optional(LINE),
  zipcode: optional(LINE),
  country: optional(COUNTRY),
  email: optional(EMAIL),
  legalName: optional(TEXT),
  legalNumber: optional(TEXT),
  taxIdentificationNumber: optional(TEXT),
};

/** Those of them that stand in the object `billing_configuration`. */
export const COMMON_BILLING = {
  invoiceFooter: optional(FOOTER),
  documentLocale: initially(LOCALE, 'en'),
  invoiceGracePeriod: initially(INTEGER, 0),
};

const isCountry = (text: string) => text.trim() === '' || COUNTRIES.has(text.toUpperCase());

/** What is wrong where European VAT rules are to choose the taxes of somebody who is not in the EU. */
export const vatRefusal = (
  { euTaxManagement, country }: { readonly euTaxManagement: boolean; readonly country: string | null },
  code: string,
): BillingError | undefined =>
  euTaxManagement && !isMemberState(country?.toUpperCase()) && (country === null || isCountry(country))
    ? invalid({ eu_tax_management: [code] }, { eu_tax_management: { limit: 'true in a member state of the EU only' } })
    : undefined;

/** A legal entity that issues invoices. Source: engine-catalogue 3. */
export const BILLING_ENTITY = resource(
  'billing_entity',
  {
    code: mandatory(TEXT),
    name: mandatory(TEXT),
    phone: optional(TEXT),
    logoUrl: optional(LOGO),
    documentNumbering: initially(choice<'per_customer' | 'per_billing_entity'>('DocumentNumbering'), 'per_customer'),
    ...COMMON,
    taxCodes: codes('tax', 'taxes'),
    invoiceCustomSectionCodes: codes('invoice_custom_section', 'selectedInvoiceCustomSections'),
    ...grouped('billingConfiguration', {
      ...COMMON_BILLING,
      subscriptionInvoiceIssuingDateAnchor: initially(
        choice<'current_period_end' | 'next_period_start'>('IssuingDateAnchor'),
        'next_period_start',
      ),
      subscriptionInvoiceIssuingDateAdjustment: initially(
        choice<'keep_anchor' | 'align_with_finalization_date'>('IssuingDateAdjustment'),
        'align_with_finalization_date',
      ),
    }),
  },
  (entity) => vatRefusal(entity, 'billing_entity_must_be_in_eu'),
);
