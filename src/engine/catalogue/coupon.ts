import { COUPON, couponRefusal, meantTargets } from '../../billing/resource/coupon.ts';
import type { Actor } from '../../store/access/audit.ts';
import { removeTargets } from '../../store/catalogue/coupon-target.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { UNIQUE_COUPON_CODE } from '../../store/database/unique.ts';
import type { Changed } from '../changed.ts';
import type { Stored, Subject } from '../resource/stored.ts';

/** Ends what customers have of it, under the locks of those customers, whose invoices may use it at this moment; it is limited to nothing any more. */
async function endApplications(
  tx: TenantTransaction,
  actor: Actor,
  { id }: Subject<typeof COUPON.fields>,
): Promise<Changed> {
  const where = { couponId: id, status: 'active' } as const;
  const applied = await tx.appliedCoupon.findMany({ where, select: { customerId: true } });
  await removeTargets(tx, id);
  if (applied.length === 0) return {};
  await lockCustomers(
    tx,
    actor,
    applied.map(({ customerId }) => customerId),
  );
  const data = { status: 'terminated', terminatedAt: actor.now, updatedAt: actor.now } as const;
  const ended = await tx.appliedCoupon.updateManyAndReturn({ where, data, select: { id: true } });
  return { appliedCoupons: ended.map((one) => one.id) };
}

const ALWAYS: ReadonlySet<string> = new Set(['name', 'description', 'expiration', 'expirationAt']);
const TERMS = Object.keys(COUPON.fields).filter((name) => !ALWAYS.has(name));

/** Coupons. What one takes off stays once a customer has had it; with a deleted one go its active applications. */
export const COUPONS: Stored<typeof COUPON.fields> = {
  resource: COUPON,
  model: 'Coupon',
  unique: UNIQUE_COUPON_CODE,
  meant: meantTargets,
  refused: couponRefusal,
  derived: ({ planCodes, billableMetricCodes }) => ({
    limitedPlans: planCodes.length > 0,
    limitedBillableMetrics: billableMetricCodes.length > 0,
  }),
  frozen: async (tx, couponId) =>
    (await tx.appliedCoupon.findFirst({ where: { couponId }, select: { id: true } })) ? TERMS : [],
  deleted: endApplications,
};
