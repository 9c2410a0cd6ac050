import type { TerminationCredit } from '../customer/subscription.ts';
import { isUndone } from '../invoice/hidden.ts';
import { type Decimal, roundToInteger, sum, ZERO } from '../money/decimal.ts';
import type { MadeCreditNote, MadeInvoice } from '../subscription/change.ts';
import type { TerminationNote } from '../subscription/credit-note.ts';
import { withCreditNote } from '../subscription/issuer.ts';
import { excessCreditNote, terminationCreditNote } from '../subscription/termination.ts';
import { billedIn, inZoneOf } from '../timeline/account.ts';
import { NOTHING, WITHOUT_NOTES } from '../timeline/recompute.ts';
import type { TimelineState } from '../timeline/timeline-type.ts';
import { type Figures, type OwnDifference, unequal } from './difference.ts';

/** What came out of the credit notes on an invoice. */
interface VerifiedNotes {
  readonly differences: readonly OwnDifference[];
  /** How many were not made by a rule, or of what was changed by hand. */
  readonly byHand: number;
}

/**
 * Makes the final credit notes on an invoice again that rules made, one after another: of unused days, and of what a progressive invoice billed
 * beyond the usage it was for. How a note is divided into credit, refund and offset follows from what was paid then, and is asked as a sum only
 * where it can be anything but credit. Source: invoicing 12.2.
 */
export function verifyNotes(state: TimelineState, invoice: MadeInvoice): VerifiedNotes {
  const notes = state.madeNotes.filter(({ invoiceId, status }) => invoiceId === invoice.id && status === 'finalized');
  const differences: OwnDifference[] = [];
  let byHand = 0;
  // As it was before any was made, and before it was voided.
  let before: MadeInvoice = { ...invoice, ...WITHOUT_NOTES, status: 'finalized' };
  for (const note of notes.sort((one, other) => one.sequentialId - other.sequentialId)) {
    const found = noteDifferences(state, before, note);
    if (found) differences.push(...found);
    else byHand += 1;
    before = withCreditNote(before, note);
  }
  return { differences, byHand };
}

/** How a stored note differs from the same one that is made again; undefined where no rule makes it again. */
function noteDifferences(state: TimelineState, before: MadeInvoice, note: MadeCreditNote): OwnDifference[] | undefined {
  const edited = before.fees.filter(({ edit }) => edit?.units != null).map(({ key }) => key);
  if (note.items.some(({ feeKey }) => edited.includes(feeKey))) return undefined;
  if (note.subscriptionId !== null) {
    const then = state.invoices
      .filter(({ voidedInvoiceId }) => voidedInvoiceId !== before.id)
      .map((one) => (one.id === before.id ? before : one));
    const at = { ...state, invoices: then };
    // Who has moved since was billed by other clocks.
    const made = [at, inZoneOf(at, before)].map((one) =>
      differing(note, unusedDays(one, note, note.subscriptionId ?? '')),
    );
    return made.sort((one, other) => one.length - other.length)[0];
  }
  const amountCents = excessOf(state, before);
  return amountCents === undefined ? undefined : differing(note, excessCreditNote(before, amountCents));
}

function unusedDays(state: TimelineState, note: MadeCreditNote, subscriptionId: string) {
  const billed = billedIn(state, subscriptionId, note.createdAt, 'subscription_terminating');
  const { successor } = billed.terms;
  // Which of two plans is dearer may be another by now; the cheaper one ends with its period and has no note.
  const terms = { ...billed.terms, successor: successor === 'downgrade' ? ('upgrade' as const) : successor };
  return terminationCreditNote({ ...billed, terms }, note.mode);
}

/** What a progressive invoice billed and nothing has credited; undefined of others, and where what credited it is none any more. */
function excessOf({ invoices }: TimelineState, before: MadeInvoice): bigint | undefined {
  const credits = invoices.filter((one) =>
    one.credits.some(({ type, sourceId }) => type === 'invoice' && sourceId === before.id),
  );
  if (before.type !== 'progressive_billing' || credits.some(isUndone)) return undefined;
  const { feesAmountCents, couponsAmountCents, alreadyCreditedCents = 0n, creditNotesMadeCents = 0n } = before;
  return feesAmountCents - couponsAmountCents - alreadyCreditedCents - creditNotesMadeCents;
}

/** What is asked of a note. `items`: what it gives back of fees. */
function figuresOf(
  note: Omit<TerminationNote, 'itemPreciseAmountCents'>,
  items: Decimal,
  mode: TerminationCredit,
): Figures {
  const { creditAmountCents, refundAmountCents, offsetAmountCents } = note;
  return {
    itemsAmountCents: items,
    couponsAdjustmentAmountCents: roundToInteger(note.couponsAdjustmentCents),
    subTotalExcludingTaxesAmountCents: note.subTotalExcludingTaxesAmountCents,
    ...{ taxesAmountCents: note.taxesAmountCents, totalAmountCents: note.totalAmountCents },
    ...(mode === 'credit' && { creditAmountCents }),
    dividedAmountCents: creditAmountCents + refundAmountCents + offsetAmountCents,
  };
}

/** The figures of a note that are not those of the one that is made again; null: there is nothing to give back. */
function differing(note: MadeCreditNote, made: TerminationNote | null): OwnDifference[] {
  const items = sum([ZERO, ...note.items.map((item) => item.preciseAmountCents)]);
  const again = figuresOf(made ?? NOTHING, made?.itemPreciseAmountCents ?? ZERO, note.mode);
  return unequal(figuresOf(note, items, note.mode), again).map((one) => ({
    ...one,
    figure: `${note.number}.${one.figure}`,
    reason: 'note_changed' as const,
  }));
}
