import type { TerminationCredit } from '../customer/subscription.ts';
import type { InvoiceResult } from '../invoice/issued-invoice.ts';
import { creditNoteNumber, draftNumber, nextNumber } from '../invoice/numbering.ts';
import { leastCents } from '../money/share.ts';
import type { Instant } from '../period/calendar.ts';
import type { BilledSubscription } from '../subscription/billed-subscription.ts';
import type { InvoiceRequest } from '../subscription/invoice-request.ts';
import { issueInvoice } from '../subscription/issue.ts';
import { excessCreditNote, type TerminationCreditNote, terminationCreditNote } from '../subscription/termination.ts';
import { accountOf } from './account.ts';
import type { MadeCreditNote, MadeInvoice, TimelineResult, TimelineState } from './timeline-type.ts';

/** Nothing happened but a change of the state. */
export function unchanged(state: TimelineState): TimelineResult {
  return { state, invoices: [], creditNotes: [] };
}

/** Makes an invoice: numbers it when it is final, and moves coupons, notes and wallets on. */
export function makeInvoice(state: TimelineState, request: InvoiceRequest): TimelineResult {
  const id = `invoice-${state.invoices.length + 1}`;
  const result = issueInvoice(accountOf(state), request);
  const recipe = request.fees
    ? []
    : request.subscriptions.map(({ subscription, reason }) => ({ subscriptionId: subscription.id, reason }));
  const made: MadeInvoice = {
    ...result,
    id,
    number: draftNumber(state.billingEntity),
    sequentialId: null,
    totalPaidAmountCents: 0n,
    recipe,
  };
  const next = settle({ ...state, invoices: [...state.invoices, made] }, made, request.at);
  return { state: next.state, invoices: [next.invoice], creditNotes: next.creditNotes };
}

/** Money that arrives for an invoice: in full unless an amount is named, never more than is due. */
export function pay(state: TimelineState, invoiceId: string, amountCents?: bigint): TimelineResult {
  const invoice = state.invoices.find((candidate) => candidate.id === invoiceId);
  if (!invoice) throw new RangeError(`no invoice ${invoiceId} in the timeline`);
  const due = invoice.totalAmountCents - invoice.totalPaidAmountCents;
  const totalPaidAmountCents = invoice.totalPaidAmountCents + leastCents(amountCents ?? due, due);
  const paymentStatus = totalPaidAmountCents >= invoice.totalAmountCents ? 'succeeded' : 'pending';
  return unchanged(withInvoice(state, { ...invoice, totalPaidAmountCents, paymentStatus }));
}

/** Puts an invoice that was computed into the state: what it used is used, and it takes its number when it is final. */
export function settle(state: TimelineState, made: MadeInvoice, now: Instant) {
  const numbered = made.status === 'finalized' ? number(state, made, now) : { state, invoice: made };
  const used = useCredits(numbered.state, numbered.invoice);
  return excessNotes(used, numbered.invoice, now);
}

function number(state: TimelineState, made: MadeInvoice, now: Instant) {
  const { number: taken, sequentialId } = nextNumber(state.billingEntity, state.customer, state.ranks, made, now);
  const ranks = {
    forCustomer: state.ranks.forCustomer + 1,
    forEntity: state.ranks.forEntity + (made.selfBilled ? 0 : 1),
  };
  const numbered = { ...made, number: taken, sequentialId };
  return { state: { ...withInvoice(state, numbered), ranks }, invoice: numbered };
}

/** The state with an invoice replaced by a later version of itself. */
export function withInvoice(state: TimelineState, made: MadeInvoice): TimelineState {
  return { ...state, invoices: state.invoices.map((other) => (other.id === made.id ? made : other)) };
}

function useCredits(state: TimelineState, made: InvoiceResult): TimelineState {
  const credited = new Map(made.credits.map((line) => [line.sourceId, line]));
  const notes = new Map(made.creditNotes.map((note) => [note.id, note]));
  return {
    ...state,
    coupons: made.coupons,
    wallets: made.wallets,
    creditNotes: state.creditNotes.map((note) => notes.get(note.id) ?? note),
    invoices: state.invoices.map((other) => {
      const line = credited.get(other.id);
      if (line?.type !== 'invoice') return other;
      return { ...other, alreadyCreditedCents: (other.alreadyCreditedCents ?? 0n) + line.amountCents };
    }),
  };
}

/** Makes the credit note of a subscription that has ended, when it has unused days. Source: invoicing 12.2. */
export function makeTerminationNote(
  state: TimelineState,
  billed: BilledSubscription,
  mode: TerminationCredit,
): TimelineResult {
  const note = terminationCreditNote(billed, mode);
  if (note === null) return unchanged(state);
  const made = madeNote(state, note, billed.at, billed.subscription.id, mode);
  return { state: withNote(state, made), invoices: [], creditNotes: [made] };
}

/** A credit note with its id, its number on the invoice it is for, and its balance. */
function madeNote(
  state: TimelineState,
  note: TerminationCreditNote,
  at: Instant,
  subscriptionId: string | null,
  mode: TerminationCredit,
): MadeCreditNote {
  const rank = state.madeNotes.filter((other) => other.invoiceId === note.invoiceId).length + 1;
  return {
    ...note,
    id: `credit-note-${state.madeNotes.length + 1}`,
    number: creditNoteNumber(note.invoiceNumber, rank),
    balanceCents: note.creditAmountCents,
    creditStatus: note.creditAmountCents > 0n ? 'available' : 'consumed',
    createdAt: at,
    subscriptionId,
    mode,
  };
}

/** Invoices of which one has a credit note more: its item on its fee, and its taxes. */
export function credited(invoices: readonly MadeInvoice[], note: MadeCreditNote): MadeInvoice[] {
  const item = { feeKey: note.feeKey, preciseAmountCents: note.itemPreciseAmountCents };
  return invoices.map((invoice) => {
    if (invoice.id !== note.invoiceId) return invoice;
    const { creditedItems = [], creditNoteTaxesMadeCents = 0n } = invoice;
    return {
      ...invoice,
      creditedItems: [...creditedItems, item],
      creditNoteTaxesMadeCents: creditNoteTaxesMadeCents + note.taxesAmountCents,
    };
  });
}

function withNote(state: TimelineState, note: MadeCreditNote): TimelineState {
  return {
    ...state,
    creditNotes: [...state.creditNotes, note],
    madeNotes: [...state.madeNotes, note],
    invoices: credited(state.invoices, note),
  };
}

/** What a progressive invoice billed beyond the usage it was for is given back as a credit note on it. */
function excessNotes(state: TimelineState, made: MadeInvoice, at: Instant) {
  let next = state;
  const creditNotes: MadeCreditNote[] = [];
  for (const excess of made.status === 'finalized' ? made.excessCredits : []) {
    const past = next.invoices.find((invoice) => invoice.id === excess.invoiceId);
    if (!past) continue;
    const note = madeNote(next, excessCreditNote(past, excess.amountCents), at, null, 'credit');
    const creditNotesMadeCents = (past.creditNotesMadeCents ?? 0n) + excess.amountCents;
    next = withNote(withInvoice(next, { ...past, creditNotesMadeCents }), note);
    creditNotes.push(note);
  }
  return { state: next, invoice: made, creditNotes };
}
