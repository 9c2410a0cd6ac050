import { accountOf, inZoneOf } from '../timeline/account.ts';
import type { TimelineState } from '../timeline/timeline-type.ts';
import { compareFees, feeDifferences } from './compare.ts';
import { type Difference, textOf } from './difference.ts';
import { eventAgain, type UnaskedReason } from './made-again.ts';
import { verifyNotes } from './verify-note.ts';
import { notTheSum } from './verify-sum.ts';

/**
 * How many figures were not asked again, by the reason; `wallet_gave`: how much a wallet gave, which follows from all that it held then. `note_by_hand`:
 * credit notes that no rule made, or of fees that were changed by hand.
 */
export type Unasked = Readonly<Partial<Record<UnaskedReason | 'wallet_gave' | 'note_by_hand', number>>>;

/** What came out of an invoice that was computed again, and how many of its figures were not asked again, by the reason. */
export interface Verified {
  readonly differences: readonly Difference[];
  readonly unasked: Unasked;
}

/**
 * Computes an invoice again from what is known of its customer, by the rules that made it, and tells every figure that comes out otherwise.
 * First what its fees come to, from usage and prices, then what follows from the fees that are there, then the credit notes on it: one wrong figure
 * is not told twice. An
 * invoice that is no more computed than stored (a draft) has no differences. Throws a RangeError for an id the timeline does not know.
 */
export function verifyInvoice(state: TimelineState, id: string): Verified {
  const invoice = state.invoices.find((one) => one.id === id);
  if (!invoice) throw new RangeError(`no invoice ${id} in the timeline`);
  if (invoice.status === 'draft') return { differences: [], unasked: {} };
  const then = inZoneOf(state, invoice);
  const { differences, unasked } = compareFees(then, invoice);
  const given = invoice.walletUses.length;
  const notes = verifyNotes(state, invoice);
  const counts: Partial<Record<keyof Unasked, number>> = {
    ...(given > 0 && { wallet_gave: given }),
    ...(notes.byHand > 0 && { note_by_hand: notes.byHand }),
  };
  for (const reason of unasked.values()) counts[reason] = (counts[reason] ?? 0) + 1;
  const all = [...differences, ...notTheSum(then, invoice), ...notes.differences];
  return { differences: all.map((one) => ({ invoiceId: id, ...one })), unasked: counts };
}

/**
 * The same of the fees of single events that are on no invoice: each from its event and the usage before it. A difference names its fee in place of
 * an invoice.
 */
export function verifyLooseFees(state: TimelineState): Verified {
  const counts: Partial<Record<keyof Unasked, number>> = {};
  const account = accountOf(state);
  const differences = state.fees.flatMap(({ id, fee }): Difference[] => {
    const again = eventAgain(state, account, fee);
    if (typeof again === 'string') {
      counts[again] = (counts[again] ?? 0) + 1;
      return [];
    }
    const [computed] = again;
    if (!computed) {
      const figure = `${fee.item.code}.amountCents`;
      return [
        { invoiceId: id, figure, stored: textOf(fee.amountCents), computed: '', reason: 'fee_unexpected' as const },
      ];
    }
    const found = feeDifferences(fee, computed);
    return found.map((one) => ({ invoiceId: id, ...one, figure: `${fee.item.code}.${one.figure}` }));
  });
  return { differences, unasked: counts };
}
