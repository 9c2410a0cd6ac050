import { dec } from '../../billing/money/decimal.ts';
import type { MadeCreditNote } from '../../billing/subscription/change.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import type { CreditNoteGetPayload, CreditNoteInclude } from '../generated/prisma/models.ts';
import { creditNoteInput } from './credit-input.ts';
import { inRange } from './in-range.ts';

const SUBSCRIPTION = { select: { id: true, onTerminationCreditNote: true, terminatedAt: true } } as const;

/** A credit note that was made by a rule, with its items: a draft is made again whenever its invoice is. */
const MADE_NOTE = {
  invoice: { select: { number: true, billingPeriods: { select: { subscription: SUBSCRIPTION } } } },
  items: { orderBy: OLDEST_FIRST, include: { fee: { select: { subscription: SUBSCRIPTION } } } },
} satisfies CreditNoteInclude;

type MadeNoteRow = CreditNoteGetPayload<{ include: typeof MADE_NOTE }>;

/** The subscription that a note is for; where its fee is lost, the one on its invoice that ended as it was made. */
function subscriptionOf({ items: [item], invoice, createdAt }: MadeNoteRow) {
  if (item?.fee) return item.fee.subscription;
  const all = invoice.billingPeriods.map(({ subscription }) => subscription);
  const [ended = null, another] = all.filter(({ terminatedAt }) => terminatedAt?.getTime() === createdAt.getTime());
  return another ? null : ended;
}

/** A stored credit note. The way in which it gives back is the one that its subscription ended with. */
function madeNote(row: MadeNoteRow, subscription: ReturnType<typeof subscriptionOf>): MadeCreditNote {
  const { sequentialId, totalAmountCents, creditAmountCents, refundAmountCents, offsetAmountCents } = row;
  const { taxesRate } = inRange('credit_note', row, ['taxesRate']);
  return {
    ...creditNoteInput(row),
    status: row.status === 'draft' ? 'draft' : 'finalized',
    ...{ sequentialId, totalAmountCents, creditAmountCents, refundAmountCents, offsetAmountCents },
    invoiceId: row.invoiceId,
    items: row.items.map(({ feeId, preciseAmountCents }) => ({
      feeKey: feeId ?? '',
      preciseAmountCents: dec(preciseAmountCents),
    })),
    subTotalExcludingTaxesAmountCents: row.subTotalExcludingTaxesAmountCents,
    taxesAmountCents: row.taxesAmountCents,
    couponsAdjustmentCents: dec(String(row.couponsAdjustmentAmountCents)),
    issuingDate: row.issuingDate.toISOString().slice(0, 10),
    taxesRate: dec(taxesRate),
    subscriptionId: subscription?.id ?? null,
    mode: subscription?.onTerminationCreditNote ?? 'credit',
  };
}

/** The drafts on invoices. */
export async function loadDraftNotes(tx: TenantTransaction, invoiceIds: readonly string[]): Promise<MadeCreditNote[]> {
  const where = { status: 'draft' as const, invoiceId: { in: [...invoiceIds] } };
  const rows = await tx.creditNote.findMany({ where, include: MADE_NOTE, orderBy: OLDEST_FIRST });
  return rows.map((row) => madeNote(row, subscriptionOf(row)));
}

/** The final ones on invoices. Only one that was made as its subscription ended is for it. */
export async function loadFinalNotes(tx: TenantTransaction, invoiceIds: readonly string[]): Promise<MadeCreditNote[]> {
  const where = { status: 'finalized' as const, invoiceId: { in: [...invoiceIds] } };
  const rows = await tx.creditNote.findMany({ where, include: MADE_NOTE, orderBy: OLDEST_FIRST });
  return rows.map((row) => {
    const own = row.reason === 'order_cancellation' ? subscriptionOf(row) : null;
    return madeNote(row, own?.terminatedAt?.getTime() === row.createdAt.getTime() ? own : null);
  });
}
