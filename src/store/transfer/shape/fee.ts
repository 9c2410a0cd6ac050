import { FeePaymentStatus, FeeType } from '../../generated/prisma/enums.ts';
import { fillFees } from '../default/fee.ts';
import { adoptFees, prepareFees } from '../default/fee-reference.ts';
import { fillAppliedTaxes } from '../default/invoice.ts';
import { always, choice, field, ref, shape, stamps } from '../document/shape.ts';

const item = (member: string, nullable = true) =>
  field(`item.${member}`, 'text', { column: `item_${member}`, nullable, aliases: [`item_${member}`, member] });

const APPLIED_TAX = shape({
  name: 'fee_applied_tax',
  table: 'fee_applied_taxes',
  key: ['fee_id', 'tax_code'],
  fields: [
    field('tax_name', 'text', { nullable: false }),
    field('tax_code', 'text', { nullable: false }),
    field('tax_description', 'text'),
    field('tax_rate', 'rate', { nullable: false }),
    field('amount_cents', 'cents', { initial: 0 }),
    field('amount_currency', 'currency', { nullable: false }),
    ...stamps(),
  ],
  refs: [ref('tax_id', 'tax', ['svc_tax_id'], ['tax_code'], { soft: true })],
  fill: fillAppliedTaxes,
});

const PRICING_UNIT_USAGE = shape({
  name: 'pricing_unit_usage',
  table: 'pricing_unit_usages',
  key: ['fee_id'],
  unique: always,
  fields: [
    field('pricing_unit_code', 'text', { nullable: false }),
    field('short_name', 'text', { nullable: false }),
    field('amount_cents', 'cents', { initial: 0 }),
    field('precise_amount_cents', 'decimal', { nullable: false }),
    field('unit_amount_cents', 'cents', { initial: 0 }),
    field('precise_unit_amount', 'decimal', { initial: 0 }),
    field('conversion_rate', 'decimal', { initial: 1 }),
    ...stamps(),
  ],
  refs: [ref('pricing_unit_id', 'pricing_unit', ['svc_pricing_unit_id'], ['pricing_unit_code'], { soft: true })],
  fill: (drafts, importer) => {
    for (const { row, found, place } of drafts) {
      row.pricing_unit_code ??= found.pricing_unit_id?.code;
      row.short_name ??= found.pricing_unit_id?.short_name ?? row.pricing_unit_code;
      row.precise_amount_cents ??= row.amount_cents;
      if (row.pricing_unit_code === undefined) importer.faults.add(`${place}.pricing_unit_code`, 'value_is_mandatory');
    }
  },
});

/** A line of an invoice, or a fee that waits for one. */
export const FEE = shape({
  name: 'fee',
  table: 'fees',
  section: 'fees',
  listed: 't.invoice_id IS NULL',
  fields: [
    choice('item.type', FeeType, { column: 'fee_type', nullable: false, aliases: ['fee_type', 'type'] }),
    item('code', false),
    item('name', false),
    field('item.description', 'text', { column: 'item_description', aliases: ['item_description'] }),
    item('invoice_display_name'),
    field('item.item_type', 'text', { column: 'item_type', nullable: false }),
    field('item.svc_item_id', 'uuid', { column: 'item_id' }),
    field('item.filter_invoice_display_name', 'text', { column: 'filter_invoice_display_name' }),
    field('item.filters', 'json', { column: 'filters' }),
    field('item.grouped_by', 'json', { column: 'grouped_by', initial: {}, aliases: ['grouped_by'] }),
    field('description', 'text'),
    field('amount_cents', 'cents', { required: true }),
    field('precise_amount_cents', 'decimal', { nullable: false }),
    field('amount_currency', 'currency', { nullable: false }),
    field('taxes_amount_cents', 'cents', { nullable: false }),
    field('taxes_precise_amount_cents', 'decimal', { nullable: false }),
    field('taxes_rate', 'rate', { nullable: false }),
    field('precise_coupons_amount_cents', 'decimal', { initial: 0 }),
    field('units', 'decimal', { initial: 1 }),
    field('total_aggregated_units', 'decimal'),
    field('precise_unit_amount', 'decimal', { nullable: false }),
    field('events_count', 'integer'),
    field('pay_in_advance', 'boolean', { nullable: false }),
    field('invoiceable', 'boolean', { nullable: false }),
    field('from_date', 'time'),
    field('to_date', 'time'),
    choice('payment_status', FeePaymentStatus, { initial: 'pending' }),
    field('succeeded_at', 'time'),
    field('failed_at', 'time'),
    field('refunded_at', 'time'),
    field('event_transaction_id', 'text'),
    field('self_billed', 'boolean', { nullable: false }),
    field('amount_details', 'json', { initial: {} }),
    field('presentation_breakdowns', 'json', { initial: [] }),
    field('adjusted_units', 'decimal'),
    field('adjusted_precise_unit_amount', 'decimal'),
    field('adjusted_invoice_display_name', 'text'),
    ...stamps('updated', 'deleted'),
  ],
  refs: [
    ref('invoice_id', 'invoice', ['svc_invoice_id'], ['invoice_number']),
    ref('subscription_id', 'subscription', ['svc_subscription_id'], ['external_subscription_id']),
    ref('customer_id', 'customer', ['svc_customer_id'], ['external_customer_id']),
    ref('charge_id', 'charge', ['svc_charge_id']),
    ref('charge_filter_id', 'charge_filter', ['svc_charge_filter_id']),
    ref('fixed_charge_id', 'fixed_charge', ['svc_fixed_charge_id']),
    ref('add_on_id', 'add_on', ['svc_add_on_id'], ['add_on_code']),
    ref('true_up_parent_fee_id', 'fee', ['svc_true_up_parent_fee_id'], undefined, { late: true }),
    ref('original_fee_id', 'fee', ['svc_original_fee_id'], undefined, { late: true }),
  ],
  children: [
    { member: 'applied_taxes', shape: () => APPLIED_TAX, parent: 'fee_id' },
    { member: 'pricing_unit_details', shape: () => PRICING_UNIT_USAGE, parent: 'fee_id', one: true },
  ],
  lookup: ['invoice_id', 'amount_currency'],
  prepare: prepareFees,
  adopt: adoptFees,
  fill: fillFees,
});
