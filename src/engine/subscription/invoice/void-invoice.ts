import { notAllowed } from '../../../billing/errors.ts';
import type { VoidNote } from '../../../billing/timeline/void-note.ts';
import type { Actor } from '../../../store/access/audit.ts';
import type { TenantClient } from '../../../store/database/tenant.ts';
import { lifeOf, lockInvoice } from '../../../store/invoice/invoice-lock.ts';
import type { Written } from '../../changed.ts';
import { live } from '../../life/live.ts';
import { inTransaction } from '../../transaction.ts';

/** How an invoice is voided; amounts are in minor units, with taxes, and count with the credit note only. */
export interface Voiding {
  readonly generateCreditNote?: boolean | null | undefined;
  readonly creditAmountCents?: bigint | null | undefined;
  readonly refundAmountCents?: bigint | null | undefined;
}

const noteOf = ({ generateCreditNote, creditAmountCents, refundAmountCents }: Voiding): VoidNote | undefined =>
  generateCreditNote
    ? { creditAmountCents: creditAmountCents ?? 0n, refundAmountCents: refundAmountCents ?? 0n }
    : undefined;

/**
 * Voids a final invoice: of two at one moment one does, the other is told. Throws `object_not_found`, `method_not_allowed` where it is not
 * final, and a validation error where more is to be given back than is left.
 */
export function voidInvoice(db: TenantClient, actor: Actor, svcId: string, how: Voiding): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const invoice = await lockInvoice(tx, actor, svcId);
    const { id, status } = invoice;
    // Rules take them for final: their amounts count.
    if (status === 'pending' || status === 'failed') throw notAllowed('not_voidable');
    const step = { at: actor.now.getTime(), do: 'void_invoice' as const, invoiceId: id, creditNote: noteOf(how) };
    return { id, changed: await live({ db, tx, actor }, lifeOf(invoice), { steps: [step], invoiceIds: [id] }) };
  });
}
