import { notFound } from '../../billing/errors.ts';
import { PLANS } from '../../engine/catalogue/plan/plan.ts';
import { BY_CODE, OLDEST_FIRST } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { columnOf, firstOf, selectedField } from '../base/column.ts';
import { enumRef } from '../base/enum.ts';
import { KeyValue, keyValues } from '../base/key-value.ts';
import { chosen, connection, defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { resourceMutations } from '../write/resource.ts';
import { metadataMutations } from '../write/resource-metadata.ts';
import { featureCodeArgs, PlanEntitlement } from './plan-entitlement.ts';
import { planFilter, withoutOverrides } from './plan-filter.ts';
import { asPlan, planParts } from './plan-input.ts';
import { inGivenForm } from './typed-input.ts';

const LIVE_OLDEST_FIRST = {
  where: { deletedAt: null },
  orderBy: OLDEST_FIRST,
};
const liveWithCode = ({ code }: { code: string }) => ({ where: { code, deletedAt: null } });

defineNode('MinimumCommitment', {
  resource: 'plan',
  omit: ['plan'],
  fields: (t) => ({
    planCode: t.string({
      description: 'Code of the plan.',
      extensions: firstOf(['plan.code']),
      select: { plan: { select: { code: true } } },
      resolve: ({ plan }) => plan.code,
    }),
    interval: t.field({
      type: enumRef('PlanInterval'),
      description: 'Length of the periods that it is for: those of the plan.',
      select: { plan: { select: { interval: true } } },
      resolve: ({ plan }) => plan.interval,
    }),
    taxes: t.relation('taxes', { query: { orderBy: BY_CODE } }),
  }),
});

export const UsageThreshold = defineNode('UsageThreshold', { resource: 'plan', omit: ['plan', 'subscription'] });

/** The thresholds of a plan, least first. */
export const LIVE_THRESHOLDS = {
  where: { deletedAt: null },
  orderBy: [{ amountCents: 'asc' as const }, { id: 'asc' as const }],
};

const PlanEntitlementItem = builder
  .objectRef<{ readonly entitlement: { id: string } }>('PlanEntitlementItem')
  .implement({
    description: 'A feature among those of a plan.',
    fields: (t) => ({
      entitlement: t.field({
        type: PlanEntitlement,
        description: 'The feature, as the plan has it.',
        resolve: ({ entitlement }) => entitlement,
      }),
    }),
  });

interface Entitled {
  readonly parentId: string | null;
  readonly entitlements: readonly { id: string }[];
  readonly parent: { readonly entitlements: readonly { id: string }[] } | null;
}

/** An override has the features of its plan. */
const entitlementsOf = (plan: object) => {
  const { parentId, entitlements, parent } = plan as Entitled;
  return parentId === null ? [...entitlements] : [...(parent?.entitlements ?? [])];
};

// Prisma selects no rows without a column, as of a list of which only `__typename` is asked.
const entitled = (rows: { readonly select?: object }) => {
  const entitlements = { ...rows, select: { ...rows.select, id: true } };
  return { parentId: true, entitlements, parent: { select: { entitlements } } };
};

defineNode('Plan', {
  filter: planFilter,
  resource: 'plan',
  fields: (t) => ({
    trialPeriodNumber: t.float({
      description: 'The length of the trial in days as a JSON number, whose digits may be fewer than are kept.',
      select: { trialPeriod: true },
      resolve: ({ trialPeriod }) => trialPeriod.toNumber(),
    }),
    metadataEntries: t.field({
      type: [KeyValue],
      description: 'Free key-value pairs; `metadata` has them as JSON.',
      select: { metadata: true },
      resolve: ({ metadata }) => keyValues(metadata),
    }),
    taxes: t.relation('taxes', { query: { orderBy: BY_CODE } }),
    charges: t.relation('charges', { query: LIVE_OLDEST_FIRST }),
    charge: chosen(t, 'charges', {
      type: 'Charge',
      description: 'The charge with this code.',
      args: codeArgs,
      query: liveWithCode,
      onMissing: () => notFound('charge'),
    }),
    chargesConnection: connection(t, 'Plan', 'charges', { model: 'Charge', resource: 'plan', foreignKey: 'planId' }),
    fixedChargesConnection: connection(t, 'Plan', 'fixedCharges', {
      model: 'FixedCharge',
      resource: 'plan',
      foreignKey: 'planId',
    }),
    fixedCharges: t.relation('fixedCharges', { query: LIVE_OLDEST_FIRST }),
    fixedCharge: chosen(t, 'fixedCharges', {
      type: 'FixedCharge',
      description: 'The fixed charge with this code.',
      args: codeArgs,
      query: liveWithCode,
      onMissing: () => notFound('fixed_charge'),
    }),
    usageThresholds: t.relation('usageThresholds', { query: LIVE_THRESHOLDS }),
    entitlements: selectedField(t, {
      type: [PlanEntitlement],
      description: columnOf('Plan', 'entitlements').documentation,
      select: (_args, _context, nested) => entitled(nested(LIVE_OLDEST_FIRST)),
      resolve: (plan) => entitlementsOf(plan),
    }),
    entitlementItems: selectedField(t, {
      type: [PlanEntitlementItem],
      description: 'The features that the plan has, each in an object of its own; `entitlements` has them as they are.',
      select: (_args, _context, nested) => entitled(nested(LIVE_OLDEST_FIRST, ['entitlement'])),
      resolve: (plan) => entitlementsOf(plan).map((entitlement) => ({ entitlement })),
    }),
    entitlement: selectedField(t, {
      type: PlanEntitlement,
      nullable: true,
      description: 'The feature with this code, as the plan has it.',
      args: featureCodeArgs,
      select: ({ featureCode: code }, _context, nested) =>
        entitled(nested({ where: { deletedAt: null, feature: { code } }, take: 1 })),
      resolve: (plan) => {
        const [found] = entitlementsOf(plan);
        if (!found) throw notFound('entitlement');
        return found;
      },
    }),
    subscriptions: connection(t, 'Plan', 'subscriptions', {
      model: 'Subscription',
      resource: 'subscription',
      foreignKey: 'planId',
    }),
  }),
});

lookup('plan', 'Plan', {
  resource: 'plan',
  description: 'A plan by its code. Overrides of subscriptions share the code of their plan and are not found here.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null, parentId: null } }),
});

listing('plans', 'Plan', {
  resource: 'plan',
  description: 'Plans, without the overrides made for subscriptions.',
  where: withoutOverrides,
});

resourceMutations(PLANS, {
  deletion:
    'Its overrides go with it; subscriptions on either end, and those that are to come are canceled. Invoices keep it, and its code is free again.',
  parts: { fields: planParts, write: (input, write) => inGivenForm(input, () => write(asPlan(input))) },
});

metadataMutations(PLANS);
