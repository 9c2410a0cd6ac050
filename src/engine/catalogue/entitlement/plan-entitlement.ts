import {
  type EntitlementSent,
  valuesAfter,
  wantedEntitlements,
} from '../../../billing/catalogue/entitlement/entitlement.ts';
import { notFound } from '../../../billing/errors.ts';
import { differences } from '../../../billing/resource/resource.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { heldFeatures } from '../../../store/catalogue/feature-privilege.ts';
import {
  addPlanEntitlements,
  endPlanEntitlements,
  readPlanEntitlements,
  type StoredEntitlement,
  setPlanValues,
} from '../../../store/catalogue/plan-entitlement.ts';
import { lockPlan, touchPlan } from '../../../store/catalogue/plan-lock.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import type { Written } from '../../changed.ts';
import { inTransaction } from '../../transaction.ts';

type Entitled = Pick<StoredEntitlement, 'featureCode' | 'values'>;

/** As the log keeps the features of a plan: values by the codes of features and privileges. */
const recordOf = (entitlements: readonly Entitled[]) => ({
  entitlements: Object.fromEntries(entitlements.map(({ featureCode, values }) => [featureCode, values])),
});

/** Logs the features of a plan where they differ; says the entry. */
async function logged(
  tx: TenantTransaction,
  actor: Actor,
  planId: string,
  stored: readonly Entitled[],
  wanted: readonly Entitled[],
): Promise<readonly string[]> {
  const [before, after] = [recordOf(stored), recordOf(wanted)];
  if (Object.keys(differences(before, after)).length === 0) return [];
  await touchPlan(tx, actor, planId);
  const entry = { actor, action: 'plan.updated', objectType: 'plan', objectId: planId, before, after };
  return [await recordAudit(tx, entry)];
}

/**
 * Gives features to a plan: all that it has from now on, or some more. A feature that is named without values keeps those that it has.
 * Throws `object_not_found` for the plan, a feature or a privilege, and one validation error with all values that do not fit.
 */
export function savePlanEntitlements(
  db: TenantClient,
  actor: Actor,
  planCode: string,
  sent: readonly EntitlementSent[],
  mode: 'replace' | 'merge',
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const id = await lockPlan(tx, actor, planCode);
    const features = await heldFeatures(
      tx,
      actor,
      sent.map(({ featureCode }) => featureCode),
    );
    const wanted = new Map(wantedEntitlements(sent, features).map((one) => [one.featureId, one.values]));
    const stored = await readPlanEntitlements(tx, id);
    const known = new Set(stored.map(({ featureId }) => featureId));
    const kept = stored.filter(({ featureId }) => mode === 'merge' || wanted.has(featureId));
    const after = kept.map((one) => ({
      ...one,
      values: valuesAfter(one.values, wanted.get(one.featureId) ?? {}, mode),
    }));
    const changed = after.filter(({ values }, at) => Object.keys(differences({ ...kept[at] }, { values })).length > 0);
    const fresh = [...features.values()].filter((feature) => !known.has(feature.id));
    const added = fresh.map((feature) => ({
      ...{ featureId: feature.id, featureCode: feature.code, values: { ...wanted.get(feature.id) } },
    }));
    const gone = stored.filter((one) => !kept.includes(one)).map((one) => one.id);
    await endPlanEntitlements(tx, actor, gone);
    await setPlanValues(tx, actor, changed);
    await addPlanEntitlements(tx, actor, id, added);
    return { id, changed: { auditLogs: await logged(tx, actor, id, stored, [...after, ...added]) } };
  });
}

interface EntitlementPath {
  readonly planCode: string;
  readonly featureCode: string;
}

/** A feature of a plan that is held. Throws `object_not_found`. */
async function heldEntitlement(tx: TenantTransaction, actor: Actor, { planCode, featureCode }: EntitlementPath) {
  const planId = await lockPlan(tx, actor, planCode);
  const stored = await readPlanEntitlements(tx, planId);
  const entitlement = stored.find((one) => one.featureCode === featureCode);
  if (!entitlement) throw notFound('entitlement');
  return { planId, stored, entitlement };
}

/** Takes a feature from a plan. Throws `object_not_found`. */
export function deletePlanEntitlement(db: TenantClient, actor: Actor, path: EntitlementPath): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const { planId, stored, entitlement } = await heldEntitlement(tx, actor, path);
    await endPlanEntitlements(tx, actor, [entitlement.id]);
    const left = stored.filter((one) => one !== entitlement);
    const auditLogs = await logged(tx, actor, planId, stored, left);
    return { id: entitlement.id, changed: { plans: [planId], auditLogs } };
  });
}

/** Takes the value of a privilege from a feature of a plan. Throws `object_not_found`. */
export function deletePlanValue(
  db: TenantClient,
  actor: Actor,
  path: EntitlementPath & { readonly privilegeCode: string },
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const { planId, stored, entitlement } = await heldEntitlement(tx, actor, path);
    const { [path.privilegeCode]: gone, ...values } = entitlement.values;
    if (gone === undefined) throw notFound('privilege');
    await setPlanValues(tx, actor, [{ id: entitlement.id, values }]);
    const after = stored.map((one) => (one === entitlement ? { ...one, values } : one));
    const auditLogs = await logged(tx, actor, planId, stored, after);
    return { id: entitlement.id, changed: { plans: [planId], auditLogs } };
  });
}
