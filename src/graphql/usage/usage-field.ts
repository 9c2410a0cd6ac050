import type { FieldRef } from '@pothos/core';
import { notAllowed } from '../../billing/errors.ts';
import { builder, type Types } from '../base/builder.ts';
import { type Selecting, selectedField } from '../base/column.ts';
import type { Context, Permission } from '../context.ts';
import { LifetimeUsage, lifetimeUsage } from './lifetime-usage.ts';
import { PastUsage, pastUsage } from './past-usage.ts';
import { type Given, pastArgs, projectedArgs, questionOf, usageArgs } from './usage-args.ts';
import { currentUsage } from './usage-loader.ts';
import { usageSeriesField } from './usage-series.ts';
import { CustomerUsage } from './usage-type.ts';

// Each charge is read by a statement of its own, and its events are added up.
const READ = { price: 100 };

const CURRENT = 'What was used since the start of the period that holds this moment, up to now';
const PROJECTED = 'The same with what it will be at the end of the period if it goes on like this';

const PAST = 'What invoices billed of usage, latest period first.';

const SUBSCRIPTION = { id: true, externalId: true, status: true };

async function ofSubscription(row: Record<string, unknown>, given: Given, isProjected: boolean, context: Context) {
  if (row.status !== 'active') return null;
  return currentUsage(
    context,
    { id: String(row.id), externalId: String(row.externalId) },
    questionOf(given, isProjected),
  );
}

/** Usage of a subscription, as fields of it. */
export const subscriptionUsage = (t: Selecting): Record<string, FieldRef<Types>> => ({
  currentUsage: selectedField(t, {
    type: CustomerUsage,
    nullable: true,
    description: `${CURRENT}; null unless the subscription is active.`,
    args: usageArgs,
    extensions: READ,
    select: SUBSCRIPTION,
    resolve: (row, given, context) => ofSubscription(row, given, false, context),
  }),
  projectedUsage: selectedField(t, {
    type: CustomerUsage,
    nullable: true,
    description: `${PROJECTED}; null unless the subscription is active.`,
    args: projectedArgs,
    extensions: READ,
    select: SUBSCRIPTION,
    resolve: (row, given, context) => ofSubscription(row, given, true, context),
  }),
  lifetimeUsage: selectedField(t, {
    type: LifetimeUsage,
    nullable: true,
    description:
      'What was used over all periods, and how far it is to the thresholds; null unless the subscription is active.',
    extensions: READ,
    select: SUBSCRIPTION,
    resolve: (row, _args, context) =>
      row.status === 'active'
        ? lifetimeUsage(context, { id: String(row.id), externalId: String(row.externalId) })
        : null,
  }),
  ...usageSeriesField(t),
  pastUsage: selectedField(t, {
    type: PastUsage,
    description: `${PAST} Of all subscriptions of the customer with this external identifier.`,
    args: pastArgs,
    extensions: READ,
    select: { externalId: true, customerId: true },
    resolve: ({ externalId, customerId }, { billableMetricCode, ...page }, context) =>
      pastUsage(
        context,
        { externalSubscriptionId: String(externalId), customerId: String(customerId), metricCode: billableMetricCode },
        page,
      ),
  }),
});

const namedArg = builder.args((t) => ({
  externalSubscriptionId: t.string({
    required: true,
    description: "External identifier of one of the customer's subscriptions, which must run now.",
  }),
}));

async function ofCustomer(
  customerId: unknown,
  { externalSubscriptionId, ...given }: Given & { readonly externalSubscriptionId: string },
  isProjected: boolean,
  context: Context,
) {
  const named = await context.db.subscription.findFirst({
    where: { customerId: String(customerId), externalId: externalSubscriptionId, status: 'active' },
    select: { id: true, externalId: true },
  });
  if (!named) throw notAllowed('no_active_subscription');
  return currentUsage(context, named, questionOf(given, isProjected));
}

/** Usage of one of a customer's subscriptions, as fields of the customer. */
export const customerUsage = (t: Selecting): Record<string, FieldRef<Types>> => ({
  currentUsage: selectedField(t, {
    type: CustomerUsage,
    nullable: true,
    description: `${CURRENT}, of a subscription.`,
    args: { ...namedArg, ...usageArgs },
    extensions: READ,
    select: { id: true },
    resolve: ({ id }, given, context) => ofCustomer(id, given, false, context),
  }),
  projectedUsage: selectedField(t, {
    type: CustomerUsage,
    nullable: true,
    description: `${PROJECTED}, of a subscription.`,
    args: { ...namedArg, ...projectedArgs },
    extensions: READ,
    select: { id: true },
    resolve: ({ id }, given, context) => ofCustomer(id, given, true, context),
  }),
  pastUsage: selectedField(t, {
    type: PastUsage,
    description: `${PAST} Of the customer's subscriptions with an external identifier; nothing where there is none.`,
    args: {
      ...builder.args((a) => ({
        externalSubscriptionId: a.string({ required: true, description: 'External identifier of the subscriptions.' }),
      })),
      ...pastArgs,
    },
    extensions: READ,
    select: { id: true },
    resolve: ({ id }, { billableMetricCode, externalSubscriptionId, ...page }, context) =>
      pastUsage(context, { externalSubscriptionId, customerId: String(id), metricCode: billableMetricCode }, page),
  }),
});

builder.queryField('pastUsage', (t) =>
  t.field({
    type: PastUsage,
    description: `${PAST} Of a customer's subscriptions with an external identifier; nothing where there is none.`,
    args: {
      ...builder.args((a) => ({
        externalCustomerId: a.string({ required: true, description: 'External identifier of the customer.' }),
        externalSubscriptionId: a.string({ required: true, description: 'External identifier of the subscriptions.' }),
      })),
      ...pastArgs,
    },
    extensions: { permission: 'customer_usage:read' satisfies Permission, ...READ },
    resolve: (_root, { billableMetricCode, externalCustomerId, externalSubscriptionId, ...page }, context) =>
      pastUsage(context, { externalCustomerId, externalSubscriptionId, metricCode: billableMetricCode }, page),
  }),
);
