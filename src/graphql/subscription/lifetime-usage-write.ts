import { updateLifetimeUsage } from '../../engine/subscription/update-lifetime-usage.ts';
import { builder } from '../base/builder.ts';
import { actorOf } from '../context.ts';
import { mutation } from '../write/mutation.ts';

const UpdateLifetimeUsageInput = builder.inputType('UpdateLifetimeUsageInput', {
  description: 'What is known of usage that the service has not seen.',
  fields: (t) => ({
    externalHistoricalUsageAmountCents: t.field({
      type: 'BigInt',
      required: true,
      description: 'Usage before the first period, in minor units, 0 or more.',
    }),
  }),
});

mutation('updateLifetimeUsage', 'Subscription', {
  resource: 'lifetime_usage',
  description:
    'Tells what an active subscription was used for before its first period. It counts as lifetime usage and towards thresholds, from the next bill on.',
  args: builder.args((t) => ({
    externalId: t.string({ required: true, description: "The subscription's identifier in the caller's application." }),
    input: t.field({ type: UpdateLifetimeUsageInput, required: true, description: 'What is told.' }),
  })),
  write: ({ externalId, input }, context) =>
    updateLifetimeUsage(context.db, actorOf(context), externalId, BigInt(input.externalHistoricalUsageAmountCents)),
});
