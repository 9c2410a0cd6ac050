import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { lockPlans } from './plan-lock.ts';

interface Affected {
  readonly plans: readonly string[];
  readonly subscriptions: readonly string[];
}

/** The plans that have a feature, and the subscriptions that have something of it otherwise than their plans; nobody else changes these until the transaction ends. */
export async function heldEntitled(tx: TenantTransaction, actor: Actor, featureId: string): Promise<Affected> {
  const { organizationId } = actor;
  // Subscriptions in an order that cannot block itself: who changes what one has locks it first.
  const rows = await tx.$queryRaw<{ id: string; isPlan: boolean }[]>`
    WITH held AS MATERIALIZED (
      SELECT id FROM subscriptions WHERE organization_id = ${organizationId}::uuid AND id IN (
        SELECT subscription_id FROM subscription_entitlements WHERE feature_id = ${featureId}::uuid)
      ORDER BY id FOR UPDATE)
    SELECT id, false AS "isPlan" FROM held
    UNION ALL SELECT plan_id, true FROM plan_entitlements
    WHERE organization_id = ${organizationId}::uuid AND feature_id = ${featureId}::uuid AND deleted_at IS NULL`;
  const [plans, subscriptions] = [true, false].map((isPlan) =>
    rows.filter((row) => row.isPlan === isPlan).map(({ id }) => id),
  );
  if (plans && plans.length > 0) await lockPlans(tx, actor, plans);
  return { plans: plans ?? [], subscriptions: subscriptions ?? [] };
}

/** Takes a feature from all that have it. */
export async function endEntitlements(tx: TenantTransaction, { now }: Actor, featureId: string): Promise<void> {
  const data = { deletedAt: now, updatedAt: now };
  await tx.planEntitlement.updateMany({ where: { featureId, deletedAt: null }, data });
  await tx.subscriptionEntitlement.deleteMany({ where: { featureId } });
}

/** Takes the values of a privilege from all that have them. */
export async function endPrivilegeValues(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  featureId: string,
  code: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE plan_entitlements SET values = values - ${code}::text, updated_at = ${now}
    WHERE organization_id = ${organizationId}::uuid AND feature_id = ${featureId}::uuid AND deleted_at IS NULL
      AND jsonb_exists(values, ${code}::text)`;
  await tx.$executeRaw`
    UPDATE subscription_entitlements SET values = values - ${code}::text,
      removed_privileges = array_remove(removed_privileges, ${code}::text), updated_at = ${now}
    WHERE organization_id = ${organizationId}::uuid AND feature_id = ${featureId}::uuid
      AND (jsonb_exists(values, ${code}::text) OR ${code}::text = ANY(removed_privileges))`;
}
