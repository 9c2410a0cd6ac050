import { anyOf, anyText, moments } from '../list/condition.ts';
import { findTogether } from '../list/find-together.ts';
import { listFilter } from '../list/list-filter.ts';
import { defineNode } from '../list/node.ts';
import { listing } from '../list/root.ts';
import { Event } from './event.ts';
import { EventReason } from './event-reason.ts';

const filter = listFilter('EventRefusal', {
  conditions: {
    fate: anyOf('EventFate', 'fate', 'Only events with one of these fates.'),
    reasonCode: {
      type: ['String'],
      description: 'Only events with a reason of one of these codes, for example `value_is_mandatory`.',
      where: (values: string[]) => ({ reasonCodes: { hasSome: values } }),
    },
    externalSubscriptionId: anyText('externalSubscriptionId', 'Only events of one of these subscriptions.'),
    code: anyText('code', 'Only events of metrics with one of these codes.'),
    transactionId: anyText('transactionId', 'Only events with one of these transaction identifiers.'),
    timestamp: moments('timestamp', 'Only events whose usage happened in this time.'),
    createdAt: moments('createdAt', 'Only events received in this time.'),
  },
});

/** An event that was sent and not stored. */
export const EventRefusal = defineNode('EventRefusal', {
  resource: 'event',
  filter,
  omit: ['reasonMembers', 'reasonCodes'],
  fields: (t) => ({
    reasons: t.field({
      type: [EventReason],
      description:
        'What was wrong: of a conflict the members that differ, each with `value_differs`; of an event of a batch in which only others were wrong `another_was_refused`; of a copy of an event whose month is detached `not_compared`.',
      select: { reasonMembers: true, reasonCodes: true },
      resolve: ({ reasonMembers, reasonCodes }) =>
        reasonCodes.map((code, at) => ({ member: reasonMembers[at] ?? '', code })),
    }),
    event: t.field({
      type: Event,
      nullable: true,
      description: 'The stored event of the same names that it met.',
      select: { eventId: true },
      resolve: ({ eventId }, _args, context, info) =>
        eventId === null ? null : findTogether(context, info, 'Event', eventId),
    }),
  }),
});

listing('eventRefusals', 'EventRefusal', {
  resource: 'event',
  description:
    'Usage events that were sent and not stored, with the reason. Kept for 30 days, and at most a thousand of each fate in a quarter of an hour; all are counted.',
});
