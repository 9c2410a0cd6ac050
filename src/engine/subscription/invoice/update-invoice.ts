import { checkInvoiceChange, type SentInvoice } from '../../../billing/invoice/invoice-write.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import type { TenantClient } from '../../../store/database/tenant.ts';
import { lockInvoice } from '../../../store/invoice/invoice-lock.ts';
import { allChanged, type Written } from '../../changed.ts';
import { NONE, saveMetadata, savePayment } from '../../invoice/update-invoice.ts';
import { inTransaction } from '../../transaction.ts';
import { settleActivation } from './settle-activation.ts';

/** What the payment of an open invoice means to what waits for it. */
const OUTCOMES = { succeeded: 'paid', failed: 'failed', pending: null } as const;

/**
 * Changes by hand how an invoice is paid, its fees with it, and its metadata: the list is the whole. What is as it was is not logged. Throws
 * `object_not_found`, `method_not_allowed` for drafts and voided invoices, and a validation error.
 */
export function updateInvoice(db: TenantClient, actor: Actor, svcId: string, sent: SentInvoice): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId, { open: true });
    const { id } = invoice;
    checkInvoiceChange(invoice, sent);
    const paid = sent.paymentStatus ? await savePayment(tx, actor, invoice, sent.paymentStatus) : NONE;
    const pairs = sent.metadata ? await saveMetadata(tx, actor, id, sent.metadata) : NONE;
    const [before, after] = [
      { ...paid.before, ...pairs.before },
      { ...paid.after, ...pairs.after },
    ];
    if (Object.keys(after).length === 0) return { id, changed: {} };
    await tx.invoice.update({ where: { id }, data: { updatedAt: actor.now }, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'invoice.updated', objectType: 'invoice', objectId: id, before, after },
    });
    const outcome = invoice.status === 'open' && paid !== NONE ? OUTCOMES[sent.paymentStatus ?? 'pending'] : null;
    const settled = outcome ? await settleActivation({ db, tx, actor }, invoice, outcome) : {};
    return { id, changed: allChanged([{ auditLogs: [entry] }, settled]) };
  });
}
