import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { ZERO } from '../money/decimal.ts';
import { formatDate, type Instant, localDate } from '../period/calendar.ts';
import { zoneOf } from '../subscription/billed-subscription.ts';
import { issueInvoice } from '../subscription/issue.ts';
import { terminationCreditNote } from '../subscription/termination.ts';
import { accountOf, billedIn } from './account.ts';
import { credited, settle, unchanged, withInvoice } from './make.ts';
import { afterwards } from './terminate.ts';
import type { MadeCreditNote, MadeInvoice, TimelineResult, TimelineState } from './timeline-type.ts';

/**
 * Drafts become final in the order they were made: their fees are computed again with the data of this moment, then coupons,
 * notes and wallets are used and they take their numbers. Their own draft notes follow. Source: invoicing 14 and 12.2.
 */
export function finalizeDrafts(
  state: TimelineState,
  at: Instant,
  which: { readonly onlyDue?: boolean; readonly invoiceId?: string } = {},
): TimelineResult {
  const today = formatDate(localDate(at, zoneOf(state.customer, state.billingEntity)));
  const drafts = state.invoices.filter(
    ({ status, id, expectedFinalizationDate: due }) =>
      status === 'draft' && !(which.onlyDue && due > today) && (which.invoiceId ?? id) === id,
  );
  return drafts.reduce(
    (result, draft) => afterwards(result, finalizeDraft(result.state, draft.id, at)),
    unchanged(state),
  );
}

function finalizeDraft(state: TimelineState, id: string, at: Instant): TimelineResult {
  const draft = state.invoices.find((invoice) => invoice.id === id);
  if (!draft) return unchanged(state);
  const free = givenBack(state, draft);
  const final = recomputed(free, draft, true);
  const settled = settle(withInvoice(free, final), final, at);
  const noted = finalizeNotes(settled.state, settled.invoice);
  const invoices = noted.invoices.filter((invoice) => invoice.id === id);
  return { state: noted, invoices, creditNotes: settled.creditNotes };
}

/**
 * A draft computed again with the data of this moment; it stays a draft. What is no draft stays as it is. Throws a RangeError for
 * an id the timeline does not know. Source: invoicing 14.
 */
export function refreshDraft(state: TimelineState, id: string): TimelineResult {
  const draft = state.invoices.find((invoice) => invoice.id === id);
  if (!draft) throw new RangeError(`no invoice ${id} in the timeline`);
  if (draft.status !== 'draft') return unchanged(state);
  const free = givenBack(state, draft);
  const fresh = recomputed(free, draft, false);
  const settled = settle(withInvoice(free, fresh), fresh, draft.billedAt);
  return {
    state: settled.state,
    invoices: [settled.invoice],
    creditNotes: settled.creditNotes,
  };
}

/**
 * The state as it was before a draft used anything, so that computing it again uses the same once more. A draft uses progressive
 * invoices only: coupons, notes and wallets wait until it is final.
 */
function givenBack(state: TimelineState, draft: MadeInvoice): TimelineState {
  const used = new Map(draft.credits.filter(({ type }) => type === 'invoice').map((line) => [line.sourceId, line]));
  const invoices = state.invoices.map((other) => {
    const line = used.get(other.id);
    return line
      ? {
          ...other,
          alreadyCreditedCents: (other.alreadyCreditedCents ?? 0n) - line.amountCents,
        }
      : other;
  });
  return { ...state, invoices };
}

function recomputed(state: TimelineState, draft: MadeInvoice, final: boolean): MadeInvoice {
  const subscriptions = draft.recipe.map(({ subscriptionId, reason }) =>
    billedIn(state, subscriptionId, draft.billedAt, reason, draft),
  );
  const fees = draft.recipe.length === 0 ? draft.fees.map(withoutCredits) : undefined;
  const result = issueInvoice(accountOf(state, draft), {
    at: draft.billedAt,
    subscriptions,
    fees,
    final,
  });
  const billingPeriods = draft.recipe.length === 0 ? draft.billingPeriods : result.billingPeriods;
  return {
    ...draft,
    ...result,
    billingPeriods,
    issuingDate: draft.issuingDate,
    paymentDueDate: draft.paymentDueDate,
  };
}

/** A fee as it was before its invoice credited and taxed it. */
function withoutCredits(fee: InvoiceFee): InvoiceFee {
  return {
    ...fee,
    preciseCouponsAmountCents: ZERO,
    preciseCreditNotesAmountCents: ZERO,
  };
}

/** The notes of a draft, all drafts like it, are made again one after another: each sees what those before it took by now. */
function finalizeNotes(state: TimelineState, invoice: MadeInvoice): TimelineState {
  const own = state.madeNotes.filter((note) => note.invoiceId === invoice.id && note.status === 'draft');
  if (own.length === 0) return state;
  const bare = { ...invoice, creditedItems: [], creditNoteTaxesMadeCents: 0n };
  return own.reduce((changed, note) => finalizeNote(changed, invoice.number, note), withInvoice(state, bare));
}

function finalizeNote(state: TimelineState, invoiceNumber: string, note: MadeCreditNote): TimelineState {
  const again = noteAgain(state, note);
  const creditAmountCents = again?.creditAmountCents ?? 0n;
  const final: MadeCreditNote = {
    ...note,
    ...(again ?? NOTHING),
    number: note.number.replace(note.invoiceNumber, invoiceNumber),
    invoiceNumber,
    status: 'finalized',
    balanceCents: creditAmountCents,
    creditStatus: creditAmountCents > 0n ? 'available' : 'consumed',
  };
  const replaced = <N extends { readonly id: string }>(notes: readonly (N | MadeCreditNote)[]) =>
    notes.map((other) => (other.id === note.id ? final : other));
  const invoices = again === null ? state.invoices : credited(state.invoices, final);
  return { ...state, invoices, creditNotes: replaced(state.creditNotes), madeNotes: replaced(state.madeNotes) };
}

/** What is left of a note when its invoice bills nothing of it any more. */
const NOTHING = {
  itemPreciseAmountCents: ZERO,
  couponsAdjustmentCents: ZERO,
  subTotalExcludingTaxesAmountCents: 0n,
  taxesAmountCents: 0n,
  totalAmountCents: 0n,
  creditAmountCents: 0n,
  refundAmountCents: 0n,
  offsetAmountCents: 0n,
};

function noteAgain(state: TimelineState, note: MadeCreditNote) {
  if (note.subscriptionId === null) return null;
  const billed = billedIn(state, note.subscriptionId, note.createdAt, 'subscription_terminating');
  return terminationCreditNote(billed, note.mode);
}
