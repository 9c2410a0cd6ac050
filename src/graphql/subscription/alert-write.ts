import { queryFromInfo } from '@pothos/plugin-prisma';
import { type AlertMembers, alertRefusal } from '../../billing/customer/alert.ts';
import {
  createAlert,
  createAlerts,
  deleteAlert,
  deleteAlerts,
  type NewAlert,
  updateAlert,
} from '../../engine/subscription/alert.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { actorOf, type Permission } from '../context.ts';
import { checkDry, dryRunArg, mutation } from '../write/mutation.ts';
import { subscriptionArgs, subscriptionPath } from './subscription-args.ts';

const AlertThresholdInput = builder.inputType('AlertThresholdInput', {
  description: 'A value that an alert tells of.',
  fields: (t) => ({
    code: t.string({ description: 'What the application calls it; several may be called the same.' }),
    value: t.field({
      type: 'Decimal',
      required: true,
      description: 'The value: minor units of amounts, else units. Of a recurring one the step, more than 0.',
      extensions: { faultName: 'thresholds:value' },
    }),
    recurring: t.boolean({
      description:
        'Whether every further step after the last of the other values is told of too. At most one of an alert is. False by default.',
    }),
  }),
});

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const METRIC = 'Code of the metric that it measures: needed by types of a metric, refused by others.';
const NAME = 'Name of the alert.';
const CODE = 'Code that identifies the alert among those of the subscription.';

/** Members that fit are looked at with those that do not, so that all that is wrong is told at once. */
const refusal = (input: object) => alertRefusal(input as Partial<AlertMembers>);

const CreateAlertInput = builder.inputType('CreateAlertInput', {
  description: 'An alert on a subscription.',
  extensions: { refusal },
  fields: (t: Fields) => ({
    alertType: t.field({
      type: enumRef('AlertType'),
      required: true,
      description: 'What it measures. One alert of each type, and of each metric.',
    }),
    code: t.string({ required: true, description: CODE }),
    name: t.string({ description: NAME }),
    billableMetricCode: t.string({ description: METRIC }),
    thresholds: t.field({ type: [AlertThresholdInput], required: true, description: 'The values, 1 to 20.' }),
  }),
});

const UpdateAlertInput = builder.inputType('UpdateAlertInput', {
  description: 'What changes of an alert. Absent members keep their values.',
  fields: (t) => ({
    code: t.string({ description: CODE }),
    name: t.string({ description: `${NAME} Null is none.` }),
    billableMetricCode: t.string({ description: METRIC }),
    thresholds: t.field({
      type: [AlertThresholdInput],
      description: 'The values, at most 20. They replace the former ones as a whole; an empty list leaves them.',
    }),
  }),
});

const codeArgs = builder.args((t) => ({
  code: t.string({ required: true, description: 'Code of the alert, compared exactly.' }),
}));

mutation('createSubscriptionAlert', 'Alert', {
  resource: 'subscription',
  description:
    'Makes an alert on a subscription. It belongs to the external identifier, and stays when the subscription changes its plan.',
  args: {
    ...subscriptionArgs,
    ...builder.args((t) => ({
      input: t.field({ type: CreateAlertInput, required: true, description: 'The alert.' }),
    })),
  },
  write: ({ input, ...named }, context) =>
    createAlert(context.db, actorOf(context), subscriptionPath(named), input as NewAlert),
});

builder.mutationField('createSubscriptionAlerts', (t) =>
  t.prismaField({
    type: ['Alert'],
    nullable: true,
    description: 'Makes several alerts on a subscription, all or none. What is wrong is told by places, from 0 on.',
    args: {
      ...subscriptionArgs,
      ...builder.args((a) => ({
        inputs: a.field({ type: [CreateAlertInput], required: true, description: 'The alerts, 1 to 100.' }),
      })),
      ...dryRunArg,
    },
    extensions: { permission: 'subscription:write' satisfies Permission },
    resolve: async (_query, _root, { inputs, dryRun, ...named }, context, info) => {
      checkDry(dryRun, context);
      const { ids } = await createAlerts(
        context.db,
        actorOf(context),
        subscriptionPath(named),
        inputs as readonly NewAlert[],
      );
      const query = queryFromInfo({ context, info });
      const rows = await context.db.alert.findMany({ ...query, where: { id: { in: [...ids] } } });
      const places = new Map(ids.map((id, place) => [id, place]));
      return rows.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
    },
  }),
);

mutation('updateSubscriptionAlert', 'Alert', {
  resource: 'subscription',
  description: 'Changes an alert on a subscription. Its type stays, and so does the value that it last saw.',
  args: {
    ...{ ...subscriptionArgs, ...codeArgs },
    ...builder.args((t) => ({
      input: t.field({ type: UpdateAlertInput, required: true, description: 'What changes.' }),
    })),
  },
  write: ({ input, code, ...named }, context) =>
    updateAlert(context.db, actorOf(context), { ...subscriptionPath(named), code }, input),
});

mutation('destroySubscriptionAlert', 'Alert', {
  resource: 'subscription',
  description: 'Deletes an alert on a subscription; its code is free again.',
  args: { ...subscriptionArgs, ...codeArgs },
  write: ({ code, ...named }, context) =>
    deleteAlert(context.db, actorOf(context), { ...subscriptionPath(named), code }),
});

mutation('destroySubscriptionAlerts', 'Subscription', {
  resource: 'subscription',
  description: 'Deletes all alerts on a subscription, which is answered.',
  args: subscriptionArgs,
  write: (named, context) => deleteAlerts(context.db, actorOf(context), subscriptionPath(named)),
});
