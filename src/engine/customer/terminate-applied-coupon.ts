import { notFound } from '../../billing/errors.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { applicationById } from '../../store/customer/coupon-of-customer.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

/**
 * Takes a coupon from a customer who is not deleted; where the customer is named, only one of that customer. What it took off invoices
 * stays. Done again, it changes nothing: the time is that of the first termination. Throws `object_not_found`.
 */
export function terminateAppliedCoupon(
  db: TenantClient,
  actor: Actor,
  id: string,
  externalCustomerId: string | undefined,
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const found = await applicationById(tx, id, externalCustomerId);
    if (!found) throw notFound('applied_coupon');
    // An invoice that is issued at this moment uses it, or finds it terminated.
    await lockCustomers(tx, actor, [found.customerId]);
    const columns = { status: true, terminatedAt: true } as const;
    const before = await tx.appliedCoupon.findUniqueOrThrow({ where: { id }, select: columns });
    if (before.status === 'terminated') return { id, changed: {} };
    const after = { status: 'terminated', terminatedAt: actor.now } as const;
    await tx.appliedCoupon.update({ where: { id }, data: { ...after, updatedAt: actor.now }, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'applied_coupon.terminated', objectType: 'applied_coupon', objectId: id.toLowerCase() },
      ...{ before, after },
    });
    return { id, changed: { auditLogs: [entry] } };
  });
}
