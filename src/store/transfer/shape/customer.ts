import { CUSTOMER as CUSTOMER_RESOURCE } from '../../../billing/resource/customer.ts';
import { VatStatus } from '../../generated/prisma/enums.ts';
import { fillCustomers, fillPaymentMethods } from '../default/customer.ts';
import { fieldsOf } from '../document/resource-field.ts';
import { always, choice, field, ref, required, shape, stamps, taxLink } from '../document/shape.ts';

const CUSTOMER_METADATA = shape({
  name: 'customer_metadata',
  table: 'customer_metadata',
  key: ['customer_id', 'key'],
  unique: always,
  fields: [
    field('key', 'text', required),
    field('value', 'text', required),
    field('display_in_invoice', 'boolean', { initial: false }),
    ...stamps('updated'),
  ],
});

const INTEGRATION_CUSTOMER = shape({
  name: 'integration_customer',
  table: 'integration_customers',
  fields: [
    field('type', 'text', { aliases: ['integration_type'] }),
    field('integration_code', 'text'),
    field('external_customer_id', 'text'),
    field('subsidiary_id', 'text'),
    field('targeted_object', 'text'),
    field('sync_with_provider', 'boolean'),
    field('email', 'text'),
    ...stamps(),
  ],
});

const alias = (member: string) => ({ aliases: [member] });

const { externalId, ...MEMBERS } = CUSTOMER_RESOURCE.fields;

/** A customer of the organization. */
export const CUSTOMER = shape({
  name: 'customer',
  table: 'customers',
  section: 'customers',
  key: ['external_id'],
  unique: always,
  codeColumn: 'external_id',
  fields: [
    ...fieldsOf({ fields: { externalId } }),
    field('sequential_id', 'integer', { nullable: false }),
    field('slug', 'text', { nullable: false }),
    ...fieldsOf(
      { fields: MEMBERS },
      {
        invoiceGracePeriod: alias('invoice_grace_period'),
        subscriptionInvoiceIssuingDateAnchor: alias('subscription_invoice_issuing_date_anchor'),
        subscriptionInvoiceIssuingDateAdjustment: alias('subscription_invoice_issuing_date_adjustment'),
        documentLocale: alias('document_locale'),
        paymentProvider: alias('payment_provider'),
        paymentProviderCode: alias('payment_provider_code'),
        providerCustomerId: alias('provider_customer_id'),
      },
    ),
    choice('vat_status', VatStatus),
    field('vat_checked_at', 'time'),
    field('vat_unanswered', 'integer', { initial: 0 }),
    field('vat_due_at', 'time'),
    ...stamps('updated', 'deleted'),
  ],
  refs: [ref('billing_entity_id', 'billing_entity', ['svc_billing_entity_id'], ['billing_entity_code'])],
  links: [
    taxLink('_CustomerTaxes'),
    {
      member: 'selected_invoice_custom_sections',
      codes: ['invoice_custom_section_codes'],
      to: 'invoice_custom_section',
      table: '_CustomerSections',
      own: 'A',
    },
  ],
  children: [
    { member: 'metadata', shape: () => CUSTOMER_METADATA, parent: 'customer_id' },
    { member: 'integration_customers', shape: () => INTEGRATION_CUSTOMER, parent: 'customer_id' },
  ],
  lookup: [
    'billing_entity_id',
    'currency',
    'slug',
    'sequential_id',
    'net_payment_term',
    'timezone',
    'account_type',
    'email',
    'payment_provider',
  ],
  fill: fillCustomers,
});

/** A customer's stored way to pay. */
export const PAYMENT_METHOD = shape({
  name: 'payment_method',
  table: 'payment_methods',
  section: 'payment_methods',
  fields: [
    field('provider_method_id', 'text'),
    field('provider_type', 'text', { aliases: ['payment_provider_type'] }),
    field('provider_code', 'text', { aliases: ['payment_provider_code'] }),
    field('is_default', 'boolean', { initial: false }),
    field('details', 'json', { initial: {} }),
    ...stamps('updated', 'deleted'),
  ],
  refs: [ref('customer_id', 'customer', ['svc_customer_id'], ['external_customer_id'], required)],
  fill: fillPaymentMethods,
});
