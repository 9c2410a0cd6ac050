import { notFound } from '../../billing/errors.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lockByCode } from './code-lock.ts';

/**
 * Finds a plan by its code and keeps others from changing it, and from subscribing to it, until the transaction ends:
 * every write to a plan's prices takes this lock first. Overrides are not found. Throws `object_not_found`.
 */
export const lockPlan = (tx: TenantTransaction, actor: Actor, code: string): Promise<string> =>
  lockByCode(tx, actor, 'plan', code);

/** Keeps others from changing some plans and overrides, which have changed with this, in an order that cannot block itself. Says which they are. */
export async function lockPlans(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  ids: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(ids)];
  await tx.$executeRaw`
    WITH held AS (
      SELECT id FROM plans
      WHERE organization_id = ${organizationId}::uuid AND id = ANY(${wanted}::uuid[]) ORDER BY id FOR UPDATE
    )
    UPDATE plans SET updated_at = ${now} FROM held WHERE plans.id = held.id`;
  return wanted;
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

/**
 * The overrides of a locked plan that changes of it reach, which nobody else changes from now on, in an order that cannot block itself:
 * those that somebody uses, or is about to.
 */
export async function lockOverrides(
  tx: TenantTransaction,
  { organizationId }: Actor,
  planId: string,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM plans
    WHERE organization_id = ${organizationId}::uuid AND parent_id = ${planId}::uuid AND deleted_at IS NULL
      AND EXISTS (SELECT 1 FROM subscriptions WHERE plan_id = plans.id AND status IN ('active', 'pending'))
    ORDER BY id FOR UPDATE OF plans`;
  return rows.map(({ id }) => id);
}

/** Whether a plan itself, not an override of it, has or had a subscription of any status. */
export async function isAttached(tx: TenantTransaction, planId: string): Promise<boolean> {
  return (await tx.subscription.findFirst({ where: { planId }, select: { id: true } })) !== null;
}

/** Marks a plan as changed. */
export async function touchPlan(tx: TenantTransaction, { now }: Actor, planId: string): Promise<void> {
  await tx.plan.update({ where: { id: planId }, data: { updatedAt: now }, select: { id: true } });
}
