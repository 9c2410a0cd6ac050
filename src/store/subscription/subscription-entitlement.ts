import type { Deviation } from '../../billing/catalogue/entitlement/effective.ts';
import { isNone } from '../../billing/catalogue/entitlement/effective.ts';
import type { PrivilegeValues } from '../../billing/catalogue/entitlement/value.ts';
import { notFound } from '../../billing/errors.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { SubscriptionStatus } from '../generated/prisma/enums.ts';

/** A subscription by its name and state. */
export interface SubscriptionPath {
  readonly externalId: string;
  readonly status: SubscriptionStatus;
}

/**
 * The latest subscription of a name and a state, which nobody else changes until the transaction ends, and the plan whose features it has:
 * the parent of its own, where that is an override. Throws `object_not_found`.
 */
export async function heldSubscription(
  tx: TenantTransaction,
  { organizationId }: Actor,
  { externalId, status }: SubscriptionPath,
): Promise<{ readonly id: string; readonly planId: string }> {
  const [row] = await tx.$queryRaw<{ id: string; planId: string }[]>`
    SELECT s.id, coalesce(p.parent_id, p.id) AS "planId" FROM subscriptions s JOIN plans p ON p.id = s.plan_id
    WHERE s.organization_id = ${organizationId}::uuid AND s.external_id = ${externalId}
      AND s.status = ${status}::"SubscriptionStatus"
    ORDER BY s.terminated_at DESC NULLS FIRST, s.started_at DESC NULLS LAST, s.created_at DESC, s.id LIMIT 1
    FOR UPDATE OF s`;
  if (!row) throw notFound('subscription');
  return row;
}

/** What a subscription has of a feature otherwise than its plan, with the names of the feature. */
export interface StoredDeviation extends Deviation {
  readonly featureId: string;
  readonly featureCode: string;
}

/** What a subscription has otherwise than its plan, by the identifiers of features. */
export async function readDeviations(
  tx: TenantTransaction,
  subscriptionId: string,
): Promise<ReadonlyMap<string, StoredDeviation>> {
  const rows = await tx.subscriptionEntitlement.findMany({
    where: { subscriptionId },
    select: {
      ...{ featureId: true, isOwn: true, isRemoved: true, values: true, removedPrivileges: true },
      feature: { select: { code: true } },
    },
    orderBy: { id: 'asc' },
  });
  const read = rows.map(({ feature, values, ...row }) => ({
    ...{ ...row, featureCode: feature.code, values: values as PrivilegeValues },
  }));
  return new Map(read.map((row) => [row.featureId, row]));
}

/** Stores what a subscription has of some features; nothing where it is as the plan has it. */
export async function saveDeviations(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  subscriptionId: string,
  changed: readonly StoredDeviation[],
): Promise<void> {
  const none = changed.filter(isNone).map(({ featureId }) => featureId);
  if (none.length > 0) {
    await tx.subscriptionEntitlement.deleteMany({ where: { subscriptionId, featureId: { in: none } } });
  }
  const some = changed.filter((one) => !isNone(one));
  if (some.length === 0) return;
  const rows = some.map((one) => ({
    ...{ id: newId(now), feature: one.featureId, own: one.isOwn, removed: one.isRemoved, given: one.values },
    codes: one.removedPrivileges,
  }));
  await tx.$executeRaw`
    INSERT INTO subscription_entitlements AS stored
      (id, organization_id, subscription_id, feature_id, is_own, is_removed, values, removed_privileges, created_at, updated_at)
    SELECT id, ${organizationId}::uuid, ${subscriptionId}::uuid, feature, own, removed, given,
      ARRAY(SELECT jsonb_array_elements_text(codes)), ${now}, ${now}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      AS sent(id uuid, feature uuid, own boolean, removed boolean, given jsonb, codes jsonb)
    ON CONFLICT (subscription_id, feature_id) DO UPDATE SET is_own = excluded.is_own, is_removed = excluded.is_removed,
      values = excluded.values, removed_privileges = excluded.removed_privileges, updated_at = excluded.updated_at`;
}

/** Marks a subscription as changed. */
export async function touchSubscription(tx: TenantTransaction, { now }: Actor, id: string): Promise<void> {
  await tx.subscription.update({ where: { id }, data: { updatedAt: now }, select: { id: true } });
}
