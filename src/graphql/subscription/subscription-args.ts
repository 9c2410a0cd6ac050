import type { SubscriptionStatus } from '../../store/generated/prisma/enums.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';

/** Arguments that name a subscription of which something is written. */
export const subscriptionArgs = builder.args((t) => ({
  externalSubscriptionId: t.string({
    required: true,
    description: "The subscription's identifier in the caller's application.",
  }),
  status: t.field({
    type: enumRef('SubscriptionStatus'),
    defaultValue: 'active',
    description: 'The state it must be in.',
  }),
}));

interface Named {
  readonly externalSubscriptionId: string;
  readonly status?: SubscriptionStatus | null | undefined;
}

/** The subscription that is named. */
export const subscriptionPath = ({ externalSubscriptionId, status }: Named) => ({
  ...{ externalId: externalSubscriptionId, status: status ?? ('active' as const) },
});
