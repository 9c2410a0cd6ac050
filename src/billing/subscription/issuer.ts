import type { TerminationCredit } from '../customer/subscription.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import type { CreditNoteInput } from '../invoice/credit-input.ts';
import type { InvoiceResult } from '../invoice/issued-invoice.ts';
import { creditNoteNumber, type InvoiceRanks, nextNumber } from '../invoice/numbering.ts';
import { dueOf, type PastInvoice } from '../invoice/past-invoice.ts';
import { formatDate, type Instant, localDate } from '../period/calendar.ts';
import { zoneOf } from './billed-subscription.ts';
import type { Change, MadeCreditNote, MadeInvoice } from './change.ts';
import type { InvoiceRequest } from './invoice-request.ts';
import { issueInvoice } from './issue.ts';
import { excessCreditNote, type TerminationCreditNote } from './termination.ts';

/** An account that an invoice is issued to, with the ranks that were given last. */
export interface IssuingAccount extends CustomerAccount {
  readonly ranks: InvoiceRanks;
}

/** Identifiers for what is made; each is given once. */
export interface NewIds {
  invoice(): string;
  creditNote(): string;
  /** Of a fee on no invoice. */
  fee(): string;
  /** Of credits that come into a wallet. */
  walletCredit(): string;
}

/**
 * Issues an invoice: what changes when it is made, in the order in which it is to be applied. Nothing else makes one. A final
 * invoice takes its number and uses what the customer can pay with, a draft nothing of it. Source: invoicing 8 to 16.
 */
export function issue(account: IssuingAccount, request: InvoiceRequest, ids: NewIds): Change[] {
  const compute = (creditNotes: readonly CreditNoteInput[]) => issueInvoice({ ...account, creditNotes }, request);
  const { invoice: result, made } = withExcess(account, request.at, ids, compute);
  const recipe = request.fees
    ? []
    : request.subscriptions.map(({ subscription, reason }) => ({ subscriptionId: subscription.id, reason }));
  const invoice: MadeInvoice = {
    ...result,
    ...nextNumber(account.billingEntity, account.customer, account.ranks, result, request.at),
    id: ids.invoice(),
    totalPaidAmountCents: 0n,
    recipe,
  };
  return [...made, { kind: 'invoice_made', invoice }, ...settle(invoice)];
}

/** What changes besides the invoice itself: its number is taken, and what it used is used. */
export function settle(invoice: MadeInvoice): Change[] {
  const { sequentialId, selfBilled } = invoice;
  const taken: Change[] = sequentialId === null ? [] : [{ kind: 'number_taken', numbering: invoice, selfBilled }];
  return [...taken, ...uses(invoice)];
}

/** Coupons, credit notes and wallets that an invoice used, as they stand after it. */
function uses(invoice: MadeInvoice): Change[] {
  const { id: invoiceId, currency, walletUses } = invoice;
  const lines = new Set(invoice.credits.map(({ type, sourceId }) => `${type} ${sourceId}`));
  const coupons = invoice.coupons.filter(({ id }) => lines.has(`coupon ${id}`));
  const notes = invoice.creditNotes.filter(({ id }) => lines.has(`credit_note ${id}`));
  const wallets = new Map(invoice.wallets.map((wallet) => [wallet.id, wallet]));
  return [
    ...coupons.map((coupon) => ({ kind: 'coupon_used' as const, coupon })),
    ...notes.map((note) => ({ kind: 'credit_note_used' as const, note })),
    ...walletUses.flatMap((use) => {
      const wallet = wallets.get(use.walletId);
      return wallet ? [{ kind: 'wallet_used' as const, invoiceId, currency, use, wallet }] : [];
    }),
  ];
}

/** An invoice, and what is to change before it is there. */
interface WithExcess<I> {
  readonly invoice: I;
  readonly made: readonly Change<'credit_note_made'>[];
}

/**
 * Computes an invoice with the credit notes that the customer has. What a progressive invoice billed beyond the usage it was for is given back
 * as a credit note on that one, made before the invoice that finds it, which is computed once more and can be paid with it. Source:
 * invoicing 8, 9 and 12.1.
 */
