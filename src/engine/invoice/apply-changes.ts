import type { Change, ChangeKind } from '../../billing/subscription/change.ts';
import type { NewIds } from '../../billing/subscription/issuer.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';
import { addCreditNote, saveCreditNote } from '../../store/invoice/credit-note-write.ts';
import { addCredits, bookWallet, saveCoupon, saveNoteBalance } from '../../store/invoice/credit-write.ts';
import type { HeldCounters } from '../../store/invoice/invoice-counter.ts';
import { type InvoiceOwner, takeNumber } from '../../store/invoice/invoice-number.ts';
import { addInvoice, replaceInvoice } from '../../store/invoice/invoice-write.ts';
import { addUnitEvents, saveSubscription } from '../../store/subscription/subscription-write.ts';

/** Whose rows change, in which transaction; the customer is locked and the counters are held. */
export interface Rows {
  readonly tx: TenantTransaction;
  readonly actor: Actor;
  readonly owner: InvoiceOwner;
  readonly held: HeldCounters;
}

/** Identifiers for rows that are made now. */
export const newIds = (now: Date): NewIds => ({ invoice: () => newId(now), creditNote: () => newId(now) });

/** Identifiers of fees that were stored meanwhile, by their keys; the key of a fee that was loaded is its identifier. */
type FeeIds = Map<string, string>;

type Written = { readonly [K in ChangeKind]: (rows: Rows, change: Change<K>, feeIds: FeeIds) => Promise<void> };

function learn(feeIds: FeeIds, stored: FeeIds): void {
  for (const [key, id] of stored) feeIds.set(key, id);
}

/** What each kind of change does to the rows of a customer; `billing/timeline/apply.ts` does the same to values. */
const WRITTEN: Written = {
  async invoice_made({ tx, actor, owner }, { invoice }, feeIds) {
    learn(feeIds, await addInvoice(tx, actor, invoice, owner));
    await addCredits(tx, actor, invoice);
  },
  async invoice_recomputed({ tx, actor, owner }, { invoice }, feeIds) {
    learn(feeIds, await replaceInvoice(tx, actor, invoice, owner));
    await addCredits(tx, actor, invoice);
  },
  number_taken: ({ tx, actor, held, owner }, { numbering, selfBilled }) =>
    takeNumber(tx, actor, held, owner, { ...numbering, selfBilled }),
  coupon_used: ({ tx, actor }, { coupon }) => saveCoupon(tx, actor, coupon),
  credit_note_used: ({ tx }, { note }) => saveNoteBalance(tx, note),
  wallet_used: ({ tx, actor }, change) => bookWallet(tx, actor, change),
  credit_note_made: ({ tx, actor, owner }, { note }, feeIds) =>
    addCreditNote(tx, actor, note, { customerId: owner.customerId, feeId: feeIds.get(note.feeKey) ?? note.feeKey }),
  credit_note_finalized: ({ tx }, { note }, feeIds) => saveCreditNote(tx, note, feeIds.get(note.feeKey) ?? note.feeKey),
  subscription_changed: ({ tx, actor }, { subscriptionId, members }) =>
    saveSubscription(tx, actor, subscriptionId, members),
  units_changed: ({ tx, actor }, change) => addUnitEvents(tx, actor, [change]),
};

const write = <K extends ChangeKind>(rows: Rows, change: Change<K>, feeIds: FeeIds): Promise<void> =>
  WRITTEN[change.kind](rows, change, feeIds);

/** Stores what rules decided, in its order. */
export async function applyChanges(rows: Rows, changes: readonly Change[]): Promise<void> {
  const feeIds: FeeIds = new Map();
  for (const change of changes) await write(rows, change, feeIds);
}
