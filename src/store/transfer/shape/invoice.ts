import {
  CreditItemType,
  InvoicePaymentStatus,
  InvoiceStatus,
  InvoiceTaxStatus,
  InvoiceType,
  InvoicingReason,
  PaymentMethodType,
} from '../../generated/prisma/enums.ts';
import { fillCredits, prepareCredits } from '../default/credit.ts';
import { fillAppliedTaxes, fillInvoiceParts, fillInvoices, fillPeriods } from '../default/invoice.ts';
import { always, choice, field, ref, required, shape, stamps } from '../document/shape.ts';
import { FEE } from './fee.ts';
import { paymentMethod } from './subscription.ts';

const sums = (...names: string[]) => names.map((name) => field(`${name}_amount_cents`, 'cents', { nullable: false }));

/** Members of a tax line, with the name and rate it had then. */
const taxLine = [
  field('tax_name', 'text', { nullable: false }),
  field('tax_code', 'text', { nullable: false }),
  field('tax_description', 'text'),
  field('tax_rate', 'rate', { nullable: false }),
  field('amount_cents', 'cents', { initial: 0 }),
];
const taxOfLine = ref('tax_id', 'tax', ['svc_tax_id'], ['tax_code'], { soft: true });

const APPLIED_TAX = shape({
  name: 'invoice_applied_tax',
  table: 'invoice_applied_taxes',
  key: ['invoice_id', 'tax_code'],
  fields: [
    ...taxLine,
    field('fees_amount_cents', 'cents', { initial: 0 }),
    field('amount_currency', 'currency', { nullable: false }),
    ...stamps(),
  ],
  refs: [taxOfLine],
  fill: fillAppliedTaxes,
});

const METADATA = shape({
  name: 'invoice_metadata',
  table: 'invoice_metadata',
  key: ['invoice_id', 'key'],
  unique: always,
  fields: [field('key', 'text', required), field('value', 'text', required), ...stamps()],
});

const CUSTOM_SECTION = shape({
  name: 'invoice_applied_custom_section',
  table: 'invoice_applied_custom_sections',
  key: ['invoice_id', 'code'],
  fields: [field('code', 'text', required), field('details', 'text'), field('display_name', 'text'), ...stamps()],
});

const APPLIED_THRESHOLD = shape({
  name: 'applied_usage_threshold',
  table: 'applied_usage_thresholds',
  key: ['invoice_id', 'usage_threshold_id'],
  fields: [field('lifetime_usage_amount_cents', 'cents', { initial: 0 }), ...stamps()],
  refs: [
    ref(
      'usage_threshold_id',
      'usage_threshold',
      ['usage_threshold.svc_id', 'svc_usage_threshold_id'],
      undefined,
      required,
    ),
  ],
});

const ERROR_DETAIL = shape({
  name: 'invoice_error_detail',
  table: 'invoice_error_details',
  fields: [field('error_code', 'text', required), field('details', 'json', { initial: {} }), ...stamps('deleted')],
});

const BILLING_PERIOD = shape({
  name: 'billing_period',
  table: 'billing_periods',
  key: ['invoice_id', 'subscription_id'],
  unique: always,
  fields: [
    field('subscription_from_datetime', 'time', required),
    field('subscription_to_datetime', 'time', required),
    field('charges_from_datetime', 'time', { nullable: false }),
    field('charges_to_datetime', 'time', { nullable: false }),
    field('fixed_charges_from_datetime', 'time'),
    field('fixed_charges_to_datetime', 'time'),
    choice('invoicing_reason', InvoicingReason, { initial: 'subscription_periodic' }),
    ...stamps(),
  ],
  refs: [ref('subscription_id', 'subscription', ['svc_subscription_id'], ['external_subscription_id'], required)],
  fill: fillPeriods,
});

