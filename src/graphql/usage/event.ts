import { builder } from '../base/builder.ts';
import { replacedBy } from '../base/deprecation.ts';
import { defineNode } from '../list/node.ts';
import { listing } from '../list/root.ts';
import { eventFilter } from './event-filter.ts';

defineNode('Event', { filter: eventFilter, resource: 'event' });

listing('events', 'Event', {
  resource: 'event',
  description: 'Usage events.',
  args: builder.args((t) => ({
    externalSubscriptionId: t.string({
      description: 'Only events of this subscription.',
      deprecationReason: replacedBy('filter'),
    }),
    code: t.string({
      description: 'Only events of the metric with this code.',
      deprecationReason: replacedBy('filter'),
    }),
  })),
  where: ({ externalSubscriptionId, code }) => ({
    deletedAt: null,
    ...(externalSubscriptionId != null ? { externalSubscriptionId } : {}),
    ...(code != null ? { code } : {}),
  }),
});