export function withExcess<I extends InvoiceResult>(
  account: CustomerAccount,
  at: Instant,
  ids: Pick<NewIds, 'creditNote'>,
  compute: (creditNotes: readonly CreditNoteInput[]) => I,
): WithExcess<I> {
  const invoice = compute(account.creditNotes);
  const isOver = invoice.status === 'finalized' || invoice.status === 'closed';
  const notes = isOver ? excessNotes(account, invoice, at, ids) : [];
  if (notes.length === 0) return { invoice, made: [] };
  const made = notes.map((note) => ({ kind: 'credit_note_made' as const, note }));
  return { invoice: compute([...account.creditNotes, ...notes]), made };
}

function excessNotes(
  account: CustomerAccount,
  { excessCredits }: InvoiceResult,
  at: Instant,
  ids: Pick<NewIds, 'creditNote'>,
): MadeCreditNote[] {
  const known = new Map(account.pastInvoices.map((past) => [past.id, past]));
  return excessCredits.flatMap(({ invoiceId, amountCents }) => {
    const past = known.get(invoiceId);
    if (!past) return [];
    const made = excessCreditNote(past, amountCents);
    const note = creditNote(account, past, made, { at, id: ids.creditNote(), subscriptionId: null, mode: 'credit' });
    known.set(invoiceId, withCreditNote(past, note));
    return [note];
  });
}

/** When a credit note is made, under which identifier, and for which subscription. */
export interface NoteOrigin {
  readonly at: Instant;
  readonly id: string;
  readonly subscriptionId: string | null;
  readonly mode: TerminationCredit;
}

type NotedInvoice = Pick<PastInvoice, 'creditNoteRank'>;

/** A credit note on one fee. */
export function creditNote(
  account: CustomerAccount,
  invoice: NotedInvoice,
  { feeKey, itemPreciseAmountCents: preciseAmountCents, ...note }: TerminationCreditNote,
  origin: NoteOrigin,
): MadeCreditNote {
  return numberedNote(account, invoice, { ...note, items: [{ feeKey, preciseAmountCents }] }, origin);
}

/** What a credit note gives back, before it has a number. */
export type NoteContent = Omit<
  MadeCreditNote,
  keyof NoteOrigin | 'number' | 'sequentialId' | 'balanceCents' | 'creditStatus' | 'createdAt' | 'issuingDate'
>;

/** A credit note with its number on the invoice it is for, its balance and its date. The second on `A-001`: `A-001-CN002`. */
export function numberedNote(
  { customer, billingEntity }: CustomerAccount,
  invoice: NotedInvoice,
  note: NoteContent,
  { at, id, subscriptionId, mode }: NoteOrigin,
): MadeCreditNote {
  const sequentialId = (invoice.creditNoteRank ?? 0) + 1;
  return {
    ...note,
    ...{ id, sequentialId, subscriptionId, mode },
    number: creditNoteNumber(note.invoiceNumber, sequentialId),
    balanceCents: note.creditAmountCents,
    creditStatus: note.creditAmountCents > 0n ? 'available' : 'consumed',
    createdAt: at,
    issuingDate: formatDate(localDate(at, zoneOf(customer, billingEntity))),
  };
}

/**
 * An invoice of which one has a credit note more: its items on its fees, its taxes, what it gave back of too much, and what it takes off what is due.
 * Nothing left to pay, it is paid. Source: engine-money 4.3.
 */
export function withCreditNote<I extends PastInvoice>(invoice: I, note: MadeCreditNote): I {
  const { creditedItems = [], creditNoteTaxesMadeCents = 0n, creditNotesMadeCents = 0n, refundedCents = 0n } = invoice;
  const offset = note.status === 'finalized' ? note.offsetAmountCents : 0n;
  const noted = {
    ...invoice,
    creditNoteRank: Math.max(invoice.creditNoteRank ?? 0, note.sequentialId),
    creditedItems: [...creditedItems, ...note.items],
    refundedCents: refundedCents + note.refundAmountCents,
    offsetCents: (invoice.offsetCents ?? 0n) + offset,
    creditNoteTaxesMadeCents: creditNoteTaxesMadeCents + note.taxesAmountCents,
    creditNotesMadeCents: creditNotesMadeCents + note.subTotalExcludingTaxesAmountCents,
  };
  return offset > 0n && dueOf(noted) === 0n ? { ...noted, paymentStatus: 'succeeded' } : noted;
}
