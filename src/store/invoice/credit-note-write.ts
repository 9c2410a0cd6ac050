import type { CreditItem } from '../../billing/invoice/past-invoice.ts';
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

/** Which row is the fee of a key; null where there is none any more. */
type FeeOf = (feeKey: string) => string | null;

const itemData = ({ currency }: MadeCreditNote, { feeKey, preciseAmountCents }: CreditItem, feeOf: FeeOf) => ({
  ...{ feeId: feeOf(feeKey), amountCents: roundToInteger(preciseAmountCents), amountCurrency: currency },
  preciseAmountCents: preciseAmountCents.toFixed(),
});

/** Stores a new credit note on an invoice, with its items on fees of it. */
export async function addCreditNote(
  tx: TenantTransaction,
  actor: Actor,
  note: MadeCreditNote,
  customerId: string,
  feeOf: FeeOf,
): Promise<void> {
  const { organizationId, now } = actor;
  const { id, invoiceId, sequentialId, currency } = note;
  const reason = note.subscriptionId === null ? ('other' as const) : ('order_cancellation' as const);
  await tx.creditNote.createMany({
    data: {
      ...{ id, organizationId, customerId, invoiceId, sequentialId, currency, reason, ...noteData(note) },
      ...{ issuingDate: new Date(`${note.issuingDate}T00:00:00Z`), createdAt: now },
    },
  });
  await tx.creditNoteItem.createMany({
    data: note.items.map((item) => ({
      ...{ id: newId(now), organizationId, creditNoteId: id, createdAt: now, ...itemData(note, item, feeOf) },
    })),
  });
  await settleOffset(tx, actor, note);
}

/** An invoice of which an offset leaves nothing due is paid. What is due of it is kept by the database. */
async function settleOffset(tx: TenantTransaction, { now }: Actor, note: MadeCreditNote): Promise<void> {
  if (note.offsetAmountCents === 0n || note.status !== 'finalized') return;
  await tx.invoice.updateMany({
    where: {
      ...{ id: note.invoiceId, status: 'finalized', totalDueAmountCents: 0n },
      paymentStatus: { not: 'succeeded' },
    },
    data: { paymentStatus: 'succeeded', paymentOverdue: false, updatedAt: now },
  });
}

/** Brings a draft credit note, which has one item, to what it is now that its invoice was computed again, which may have lost the fee. */
export async function saveCreditNote(
  tx: TenantTransaction,
  actor: Actor,
  note: MadeCreditNote,
  feeOf: FeeOf,
): Promise<void> {
  await tx.creditNote.update({ where: { id: note.id }, data: noteData(note), select: { id: true } });
  for (const item of note.items) {
    await tx.creditNoteItem.updateMany({ where: { creditNoteId: note.id }, data: itemData(note, item, feeOf) });
  }
  await settleOffset(tx, actor, note);
}
