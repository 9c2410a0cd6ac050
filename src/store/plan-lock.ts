import { notFound } from '../billing/errors.ts';
import type { Actor } from './audit.ts';
import type { TenantTransaction } from './tenant.ts';

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

/** Finds a charge of a locked plan by its code and locks its row. Throws `object_not_found`. */
export async function lockCharge(
  tx: TenantTransaction,
  { organizationId }: Actor,
  planId: string,
  code: string,
): Promise<string> {
  const [charge] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charges
    WHERE organization_id = ${organizationId}::uuid AND plan_id = ${planId}::uuid AND code = ${code}
      AND deleted_at IS NULL
    FOR UPDATE`;
  if (!charge) throw notFound('charge');
  return charge.id;
}

/** The same for a fixed charge. */
export async function lockFixedCharge(
  tx: TenantTransaction,
  { organizationId }: Actor,
  planId: string,
  code: string,
): Promise<string> {
  const [charge] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM fixed_charges
    WHERE organization_id = ${organizationId}::uuid AND plan_id = ${planId}::uuid AND code = ${code}
      AND deleted_at IS NULL
    FOR UPDATE`;
  if (!charge) throw notFound('fixed_charge');
  return charge.id;
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
