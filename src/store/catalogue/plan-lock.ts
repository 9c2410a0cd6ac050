import { notFound } from '../../billing/errors.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';

/**
 * Finds a plan by its code and keeps others from changing it, and from subscribing to it, until the transaction ends:
 * every write to a plan's prices takes this lock first. Overrides are not found. Throws `object_not_found`.
 */
export async function lockPlan(tx: TenantTransaction, { organizationId }: Actor, code: string): Promise<string> {
  const [plan] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM plans
    WHERE organization_id = ${organizationId}::uuid AND code = ${code} AND parent_id IS NULL AND deleted_at IS NULL
    FOR UPDATE`;
  if (!plan) throw notFound('plan');
  return plan.id;
}

const TABLE_OF = { charge: Prisma.raw('charges'), fixed_charge: Prisma.raw('fixed_charges') } as const;

/** Finds a charge or a fixed charge of a locked plan by its code and locks its row. Throws `object_not_found`. */
export async function lockPriced(
  tx: TenantTransaction,
  { organizationId }: Actor,
  kind: keyof typeof TABLE_OF,
  { planId, code }: { planId: string; code: string },
): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${TABLE_OF[kind]}
    WHERE organization_id = ${organizationId}::uuid AND plan_id = ${planId}::uuid AND code = ${code}
      AND deleted_at IS NULL
    FOR UPDATE`;
  if (!row) throw notFound(kind);
  return row.id;
}

/** Keeps others from changing the overrides of a charge or a fixed charge, in an order that cannot block itself. */
export async function lockOverrides(
  tx: TenantTransaction,
  { organizationId }: Actor,
  kind: keyof typeof TABLE_OF,
  parentId: string,
): Promise<void> {
  await tx.$queryRaw`
    SELECT id FROM ${TABLE_OF[kind]}
    WHERE organization_id = ${organizationId}::uuid AND parent_id = ${parentId}::uuid AND deleted_at IS NULL
    ORDER BY id FOR UPDATE`;
}

/** Whether a plan itself, not an override of it, has or had a subscription of any status. */
export async function isAttached(tx: TenantTransaction, planId: string): Promise<boolean> {
  return (await tx.subscription.findFirst({ where: { planId }, select: { id: true } })) !== null;
}

/** Identifiers of taxes by their codes; undefined without codes. Throws `object_not_found` for one that is not there. */
export async function taxesByCode(
  tx: TenantTransaction,
  codes: readonly string[] | null | undefined,
): Promise<{ id: string }[] | undefined> {
  if (codes == null) return undefined;
  const wanted = [...new Set(codes)];
  const taxes = await tx.tax.findMany({
    where: { code: { in: wanted }, deletedAt: null },
    select: { id: true },
  });
  if (taxes.length < wanted.length) throw notFound('tax');
  return taxes;
}

/** Marks a plan as changed. */
export async function touchPlan(tx: TenantTransaction, { now }: Actor, planId: string): Promise<void> {
  await tx.plan.update({ where: { id: planId }, data: { updatedAt: now }, select: { id: true } });
}
