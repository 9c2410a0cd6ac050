import type { MadeCreditNote } from '../../src/billing/subscription/change.ts';
import type { TimelineState } from '../../src/billing/timeline/timeline-type.ts';
import { type CustomerRow, type Row, timeText } from './document.ts';
import { cents, lean, storedText } from './fee-row.ts';
import type { Life } from './life.ts';
import { Names } from './names.ts';
import { idOf } from './random.ts';

/** The credit notes of a life as rows. */
export function creditNoteRows(customer: CustomerRow, life: Life): Row[] {
  const names = new Names(customer, life.asides);
  return life.state.madeNotes.map((note) => noteRow(note, life.state, customer, names));
}

function noteRow(note: MadeCreditNote, state: TimelineState, customer: CustomerRow, names: Names): Row {
  const id = names.creditNote(note.id);
  const invoiceId = names.invoice(note.invoiceId ?? '');
  const known = state.creditNotes.find((other) => other.id === note.id) ?? note;
  const createdAt = timeText(note.createdAt);
  return lean({
    svc_id: id,
    external_customer_id: customer.external_id,
    svc_invoice_id: invoiceId,
    number: note.number,
    sequential_id: Number(note.number.slice(-3)),
    status: note.status,
    credit_status: note.creditAmountCents > 0n ? known.creditStatus : null,
    refund_status: note.refundAmountCents > 0n ? 'succeeded' : null,
    reason: 'order_cancellation',
    currency: note.currency,
    total_amount_cents: cents(note.totalAmountCents),
    credit_amount_cents: cents(note.creditAmountCents),
    balance_amount_cents: cents(known.balanceCents),
    refund_amount_cents: cents(note.refundAmountCents),
    offset_amount_cents: cents(note.offsetAmountCents),
    sub_total_excluding_taxes_amount_cents: cents(note.subTotalExcludingTaxesAmountCents),
    coupons_adjustment_amount_cents: Math.round(note.couponsAdjustmentCents.toNumber()),
    taxes_amount_cents: cents(note.taxesAmountCents),
    taxes_rate: note.taxesRate.toNumber(),
    created_at: createdAt,
    items: note.items.map(({ feeKey, preciseAmountCents }) => ({
      svc_id: idOf('credit_note_item', id),
      svc_fee_id: idOf('fee', invoiceId, feeKey),
      amount_cents: Math.round(preciseAmountCents.toNumber()),
      precise_amount_cents: storedText(preciseAmountCents),
      amount_currency: note.currency,
      created_at: createdAt,
    })),
  }) as unknown as Row;
}
