import type { TenantTransaction } from '../database/tenant.ts';

/** Takes from a coupon the plans and the metrics that it is limited to, in one statement. */
export async function removeTargets(tx: TenantTransaction, id: string): Promise<void> {
  await tx.$executeRaw`
    WITH plans AS (DELETE FROM "_CouponPlans" WHERE "A" = ${id}::uuid)
    DELETE FROM "_CouponMetrics" WHERE "B" = ${id}::uuid`;
}
