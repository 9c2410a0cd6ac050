import { isSamePlace, type PlacedEdit } from '../fee/edited-fee.ts';
import type { CreditNoteInput } from '../invoice/credit-input.ts';
import { finalDates } from '../invoice/date.ts';
import { editsOf } from '../invoice/edited-draft.ts';
import { isOpen } from '../invoice/final-status.ts';
import { nextNumber } from '../invoice/numbering.ts';
import { formatDate, type Instant, localDate, parseDate } from '../period/calendar.ts';
import { zoneOf } from '../subscription/billed-subscription.ts';
import type { Change, MadeInvoice } from '../subscription/change.ts';
import { settle, withExcess } from '../subscription/issuer.ts';
import { accountOf } from './account.ts';
import { afterChanges, progressivelyCredited } from './apply.ts';
import { idsOf } from './make.ts';
import { notesAgain, recomputed, WITHOUT_NOTES } from './recompute.ts';
import type { EditedPlace, TimelineState } from './timeline-type.ts';
import { usesBack } from './void.ts';

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
  return drafts.reduce((changed, draft) => finalize(changed, draft.id, at), state);
}

/**
 * Invoices without taxes get them once it is known which: those that waited become final in the order they were made, with all that this
 * brings, drafts stay drafts. While it is not known, nothing changes. Source: engine-money 2.1, engine-catalogue 4.4.
 */
export function settleTaxes(state: TimelineState, at: Instant): TimelineState {
  if (state.customer.awaitsTaxes) return state;
  const waiting = state.invoices.filter((invoice) => invoice.taxStatus === 'pending' && isOpen(invoice));
  return waiting.reduce(
    (changed, { id, status }) => (status === 'draft' ? refreshDraft(changed, id) : finalize(changed, id, at)),
    state,
  );
}

/**
 * An invoice whose taxes had failed is computed with the fees that it has and becomes final; what it used before is given back first. Others, and
 * all while nobody knows the customer's taxes, stay as they are. Throws a RangeError for an id the timeline does not know. Source: engine-money 2.10.
 */
export function retryInvoice(state: TimelineState, id: string, at: Instant): TimelineState {
  const invoice = state.invoices.find((one) => one.id === id);
  if (!invoice) throw new RangeError(`no invoice ${id} in the timeline`);
  if (invoice.status !== 'pending' || state.customer.awaitsTaxes) return state;
  const free = afterChanges(state, usesBack(state, invoice, at));
  // Without a recipe its fees are not made anew: who sent it here knows what they were made from.
  const kept = { ...invoice, recipe: [], taxStatus: 'pending' as const };
  return finalize({ ...free, invoices: free.invoices.map((one) => (one.id === id ? kept : one)) }, id, at);
}

function finalize(state: TimelineState, id: string, at: Instant): TimelineState {
  const draft = state.invoices.find((invoice) => invoice.id === id);
  return draft ? computeAgain(state, draft, { final: true, at }) : state;
}

/**
 * A draft computed again with the data of this moment; it stays a draft. What is no draft stays as it is. Throws a RangeError for
 * an id the timeline does not know. Source: invoicing 14.
 */
export function refreshDraft(state: TimelineState, id: string): TimelineState {
  const draft = state.invoices.find((invoice) => invoice.id === id);
  if (!draft) throw new RangeError(`no invoice ${id} in the timeline`);
  if (draft.status !== 'draft') return state;
  return computeAgain(state, draft, { final: false, at: draft.billedAt });
}

/**
 * A draft computed again with one of its fees changed by hand, or no more; it is kept whenever it is computed again. What is no draft stays as
 * it is. Throws a RangeError for an id the timeline does not know. Source: engine-money 2.6.
 */
export function editDraft(state: TimelineState, id: string, { place, edit }: EditedPlace): TimelineState {
  const draft = state.invoices.find((invoice) => invoice.id === id);
  if (!draft) throw new RangeError(`no invoice ${id} in the timeline`);
  if (draft.status !== 'draft') return state;
  const isOther = ({ place: other }: PlacedEdit) =>
    other.subscriptionId !== place.subscriptionId || !isSamePlace(other, place);
  const edits = [...editsOf(draft).filter(isOther), ...(edit ? [{ place, edit }] : [])];
  return computeAgain(state, draft, { final: false, at: draft.billedAt, edits });
}

interface Again {
  readonly final: boolean;
  readonly at: Instant;
  /** What is changed by hand from now on; absent: what is already. */
  readonly edits?: readonly PlacedEdit[];
}

/** A draft computed again, and the draft notes on it, which follow its fees. */
const computeAgain = (state: TimelineState, draft: MadeInvoice, again: Again): TimelineState =>
  notesAgain(afterChanges(state, computedAgain(state, draft, again)), draft);

/**
 * What changes when a draft is computed again: first it gives back what it used, so that it uses the same once more. A draft uses
 * progressive invoices only: coupons, notes and wallets wait until it is final.
 */
function computedAgain(state: TimelineState, draft: MadeInvoice, { final, at, edits }: Again): Change[] {
  const free = { ...state, invoices: progressivelyCredited(state.invoices, draft.credits, -1n) };
  const compute = (creditNotes: readonly CreditNoteInput[]) =>
    recomputed({ ...free, creditNotes }, draft, final, edits);
  const { invoice: again, made } = withExcess(accountOf(free, draft), at, idsOf(state), compute);
  // What has to wait for its taxes, or to be paid, keeps the dates of the draft until it is final.
  const isFinal = final && !isOpen(again);
  const result = { ...again, ...(isFinal ? datedFinal(state, draft, at) : {}) };
  const numbering = nextNumber(state.billingEntity, state.customer, state.ranks, result, at);
  const hasNotes = state.madeNotes.some(({ invoiceId, status }) => invoiceId === draft.id && status === 'draft');
  // Its draft notes, all of its notes, are made again one after another: each sees what those before it took by now.
  const bare = hasNotes ? WITHOUT_NOTES : {};
  const invoice = { ...result, ...numbering, ...bare };
  return [...made, { kind: 'invoice_recomputed', invoice }, ...settle(invoice)];
}

/** The dates of a draft that becomes final now. */
export function datedFinal({ customer, billingEntity }: TimelineState, draft: MadeInvoice, at: Instant) {
  const periodic = draft.billingPeriods.some(({ reason }) => reason === 'subscription_periodic');
  const today = localDate(at, zoneOf(customer, billingEntity));
  const dated = { issuingDate: parseDate(draft.issuingDate), periodic };
  const { issuingDate, paymentDueDate, netPaymentTerm } = finalDates(dated, today, customer, billingEntity);
  return { netPaymentTerm, issuingDate: formatDate(issuingDate), paymentDueDate: formatDate(paymentDueDate) };
}
