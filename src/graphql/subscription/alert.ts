import { notFound } from '../../billing/errors.ts';
import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { anyId, anyOf, anyText, moments } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { defineNode } from '../list/node.ts';
import { listing, lookup } from '../list/root.ts';

defineNode('AlertThreshold', { resource: 'subscription' });

defineNode('Alert', {
  resource: 'subscription',
  filter: listFilter('Alert', {
    conditions: {
      externalSubscriptionId: anyText(
        'externalSubscriptionId',
        'Only alerts of subscriptions with one of these external identifiers.',
      ),
      alertType: anyOf('AlertType', 'alertType', 'Only alerts that measure one of these.'),
      svcBillableMetricId: anyId('billableMetricId', 'Only alerts on the metrics with these identifiers.'),
      createdAt: moments('createdAt', 'Only alerts created in this time.'),
    },
  }),
  fields: (t) => ({
    svcOrganizationId: t.expose('organizationId', {
      type: 'UUID',
      description: 'Identifier of the organization.',
    }),
    thresholds: t.relation('thresholds', { query: { orderBy: OLDEST_FIRST } }),
    previousValueNumber: t.float({
      description: 'The previous value as a JSON number, as the REST interface shows it; `previousValue` is exact.',
      select: { previousValue: true },
      resolve: ({ previousValue }) => previousValue.toNumber(),
    }),
  }),
});

lookup('alert', 'Alert', {
  resource: 'subscription',
  description: 'An alert of a subscription by its code.',
  args: builder.args((t) => ({
    externalSubscriptionId: t.string({
      required: true,
      description: "The subscription's identifier in the caller's application.",
    }),
    code: t.string({ required: true, description: 'The code, compared exactly.' }),
    status: t.field({
      type: enumRef('SubscriptionStatus'),
      description: 'The state that a subscription of the identifier must be in; without it there need be none.',
    }),
  })),
  query: async ({ externalSubscriptionId, code, status }, { db }) => {
    const where = { externalId: externalSubscriptionId, status: status ?? 'active' };
    const isThere = !status || (await db.subscription.findFirst({ where, select: { id: true } }));
    if (!isThere) throw notFound('subscription');
    return { where: { externalSubscriptionId, code, deletedAt: null } };
  },
});

listing('alerts', 'Alert', { resource: 'subscription', description: 'Alerts on subscriptions.' });
