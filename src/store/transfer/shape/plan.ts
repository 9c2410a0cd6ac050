import {
  MINIMUM_COMMITMENT as MINIMUM_COMMITMENT_RESOURCE,
  PLAN as PLAN_RESOURCE,
  USAGE_THRESHOLD as USAGE_THRESHOLD_RESOURCE,
} from '../../../billing/resource/plan.ts';
import { ChargeModel, FixedChargeModel, RegroupPaidFees } from '../../generated/prisma/enums.ts';
import { checkValues } from '../default/entitlement.ts';
import {
  checkProperties,
  fillCharges,
  fillFilters,
  fillFixedCharges,
  fillPlans,
  prepareCharges,
  prepareFilters,
} from '../default/plan.ts';
import { checkMetadata } from '../default/wallet.ts';
import { fieldsOf } from '../document/resource-field.ts';
import { always, type Child, choice, field, ref, required, shape, stamps, taxLink } from '../document/shape.ts';

const CHARGE_FILTER = shape({
  name: 'charge_filter',
  table: 'charge_filters',
  key: ['charge_id', 'canonical_values'],
  unique: always,
  fields: [
    field('invoice_display_name', 'text'),
    field('properties', 'json', { nullable: false }),
    field('values', 'json', required),
    field('position', 'integer', { nullable: false }),
    ...stamps('updated', 'deleted'),
  ],
  derived: ['canonical_values'],
  order: 't.position, t.created_at, t.id',
  lookup: ['values', 'invoice_display_name'],
  prepare: prepareFilters,
  adopt: checkProperties,
  fill: fillFilters,
});

/** The price of a metric on a plan. */
const CHARGE = shape({
  name: 'charge',
  table: 'charges',
  key: ['plan_id', 'code'],
  unique: always,
  fields: [
    field('code', 'text', { nullable: false }),
    field('invoice_display_name', 'text'),
    choice('charge_model', ChargeModel, { initial: 'standard' }),
    field('pay_in_advance', 'boolean', { initial: false }),
    field('invoiceable', 'boolean', { initial: true }),
    field('prorated', 'boolean', { initial: false }),
    field('accepts_target_wallet', 'boolean', { initial: false }),
    choice('regroup_paid_fees', RegroupPaidFees),
    field('min_amount_cents', 'cents', { initial: 0 }),
    field('properties', 'json', { nullable: false }),
    field('applied_pricing_unit.conversion_rate', 'decimal'),
    ...stamps('updated', 'deleted'),
  ],
  refs: [
    ref(
      'billable_metric_id',
      'billable_metric',
      ['svc_billable_metric_id', 'billable_metric_id'],
      ['billable_metric_code'],
      required,
    ),
    ref('pricing_unit_id', 'pricing_unit', ['applied_pricing_unit.svc_id'], ['applied_pricing_unit.code']),
    ref('parent_id', 'charge', ['svc_parent_id'], undefined, { late: true }),
  ],
  links: [taxLink('_ChargeTaxes')],
  children: [{ member: 'filters', shape: () => CHARGE_FILTER, parent: 'charge_id' }],
  lookup: ['plan_id', 'billable_metric_id', 'invoice_display_name', 'pay_in_advance', 'invoiceable'],
  prepare: prepareCharges('billable_metric_id'),
  adopt: checkProperties,
  fill: fillCharges,
});

/** The price of an add-on on a plan. */
const FIXED_CHARGE = shape({
  name: 'fixed_charge',
  table: 'fixed_charges',
  key: ['plan_id', 'code'],
  unique: always,
  fields: [
    field('code', 'text', { nullable: false }),
    field('invoice_display_name', 'text'),
    choice('charge_model', FixedChargeModel, { initial: 'standard' }),
    field('pay_in_advance', 'boolean', { initial: false }),
    field('prorated', 'boolean', { initial: false }),
    field('units', 'rate', { initial: 0 }),
    field('properties', 'json', { nullable: false }),
    ...stamps('updated', 'deleted'),
  ],
  refs: [
    ref('add_on_id', 'add_on', ['svc_add_on_id', 'add_on_id'], ['add_on_code'], required),
    ref('parent_id', 'fixed_charge', ['svc_parent_id'], undefined, { late: true }),
  ],
  links: [taxLink('_FixedChargeTaxes')],
  lookup: ['plan_id', 'add_on_id', 'invoice_display_name', 'pay_in_advance'],
  prepare: prepareCharges('add_on_id'),
  adopt: checkProperties,
  fill: fillFixedCharges,
});

const MINIMUM_COMMITMENT = shape({
  name: 'minimum_commitment',
  table: 'minimum_commitments',
  key: ['plan_id'],
  unique: always,
  fields: [...fieldsOf(MINIMUM_COMMITMENT_RESOURCE), ...stamps('updated')],
  links: [taxLink('_MinimumCommitmentTaxes')],
});

/** Amounts of usage that trigger an invoice, of a plan or of one subscription. */
export function usageThresholds(parent: string): Child {
  const threshold = shape({
    name: 'usage_threshold',
    table: 'usage_thresholds',
    key: [parent, 'amount_cents', 'recurring'],
    fields: [...fieldsOf(USAGE_THRESHOLD_RESOURCE), ...stamps('updated', 'deleted')],
    prepare: (drafts) => {
      for (const { row } of drafts) row.recurring ??= false;
    },
  });
  return { member: 'usage_thresholds', shape: () => threshold, parent };
}

/** A feature that the plan has, with values of its privileges by their codes. */
const PLAN_ENTITLEMENT = shape({
  name: 'plan_entitlement',
  table: 'plan_entitlements',
  key: ['plan_id', 'feature_id'],
  unique: always,
  fields: [field('privileges', 'json', { column: 'values', initial: {} }), ...stamps('updated', 'deleted')],
  refs: [ref('feature_id', 'feature', ['svc_feature_id'], ['feature_code'], required)],
  adopt: checkValues,
});

/** What a subscription is billed by. */
export const PLAN = shape({
  name: 'plan',
  table: 'plans',
  section: 'plans',
  key: ['code'],
  keyWhere: 't.parent_id IS NULL',
  isKeyed: (row) => row.parent_id == null,
  listed: '(t.parent_id IS NULL OR NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.plan_id = t.id))',
  unique: always,
  codeColumn: 'code',
  fields: [
    ...fieldsOf(PLAN_RESOURCE, {
      name: { nullable: false },
      amountCents: { initial: 0 },
      amountCurrency: { nullable: false },
      payInAdvance: { initial: false },
      trialPeriod: { kind: 'rate', initial: 0 },
    }),
    ...stamps('updated', 'deleted'),
  ],
  refs: [ref('parent_id', 'plan', ['svc_parent_id'])],
  links: [taxLink('_PlanTaxes')],
  children: [
    { member: 'charges', shape: () => CHARGE, parent: 'plan_id' },
    { member: 'fixed_charges', shape: () => FIXED_CHARGE, parent: 'plan_id' },
    { member: 'minimum_commitment', shape: () => MINIMUM_COMMITMENT, parent: 'plan_id', one: true },
    usageThresholds('plan_id'),
    { member: 'entitlements', shape: () => PLAN_ENTITLEMENT, parent: 'plan_id' },
  ],
  lookup: [
    'code',
    'name',
    'description',
    'invoice_display_name',
    'parent_id',
    'amount_cents',
    'amount_currency',
    'pay_in_advance',
  ],
  adopt: checkMetadata,
  fill: fillPlans,
});