const CREDIT = shape({
  name: 'credit',
  table: 'credits',
  fields: [
    field('amount_cents', 'cents', required),
    field('amount_currency', 'currency', { nullable: false }),
    field('before_taxes', 'boolean', { nullable: false }),
    choice('item.type', CreditItemType, { column: 'item_type', nullable: false }),
    field('item.svc_item_id', 'uuid', { column: 'item_id', nullable: false }),
    field('item.code', 'text', { column: 'item_code', nullable: false }),
    field('item.name', 'text', { column: 'item_name', nullable: false }),
    ...stamps(),
  ],
  refs: [
    ref('applied_coupon_id', 'applied_coupon', ['svc_applied_coupon_id']),
    ref('credit_note_id', 'credit_note', ['svc_credit_note_id'], ['credit_note_number']),
    ref(
      'progressive_billing_invoice_id',
      'invoice',
      ['svc_progressive_billing_invoice_id'],
      ['progressive_billing_invoice_number'],
    ),
  ],
  prepare: prepareCredits,
  fill: fillCredits,
});

/** An invoice with its fees and credits. */
export const INVOICE = shape({
  name: 'invoice',
  table: 'invoices',
  section: 'invoices',
  key: ['number'],
  codeColumn: 'number',
  fields: [
    field('number', 'text', { nullable: false }),
    field('sequential_id', 'integer'),
    field('billing_entity_sequential_id', 'integer'),
    field('issuing_date', 'date', { nullable: false }),
    field('payment_due_date', 'date', { nullable: false }),
    field('expected_finalization_date', 'date'),
    field('net_payment_term', 'integer', { nullable: false }),
    choice('invoice_type', InvoiceType, { nullable: false }),
    choice('status', InvoiceStatus, { initial: 'finalized' }),
    choice('payment_status', InvoicePaymentStatus, { initial: 'pending' }),
    choice('tax_status', InvoiceTaxStatus),
    field('currency', 'currency', { nullable: false }),
    ...sums('fees', 'coupons', 'credit_notes', 'progressive_billing_credit'),
    ...sums('sub_total_excluding_taxes', 'taxes'),
    field('taxes_rate', 'rate', { initial: 0 }),
    ...sums('sub_total_including_taxes'),
    field('prepaid_credit_amount_cents', 'cents', { initial: 0 }),
    field('prepaid_granted_credit_amount_cents', 'cents'),
    field('prepaid_purchased_credit_amount_cents', 'cents'),
    ...sums('total', 'total_paid'),
    field('version_number', 'integer', { initial: 4 }),
    field('payment_overdue', 'boolean', { initial: false }),
    field('payment_dispute_lost_at', 'time'),
    field('self_billed', 'boolean', { nullable: false }),
    field('voided_at', 'time'),
    field('finalized_at', 'time'),
    field('timezone', 'timezone'),
    choice('payment_method.payment_method_type', PaymentMethodType, { aliases: ['payment_method_type'] }),
    ...stamps('updated'),
  ],
  refs: [
    ref(
      'customer_id',
      'customer',
      ['svc_customer_id', 'customer.svc_id'],
      ['external_customer_id', 'customer.external_id'],
      required,
    ),
    ref('billing_entity_id', 'billing_entity', ['svc_billing_entity_id'], ['billing_entity_code']),
    ref('voided_invoice_id', 'invoice', ['svc_voided_invoice_id'], ['voided_invoice_number'], { late: true }),
    paymentMethod.ref,
  ],
  children: [
    { member: 'metadata', shape: () => METADATA, parent: 'invoice_id' },
    { member: 'applied_taxes', shape: () => APPLIED_TAX, parent: 'invoice_id' },
    { member: 'applied_invoice_custom_sections', shape: () => CUSTOM_SECTION, parent: 'invoice_id' },
    { member: 'applied_usage_thresholds', shape: () => APPLIED_THRESHOLD, parent: 'invoice_id' },
    { member: 'error_details', shape: () => ERROR_DETAIL, parent: 'invoice_id' },
    { member: 'billing_periods', shape: () => BILLING_PERIOD, parent: 'invoice_id' },
    { member: 'fees', shape: () => FEE, parent: 'invoice_id' },
    { member: 'credits', shape: () => CREDIT, parent: 'invoice_id', late: true },
  ],
  lookup: ['number', 'currency', 'customer_id', 'self_billed', 'payment_status'],
  fill: async (drafts, importer) => {
    await fillInvoiceParts(drafts, importer);
    await fillInvoices(drafts, importer);
  },
});
