import {
  ActivationRuleStatus,
  BillingTime,
  CancellationReason,
  OnTerminationCreditNote,
  OnTerminationInvoice,
  PaymentMethodType,
  SubscriptionStatus,
} from '../../generated/prisma/enums.ts';
import { checkValues, fillDeviations } from '../default/entitlement.ts';
import { adoptOverrides, putOverrides } from '../default/override.ts';
import { fillSubscriptions, findFixedCharges, prepareSubscriptions } from '../default/subscription.ts';
import { always, type Child, choice, field, ref, required, shape, stamps } from '../document/shape.ts';
import { usageThresholds } from './plan.ts';

/** How a top-up or a period is paid, as the specification nests it. */
export const paymentMethod = {
  type: choice('payment_method.payment_method_type', PaymentMethodType, {
    initial: 'provider',
    aliases: ['payment_method_type'],
  }),
  ref: ref('payment_method_id', 'payment_method', ['payment_method.payment_method_id', 'payment_method_id']),
};

const APPLIED_SECTION = {
  name: 'applied_invoice_custom_section',
  table: 'applied_invoice_custom_sections',
  fields: stamps(),
  refs: [
    ref(
      'invoice_custom_section_id',
      'invoice_custom_section',
      ['invoice_custom_section_id', 'invoice_custom_section.svc_id'],
      ['invoice_custom_section.code', 'code', 'invoice_custom_section_code'],
      required,
    ),
  ],
};

/** Custom sections chosen for a subscription, a wallet or a rule. */
export function appliedSections(parent: string): Child {
  const applied = shape({ ...APPLIED_SECTION, key: [parent, 'invoice_custom_section_id'], unique: always });
  return { member: 'applied_invoice_custom_sections', shape: () => applied, parent };
}

const ACTIVATION_RULE = shape({
  name: 'activation_rule',
  table: 'activation_rules',
  key: ['subscription_id', 'type'],
  fields: [
    field('type', 'text', { initial: 'payment' }),
    field('timeout_hours', 'integer'),
    choice('status', ActivationRuleStatus, { initial: 'inactive' }),
    field('expires_at', 'time'),
    ...stamps('updated'),
  ],
  prepare: (drafts) => {
    for (const { row } of drafts) row.type ??= 'payment';
  },
});

const UNITS_EVENT = shape({
  name: 'fixed_charge_units_event',
  table: 'fixed_charge_units_events',
  fields: [field('units', 'decimal', required), field('effective_at', 'time', { nullable: false }), ...stamps()],
  refs: [ref('fixed_charge_id', 'fixed_charge', ['svc_fixed_charge_id'], undefined)],
  prepare: findFixedCharges,
  fill: (drafts, importer) => {
    for (const { row } of drafts) row.effective_at ??= row.created_at ?? importer.now;
  },
});

/** What the subscription has of a feature otherwise than its plan. */
const SUBSCRIPTION_ENTITLEMENT = shape({
  name: 'subscription_entitlement',
  table: 'subscription_entitlements',
  key: ['subscription_id', 'feature_id'],
  unique: always,
  fields: [
    field('is_own', 'boolean', { nullable: false }),
    field('is_removed', 'boolean', { initial: false }),
    field('privileges', 'json', { column: 'values', initial: {} }),
    field('removed_privileges', 'texts', { initial: [] }),
    ...stamps('updated'),
  ],
  refs: [ref('feature_id', 'feature', ['svc_feature_id'], ['feature_code'], required)],
  adopt: checkValues,
  fill: fillDeviations,
});

/** A customer's use of a plan. */
export const SUBSCRIPTION = shape({
  name: 'subscription',
  table: 'subscriptions',
  section: 'subscriptions',
  key: ['external_id', 'status'],
  unique: (row) => row.status === 'active',
  codeColumn: 'external_id',
  codeOrder: "(t.status = 'active') DESC, t.created_at DESC, t.id",
  fields: [
    field('external_id', 'text', { nullable: false }),
    field('name', 'text'),
    choice('status', SubscriptionStatus, { nullable: false }),
    choice('billing_time', BillingTime, { initial: 'calendar' }),
    field('subscription_at', 'time', { nullable: false }),
    field('started_at', 'time'),
    field('activated_at', 'time'),
    field('ending_at', 'time'),
    field('terminated_at', 'time'),
    field('canceled_at', 'time'),
    field('trial_ended_at', 'time'),
    choice('cancellation_reason', CancellationReason),
    choice('on_termination_credit_note', OnTerminationCreditNote),
    choice('on_termination_invoice', OnTerminationInvoice, { initial: 'generate' }),
    field('consolidate_invoice', 'boolean', { initial: true }),
    field('progressive_billing_disabled', 'boolean', { initial: false }),
    field('skip_invoice_custom_sections', 'boolean', { initial: false }),
    field('previous_plan_code', 'text'),
    field('next_plan_code', 'text'),
    field('downgrade_plan_date', 'date'),
    field('external_historical_usage_amount_cents', 'cents'),
    paymentMethod.type,
    ...stamps('updated'),
  ],
  refs: [
    ref('customer_id', 'customer', ['svc_customer_id'], ['external_customer_id', 'customer.external_id'], required),
    ref('plan_id', 'plan', ['svc_plan_id'], ['plan_code'], required),
    ref('billing_entity_id', 'billing_entity', ['svc_billing_entity_id'], ['billing_entity_code']),
    ref('previous_subscription_id', 'subscription', ['svc_previous_subscription_id'], undefined, { late: true }),
    paymentMethod.ref,
  ],
  children: [
    { member: 'activation_rules', shape: () => ACTIVATION_RULE, parent: 'subscription_id' },
    appliedSections('subscription_id'),
    usageThresholds('subscription_id'),
    { member: 'entitlements', shape: () => SUBSCRIPTION_ENTITLEMENT, parent: 'subscription_id' },
    { member: 'fixed_charge_units_events', shape: () => UNITS_EVENT, parent: 'subscription_id' },
  ],
  lookup: ['external_id', 'customer_id', 'plan_id', 'name', 'status'],
  prepare: prepareSubscriptions,
  adopt: adoptOverrides,
  extend: putOverrides,
  fill: fillSubscriptions,
});
