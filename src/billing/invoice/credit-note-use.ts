import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import { leastCents, splitCredit } from '../money/share.ts';
import type { CreditNoteInput } from './credit-input.ts';
import type { CreditLine, DraftInvoice } from './draft-invoice.ts';
import { netOf } from './tax.ts';

/**
 * Pays the invoice from the customer's credit notes, after taxes: oldest first, each gives its balance until nothing remains;
 * 20 and 50 on a total of 60 give 20 and 40. Final notes of the invoice's currency only. A note that reaches 0 is consumed.
 * Source: invoicing 12.1.
 */
export function applyCreditNotes(invoice: DraftInvoice): DraftInvoice {
  let next = invoice;
  for (const note of usable(invoice)) {
    if (next.totalAmountCents <= 0n) break;
    next = applyNote(next, note);
  }
  return next;
}

function usable(invoice: DraftInvoice): CreditNoteInput[] {
  return invoice.creditNotes
    .filter((note) => note.status === 'finalized' && note.creditStatus === 'available')
    .filter((note) => note.balanceCents > 0n && note.currency === invoice.currency)
    .sort((a, b) => a.createdAt - b.createdAt);
}

function applyNote(invoice: DraftInvoice, note: CreditNoteInput): DraftInvoice {
  const used = leastCents(note.balanceCents, invoice.totalAmountCents);
  const parts = splitCredit(dec(used), invoice.fees.map(owed));
  return {
    ...invoice,
    fees: invoice.fees.map((fee, index) => withNote(fee, parts[index] ?? ZERO)),
    credits: [...invoice.credits, noteLine(note, used)],
    creditNotes: invoice.creditNotes.map((other) => (other.id === note.id ? usedNote(note, used) : other)),
    creditNotesAmountCents: invoice.creditNotesAmountCents + used,
    totalAmountCents: invoice.totalAmountCents - used,
  };
}

function usedNote(note: CreditNoteInput, used: bigint): CreditNoteInput {
  const balanceCents = note.balanceCents - used;
  return { ...note, balanceCents, creditStatus: balanceCents === 0n ? 'consumed' : note.creditStatus };
}

/** What of a fee, taxes included, no credit note has paid yet. */
export function owed(fee: InvoiceFee): Decimal {
  return netOf(fee).plus(fee.taxesPreciseAmountCents).minus(fee.preciseCreditNotesAmountCents);
}

function withNote(fee: InvoiceFee, part: Decimal): InvoiceFee {
  return part.isZero() ? fee : { ...fee, preciseCreditNotesAmountCents: fee.preciseCreditNotesAmountCents.plus(part) };
}

function noteLine(note: CreditNoteInput, amountCents: bigint): CreditLine {
  return {
    type: 'credit_note',
    sourceId: note.id,
    itemId: note.id,
    code: note.number,
    name: note.invoiceNumber,
    amountCents,
    currency: note.currency,
    beforeTaxes: false,
  };
}
