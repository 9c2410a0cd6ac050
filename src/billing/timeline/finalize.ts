import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { finalDates } from '../invoice/date.ts';
import { nextNumber } from '../invoice/numbering.ts';
import { ZERO } from '../money/decimal.ts';
import { formatDate, type Instant, localDate, parseDate } from '../period/calendar.ts';
import { zoneOf } from '../subscription/billed-subscription.ts';
import type { Change, MadeCreditNote, MadeInvoice } from '../subscription/change.ts';
import { issueInvoice } from '../subscription/issue.ts';
import { settle } from '../subscription/issuer.ts';
import { terminationCreditNote } from '../subscription/termination.ts';
import { accountOf, billedIn } from './account.ts';
import { afterChanges, progressivelyCredited } from './apply.ts';
import { idsOf, issuingAccount } from './make.ts';
import type { TimelineState } from './timeline-type.ts';

/**
 * Drafts become final in the order they were made: their fees are computed again with the data of this moment, then coupons,
 * notes and wallets are used and they take their numbers. Their own draft notes follow. Source: invoicing 14 and 12.2.
 */
export function finalizeDrafts(
  state: TimelineState,
  at: Instant,
  which: { readonly onlyDue?: boolean; readonly invoiceId?: string } = {},
): TimelineState {
  const today = formatDate(localDate(at, zoneOf(state.customer, state.billingEntity)));
  const drafts = state.invoices.filter(
    ({ status, id, expectedFinalizationDate: due }) =>
      status === 'draft' && !(which.onlyDue && due > today) && (which.invoiceId ?? id) === id,
  );
  return drafts.reduce((changed, draft) => finalizeDraft(changed, draft.id, at), state);
}

function finalizeDraft(state: TimelineState, id: string, at: Instant): TimelineState {
  const draft = state.invoices.find((invoice) => invoice.id === id);
  if (!draft) return state;
  const settled = afterChanges(state, computedAgain(state, draft, { final: true, at }));
  const notes = settled.madeNotes.filter((note) => note.invoiceId === id && note.status === 'draft');
  return notes.reduce((changed, note) => finalizeNote(changed, id, note), settled);
}

/**
 * A draft computed again with the data of this moment; it stays a draft. What is no draft stays as it is. Throws a RangeError for
 * an id the timeline does not know. Source: invoicing 14.
 */
export function refreshDraft(state: TimelineState, id: string): TimelineState {
  const draft = state.invoices.find((invoice) => invoice.id === id);
  if (!draft) throw new RangeError(`no invoice ${id} in the timeline`);
  if (draft.status !== 'draft') return state;
  return afterChanges(state, computedAgain(state, draft, { final: false, at: draft.billedAt }));
}

interface Again {
  readonly final: boolean;
  readonly at: Instant;
}

/**
 * What changes when a draft is computed again: first it gives back what it used, so that it uses the same once more. A draft uses
 * progressive invoices only: coupons, notes and wallets wait until it is final.
 */
function computedAgain(state: TimelineState, draft: MadeInvoice, { final, at }: Again): Change[] {
  const free = { ...state, invoices: progressivelyCredited(state.invoices, draft.credits, -1n) };
  const result = { ...recomputed(free, draft, final), ...(final ? datedFinal(state, draft, at) : {}) };
  const numbering = nextNumber(state.billingEntity, state.customer, state.ranks, result, at);
  const hasNotes = state.madeNotes.some(({ invoiceId, status }) => invoiceId === draft.id && status === 'draft');
  // Its draft notes, all of its notes, are made again one after another: each sees what those before it took by now.
  const bare = final && hasNotes ? { creditedItems: [], creditNoteTaxesMadeCents: 0n, creditNotesMadeCents: 0n } : {};
  const invoice = { ...result, ...numbering, ...bare };
  return [{ kind: 'invoice_recomputed', invoice }, ...settle(issuingAccount(free), invoice, at, idsOf(state))];
}

/** The dates of a draft that becomes final now. */
function datedFinal({ customer, billingEntity }: TimelineState, draft: MadeInvoice, at: Instant) {
  const periodic = draft.billingPeriods.some(({ reason }) => reason === 'subscription_periodic');
  const today = localDate(at, zoneOf(customer, billingEntity));
  const dated = { issuingDate: parseDate(draft.issuingDate), periodic };
  const { issuingDate, paymentDueDate, netPaymentTerm } = finalDates(dated, today, customer, billingEntity);
  return { netPaymentTerm, issuingDate: formatDate(issuingDate), paymentDueDate: formatDate(paymentDueDate) };
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

function finalizeNote(state: TimelineState, invoiceId: string, note: MadeCreditNote): TimelineState {
  const invoiceNumber = state.invoices.find(({ id }) => id === invoiceId)?.number ?? note.invoiceNumber;
  const again = noteAgain(state, note);
  const creditAmountCents = again?.amounts.creditAmountCents ?? 0n;
  const final: MadeCreditNote = {
    ...note,
    ...(again?.amounts ?? NOTHING),
    items: again ? [again.item] : note.items.map((item) => ({ ...item, preciseAmountCents: ZERO })),
    number: note.number.replace(note.invoiceNumber, invoiceNumber),
    invoiceNumber,
    status: 'finalized',
    balanceCents: creditAmountCents,
    creditStatus: creditAmountCents > 0n ? 'available' : 'consumed',
  };
  return afterChanges(state, [{ kind: 'credit_note_finalized', note: final }]);
}

/** What is left of a note when its invoice bills nothing of it any more. */
const NOTHING = {
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
  const made = terminationCreditNote(billed, note.mode);
  if (made === null) return null;
  const { feeKey, itemPreciseAmountCents: preciseAmountCents, ...amounts } = made;
  return { amounts, item: { feeKey, preciseAmountCents } };
}
