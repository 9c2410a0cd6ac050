import { checkTaxRetry } from '../../../billing/invoice/invoice-write.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { awaitsTaxesOf } from '../../../store/customer/taxes-awaited.ts';
import type { TenantClient } from '../../../store/database/tenant.ts';
import { type LockedInvoice, lifeOf, lockInvoice, seenInvoice } from '../../../store/invoice/invoice-lock.ts';
import { allChanged, type Changed, type Written } from '../../changed.ts';
import { checkVatNumber, type VatChecker } from '../../customer/vat-check.ts';
import { live, type Stage } from '../../life/live.ts';
import { settleTaxes } from '../../life/settle-taxes.ts';
import { inTransaction } from '../../transaction.ts';

/** An invoice of which the taxes had failed waits for them no longer than it takes to compute it: with the fees that it has. */
async function recover(stage: Stage, invoice: LockedInvoice): Promise<Changed> {
  const { tx, actor } = stage;
  const { id, status, taxStatus } = invoice;
  const after = { status: 'pending' as const, taxStatus: 'pending' as const };
  await tx.invoice.update({ where: { id }, data: { ...after, updatedAt: actor.now }, select: { id: true } });
  await tx.invoiceErrorDetail.deleteMany({ where: { invoiceId: id } });
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'invoice.retried', objectType: 'invoice', objectId: id, before: { status, taxStatus }, after },
  });
  const steps = [{ at: actor.now.getTime(), do: 'retry_invoice' as const, invoiceId: id }];
  const settled = await live(stage, lifeOf(invoice), { steps, invoiceIds: [id] });
  return allChanged([settled, { auditLogs: [entry] }]);
}

/**
 * Asks once more for the taxes of an invoice that failed without them or waits for them: the register of VAT numbers is asked at once, and what
 * it answers the customer's other waiting invoices get too. While nobody knows the taxes nothing changes. `checkVat`: the register, where there is one.
 * Throws `object_not_found`, and `method_not_allowed` where the invoice has its taxes.
 */
export async function retryInvoice(
  db: TenantClient,
  actor: Actor,
  svcId: string,
  checkVat?: VatChecker | undefined,
): Promise<Written> {
  const seen = await seenInvoice(db, svcId);
  const { customerId } = seen;
  checkTaxRetry(seen);
  if (checkVat) await checkVatNumber(db, actor, customerId, checkVat, { atOnce: true });
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId);
    const { id, status } = invoice;
    const stage = { db, tx, actor };
    if (await awaitsTaxesOf(tx, customerId)) return { id, changed: {} };
    return { id, changed: status === 'failed' ? await recover(stage, invoice) : await settleTaxes(stage, customerId) };
  });
}
