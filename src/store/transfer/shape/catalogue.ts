import { ADD_ON as ADD_ON_RESOURCE } from '../../../billing/resource/add-on.ts';
import { METRIC_FILTER_FIELDS, BILLABLE_METRIC as METRIC_RESOURCE } from '../../../billing/resource/billable-metric.ts';
import { BILLING_ENTITY as ENTITY_RESOURCE } from '../../../billing/resource/billing-entity.ts';
import { ungrouped } from '../../../billing/resource/field.ts';
import { INVOICE_CUSTOM_SECTION as SECTION_RESOURCE } from '../../../billing/resource/invoice-custom-section.ts';
import { PRICING_UNIT as PRICING_UNIT_RESOURCE } from '../../../billing/resource/pricing-unit.ts';
import { TAX as TAX_RESOURCE } from '../../../billing/resource/tax.ts';
import { fillMetrics } from '../default/billable-metric.ts';
import { fillBillingEntities, prepareBillingEntities } from '../default/billing-entity.ts';
import { nameFromCode } from '../default/name.ts';
import { fieldsOf } from '../document/resource-field.ts';
import { always, field, shape, stamps, taxLink } from '../document/shape.ts';

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
    ...fieldsOf({ fields: ungrouped(ENTITY_RESOURCE.fields) }, { name: { nullable: false } }),
    field('is_default', 'boolean', { initial: false }),
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
    ...fieldsOf(TAX_RESOURCE, { name: { nullable: false } }),
    field('auto_generated', 'boolean', { initial: false }),
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
  fields: [...fieldsOf(SECTION_RESOURCE, { name: { nullable: false } }), ...stamps('updated', 'deleted')],
  lookup: ['code', 'details', 'display_name'],
  fill: nameFromCode,
});

const BILLABLE_METRIC_FILTER = shape({
  name: 'billable_metric_filter',
  table: 'billable_metric_filters',
  key: ['billable_metric_id', 'key'],
  unique: always,
  fields: [...fieldsOf({ fields: METRIC_FILTER_FIELDS }, { values: { initial: [] } }), ...stamps('updated', 'deleted')],
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
    ...fieldsOf(METRIC_RESOURCE, {
      name: { nullable: false },
      aggregationType: { initial: 'count_agg', aliases: ['aggregation'] },
    }),
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
    // What is sold by fixed charges alone may have no price of its own.
    ...fieldsOf(ADD_ON_RESOURCE, {
      name: { nullable: false },
      amountCents: { initial: 0 },
      amountCurrency: { nullable: false },
    }),
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
    ...fieldsOf(PRICING_UNIT_RESOURCE, { name: { nullable: false }, shortName: { nullable: false } }),
    ...stamps('updated'),
  ],
  lookup: ['code', 'short_name'],
  fill: (drafts) => {
    nameFromCode(drafts);
    for (const { row } of drafts) row.short_name ??= row.code;
  },
});
