import type { FieldRef } from '@pothos/core';
import { getRefFromModel } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { EventFate } from '../../store/generated/prisma/enums.ts';
import { countFates, fatesOf, inQuarters, type Received } from '../../store/usage/fate/event-fate.ts';
import type { FatedEvent } from '../../store/usage/fate/event-fate-sql.ts';
import { feesOfEvents } from '../../store/usage/fate/event-fees.ts';
import { builder, type Types } from '../base/builder.ts';
import type { Selecting } from '../base/column.ts';
import { enumRef } from '../base/enum.ts';
import { derivesFrom, requirePermission } from '../base/guard.ts';
import type { Context, Permission, Resource } from '../context.ts';
import { findTogether } from '../list/find-together.ts';
import { ofEvents } from './event-loader.ts';
import { EventReason } from './event-reason.ts';

/** What a fate tells of: whether there is a metric, a subscription, a charge and a final invoice. */
const FATE_NEEDS: readonly Resource[] = ['billable_metric', 'subscription', 'plan', 'fee', 'invoice'];

/** Throws `forbidden` unless the key may read what fates tell of. */
export function requireFates(context: Context): void {
  for (const resource of FATE_NEEDS) requirePermission(context, `${resource}:read`);
}

const fateOf = ofEvents(fatesOf);
const feesOf = ofEvents(feesOfEvents);

const NAMES = { id: true, transactionId: true, externalSubscriptionId: true, code: true };
const FATED = { ...NAMES, timestamp: true, properties: true, createdAt: true };

const needing = derivesFrom(...FATE_NEEDS);

/** What became of an event, and why. */
export const fateFields = (t: Selecting): Record<string, FieldRef<Types>> => ({
  fate: t.field({
    type: enumRef('EventFate'),
    description:
      'What became of it, as things are now: what is unmatched counts once its metric and subscription are there.',
    ...needing,
    select: FATED,
    resolve: async (row: FatedEvent, _args: object, context: Context) => (await fateOf(context, row))?.fate,
  }),
  fateReasons: t.field({
    type: [EventReason],
    description:
      'Why it has this fate, and whatever else is worth a look, for example a value that no filter of its metric lists.',
    ...needing,
    select: FATED,
    resolve: async (row: FatedEvent, _args: object, context: Context) => (await fateOf(context, row))?.reasons ?? [],
  }),
  fees: t.field({
    type: [getRefFromModel('Fee', builder)],
    description:
      'The fees that it was billed on, one a charge: of a recurring metric, which later periods bill again, the first. Empty unless it is billed, and where nothing was to be paid.',
    select: FATED,
    ...needing,
    resolve: async (row: FatedEvent, _args: object, context: Context, info: GraphQLResolveInfo) => {
      const rows = ((await feesOf(context, row)) ?? []).map((fee) => findTogether(context, info, 'Fee', fee));
      return (await Promise.all(rows)).filter((row) => row !== null);
    },
  }),
});

interface Count {
  readonly fate: EventFate;
  readonly count: bigint;
}

const EventFateCount = builder.objectRef<Count>('EventFateCount').implement({
  description: 'How many events have a fate.',
  fields: (t) => ({
    fate: t.field({ type: enumRef('EventFate'), description: 'The fate.', resolve: ({ fate }) => fate }),
    count: t.field({ type: 'BigInt', description: 'How many events have it.', resolve: ({ count }) => count }),
  }),
});

interface Counts extends Received {
  readonly counts: readonly Count[];
}

const EventFates = builder.objectRef<Counts>('EventFates').implement({
  description: 'What became of the events that were received in a time.',
  extensions: { resource: 'event' satisfies Resource },
  fields: (t) => ({
    fromDatetime: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The first moment that is counted: the begin of the quarter of an hour that was asked for.',
      resolve: ({ from }) => from,
    }),
    toDatetime: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The first moment that is no longer counted: the end of the quarter of an hour that was asked for.',
      resolve: ({ to }) => to,
    }),
    sent: t.field({
      type: 'BigInt',
      description: 'How many were sent and answered, or imported: the sum of the counts.',
      resolve: ({ counts }) => counts.reduce((sum, { count }) => sum + count, 0n),
    }),
    counts: t.field({
      type: [EventFateCount],
      description: 'How many of them have each fate; every fate is listed, and every event is in one of them.',
      resolve: ({ counts }) => [...counts],
    }),
  }),
});

// Every event that was received is looked at: a million take seconds.
const PRICE = 200;

builder.queryField('eventFates', (t) =>
  t.field({
    type: EventFates,
    nullable: true,
    description:
      'What became of the events of a time of receipt. They add up to all that were answered: what was refused is counted by quarters of an hour, to which the time is widened.',
    args: {
      from: t.arg({ type: 'DateTime', description: 'The first moment; from the begin without it.' }),
      to: t.arg({ type: 'DateTime', description: 'The first moment that is out of the time; until now without it.' }),
    },
    extensions: { permission: 'event:read' satisfies Permission, price: PRICE },
    resolve: async (_root, { from, to }, context) => {
      requireFates(context);
      const received = inQuarters({ from: from ?? null, to: to ?? null });
      const found = await countFates(context.db, context.caller.organizationId, received);
      const counts = Object.values(EventFate).map((fate) => ({ fate, count: found.get(fate) ?? 0n }));
      return { ...received, counts };
    },
  }),
);
