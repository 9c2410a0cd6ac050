import {
  AggregationType,
  DocumentNumbering,
  IssuingDateAdjustment,
  IssuingDateAnchor,
  RoundingFunction,
} from '../../generated/prisma/enums.ts';
import { fillMetrics } from '../default/billable-metric.ts';
import { fillBillingEntities, prepareBillingEntities } from '../default/billing-entity.ts';
import { nameFromCode } from '../default/name.ts';
import { always, choice, field, required, shape, stamps, taxLink } from '../document/shape.ts';

const EMAILS = ['invoice.finalized', 'credit_note.created', 'payment_receipt.created'];

/** A legal entity that issues invoices. */
export const BILLING_ENTITY = shape({
  name: 'billing_entity',
  table: 'billing_entities',
  section: 'billing_entities',
  key: ['code'],
  keyWhere: 't.archived_at IS NULL',
  isKeyed: (row) => row.archived_at == null,
  unique: always,
  codeColumn: 'code',
  fields: [
    field('code', 'text', required),
    field('name', 'text', { nullable: false }),
    field('default_currency', 'currency', { initial: 'USD' }),
    field('document_locale', 'locale', { initial: 'en' }),
    choice('document_numbering', DocumentNumbering, { initial: 'per_customer' }),
    field('document_number_prefix', 'text'),
    field('timezone', 'timezone', { initial: 'UTC' }),
    field('invoice_footer', 'text'),
    field('invoice_grace_period', 'integer', { initial: 0 }),
    field('net_payment_term', 'integer', { initial: 0 }),
    choice('subscription_invoice_issuing_date_anchor', IssuingDateAnchor, { initial: 'next_period_start' }),
    choice('subscription_invoice_issuing_date_adjustment', IssuingDateAdjustment, {
      initial: 'align_with_finalization_date',
    }),
    field('finalize_zero_amount_invoice', 'boolean', { initial: true }),
    field('is_default', 'boolean', { initial: false }),
    field('eu_tax_management', 'boolean', { initial: false }),
    field('email_settings', 'texts', { initial: [], values: EMAILS }),
    field('address_line1', 'text'),
    field('address_line2', 'text'),
    field('city', 'text'),
    field('state', 'text'),
    field('country', 'country'),
    field('zipcode', 'text'),
    field('email', 'text'),
    field('phone', 'text'),
    field('legal_name', 'text'),
    field('legal_number', 'text'),
    field('tax_identification_number', 'text'),
    field('logo_url', 'text'),
    field('payment_iban', 'iban'),
    field('payment_bic', 'bic'),
    field('payment_account_holder', 'text'),
    field('payment_bank_name', 'text'),
    field('payment_url', 'payment_url'),
    field('archived_at', 'time'),
    ...stamps('updated', 'deleted'),
  ],
  links: [
    taxLink('_BillingEntityTaxes'),
    {
      member: 'selected_invoice_custom_sections',
      codes: ['invoice_custom_section_codes'],
      to: 'invoice_custom_section',
      table: '_BillingEntitySections',
      own: 'A',
    },
  ],
  lookup: ['name', 'timezone', 'default_currency', 'document_number_prefix', 'net_payment_term'],
  prepare: prepareBillingEntities,
  fill: fillBillingEntities,
});

/** A tax rate. */
export const TAX = shape({
  name: 'tax',
  table: 'taxes',
  section: 'taxes',
  key: ['code'],
  unique: always,
  codeColumn: 'code',
  fields: [
    field('code', 'text', required),
    field('name', 'text', { nullable: false }),
    field('description', 'text'),
    field('rate', 'rate', required),
    field('applied_to_organization', 'boolean', { initial: false }),
    ...stamps('updated', 'deleted'),
  ],
  lookup: ['name', 'description', 'rate'],
  fill: nameFromCode,
});

/** A text that is printed on invoices. */
export const INVOICE_CUSTOM_SECTION = shape({
  name: 'invoice_custom_section',
  table: 'invoice_custom_sections',
  section: 'invoice_custom_sections',
  key: ['code'],
  unique: always,
  codeColumn: 'code',
  fields: [
    field('code', 'text', required),
    field('name', 'text', { nullable: false }),
    field('description', 'text'),
    field('details', 'text'),
    field('display_name', 'text'),
    field('applied_to_organization', 'boolean', { initial: false }),
    ...stamps('updated', 'deleted'),
  ],
  lookup: ['code', 'details', 'display_name'],
  fill: nameFromCode,
});

const BILLABLE_METRIC_FILTER = shape({
  name: 'billable_metric_filter',
  table: 'billable_metric_filters',
  key: ['billable_metric_id', 'key'],
  unique: always,
  fields: [field('key', 'text', required), field('values', 'texts', { initial: [] }), ...stamps('updated', 'deleted')],
});

/** What usage is measured by. */
export const BILLABLE_METRIC = shape({
  name: 'billable_metric',
  table: 'billable_metrics',
  section: 'billable_metrics',
  key: ['code'],
  unique: always,
  codeColumn: 'code',
  fields: [
    field('code', 'text', required),
    field('name', 'text', { nullable: false }),
    field('description', 'text'),
    choice('aggregation_type', AggregationType, { initial: 'count_agg', aliases: ['aggregation'] }),
    field('field_name', 'text'),
    field('recurring', 'boolean', { initial: false }),
    choice('rounding_function', RoundingFunction),
    field('rounding_precision', 'integer'),
    field('weighted_interval', 'text'),
    field('expression', 'text'),
    ...stamps('updated', 'deleted'),
  ],
  children: [{ member: 'filters', shape: () => BILLABLE_METRIC_FILTER, parent: 'billable_metric_id' }],
  lookup: ['code', 'name', 'description'],
  fill: fillMetrics,
});

/** Something that is billed once, or by fixed charges. */
export const ADD_ON = shape({
  name: 'add_on',
  table: 'add_ons',
  section: 'add_ons',
  key: ['code'],
  unique: always,
  codeColumn: 'code',
  fields: [
    field('code', 'text', required),
    field('name', 'text', { nullable: false }),
    field('description', 'text'),
    field('invoice_display_name', 'text'),
    field('amount_cents', 'cents', { initial: 0 }),
    field('amount_currency', 'currency', { nullable: false }),
    ...stamps('updated', 'deleted'),
  ],
  links: [taxLink('_AddOnTaxes')],
  lookup: ['code', 'name', 'description', 'invoice_display_name'],
  fill: async (drafts, importer) => {
    nameFromCode(drafts);
    for (const { row } of drafts) row.amount_currency ??= await importer.defaultCurrency();
  },
});

/** A unit that charges can be priced in. */
export const PRICING_UNIT = shape({
  name: 'pricing_unit',
  table: 'pricing_units',
  section: 'pricing_units',
  key: ['code'],
  unique: always,
  codeColumn: 'code',
  fields: [
    field('code', 'text', required),
    field('name', 'text', { nullable: false }),
    field('short_name', 'text', { nullable: false }),
    field('description', 'text'),
    ...stamps('updated'),
  ],
  lookup: ['code', 'short_name'],
  fill: (drafts) => {
    nameFromCode(drafts);
    for (const { row } of drafts) row.short_name ??= row.code;
  },
});
