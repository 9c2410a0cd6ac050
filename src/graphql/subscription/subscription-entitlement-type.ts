import type { EffectiveFeature, EffectiveValue } from '../../billing/catalogue/entitlement/effective.ts';
import type { Privilege } from '../../billing/catalogue/entitlement/privilege.ts';
import type { PrivilegeValue } from '../../billing/catalogue/entitlement/value.ts';
import type { Changed } from '../../engine/changed.ts';
import { builder } from '../base/builder.ts';
import { enumRef } from '../base/enum.ts';
import { derivesFrom } from '../base/guard.ts';
import { opaqueId } from '../base/opaque-id.ts';
import { configOf } from '../catalogue/privilege-config.ts';
import { MutationChanges } from '../write/changes.ts';

interface Feature {
  readonly id: string;
  readonly code: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly privileges: readonly Privilege[];
}

/** A feature as a subscription has it. */
export interface Entitlement extends EffectiveFeature<Feature> {
  readonly subscriptionId: string;
  /** What the mutation changed that answers it. */
  readonly changed?: Changed;
}

const textOf = (value: PrivilegeValue | null) => (value === null ? null : String(value));

const SubscriptionEntitlementPrivilege = builder
  .objectRef<EffectiveValue>('SubscriptionEntitlementPrivilege')
  .implement({
    description: 'A privilege of a feature, with the value that a subscription has of it.',
    fields: (t) => ({
      code: t.string({
        description: 'Code that identifies the privilege in the feature.',
        resolve: ({ privilege }) => privilege.code,
      }),
      name: t.string({
        nullable: true,
        description: 'Name of the privilege.',
        resolve: ({ privilege }) => privilege.name,
      }),
      valueType: t.field({
        type: enumRef('PrivilegeValueType'),
        description: 'What its values are.',
        resolve: ({ privilege }) => privilege.valueType,
      }),
      selectOptions: t.stringList({
        description: 'Of a selection: the values that there are.',
        resolve: ({ privilege }) => [...privilege.selectOptions],
      }),
      config: t.field({
        type: 'JSON',
        description: 'What its values can be, as JSON: the options of a selection, nothing of others.',
        resolve: ({ privilege }) => configOf(privilege),
      }),
      value: t.field({
        type: 'JSON',
        description:
          'The value, as JSON of the type of the privilege: that of the subscription, else that of the plan.',
        resolve: ({ value }) => value,
      }),
      valueText: t.string({ description: 'The value as a text.', resolve: ({ value }) => String(value) }),
      planValue: t.field({
        type: 'JSON',
        nullable: true,
        description: 'The value that the plan has, as JSON; null where it has none.',
        resolve: ({ planValue }) => planValue,
      }),
      planValueText: t.string({
        nullable: true,
        description: 'The value that the plan has, as a text.',
        resolve: ({ planValue }) => textOf(planValue),
      }),
      overrideValue: t.field({
        type: 'JSON',
        nullable: true,
        description: 'The value that the subscription has by itself, as JSON; null where it has none.',
        resolve: ({ overrideValue }) => overrideValue,
      }),
      overrideValueText: t.string({
        nullable: true,
        description: 'The value that the subscription has by itself, as a text.',
        resolve: ({ overrideValue }) => textOf(overrideValue),
      }),
    }),
  });

/** What shows a feature of a subscription is made of these too. */
export const SOURCES = derivesFrom('plan', 'feature');

/** A feature that a subscription has. */
export const SubscriptionEntitlement = builder.objectRef<Entitlement>('SubscriptionEntitlement').implement({
  description: 'A feature that a subscription has, by its plan or by itself.',
  extensions: { resource: 'subscription' },
  fields: (t) => ({
    id: t.id({
      description: 'Opaque identifier, of the subscription and the feature; nothing is read by it.',
      resolve: ({ subscriptionId, feature }) => opaqueId('SubscriptionEntitlement', `${subscriptionId}:${feature.id}`),
    }),
    featureCode: t.string({ description: 'Code of the feature.', resolve: ({ feature }) => feature.code }),
    featureName: t.string({
      nullable: true,
      description: 'Name of the feature.',
      ...SOURCES,
      resolve: ({ feature }) => feature.name,
    }),
    featureDescription: t.string({
      nullable: true,
      description: 'What the feature is.',
      ...SOURCES,
      resolve: ({ feature }) => feature.description,
    }),
    privileges: t.field({
      type: [SubscriptionEntitlementPrivilege],
      description: 'The privileges of the feature of which the subscription has a value.',
      ...SOURCES,
      resolve: ({ values }) => [...values],
    }),
    overrides: t.field({
      type: 'JSON',
      description: 'Values that the subscription has by itself, as JSON by the codes of the privileges.',
      ...SOURCES,
      resolve: ({ values }) =>
        Object.fromEntries(
          values.flatMap(({ privilege, overrideValue: own }) => (own === null ? [] : [[privilege.code, own]])),
        ),
    }),
    changes: t.field({
      type: MutationChanges,
      nullable: true,
      description:
        'What the mutation that answers the feature changed and made besides; null where the feature was read.',
      resolve: ({ changed }, _args, { dryRun }) =>
        changed && dryRun ? { ...changed, auditLogs: [] } : (changed ?? null),
    }),
  }),
});
