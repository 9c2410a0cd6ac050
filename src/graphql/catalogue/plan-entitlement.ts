import type { PrivilegeValue, PrivilegeValues } from '../../billing/catalogue/entitlement/value.ts';
import {
  deletePlanEntitlement,
  deletePlanValue,
  savePlanEntitlements,
} from '../../engine/catalogue/entitlement/plan-entitlement.ts';
import { FILTER_ORDER } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { firstOf } from '../base/column.ts';
import { enumRef } from '../base/enum.ts';
import { derivesFrom } from '../base/guard.ts';
import { actorOf } from '../context.ts';
import { defineNode } from '../list/node.ts';
import { mutation } from '../write/mutation.ts';
import { entitlementsArg, sentEntitlements } from './entitlement-input.ts';
import { configOf } from './privilege-config.ts';

interface Valued {
  readonly code: string;
  readonly name: string | null;
  readonly valueType: 'integer' | 'boolean' | 'string' | 'select';
  readonly selectOptions: readonly string[];
  readonly value: PrivilegeValue;
}

const PlanEntitlementPrivilege = builder.objectRef<Valued>('PlanEntitlementPrivilege').implement({
  description: 'A privilege of a feature, with the value that a plan has of it.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Code that identifies the privilege in the feature.' }),
    name: t.exposeString('name', { nullable: true, description: 'Name of the privilege.' }),
    valueType: t.field({
      type: enumRef('PrivilegeValueType'),
      description: 'What its values are.',
      resolve: ({ valueType }) => valueType,
    }),
    selectOptions: t.stringList({
      description: 'Of a selection: the values that there are.',
      resolve: ({ selectOptions }) => [...selectOptions],
    }),
    config: t.field({
      type: 'JSON',
      description: 'What its values can be, as JSON: the options of a selection, nothing of others.',
      resolve: configOf,
    }),
    value: t.field({
      type: 'JSON',
      description: 'The value, as JSON of the type of the privilege.',
      resolve: ({ value }) => value,
    }),
    valueText: t.string({ description: 'The value as a text.', resolve: ({ value }) => String(value) }),
  }),
});

const PRIVILEGES = {
  where: { deletedAt: null },
  orderBy: FILTER_ORDER,
  select: { code: true, name: true, valueType: true, selectOptions: true },
} as const;

const OF_FEATURE = derivesFrom('feature');

/** A feature that a plan has. */
export const PlanEntitlement = defineNode('PlanEntitlement', {
  resource: 'plan',
  omit: ['plan', 'values'],
  fields: (t) => ({
    featureCode: t.string({
      description: 'Code of the feature.',
      extensions: firstOf(['feature.code']),
      select: { feature: { select: { code: true } } },
      resolve: ({ feature }) => feature.code,
    }),
    featureName: t.string({
      nullable: true,
      description: 'Name of the feature.',
      extensions: { ...OF_FEATURE.extensions, ...firstOf(['feature.name']) },
      select: { feature: { select: { name: true } } },
      resolve: ({ feature }) => feature.name,
    }),
    featureDescription: t.string({
      nullable: true,
      description: 'What the feature is.',
      extensions: { ...OF_FEATURE.extensions, ...firstOf(['feature.description']) },
      select: { feature: { select: { description: true } } },
      resolve: ({ feature }) => feature.description,
    }),
    privileges: t.field({
      type: [PlanEntitlementPrivilege],
      description: 'The privileges of the feature of which the plan has a value.',
      ...OF_FEATURE,
      select: { values: true, feature: { select: { privileges: PRIVILEGES } } },
      resolve: ({ values, feature }) => {
        const given = values as PrivilegeValues;
        return feature.privileges.flatMap((privilege) => {
          const value = Object.hasOwn(given, privilege.code) ? given[privilege.code] : undefined;
          return value === undefined ? [] : [{ ...privilege, value }];
        });
      },
    }),
  }),
});

const planArg = builder.args((t) => ({
  planCode: t.string({ required: true, description: 'The code of the plan, compared exactly.' }),
}));
/** Names a feature. */
export const featureCodeArgs = builder.args((t) => ({
  featureCode: t.string({ required: true, description: 'The code of the feature, compared exactly.' }),
}));
const featureArgs = { ...planArg, ...featureCodeArgs };

mutation('replacePlanEntitlements', 'Plan', {
  resource: 'plan',
  description:
    'Says all features that a plan has, and with them its overrides. Those that are not named go; one that is named keeps its values unless some are given.',
  args: { ...planArg, ...entitlementsArg },
  write: ({ planCode, ...given }, context) =>
    savePlanEntitlements(context.db, actorOf(context), planCode, sentEntitlements(given), 'replace'),
});

mutation('mergePlanEntitlements', 'Plan', {
  resource: 'plan',
  description: 'Gives features to a plan, and with it to its overrides. What is not named stays.',
  args: { ...planArg, ...entitlementsArg },
  write: ({ planCode, ...given }, context) =>
    savePlanEntitlements(context.db, actorOf(context), planCode, sentEntitlements(given), 'merge'),
});

mutation('destroyPlanEntitlement', 'PlanEntitlement', {
  resource: 'plan',
  description: 'Takes a feature from a plan and its overrides. Subscriptions that have it by themselves keep it.',
  args: featureArgs,
  write: (path, context) => deletePlanEntitlement(context.db, actorOf(context), path),
});

mutation('destroyPlanEntitlementPrivilege', 'PlanEntitlement', {
  resource: 'plan',
  description: 'Takes the value of a privilege from a feature of a plan and of its overrides.',
  args: {
    ...featureArgs,
    ...builder.args((t) => ({
      privilegeCode: t.string({ required: true, description: 'The code of the privilege, compared exactly.' }),
    })),
  },
  write: (path, context) => deletePlanValue(context.db, actorOf(context), path),
});
