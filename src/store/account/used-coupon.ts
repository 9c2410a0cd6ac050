import type { AppliedCouponInput } from '../../billing/invoice/credit-input.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { APPLIED_COUPON, appliedCouponInput } from './credit-input.ts';

/** Every coupon that a customer has or had, also where it is used up or ended: what old invoices say they used. */
export async function loadUsedCoupons(tx: TenantTransaction, customerId: string): Promise<AppliedCouponInput[]> {
  const rows = await tx.appliedCoupon.findMany({
    where: { customerId },
    include: APPLIED_COUPON,
    orderBy: OLDEST_FIRST,
  });
  return rows.map(appliedCouponInput);
}
