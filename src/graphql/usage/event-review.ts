import {
  countReviewed,
  type Reviewed,
  type ReviewedEvent,
  reviewedEvents,
} from '../../store/usage/fate/event-review.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import type { Context, Permission, Resource } from '../context.ts';
import { DateTimeRange } from '../list/condition.ts';
import { findTogether } from '../list/find-together.ts';
import { memoize } from '../list/list.ts';
import { cursorOf, NEWEST_FIRST, readCursor } from '../list/order.ts';
import { cutPage, readPage } from '../list/page.ts';
import { Event } from './event.ts';
import { requireFates } from './event-fate.ts';
import { EventReason } from './event-reason.ts';
import { EventRefusal } from './event-refusal.ts';

const ORDER = { ...NEWEST_FIRST, of: 'ReviewedEvent' };

const EVENT: { readonly extensions: { readonly resource: Resource } } = { extensions: { resource: 'event' } };

const ReviewedEventType = builder.objectRef<ReviewedEvent>('ReviewedEvent').implement({
  description: 'An event that was sent, stored or not, with what became of it.',
  ...EVENT,
  fields: (t) => ({
    fate: t.field({ type: enumRef('EventFate'), description: 'What became of it.', resolve: ({ fate }) => fate }),
    reasons: t.field({
      type: [EventReason],
      description: 'Why it has this fate, and whatever else is worth a look.',
      resolve: ({ reasons }) => [...reasons],
    }),
    transactionId: t.exposeString('transactionId', {
      description: "The event's identifier in the caller's application; an empty text where none could be read.",
    }),
    externalSubscriptionId: t.exposeString('externalSubscriptionId', {
      description: 'External identifier of its subscription; an empty text without one.',
    }),
    code: t.exposeString('code', { description: 'Code of its metric; an empty text where none could be read.' }),
    timestamp: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the usage happened; null where no time could be read.',
      resolve: ({ timestamp }) => timestamp,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was received.',
      resolve: ({ createdAt }) => createdAt,
    }),
    event: t.field({
      type: Event,
      nullable: true,
      description: 'The event, where it is stored.',
      resolve: ({ isStored, id }, _args, context, info) => (isStored ? findTogether(context, info, 'Event', id) : null),
    }),
    refusal: t.field({
      type: EventRefusal,
      nullable: true,
      description: 'What was refused, where it is not.',
      resolve: ({ isStored, id }, _args, context, info) =>
        isStored ? null : findTogether(context, info, 'EventRefusal', id),
    }),
  }),
});

interface ReviewPage {
  rows(): Promise<{ rows: ReviewedEvent[]; hasMore: boolean }>;
  total(): Promise<number>;
  readonly isContinued: boolean;
}

const EventReview = builder.objectRef<ReviewPage>('EventReview').implement({
  description: 'A page of events with what became of them, the newest first.',
  ...EVENT,
  fields: (t) => ({
    nodes: t.field({
      type: [ReviewedEventType],
      description: 'The events of this page.',
      resolve: async (page) => (await page.rows()).rows,
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description: 'What lies around this page.',
      resolve: async ({ isContinued, ...page }) => {
        const { rows, hasMore } = await page.rows();
        const [head, tail] = [rows[0], rows.at(-1)];
        return {
          ...{ hasNextPage: hasMore, hasPreviousPage: isContinued },
          startCursor: head ? cursorOf(head, ORDER) : null,
          endCursor: tail ? cursorOf(tail, ORDER) : null,
        };
      },
    }),
    totalCount: t.int({
      description:
        'Number of events in the whole list, counted only where it is asked for. Of those that were refused, as many as are kept.',
      resolve: (page) => page.total(),
    }),
  }),
});

const NEED_A_LOOK = ['late', 'unmatched', 'conflict', 'rejected'] as const;

const EventReviewFilter = builder.inputType('EventReviewFilter', {
  description:
    'Which events are looked for: those that meet every condition given. Null is no condition; an empty list finds nothing.',
  fields: (t) => ({
    fate: t.field({
      type: [enumRef('EventFate')],
      description: `Only events with one of these fates; ${NEED_A_LOOK.join(', ')} without it.`,
    }),
    reasonCode: t.stringList({
      description: 'Only events with a reason of one of these codes, for example `subscription_not_found`.',
    }),
    code: t.stringList({ description: 'Only events of metrics with one of these codes.' }),
    externalSubscriptionId: t.stringList({ description: 'Only events of one of these subscriptions.' }),
    createdAt: t.field({ type: DateTimeRange, description: 'Only events received in this time.' }),
  }),
});

interface Filter {
  readonly fate?: Reviewed['fates'] | null | undefined;
  readonly reasonCode?: readonly string[] | null | undefined;
  readonly code?: readonly string[] | null | undefined;
  readonly externalSubscriptionId?: readonly string[] | null | undefined;
  readonly createdAt?: { from?: Date | null; to?: Date | null; through?: Date | null } | null | undefined;
}

function reviewedOf(filter: Filter, { caller }: Context): Reviewed {
  const { from = null, to = null, through = null } = filter.createdAt ?? {};
  const ends = [to, through && new Date(through.getTime() + 1)].filter((end) => end !== null);
  const end = ends.length > 0 ? new Date(Math.min(...ends.map((one) => one.getTime()))) : null;
  return {
    organizationId: caller.organizationId,
    fates: filter.fate ?? NEED_A_LOOK,
    reasonCodes: filter.reasonCode ?? undefined,
    codes: filter.code ?? undefined,
    externalSubscriptionIds: filter.externalSubscriptionId ?? undefined,
    received: { from, to: end },
  };
}

// Every event that was received in the time is looked at, for the page and for the count.
const PRICE = 200;

builder.queryField('eventReview', (t) =>
  t.field({
    type: EventReview,
    nullable: true,
    description:
      'Events that need a look: what no metric, subscription or charge takes, what came too late, and what was refused as wrong or as another one of the same names. Asked of a time of receipt it costs what that time holds.',
    args: {
      first: t.arg.int({ description: 'How many to read; 20 by default, at most 100.' }),
      after: t.arg.string({ description: 'Read what comes after this place.' }),
      filter: t.arg({ type: EventReviewFilter, description: 'Which events are looked for.' }),
    },
    extensions: { permission: 'event:read' satisfies Permission, price: PRICE },
    resolve: (_root, { first, after, filter }, context) => {
      requireFates(context);
      const { take, size, ...page } = readPage({ first, after }, ORDER);
      const place = after == null ? undefined : readCursor(after, ORDER, 'after');
      const start = place?.value instanceof Date ? { createdAt: place.value, id: place.id } : undefined;
      const reviewed = reviewedOf(filter ?? {}, context);
      return {
        isContinued: start !== undefined,
        rows: memoize(async () =>
          cutPage({ take, size, ...page }, await reviewedEvents(context.db, reviewed, start, take)),
        ),
        total: memoize(() => countReviewed(context.db, reviewed)),
      };
    },
  }),
);
