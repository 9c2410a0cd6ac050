import {
  type Deviation,
  deviationAfter,
  type EffectiveFeature,
  effectiveValues,
  hasFeature,
  NO_DEVIATION,
  withoutFeature,
  withoutPrivilege,
} from '../../billing/catalogue/entitlement/effective.ts';
import {
  type EntitlementSent,
  type KnownFeature,
  wantedEntitlements,
} from '../../billing/catalogue/entitlement/entitlement.ts';
import type { PrivilegeValues } from '../../billing/catalogue/entitlement/value.ts';
import { notFound } from '../../billing/errors.ts';
import { differences } from '../../billing/resource/resource.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { heldFeatures } from '../../store/catalogue/feature-privilege.ts';
import { readPlanEntitlements } from '../../store/catalogue/plan-entitlement.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import {
  heldSubscription,
  readDeviations,
  type StoredDeviation,
  type SubscriptionPath,
  saveDeviations,
  touchSubscription,
} from '../../store/subscription/subscription-entitlement.ts';
import type { Changed, Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

const membersOf = ({ isOwn, isRemoved, values, removedPrivileges }: Deviation) => ({
  ...{ isOwn, isRemoved, values, removedPrivileges },
});

const recordOf = (deviations: readonly (Deviation & { readonly featureCode: string })[]) =>
  Object.fromEntries(deviations.map((one) => [one.featureCode, membersOf(one)]));

/** What a subscription that is held has of features. */
async function stateOf(tx: TenantTransaction, actor: Actor, path: SubscriptionPath) {
  const { id, planId } = await heldSubscription(tx, actor, path);
  const ofPlan = await readPlanEntitlements(tx, planId);
  return {
    id,
    ofPlan: new Map<string, PrivilegeValues>(ofPlan.map(({ featureId, values }) => [featureId, values])),
    deviations: await readDeviations(tx, id),
  };
}

type State = Awaited<ReturnType<typeof stateOf>>;

/** Stores and logs what has changed of some features. */
async function save(
  tx: TenantTransaction,
  actor: Actor,
  { id, deviations }: State,
  wanted: readonly StoredDeviation[],
): Promise<Changed> {
  const before = wanted.map((one) => deviations.get(one.featureId) ?? { ...one, ...NO_DEVIATION });
  const changed = wanted.filter((one, at) => {
    const stored = before[at] ?? NO_DEVIATION;
    return Object.keys(differences(membersOf(stored), membersOf(one))).length > 0;
  });
  if (changed.length === 0) return {};
  await saveDeviations(tx, actor, id, changed);
  await touchSubscription(tx, actor, id);
  const features = new Set(changed.map(({ featureId }) => featureId));
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'subscription.updated', objectType: 'subscription', objectId: id },
    before: { entitlements: recordOf(before.filter(({ featureId }) => features.has(featureId))) },
    after: { entitlements: recordOf(changed) },
  });
  return { subscriptions: [id], auditLogs: [entry] };
}

/**
 * Sets values that a subscription has of features, beside those of its plan. What is as in the plan is taken back; a feature that was taken
 * from it is given again. Throws `object_not_found` and one validation error with all values that do not fit; nothing is written then.
 */
export function mergeSubscriptionEntitlements(
  db: TenantClient,
  actor: Actor,
  path: SubscriptionPath,
  sent: readonly EntitlementSent[],
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const state = await stateOf(tx, actor, path);
    const codes = sent.map(({ featureCode }) => featureCode);
    const features = await heldFeatures(tx, actor, codes);
    const named = new Map([...features.values()].map(({ id, code }) => [id, code]));
    const wanted = wantedEntitlements(sent, features).map(({ featureId, values }) => ({
      ...{ featureId, featureCode: named.get(featureId) ?? '' },
      ...deviationAfter(state.ofPlan.get(featureId), state.deviations.get(featureId) ?? NO_DEVIATION, values),
    }));
    const { auditLogs = [] } = await save(tx, actor, state, wanted);
    return { id: state.id, changed: { auditLogs } };
  });
}

/** What a subscription has or had of a feature, and what changed. */
export interface WrittenEntitlement extends EffectiveFeature<KnownFeature> {
  readonly subscriptionId: string;
  readonly changed: Changed;
}

interface FeaturePath extends SubscriptionPath {
  readonly featureCode: string;
}

async function featureOf(tx: TenantTransaction, actor: Actor, path: FeaturePath) {
  const state = await stateOf(tx, actor, path);
  const [feature] = (await heldFeatures(tx, actor, [path.featureCode])).values();
  if (!feature) throw notFound('feature');
  const { id: featureId, code: featureCode } = feature;
  const [ofPlan, before] = [state.ofPlan.get(featureId), state.deviations.get(featureId) ?? NO_DEVIATION];
  return { state, feature, ofPlan, before, named: { featureId, featureCode } };
}

/** Takes a feature from a subscription, whatever its plan has; done again, it changes nothing. Answers what it was. Throws `object_not_found`. */
export function removeSubscriptionEntitlement(
  db: TenantClient,
  actor: Actor,
  path: FeaturePath,
): Promise<WrittenEntitlement> {
  return inTransaction(db, actor, async (tx) => {
    const { state, feature, ofPlan, before, named } = await featureOf(tx, actor, path);
    if (!hasFeature(ofPlan, { ...before, isRemoved: false })) throw notFound('entitlement');
    const changed = await save(tx, actor, state, [{ ...named, ...withoutFeature(ofPlan) }]);
    return { subscriptionId: state.id, feature, values: effectiveValues(feature.privileges, ofPlan, before), changed };
  });
}

/** Takes the value of a privilege from a feature of a subscription; done again, it changes nothing. Throws `object_not_found`. */
export function removeSubscriptionPrivilege(
  db: TenantClient,
  actor: Actor,
  path: FeaturePath & { readonly privilegeCode: string },
): Promise<WrittenEntitlement> {
  return inTransaction(db, actor, async (tx) => {
    const { state, feature, ofPlan, before, named } = await featureOf(tx, actor, path);
    if (!hasFeature(ofPlan, before)) throw notFound('entitlement');
    if (!feature.privileges.some(({ code }) => code === path.privilegeCode)) throw notFound('privilege');
    const after = withoutPrivilege(ofPlan, before, path.privilegeCode);
    const changed = await save(tx, actor, state, [{ ...named, ...after }]);
    return { subscriptionId: state.id, feature, values: effectiveValues(feature.privileges, ofPlan, after), changed };
  });
}
