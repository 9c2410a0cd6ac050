import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';

/** A coupon that is not deleted, by its code; until the transaction ends it is neither changed nor deleted. Undefined where there is none. */
export async function heldCoupon(
  tx: TenantTransaction,
  { organizationId }: Actor,
  code: string,
): Promise<{ readonly id: string; readonly isActive: boolean } | undefined> {
  const [row] = await tx.$queryRaw<{ id: string; isActive: boolean }[]>`
    SELECT id, status = 'active' AS "isActive" FROM coupons
    WHERE organization_id = ${organizationId}::uuid AND code = ${code} AND deleted_at IS NULL FOR SHARE`;
  return row;
}

/**
 * Whether a coupon is limited to what an active one of the customer is limited to: the same plan or metric, or a metric that a plan of
 * the other prices, itself or by an override.
 */
export async function overlaps(
  tx: TenantTransaction,
  { organizationId }: Actor,
  { couponId, customerId }: { readonly couponId: string; readonly customerId: string },
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ found: boolean }[]>`
    WITH others AS (
      SELECT DISTINCT coupon_id FROM applied_coupons
      WHERE organization_id = ${organizationId}::uuid AND customer_id = ${customerId}::uuid AND status = 'active'),
    plans_own AS (SELECT "B" AS id FROM "_CouponPlans" WHERE "A" = ${couponId}::uuid),
    plans_other AS (SELECT "B" AS id FROM "_CouponPlans" WHERE "A" IN (SELECT coupon_id FROM others)),
    metrics_own AS (SELECT "A" AS id FROM "_CouponMetrics" WHERE "B" = ${couponId}::uuid),
    metrics_other AS (SELECT "A" AS id FROM "_CouponMetrics" WHERE "B" IN (SELECT coupon_id FROM others))
    SELECT EXISTS (SELECT 1 FROM plans_own JOIN plans_other USING (id))
      OR EXISTS (SELECT 1 FROM metrics_own JOIN metrics_other USING (id))
      OR EXISTS (
        SELECT 1 FROM charges c JOIN plans p ON p.id = c.plan_id
        WHERE c.organization_id = ${organizationId}::uuid AND c.deleted_at IS NULL AND p.deleted_at IS NULL AND (
          (c.billable_metric_id IN (SELECT id FROM metrics_own)
            AND coalesce(p.parent_id, p.id) IN (SELECT id FROM plans_other))
          OR (c.billable_metric_id IN (SELECT id FROM metrics_other)
            AND coalesce(p.parent_id, p.id) IN (SELECT id FROM plans_own)))) AS found`;
  return row?.found ?? false;
}

/** An applied coupon of a customer who is not deleted, with the customer; undefined where there is none. */
export async function applicationById(
  tx: TenantTransaction,
  id: string,
  externalId: string | undefined,
): Promise<{ readonly customerId: string } | undefined> {
  const customer = { deletedAt: null, ...(externalId !== undefined && { externalId }) };
  const row = await tx.appliedCoupon.findFirst({ where: { id, customer }, select: { customerId: true } });
  return row ?? undefined;
}
