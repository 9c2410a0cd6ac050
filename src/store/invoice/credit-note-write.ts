import { roundToInteger } from '../../billing/money/decimal.ts';
import type { MadeCreditNote } from '../../billing/subscription/change.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';

/** The members of a credit note that follow from its amounts. Without a subscription it gives back what was billed too early. */
const noteData = (note: MadeCreditNote) => ({
  ...{ number: note.number, status: note.status },
  creditStatus: note.creditAmountCents > 0n ? note.creditStatus : null,
  refundStatus: note.refundAmountCents > 0n ? ('pending' as const) : null,
  ...{ totalAmountCents: note.totalAmountCents, creditAmountCents: note.creditAmountCents },
  ...{ balanceAmountCents: note.balanceCents, refundAmountCents: note.refundAmountCents },
  offsetAmountCents: note.offsetAmountCents,
  subTotalExcludingTaxesAmountCents: note.subTotalExcludingTaxesAmountCents,
  couponsAdjustmentAmountCents: roundToInteger(note.couponsAdjustmentCents),
  ...{ taxesAmountCents: note.taxesAmountCents, taxesRate: note.taxesRate.toFixed() },
});

const itemData = (note: MadeCreditNote, feeId: string) => ({
  ...{ feeId, amountCents: roundToInteger(note.itemPreciseAmountCents), amountCurrency: note.currency },
  preciseAmountCents: note.itemPreciseAmountCents.toFixed(),
});

/** Stores a new credit note on an invoice, with its item on a fee of it. */
export async function addCreditNote(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  note: MadeCreditNote,
  { customerId, feeId }: { readonly customerId: string; readonly feeId: string },
): Promise<void> {
  const { id, invoiceId, sequentialId, currency } = note;
  const reason = note.subscriptionId === null ? ('other' as const) : ('order_cancellation' as const);
  await tx.creditNote.createMany({
    data: {
      ...{ id, organizationId, customerId, invoiceId, sequentialId, currency, reason, ...noteData(note) },
      ...{ issuingDate: new Date(`${note.issuingDate}T00:00:00Z`), createdAt: now },
    },
  });
  await tx.creditNoteItem.createMany({
    data: { id: newId(now), organizationId, creditNoteId: id, createdAt: now, ...itemData(note, feeId) },
  });
}

/** Brings a draft credit note to what it is now that its invoice is final. */
export async function saveCreditNote(tx: TenantTransaction, note: MadeCreditNote, feeId: string): Promise<void> {
  await tx.creditNote.update({ where: { id: note.id }, data: noteData(note), select: { id: true } });
  await tx.creditNoteItem.updateMany({ where: { creditNoteId: note.id }, data: itemData(note, feeId) });
}
