import type { Change, MadeInvoice } from '../subscription/change.ts';
import { numberedNote, withCreditNote } from '../subscription/issuer.ts';
import { accountOf } from './account.ts';
import { afterChanges } from './apply.ts';
import { idsOf } from './make.ts';
import type { TimelineState, TimelineStep } from './timeline-type.ts';
import { checkVoid, couponGivenBack, noteGivenBack, type VoidNote, voidNotes, walletGivenBack } from './void-note.ts';

type VoidStep = Extract<TimelineStep, { do: 'void_invoice' }>;

/**
 * A final invoice is to be none: coupons that it used are given back. Without a credit note, credit notes and wallets get back what they paid;
 * with one, that note is all that is given back. Throws a RangeError for an id the timeline does not know, and what `checkVoid` refuses.
 * Source: engine-money 2.8.
 */
export function voidInvoice(state: TimelineState, { invoiceId, creditNote, at }: VoidStep): TimelineState {
  const invoice = state.invoices.find(({ id }) => id === invoiceId);
  if (!invoice) throw new RangeError(`no invoice ${invoiceId} in the timeline`);
  checkVoid(invoice, creditNote);
  const voided = afterChanges(state, [{ kind: 'invoice_voided', invoiceId }, ...couponsBack(state, invoice)]);
  if (creditNote) return withNotes(voided, invoice, creditNote, at);
  return afterChanges(voided, paymentsBack(state, invoice, at));
}

/** Credit notes and wallets get back what they paid of an invoice. */
const paymentsBack = (state: TimelineState, invoice: MadeInvoice, at: number): Change[] => [
  ...notesBack(state, invoice),
  ...walletsBack(state, invoice, at),
];

/** All that an invoice used of its customer's is given back, before it is computed once more from the ground. */
export const usesBack = (state: TimelineState, invoice: MadeInvoice, at: number): Change[] => [
  ...couponsBack(state, invoice),
  ...paymentsBack(state, invoice, at),
];

function couponsBack({ coupons }: TimelineState, { credits }: MadeInvoice): Change[] {
  return credits.flatMap((line) => {
    const coupon = line.type === 'coupon' ? coupons.find(({ id }) => id === line.sourceId) : undefined;
    return coupon ? [{ kind: 'coupon_used' as const, coupon: couponGivenBack(coupon, line) }] : [];
  });
}

function notesBack({ creditNotes }: TimelineState, { credits }: MadeInvoice): Change[] {
  return credits.flatMap((line) => {
    const note = line.type === 'credit_note' ? creditNotes.find(({ id }) => id === line.sourceId) : undefined;
    return note ? [{ kind: 'credit_note_used' as const, note: noteGivenBack(note, line) }] : [];
  });
}

function walletsBack(state: TimelineState, { id: invoiceId, currency, walletUses }: MadeInvoice, at: number): Change[] {
  const ids = idsOf(state);
  return walletUses.flatMap((use) => {
    const wallet = state.wallets.find(({ id, status }) => id === use.walletId && status === 'active');
    if (!wallet) return [];
    const inboundId = ids.walletCredit();
    const after = walletGivenBack(wallet, use, { id: inboundId, at });
    return [{ kind: 'wallet_given_back' as const, invoiceId, currency, use, inboundId, wallet: after }];
  });
}

function withNotes(state: TimelineState, invoice: MadeInvoice, note: VoidNote, at: number): TimelineState {
  const { given, rest } = voidNotes(invoice, note);
  const ids = idsOf(state);
  let noted: MadeInvoice = invoice;
  const contents = [...given.map((one) => ({ one, isVoid: false })), ...rest.map((one) => ({ one, isVoid: true }))];
  const made = contents.map(({ one, isVoid }): Change => {
    const origin = { at, id: ids.creditNote(), subscriptionId: null, mode: 'credit' as const };
    const numbered = numberedNote(accountOf(state), noted, one, origin);
    noted = withCreditNote(noted, numbered);
    const ended = isVoid ? { balanceCents: 0n, creditStatus: 'voided' as const } : {};
    return { kind: 'credit_note_made', note: { ...numbered, ...ended } };
  });
  return afterChanges(state, made);
}
