import { attempted, type BillingError } from '../../billing/errors.ts';
import { checkPaymentMethod, type SentPaymentMethod } from '../../billing/invoice/payment.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import type { CustomerWhereInput } from '../../store/generated/prisma/models.ts';
import { heldPaymentMethod, methodIds, type PaymentMethodPath } from '../../store/payment/payment-method.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

/** Why a customer cannot pay by the method that is sent; undefined where that can be, or none is. */
export async function methodRefusal(
  tx: TenantTransaction,
  sent: SentPaymentMethod | null | undefined,
  customer: CustomerWhereInput,
): Promise<BillingError | undefined> {
  if (!sent) return undefined;
  const known = await methodIds(tx, customer);
  return attempted(() => checkPaymentMethod(sent, known)).refusal;
}

/** Makes a method the one that pays where nothing else is chosen, and all others of the customer none. Throws `object_not_found`. */
export function setDefaultPaymentMethod(db: TenantClient, actor: Actor, path: PaymentMethodPath): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const { id, customerId, isDefault } = await heldPaymentMethod(tx, actor, path);
    const former = await tx.paymentMethod.updateManyAndReturn({
      where: { customerId, isDefault: true, deletedAt: null, id: { not: id } },
      data: { isDefault: false, updatedAt: actor.now },
      select: { id: true },
    });
    const paymentMethods = former.map((one) => one.id);
    if (isDefault && paymentMethods.length === 0) return { id, changed: {} };
    const data = { isDefault: true, updatedAt: actor.now };
    await tx.paymentMethod.update({ where: { id }, data, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'payment_method.updated', objectType: 'payment_method', objectId: id },
      before: { isDefault, formerDefaultIds: paymentMethods },
      after: { isDefault: true, formerDefaultIds: [] },
    });
    return { id, changed: { paymentMethods, auditLogs: [entry] } };
  });
}

/** Deletes a method. What names it keeps it and is paid by none; where it was the default one, no other takes its place. Throws `object_not_found`. */
export function deletePaymentMethod(db: TenantClient, actor: Actor, path: PaymentMethodPath): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const { id, isDefault } = await heldPaymentMethod(tx, actor, path);
    const data = { isDefault: false, deletedAt: actor.now, updatedAt: actor.now };
    await tx.paymentMethod.update({ where: { id }, data, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'payment_method.deleted', objectType: 'payment_method', objectId: id },
      before: { isDefault },
      after: null,
    });
    return { id, changed: { auditLogs: [entry] } };
  });
}
