import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { eventRefusal, type SentEvent } from '../../billing/catalogue/event-write.ts';
import { recordEvent, recordEvents } from '../../engine/usage/record-events.ts';
import { builder } from '../base/builder.ts';
import { actorOf, type Context, type Permission } from '../context.ts';
import { checkDry, dryRunArg } from '../write/mutation.ts';
import { Event } from './event.ts';

const RecordEventInput = builder.inputType('RecordEventInput', {
  extensions: { refusal: (sent: SentEvent) => eventRefusal(sent, new Date()) },
  description:
    'Usage as an application sends it. The metric and the subscription need not exist: what is stored counts once they do, by its time.',
  fields: (t) => ({
    transactionId: t.string({
      required: true,
      description: 'Names the event: within a subscription, each is stored once.',
    }),
    code: t.string({
      required: true,
      description: 'Code of the billable metric. An event of a code that no metric has is kept.',
    }),
    externalSubscriptionId: t.string({
      description: 'External identifier of the subscription; without it the event is kept and never billed.',
    }),
    timestamp: t.field({
      type: 'PreciseDateTime',
      description: 'When the usage happened, at most a year ahead; now without it.',
    }),
    properties: t.field({
      type: 'JSON',
      description:
        'An object of values of any shape: what the metric aggregates, and what prices and groups depend on. A metric with an expression computes its property from the others.',
    }),
    preciseTotalAmountCents: t.field({
      type: 'Decimal',
      description: 'Amount of the event in minor units, for dynamic charges.',
    }),
  }),
});

const written = { permission: 'event:write' satisfies Permission };

// What a mutation answers is what it stored, with all its columns: fields that are told so read nothing again.
const takeAsRead = (context: Context, info: GraphQLResolveInfo) => void queryFromInfo({ context, info });

builder.mutationField('recordEvent', (t) =>
  t.field({
    type: Event,
    nullable: true,
    description:
      'Stores a usage event, once by its subscription and transaction id: the same again is refused (`transaction_id: value_already_exist`), which a sender takes for done.',
    args: {
      ...builder.args((a) => ({
        input: a.field({ type: RecordEventInput, required: true, description: 'The event.' }),
      })),
      ...dryRunArg,
    },
    extensions: written,
    resolve: (_root, { input, dryRun }, context, info) => {
      checkDry(dryRun, context);
      takeAsRead(context, info);
      return recordEvent(context.db, actorOf(context), input);
    },
  }),
);

builder.mutationField('recordEvents', (t) =>
  t.field({
    type: [Event],
    nullable: true,
    description:
      'Stores up to 100 usage events, all or none, in the order given. What is wrong with an event is told by its place, from 0 on.',
    args: {
      ...builder.args((a) => ({
        events: a.field({ type: [RecordEventInput], required: true, description: 'The events, 1 to 100.' }),
      })),
      ...dryRunArg,
    },
    extensions: written,
    resolve: async (_root, { events, dryRun }, context, info) => {
      checkDry(dryRun, context);
      takeAsRead(context, info);
      return [...(await recordEvents(context.db, actorOf(context), events))];
    },
  }),
);
