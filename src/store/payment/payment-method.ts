import { notFound } from '../../billing/errors.ts';
import type { Actor } from '../access/audit.ts';
import { lockCustomer } from '../customer/customer-lock.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { isUuid } from '../database/uuid.ts';
import type { CustomerWhereInput } from '../generated/prisma/models.ts';

/** Where a stored method stands: of a customer, by both names. */
export interface PaymentMethodPath {
  readonly externalCustomerId: string;
  readonly svcId: string;
}

/** Identifiers of a customer's methods that can pay. */
export async function methodIds(tx: TenantTransaction, customer: CustomerWhereInput): Promise<string[]> {
  const rows = await tx.paymentMethod.findMany({ where: { customer, deletedAt: null }, select: { id: true } });
  return rows.map(({ id }) => id);
}

/**
 * A customer's method. Nobody else changes the methods of the customer until the transaction ends: every write to one takes
 * this lock. Throws `object_not_found`.
 */
export async function heldPaymentMethod(tx: TenantTransaction, actor: Actor, path: PaymentMethodPath) {
  const customerId = await lockCustomer(tx, actor, path.externalCustomerId);
  if (!customerId) throw notFound('customer');
  const where = { id: path.svcId, customerId, deletedAt: null };
  const method = isUuid(path.svcId)
    ? await tx.paymentMethod.findFirst({ where, select: { id: true, customerId: true, isDefault: true } })
    : null;
  if (!method) throw notFound('payment_method');
  return method;
}
