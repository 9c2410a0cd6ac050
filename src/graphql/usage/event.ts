import { invalid } from '../../billing/errors.ts';
import { placedBy } from '../../store/usage/table/event-place.ts';
import { builder } from '../base/builder.ts';
import { defineNode } from '../list/node.ts';
import { listing, lookup } from '../list/root.ts';
import { fateFields } from './event-fate.ts';
import { eventFilter } from './event-filter.ts';

const NOWHERE =
  'Always null: an event belongs to what runs under its external identifier at its time, which may change.';

/** Usage as it was received. */
export const Event = defineNode('Event', {
  filter: eventFilter,
  resource: 'event',
  fields: (t) => ({
    preciseTimestamp: t.field({
      type: 'PreciseDateTime',
      description: 'When the usage happened, to the millisecond.',
      select: { timestamp: true },
      resolve: (event) => event.timestamp,
    }),
    svcCustomerId: t.field({ type: 'UUID', nullable: true, description: NOWHERE, resolve: () => null }),
    svcSubscriptionId: t.field({ type: 'UUID', nullable: true, description: NOWHERE, resolve: () => null }),
    ...fateFields(t),
  }),
});

lookup('event', 'Event', {
  resource: 'event',
  description:
    'An event by its identifier in the application that sent it. Subscriptions may use the same one: without a subscription it is the first received.',
  args: builder.args((t) => ({
    transactionId: t.string({ required: true, description: "The event's identifier, compared exactly." }),
    externalSubscriptionId: t.string({ description: 'External identifier of its subscription; any without it.' }),
  })),
  query: async ({ transactionId, externalSubscriptionId }, { db, caller }) => {
    const where = { transactionId, deletedAt: null, ...(externalSubscriptionId != null && { externalSubscriptionId }) };
    const place = await placedBy(db, caller.organizationId, [transactionId]);
    return { where: { ...where, ...place }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] };
  },
});

listing('events', 'Event', {
  resource: 'event',
  description: 'Usage events.',
  args: builder.args((t) => ({
    externalSubscriptionId: t.string({ description: 'Only events of this subscription; `filter` takes several.' }),
    code: t.string({ description: 'Only events of the metric with this code; `filter` takes several.' }),
    sinceStart: t.boolean({
      description:
        'Whether only usage since the start of the subscription that is named is listed: of the newest that has not ended; nothing where there is none.',
    }),
  })),
  where: ({ externalSubscriptionId, code }) => ({
    deletedAt: null,
    ...(externalSubscriptionId != null ? { externalSubscriptionId } : {}),
    ...(code != null ? { code } : {}),
  }),
  found: async ({ sinceStart, externalSubscriptionId, filter }, { db, caller }) => {
    if (!sinceStart) return {};
    if (externalSubscriptionId == null) throw invalid({ external_subscription_id: ['value_is_mandatory'] });
    const { from } = (filter?.timestamp ?? {}) as { from?: Date | null };
    if (from != null) throw invalid({ timestamp_from: ['not_compatible_with_start'] });
    const newest = await db.subscription.findFirst({
      where: {
        ...{ organizationId: caller.organizationId, externalId: externalSubscriptionId },
        ...{ status: { not: 'terminated' }, startedAt: { not: null } },
      },
      orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
      select: { startedAt: true },
    });
    return newest?.startedAt ? { timestamp: { gte: newest.startedAt } } : { id: { in: [] } };
  },
});
