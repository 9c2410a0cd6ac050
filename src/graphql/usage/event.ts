import { invalid } from '../../billing/errors.ts';
import { asSent, mayHaveLost, propertiesAsSent } from '../../store/usage/event-properties.ts';
import { placedBy } from '../../store/usage/table/event-place.ts';
import { builder } from '../base/builder.ts';
import type { Context } from '../context.ts';
import { defineNode } from '../list/node.ts';
import { listing, lookup } from '../list/root.ts';
import { fateFields } from './event-fate.ts';
import { eventFilter } from './event-filter.ts';
import { ofEvents } from './event-loader.ts';

const NOWHERE =
  'Always null: an event belongs to what runs under its external identifier at its time, which may change.';

/** A row as it was read; what is kept beside the database, or was just stored, comes with its text. */
interface WithProperties {
  readonly id: string;
  readonly timestamp: Date;
  readonly properties: unknown;
  readonly written?: string;
}

const sentOf = ofEvents(propertiesAsSent);

/** Usage as it was received. */
export const Event = defineNode('Event', {
  filter: eventFilter,
  resource: 'event',
  omit: ['properties'],
  fields: (t) => ({
    properties: t.field({
      type: 'JSON',
      description: 'What the event tells: values of any shape by their names.',
      select: { id: true, timestamp: true, properties: true },
      resolve: ({ id, timestamp, properties, written }: WithProperties, _args: object, context: Context) => {
        if (!mayHaveLost(properties)) return properties;
        return written === undefined ? sentOf(context, { id, timestamp }) : asSent(written);
      },
    }),
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
