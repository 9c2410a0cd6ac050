import type { CreditNoteInput } from '../invoice/credit-input.ts';
import type { CreditLine } from '../invoice/draft-invoice.ts';
import type { Change, ChangeKind, MadeCreditNote, MadeInvoice } from '../subscription/change.ts';
import { withCreditNote } from '../subscription/issuer.ts';
import type { TimelineState } from './timeline-type.ts';

type Applied = { readonly [K in ChangeKind]: (state: TimelineState, change: Change<K>) => TimelineState };

const replaced = <T extends { readonly id: string }>(all: readonly T[], next: T): T[] =>
  all.map((one) => (one.id === next.id ? next : one));

/** Progressive invoices, of which an invoice credits more (or with `sign` -1 gives back) what its lines say. */
export function progressivelyCredited(
  invoices: readonly MadeInvoice[],
  lines: readonly CreditLine[],
  sign: 1n | -1n = 1n,
): MadeInvoice[] {
  const credited = new Map(lines.filter(({ type }) => type === 'invoice').map((line) => [line.sourceId, line]));
  return invoices.map((invoice) => {
    const line = credited.get(invoice.id);
    const alreadyCreditedCents = (invoice.alreadyCreditedCents ?? 0n) + sign * (line?.amountCents ?? 0n);
    return line ? { ...invoice, alreadyCreditedCents } : invoice;
  });
}

/** Invoices with a new one: one that was made anew stands behind the voided one, as it bills what that one did. */
export function withMade(invoices: readonly MadeInvoice[], made: MadeInvoice): MadeInvoice[] {
  const place = invoices.findIndex(({ id }) => id === made.voidedInvoiceId);
  return place < 0 ? [...invoices, made] : invoices.toSpliced(place + 1, 0, made);
}

const noted = (invoices: readonly MadeInvoice[], note: MadeCreditNote): MadeInvoice[] =>
  invoices.map((one) => (one.id === note.invoiceId ? withCreditNote(one, note) : one));

/** What each kind of change does to the values of a customer; `engine/` does the same to rows. */
const APPLIED: Applied = {
  invoice_made: (state, { invoice }) => ({
    ...state,
    invoices: withMade(progressivelyCredited(state.invoices, invoice.credits), invoice),
  }),
  invoice_recomputed: (state, { invoice }) => {
    const before = state.invoices.find(({ id }) => id === invoice.id)?.credits ?? [];
    const free = progressivelyCredited(state.invoices, before, -1n);
    return { ...state, invoices: progressivelyCredited(replaced(free, invoice), invoice.credits) };
  },
  invoice_settled: (state, { invoice }) => ({ ...state, invoices: replaced(state.invoices, invoice) }),
  invoice_voided: (state, { invoiceId }) => {
    const lines = state.invoices.find(({ id }) => id === invoiceId)?.credits ?? [];
    const free = progressivelyCredited(state.invoices, lines, -1n);
    return { ...state, invoices: free.map((one) => (one.id === invoiceId ? { ...one, status: 'voided' } : one)) };
  },
  number_taken: (state, { numbering, selfBilled }) => ({
    ...state,
    ranks: {
      forCustomer: numbering.sequentialId ?? state.ranks.forCustomer,
      forEntity: state.ranks.forEntity + (selfBilled ? 0 : 1),
    },
  }),
  coupon_used: (state, { coupon }) => ({ ...state, coupons: replaced(state.coupons, coupon) }),
  credit_note_used: (state, { note }) => ({ ...state, creditNotes: replaced(state.creditNotes, note) }),
  wallet_used: (state, { wallet }) => ({ ...state, wallets: replaced(state.wallets, wallet) }),
  wallet_given_back: (state, { wallet }) => ({ ...state, wallets: replaced(state.wallets, wallet) }),
  credit_note_made: (state, { note }) => ({
    ...state,
    creditNotes: [...state.creditNotes, note],
    madeNotes: [...state.madeNotes, note],
    invoices: noted(state.invoices, note),
  }),
  credit_note_recomputed: (state, { note }) => ({
    ...state,
    creditNotes: replaced<CreditNoteInput>(state.creditNotes, note),
    madeNotes: replaced(state.madeNotes, note),
    invoices: note.items.every(({ preciseAmountCents }) => preciseAmountCents.isZero())
      ? state.invoices
      : noted(state.invoices, note),
  }),
  fee_made: (state, { fee }) => ({ ...state, fees: [...state.fees, fee] }),
  fees_gathered: (state, { invoiceId, feeIds }) => ({
    ...state,
    fees: state.fees.map((one) => (feeIds.includes(one.id) ? { ...one, invoiceId } : one)),
  }),
  subscription_changed: (state, { subscriptionId, members }) => ({
    ...state,
    subscriptions: state.subscriptions.map((one) => (one.id === subscriptionId ? { ...one, ...members } : one)),
  }),
  units_changed: (state, { subscriptionId, fixedChargeId, entries }) => ({
    ...state,
    subscriptions: state.subscriptions.map((one) => {
      if (one.id !== subscriptionId) return one;
      const history = [...(one.unitEvents?.[fixedChargeId] ?? []), ...entries];
      return { ...one, unitEvents: { ...one.unitEvents, [fixedChargeId]: history } };
    }),
  }),
};

/** The state after a change. */
function applied<K extends ChangeKind>(state: TimelineState, change: Change<K>): TimelineState {
  return APPLIED[change.kind](state, change);
}

/** The state after changes, one after another; it remembers them until the step is over. */
export function afterChanges(state: TimelineState, changes: readonly Change[]): TimelineState {
  const next = changes.reduce((before, change) => applied(before, change), state);
  return { ...next, changes: [...state.changes, ...changes] };
}
