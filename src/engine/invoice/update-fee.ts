import { notFound } from '../../billing/errors.ts';
import { checkFeeDeletion, checkFeePayment } from '../../billing/fee/fee-write.ts';
import { type FeePaymentState, paidByHand } from '../../billing/invoice/invoice-write.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { isUuid } from '../../store/database/uuid.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

/** A fee whose customer nobody else bills until the transaction ends: a run may be about to gather it. Throws `object_not_found`. */
async function lockFee(tx: TenantTransaction, actor: Actor, svcId: string) {
  const where = { id: svcId, deletedAt: null };
  const seen = isUuid(svcId) ? await tx.fee.findFirst({ where, select: { customerId: true } }) : null;
  if (!seen) throw notFound('fee');
  if (seen.customerId) await lockCustomers(tx, actor, [seen.customerId]);
  const row = await tx.fee.findFirst({ where });
  if (!row) throw notFound('fee');
  return row;
}

/** Changes by hand how a fee on no invoice is paid: what is paid can be gathered. Throws `object_not_found` and `method_not_allowed`. */
export function updateFee(
  db: TenantClient,
  actor: Actor,
  svcId: string,
  { paymentStatus }: { readonly paymentStatus?: FeePaymentState | null | undefined },
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const fee = await lockFee(tx, actor, svcId);
    const { id, paymentStatus: before } = fee;
    checkFeePayment(fee);
    if (!paymentStatus || before === paymentStatus) return { id, changed: {} };
    const data = { ...paidByHand(paymentStatus, actor.now), updatedAt: actor.now };
    await tx.fee.update({ where: { id }, data, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'fee.updated', objectType: 'fee', objectId: id },
      ...{ before: { paymentStatus: before }, after: { paymentStatus } },
    });
    return { id, changed: { auditLogs: [entry] } };
  });
}

/** Deletes a fee that is on no invoice: nothing bills it any more. Throws `object_not_found` and `method_not_allowed`. */
export function deleteFee(db: TenantClient, actor: Actor, svcId: string): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const fee = await lockFee(tx, actor, svcId);
    const { id, amountCents, paymentStatus } = fee;
    checkFeeDeletion(fee);
    await tx.fee.update({ where: { id }, data: { deletedAt: actor.now, updatedAt: actor.now }, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'fee.deleted', objectType: 'fee', objectId: id },
      ...{ before: { amountCents, paymentStatus }, after: null },
    });
    return { id, changed: { auditLogs: [entry] } };
  });
}
