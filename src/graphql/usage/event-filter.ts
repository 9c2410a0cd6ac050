import { placedBy } from '../../store/usage/table/event-place.ts';
import { anyText, type Condition, moments } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';

const transactionId: Condition = {
  ...anyText('transactionId', 'Only events with one of these transaction identifiers.'),
  narrow: (values: string[], { db, caller }) => placedBy(db, caller.organizationId, values),
};

/** How lists of events are narrowed and ordered. */
export const eventFilter = listFilter('Event', {
  conditions: {
    externalSubscriptionId: anyText('externalSubscriptionId', 'Only events of one of these subscriptions.'),
    code: anyText('code', 'Only events of metrics with one of these codes.'),
    transactionId,
    timestamp: moments('timestamp', 'Only events whose usage happened in this time.'),
    createdAt: moments('createdAt', 'Only events received in this time.'),
  },
  orders: ['timestamp'],
  ties: { timestamp: 'transactionId' },
});
