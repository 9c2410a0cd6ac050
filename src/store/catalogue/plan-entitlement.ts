import type { PrivilegeValues } from '../../billing/catalogue/entitlement/value.ts';
import type { Actor } from '../access/audit.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { Prisma } from '../generated/prisma/client.ts';

/** A feature of a plan, with its values. */
export interface StoredEntitlement {
  readonly id: string;
  readonly featureId: string;
  readonly featureCode: string;
  readonly values: PrivilegeValues;
}

/** The features of a plan, oldest first. */
export async function readPlanEntitlements(tx: TenantTransaction, planId: string): Promise<StoredEntitlement[]> {
  const rows = await tx.planEntitlement.findMany({
    where: { planId, deletedAt: null },
    select: { id: true, featureId: true, values: true, feature: { select: { code: true } } },
    orderBy: OLDEST_FIRST,
  });
  return rows.map(({ feature, values, ...row }) => ({
    ...{ ...row, featureCode: feature.code, values: values as PrivilegeValues },
  }));
}

/** Gives features to a plan. */
export async function addPlanEntitlements(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  planId: string,
  fresh: readonly { readonly featureId: string; readonly values: PrivilegeValues }[],
): Promise<void> {
  if (fresh.length === 0) return;
  const stamps = { createdAt: now, updatedAt: now };
  await tx.planEntitlement.createMany({
    data: fresh.map(({ featureId, values }) => ({
      id: newId(now),
      organizationId,
      planId,
      featureId,
      values,
      ...stamps,
    })),
  });
}

/** Sets the values of features of a plan, in one statement. */
export async function setPlanValues(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  changed: readonly { readonly id: string; readonly values: PrivilegeValues }[],
): Promise<void> {
  if (changed.length === 0) return;
  const [ids, texts] = [changed.map(({ id }) => id), changed.map(({ values }) => JSON.stringify(values))];
  await tx.$executeRaw`
    UPDATE plan_entitlements SET values = given.values::jsonb, updated_at = ${now}
    FROM unnest(${ids}::uuid[], ${texts}::text[]) AS given(id, values)
    WHERE plan_entitlements.id = given.id AND organization_id = ${organizationId}::uuid`;
}

/** Takes features from a plan. */
export async function endPlanEntitlements(
  tx: TenantTransaction,
  { now }: Actor,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const data: Prisma.PlanEntitlementUpdateManyMutationInput = { deletedAt: now, updatedAt: now };
  await tx.planEntitlement.updateMany({ where: { id: { in: [...ids] } }, data });
}
