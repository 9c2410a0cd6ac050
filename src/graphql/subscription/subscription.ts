import { notFound } from '../../billing/errors.ts';
import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { LATEST_FIRST } from '../../store/subscription/subscription-lock.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { currencyDetails, currencyOf } from '../base/currency.ts';
import { enumRef } from '../base/enum.ts';
import { derivesFrom } from '../base/guard.ts';
import { Charge } from '../catalogue/charge.ts';
import { FixedCharge } from '../catalogue/fixed-charge.ts';
import { LIVE_THRESHOLDS, UsageThreshold } from '../catalogue/plan.ts';
import { checkFilteredEntities } from '../list/entity-code.ts';
import { connection, defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { PaymentMethodReference, REFERENCE_COLUMNS } from '../payment/payment-method.ts';
import { subscriptionUsage } from '../usage/usage-field.ts';
import { activationInvoice } from './activation-rule.ts';
import { CURRENT_PERIOD_COLUMNS, currentPeriod } from './current-period.ts';
import { ACTIVATION_COLUMNS, activatedAt, TRIAL_COLUMNS, trialEndedAt } from './moment.ts';
import { subscriptionFilter } from './subscription-filter.ts';

defineNode('ActivationRule', {
  resource: 'subscription',
  omit: ['subscription', 'subscriptionId'],
  filled: { timeoutHours: 0 },
});
defineNode('FixedChargeUnitsEvent', { resource: 'subscription' });

const PLAN_CURRENCY = currencyDetails('planAmountCurrency');

// A subscription's own plan is its override where it has one, so the charge on it is the effective one. There is no way
// back to the parent plan: what the override lacks, the subscription lacks.
export const Subscription = defineNode('Subscription', {
  filter: subscriptionFilter,
  resource: 'subscription',
  omit: ['activatedAt', 'trialEndedAt', 'externalHistoricalUsageAmountCents'],
  fields: (t) => ({
    externalCustomerId: t.string({
      description: "The customer's identifier in the caller's application.",
      extensions: firstOf(['customer.externalId']),
      select: { customer: { select: { externalId: true } } },
      resolve: (subscription) => subscription.customer.externalId,
    }),
    planCode: t.string({
      description: 'Code of the plan; an override has the code of its plan.',
      extensions: firstOf(['plan.code']),
      select: { plan: { select: { code: true } } },
      resolve: (subscription) => subscription.plan.code,
    }),
    planAmountCents: t.field({
      type: 'BigInt',
      description: 'Price of a period in minor units.',
      extensions: { ...derivesFrom('plan').extensions, ...firstOf(['plan.amountCents']) },
      select: { plan: { select: { amountCents: true } } },
      resolve: (subscription) => subscription.plan.amountCents,
    }),
    planAmountCurrency: t.string({
      description: 'Currency of the plan.',
      extensions: { ...derivesFrom('plan').extensions, ...firstOf(['plan.amountCurrency']) },
      select: { plan: { select: { amountCurrency: true } } },
      resolve: (subscription) => subscription.plan.amountCurrency,
    }),
    currencyDetails: t.field({
      ...PLAN_CURRENCY,
      extensions: { ...PLAN_CURRENCY.extensions, ...derivesFrom('plan').extensions },
      select: { plan: { select: { amountCurrency: true } } },
      resolve: (subscription) => currencyOf(subscription.plan.amountCurrency),
    }),
    billingEntityCode: t.string({
      description: "Code of the entity that bills the subscription: its own, else the customer's.",
      extensions: firstOf(['billingEntity.code', 'customer.billingEntity.code']),
      select: {
        billingEntity: { select: { code: true } },
        customer: { select: { billingEntity: { select: { code: true } } } },
      },
      resolve: ({ billingEntity, customer }) => (billingEntity ?? customer.billingEntity).code,
    }),
    activatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it became active: its activation rules were satisfied, or it had none.',
      select: ACTIVATION_COLUMNS,
      resolve: (subscription) => activatedAt(subscription),
    }),
    trialEndedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When its trial ended.',
      select: TRIAL_COLUMNS,
      resolve: (subscription, _args, context) => trialEndedAt(subscription, context),
    }),
    currentBillingPeriodStartedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Start of the period that holds this moment; null unless the subscription is active.',
      select: CURRENT_PERIOD_COLUMNS,
      resolve: (subscription, _args, { now }) => currentPeriod(subscription, now)?.from ?? null,
    }),
    currentBillingPeriodEndingAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'End of the period that holds this moment, inclusive; null unless the subscription is active.',
      select: CURRENT_PERIOD_COLUMNS,
      resolve: (subscription, _args, { now }) => currentPeriod(subscription, now)?.to ?? null,
    }),
    applicableUsageThresholds: t.field({
      type: [UsageThreshold],
      description:
        'The thresholds whose usage makes an invoice: its own, else of its plan, else of the plan that this one overrides. None where they are switched off.',
      select: (_args, _context, nested) => ({
        progressiveBillingDisabled: true,
        usageThresholds: nested(LIVE_THRESHOLDS),
        plan: {
          select: {
            usageThresholds: nested(LIVE_THRESHOLDS),
            parent: { select: { usageThresholds: nested(LIVE_THRESHOLDS) } },
          },
        },
      }),
      resolve: ({ progressiveBillingDisabled, usageThresholds, plan }) => {
        if (progressiveBillingDisabled) return [];
        const all = [usageThresholds, plan.usageThresholds, plan.parent?.usageThresholds ?? []];
        return all.find((thresholds) => thresholds.length > 0) ?? [];
      },
    }),
    paymentMethodReference: t.field({
      type: PaymentMethodReference,
      description: 'Who collects the payment.',
      select: REFERENCE_COLUMNS,
      resolve: (subscription) => subscription,
    }),
    usageThresholds: t.relation('usageThresholds', { query: LIVE_THRESHOLDS }),
    activationRules: t.relation('activationRules', { query: { orderBy: OLDEST_FIRST } }),
    activationInvoice: activationInvoice(t),
    appliedInvoiceCustomSections: t.relation('appliedInvoiceCustomSections', { query: { orderBy: OLDEST_FIRST } }),
    fixedChargeUnitsEvents: t.relation('fixedChargeUnitsEvents', { query: { orderBy: OLDEST_FIRST } }),
    ...subscriptionUsage(t),
    dailyUsages: connection(t, 'Subscription', 'dailyUsages', {
      model: 'DailyUsage',
      resource: 'customer_usage',
      foreignKey: 'subscriptionId',
    }),
    fees: connection(t, 'Subscription', 'fees', { model: 'Fee', resource: 'fee', foreignKey: 'subscriptionId' }),
    charge: t.field({
      type: Charge,
      nullable: true,
      description: 'The effective charge with this code: the override of the subscription, where it has one.',
      args: codeArgs,
      select: (args, _context, nested) => ({
        plan: {
          select: { charges: nested({ where: { code: args.code, deletedAt: null }, take: 1 }) },
        },
      }),
      resolve: (subscription) => {
        const charge = subscription.plan.charges[0];
        if (!charge) throw notFound('charge');
        return charge;
      },
    }),
    fixedCharge: t.field({
      type: FixedCharge,
      nullable: true,
      description: 'The effective fixed charge with this code: the override of the subscription, where it has one.',
      args: codeArgs,
      select: (args, _context, nested) => ({
        plan: {
          select: { fixedCharges: nested({ where: { code: args.code, deletedAt: null }, take: 1 }) },
        },
      }),
      resolve: (subscription) => {
        const charge = subscription.plan.fixedCharges[0];
        if (!charge) throw notFound('fixed_charge');
        return charge;
      },
    }),
  }),
});

lookup('subscription', 'Subscription', {
  resource: 'subscription',
  description: 'A subscription by its external identifier and state. Where several match, the latest one.',
  args: builder.args((t) => ({
    externalId: t.string({ required: true, description: "The subscription's identifier in the caller's application." }),
    status: t.field({
      type: enumRef('SubscriptionStatus'),
      defaultValue: 'active',
      description: 'The state it must be in; null is any but that of one that has ended.',
    }),
  })),
  query: ({ externalId, status }) => ({
    where: { externalId, status: status ?? { in: ['active', 'pending', 'incomplete'] } },
    orderBy: LATEST_FIRST,
  }),
});

listing('subscriptions', 'Subscription', {
  resource: 'subscription',
  description: 'Subscriptions.',
  check: checkFilteredEntities,
});
