import {
  CustomerAccountType,
  CustomerType,
  FinalizeZeroAmountInvoice,
  IssuingDateAdjustment,
  IssuingDateAnchor,
} from '../../generated/prisma/enums.ts';
import { fillCustomers } from '../default/customer.ts';
import { always, choice, field, ref, required, shape, stamps, taxLink } from '../document/shape.ts';

const billing = (member: string) => ({ aliases: [member] });
const address = ['address_line1', 'address_line2', 'city', 'state', 'zipcode'];

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

const billingConfiguration = [
  field('billing_configuration.invoice_grace_period', 'integer', billing('invoice_grace_period')),
  choice(
    'billing_configuration.subscription_invoice_issuing_date_anchor',
    IssuingDateAnchor,
    billing('subscription_invoice_issuing_date_anchor'),
  ),
  choice(
    'billing_configuration.subscription_invoice_issuing_date_adjustment',
    IssuingDateAdjustment,
    billing('subscription_invoice_issuing_date_adjustment'),
  ),
  field('billing_configuration.document_locale', 'locale', billing('document_locale')),
  field('billing_configuration.payment_provider', 'text', billing('payment_provider')),
  field('billing_configuration.payment_provider_code', 'text', billing('payment_provider_code')),
  field('billing_configuration.provider_customer_id', 'text', billing('provider_customer_id')),
  field('billing_configuration.provider_payment_methods', 'texts', { initial: [] }),
  field('billing_configuration.sync', 'boolean'),
  field('billing_configuration.sync_with_provider', 'boolean'),
];

/** A customer of the organization. */
export const CUSTOMER = shape({
  name: 'customer',
  table: 'customers',
  section: 'customers',
  key: ['external_id'],
  unique: always,
  codeColumn: 'external_id',
  fields: [
    field('external_id', 'text', required),
    field('sequential_id', 'integer', { nullable: false }),
    field('slug', 'text', { nullable: false }),
    ...['name', 'firstname', 'lastname', 'email', 'phone', 'url', 'logo_url'].map((member) => field(member, 'text')),
    ...['legal_name', 'legal_number', 'tax_identification_number'].map((member) => field(member, 'text')),
    field('currency', 'currency'),
    field('timezone', 'timezone'),
    choice('account_type', CustomerAccountType, { initial: 'customer' }),
    choice('customer_type', CustomerType),
    ...address.map((member) => field(member, 'text')),
    field('country', 'country'),
    ...address.map((member) => field(`shipping_address.${member}`, 'text', { column: `shipping_${member}` })),
    field('shipping_address.country', 'country', { column: 'shipping_country' }),
    field('net_payment_term', 'integer'),
    choice('finalize_zero_amount_invoice', FinalizeZeroAmountInvoice, { initial: 'inherit' }),
    field('skip_invoice_custom_sections', 'boolean', { initial: false }),
    ...billingConfiguration,
    ...stamps('updated', 'deleted'),
  ],
  refs: [ref('billing_entity_id', 'billing_entity', ['svc_billing_entity_id'], ['billing_entity_code'])],
  links: [taxLink('_CustomerTaxes')],
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
    field('provider_code', 'text'),
    field('is_default', 'boolean', { initial: false }),
    field('details', 'json', { initial: {} }),
    ...stamps('updated', 'deleted'),
  ],
  refs: [ref('customer_id', 'customer', ['svc_customer_id'], ['external_customer_id'], required)],
});
