import type { TimelineState } from '../timeline/timeline-type.ts';
import { compareFees } from './compare.ts';
import type { Difference } from './difference.ts';
import type { UnaskedReason } from './made-again.ts';
import { notTheSum } from './verify-sum.ts';

/** How many figures were not asked again, by the reason; `wallet_gave`: how much a wallet gave, which follows from all that it held then. */
export type Unasked = Readonly<Partial<Record<UnaskedReason | 'wallet_gave', number>>>;

/** What came out of an invoice that was computed again, and how many of its figures were not asked again, by the reason. */
export interface Verified {
  readonly differences: readonly Difference[];
  readonly unasked: Unasked;
}

/**
 * Computes an invoice again from what is known of its customer, by the rules that made it, and tells every figure that comes out otherwise.
 * First what its fees come to, from usage and prices, then what follows from the fees that are there: one wrong figure is not told twice. An
 * invoice that is no more computed than stored (a draft) has no differences. Throws a RangeError for an id the timeline does not know.
 */
export function verifyInvoice(state: TimelineState, id: string): Verified {
  const invoice = state.invoices.find((one) => one.id === id);
  if (!invoice) throw new RangeError(`no invoice ${id} in the timeline`);
  if (invoice.status === 'draft') return { differences: [], unasked: {} };
  const { differences, unasked } = compareFees(state, invoice);
  const given = invoice.walletUses.length;
  const counts: Partial<Record<keyof Unasked, number>> = given > 0 ? { wallet_gave: given } : {};
  for (const reason of unasked.values()) counts[reason] = (counts[reason] ?? 0) + 1;
  const all = [...differences, ...notTheSum(state, invoice)];
  return { differences: all.map((one) => ({ invoiceId: id, ...one })), unasked: counts };
}
