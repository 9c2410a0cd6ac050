import { effectiveFeatures } from '../../billing/catalogue/entitlement/effective.ts';
import type { PrivilegeValues } from '../../billing/catalogue/entitlement/value.ts';
import {
  mergeSubscriptionEntitlements,
  removeSubscriptionEntitlement,
  removeSubscriptionPrivilege,
  type WrittenEntitlement,
} from '../../engine/subscription/subscription-entitlement.ts';
import { FILTER_ORDER, OLDEST_FIRST } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { entitlementsArg, sentEntitlements } from '../catalogue/entitlement-input.ts';
import { featureCodeArgs } from '../catalogue/plan-entitlement.ts';
import { actorOf, type Context, type Permission } from '../context.ts';
import { checkDry, dryRunArg, mutation } from '../write/mutation.ts';
import { type Entitlement, SOURCES, SubscriptionEntitlement } from './subscription-entitlement-type.ts';

const FEATURE = {
  select: {
    ...{ id: true, code: true, name: true, description: true },
    privileges: {
      where: { deletedAt: null },
      orderBy: FILTER_ORDER,
      select: { code: true, name: true, valueType: true, selectOptions: true },
    },
  },
} as const;

const OF_PLAN = {
  where: { deletedAt: null },
  orderBy: OLDEST_FIRST,
  select: { featureId: true, values: true, feature: FEATURE },
} as const;

const withValues = <Row extends { readonly values: unknown }>(row: Row) => ({
  ...row,
  values: row.values as PrivilegeValues,
});

builder.prismaObjectField('Subscription', 'entitlements', (t) =>
  t.field({
    type: [SubscriptionEntitlement],
    description: 'Features that the subscription has: those of its plan that were not taken from it, then its own.',
    ...SOURCES,
    select: {
      id: true,
      entitlements: {
        orderBy: OLDEST_FIRST,
        select: {
          ...{ featureId: true, isOwn: true, isRemoved: true, values: true, removedPrivileges: true },
          feature: FEATURE,
        },
      },
      plan: { select: { entitlements: OF_PLAN, parent: { select: { entitlements: OF_PLAN } } } },
    },
    resolve: ({ id: subscriptionId, entitlements, plan }) => {
      // An override has the features of its plan.
      const ofPlan = (plan.parent ?? plan).entitlements;
      const features = effectiveFeatures(ofPlan.map(withValues), entitlements.map(withValues));
      return features.map((feature) => ({ ...feature, subscriptionId }));
    },
  }),
);

const subscriptionArgs = builder.args((t) => ({
  externalSubscriptionId: t.string({
    required: true,
    description: "The subscription's identifier in the caller's application.",
  }),
  status: t.field({
    type: enumRef('SubscriptionStatus'),
    description: 'The state it must be in; active by default. Where several match, the latest one is meant.',
  }),
}));

interface Given {
  readonly externalSubscriptionId: string;
  readonly status?: string | null | undefined;
}
type Status = Parameters<typeof removeSubscriptionEntitlement>[2]['status'];

const pathOf = ({ externalSubscriptionId: externalId, status }: Given) => ({
  ...{ externalId, status: (status ?? 'active') as Status },
});

mutation('mergeSubscriptionEntitlements', 'Subscription', {
  resource: 'subscription',
  description:
    'Sets values that a subscription has of features, beside those of its plan. The very values of the plan take its own back; a feature that was taken from it is given again. What is not named stays.',
  args: { ...subscriptionArgs, ...entitlementsArg },
  write: (given, context) =>
    mergeSubscriptionEntitlements(context.db, actorOf(context), pathOf(given), sentEntitlements(given)),
});

const written = { permission: 'subscription:write' satisfies Permission };

const run = async (
  dryRun: boolean | null | undefined,
  context: Context,
  write: () => Promise<WrittenEntitlement>,
): Promise<Entitlement> => {
  checkDry(dryRun, context);
  return write();
};

builder.mutationField('removeSubscriptionEntitlement', (t) =>
  t.field({
    type: SubscriptionEntitlement,
    nullable: true,
    description: 'Takes a feature from a subscription, whatever its plan has, and answers what it was.',
    args: { ...subscriptionArgs, ...featureCodeArgs, ...dryRunArg },
    extensions: written,
    resolve: (_root, { dryRun, featureCode, ...given }, context) =>
      run(dryRun, context, () =>
        removeSubscriptionEntitlement(context.db, actorOf(context), { ...pathOf(given), featureCode }),
      ),
  }),
);

builder.mutationField('removeSubscriptionEntitlementPrivilege', (t) =>
  t.field({
    type: SubscriptionEntitlement,
    nullable: true,
    description: 'Takes the value of a privilege from a feature of a subscription, whatever its plan has.',
    args: {
      ...{ ...subscriptionArgs, ...featureCodeArgs },
      ...builder.args((a) => ({
        privilegeCode: a.string({ required: true, description: 'The code of the privilege, compared exactly.' }),
      })),
      ...dryRunArg,
    },
    extensions: written,
    resolve: (_root, { dryRun, featureCode, privilegeCode, ...given }, context) =>
      run(dryRun, context, () =>
        removeSubscriptionPrivilege(context.db, actorOf(context), { ...pathOf(given), featureCode, privilegeCode }),
      ),
  }),
);
