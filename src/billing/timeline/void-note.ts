import { invalid, notAllowed, withCodes } from '../errors.ts';
import type { AppliedCouponInput, CreditNoteInput, WalletInput } from '../invoice/credit-input.ts';
import { creditableItems, type ItemTotals, itemTotals, partOfItems, withTotal } from '../invoice/credit-item.ts';
import type { CreditLine, WalletUse } from '../invoice/draft-invoice.ts';
import type { PastInvoice } from '../invoice/past-invoice.ts';
import { dec } from '../money/decimal.ts';
import { leastCents } from '../money/share.ts';
import type { NoteContent } from '../subscription/issuer.ts';

/** What an invoice that is voided gives back in a credit note, taxes included; absent amounts are 0. */
export interface VoidNote {
  readonly creditAmountCents: bigint;
  readonly refundAmountCents: bigint;
}

/** What can still be given back of an invoice, taxes included, and of that in money. Source: engine-money 4.2. */
function creditLimits(invoice: PastInvoice): { readonly all: ItemTotals; readonly refundableCents: bigint } {
  const all = itemTotals(invoice, creditableItems(invoice));
  const paid = invoice.totalPaidAmountCents - (invoice.refundedCents ?? 0n);
  return { all, refundableCents: paid > 0n ? leastCents(paid, all.totalAmountCents) : 0n };
}

/**
 * Refuses to void an invoice that is not final, and to give back more of it than is left, or less than nothing. Source: engine-money 2.8. Of 1200, of which 300 are
 * paid, 600 can be given back as 300 of credit and 300 of money, and not as 600 of money.
 */
export function checkVoid(invoice: PastInvoice, note: VoidNote | undefined): void {
  if (note) {
    const { all, refundableCents } = creditLimits(invoice);
    const { creditAmountCents: credit, refundAmountCents: refund } = note;
    const isTooMuch = refund > refundableCents || credit + refund > all.totalAmountCents;
    const outOfRange = (amount: bigint) => (amount < 0n ? ['value_is_out_of_range'] : []);
    // What is less than nothing would make the note of the rest more than the invoice.
    const faults = withCodes({
      ...{ credit_amount: outOfRange(credit), refund_amount: outOfRange(refund) },
      credit_refund_amount: isTooMuch ? ['total_amount_exceeds_invoice_amount'] : [],
    });
    const hint = { limit: 'at least 0' };
    if (Object.keys(faults).length > 0) throw invalid(faults, { credit_amount: hint, refund_amount: hint });
  }
  if (invoice.status !== 'finalized') throw notAllowed('not_voidable');
}

/** The content of a note on an invoice that is voided. */
function content(invoice: PastInvoice, totals: ItemTotals, creditAmountCents: bigint): NoteContent {
  const { id: invoiceId, number: invoiceNumber, currency } = invoice;
  const refundAmountCents = totals.totalAmountCents - creditAmountCents;
  return {
    ...totals,
    ...{ invoiceId, invoiceNumber, currency, status: 'finalized', creditAmountCents, refundAmountCents },
    offsetAmountCents: 0n,
  };
}

/**
 * The credit notes of an invoice that is voided: the one that is asked for, and one that is void itself over all that is then left, so that
 * nothing more can be given back. Of 1200 with 600 asked for: 600 and 600. Source: engine-money 2.8.
 */
export function voidNotes(
  invoice: PastInvoice,
  note: VoidNote,
): { readonly given: NoteContent[]; rest: NoteContent[] } {
  const { all } = creditLimits(invoice);
  const wanted = note.creditAmountCents + note.refundAmountCents;
  if (all.totalAmountCents <= 0n) return { given: [], rest: [] };
  const part = partOfItems(invoice, all, wanted);
  const left = all.totalAmountCents - wanted;
  const taken = new Map(part.items.map((item) => [item.feeKey, item.preciseAmountCents]));
  const items = all.items.map((item) => ({
    ...item,
    preciseAmountCents: item.preciseAmountCents.minus(taken.get(item.feeKey) ?? dec(0)),
  }));
  const taxesAmountCents = all.taxesAmountCents - part.taxesAmountCents;
  const rest = withTotal({ ...itemTotals(invoice, items), taxesAmountCents }, left);
  return {
    given: wanted > 0n ? [content(invoice, part, note.creditAmountCents)] : [],
    rest: left > 0n ? [content(invoice, rest, left)] : [],
  };
}

/** A coupon that gets back what an invoice used of it: one that this used up can be used again. Source: engine-money 2.8. */
export function couponGivenBack(coupon: AppliedCouponInput, line: CreditLine): AppliedCouponInput {
  const free = { ...coupon, usedCents: coupon.usedCents - line.amountCents };
  if (coupon.frequency === 'forever') return free;
  if (coupon.frequency === 'once') return { ...free, status: 'active' };
  const left = coupon.periodsRemaining ?? 0;
  // One with periods left was ended by somebody.
  return { ...free, periodsRemaining: left + 1, status: left === 0 ? 'active' : coupon.status };
}

/** A credit note that gets back what an invoice used of it; what was voided meanwhile stays so. */
export function noteGivenBack(note: CreditNoteInput, line: CreditLine): CreditNoteInput {
  if (note.creditStatus === 'voided') return note;
  return { ...note, balanceCents: note.balanceCents + line.amountCents, creditStatus: 'available' };
}

/** A wallet that gets back what an invoice used of it, as credits that were granted now. */
export function walletGivenBack(
  wallet: WalletInput,
  { amountCents }: WalletUse,
  { id, at: createdAt }: { readonly id: string; readonly at: number },
): WalletInput {
  const credits = { id, kind: 'granted' as const, remainingCents: amountCents, priority: 50, createdAt };
  return { ...wallet, balanceCents: wallet.balanceCents + amountCents, inbound: [...wallet.inbound, credits] };
}
