import { pairsAfter } from '../../billing/customer/metadata.ts';
import { invalid } from '../../billing/errors.ts';
import {
  checkDispute,
  type PaymentState,
  paidByHand,
  type SentInvoicePair,
} from '../../billing/invoice/invoice-write.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';
import { type LockedInvoice, lockInvoice } from '../../store/invoice/invoice-lock.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

/** What a part of an invoice was and is, for the log; empty where it is as it was. */
export interface Difference {
  readonly before: object;
  readonly after: object;
}
export const NONE: Difference = { before: {}, after: {} };

/** Stores the pairs of an invoice as they were sent. All are written anew, so that two may take each other's keys. */
export async function saveMetadata(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  invoiceId: string,
  sent: readonly SentInvoicePair[],
): Promise<Difference> {
  const rows = await tx.invoiceMetadata.findMany({ where: { invoiceId }, orderBy: OLDEST_FIRST });
  const stored = rows.map((row) => ({ ...row, displayInInvoice: false }));
  const wanted = sent.map((pair) => ({ ...pair, displayInInvoice: false }));
  const data = pairsAfter(stored, wanted).map(({ key, value, before }) => ({
    ...{ id: before?.id ?? newId(now), organizationId, invoiceId, key, value, createdAt: before?.createdAt ?? now },
  }));
  const shown = (pairs: readonly { readonly key: string; readonly value: string }[]) =>
    Object.fromEntries(pairs.map(({ key, value }): [string, string] => [key, value]).sort());
  const [before, after] = [shown(stored), shown(data)];
  if (JSON.stringify(before) === JSON.stringify(after)) return NONE;
  await tx.invoiceMetadata.deleteMany({ where: { invoiceId } });
  if (data.length > 0) await tx.invoiceMetadata.createMany({ data });
  return { before: { metadata: before }, after: { metadata: after } };
}

/** Stores how an invoice and its fees are paid. What is paid is not overdue; what was paid in money stays what it is. */
export async function savePayment(
  tx: TenantTransaction,
  { now }: Actor,
  invoice: LockedInvoice,
  paymentStatus: PaymentState,
): Promise<Difference> {
  const { id, paymentStatus: former } = invoice;
  if (former === paymentStatus) return NONE;
  // Credits that are bought come with their payment, which nothing books yet.
  if (invoice.invoiceType === 'credit') throw invalid({ payment_status: ['feature_unavailable'] });
  const settled = paymentStatus === 'succeeded' ? { paymentOverdue: false } : {};
  await tx.invoice.update({ where: { id }, data: { paymentStatus, ...settled }, select: { id: true } });
  await tx.fee.updateMany({
    where: { invoiceId: id, deletedAt: null },
    data: { ...paidByHand(paymentStatus, now), updatedAt: now },
  });
  return { before: { paymentStatus: former }, after: { paymentStatus } };
}

/** Remembers that a dispute about an invoice was lost: the first time counts, and it is never overdue again. Throws `object_not_found` and `method_not_allowed`. */
export function loseDispute(db: TenantClient, actor: Actor, svcId: string): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId);
    const { id, paymentDisputeLostAt: before } = invoice;
    checkDispute(invoice);
    if (before) return { id, changed: {} };
    const after = { paymentDisputeLostAt: actor.now };
    const data = { ...after, paymentOverdue: false, updatedAt: actor.now };
    await tx.invoice.update({ where: { id }, data, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'invoice.dispute_lost', objectType: 'invoice', objectId: id },
      ...{ before: { paymentDisputeLostAt: null }, after },
    });
    return { id, changed: { auditLogs: [entry] } };
  });
}
