import type { Change, ChangeKind } from '../../billing/subscription/change.ts';
import type { NewIds } from '../../billing/subscription/issuer.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';
import { addCreditNote, saveCreditNote } from '../../store/invoice/credit-note-write.ts';
import { addCredits, bookWallet, creditWallet, saveCoupon, saveNoteBalance } from '../../store/invoice/credit-write.ts';
import type { HeldCounters } from '../../store/invoice/invoice-counter.ts';
import { dropNumbers, type InvoiceOwner, takeNumber } from '../../store/invoice/invoice-number.ts';
import { addFees, addInvoice, replaceInvoice, saveVoided } from '../../store/invoice/invoice-write.ts';
import { addUnitEvents, saveSubscription } from '../../store/subscription/subscription-write.ts';
import { allChanged, type Changed } from '../changed.ts';

/** Whose rows change, in which transaction; the customer is locked and the counters are held. */
export interface Rows {
  readonly tx: TenantTransaction;
  readonly actor: Actor;
  readonly owner: InvoiceOwner;
  readonly held: HeldCounters;
}

/** Identifiers for rows that are made now. */
export const newIds = (now: Date): NewIds => ({
  invoice: () => newId(now),
  creditNote: () => newId(now),
  fee: () => newId(now),
  walletCredit: () => newId(now),
});

/** Identifiers of fees that were stored meanwhile, by their keys; the key of a fee that was loaded is its identifier. */
type FeeIds = Map<string, string>;

type Written = { readonly [K in ChangeKind]: (rows: Rows, change: Change<K>, feeIds: FeeIds) => Promise<Changed> };

function learn(feeIds: FeeIds, stored: FeeIds): void {
  for (const [key, id] of stored) feeIds.set(key, id);
}

/** What each kind of change does to the rows of a customer; `billing/timeline/apply.ts` does the same to values. */
const WRITTEN: Written = {
  async invoice_made({ tx, actor, owner }, { invoice }, feeIds) {
    learn(feeIds, await addInvoice(tx, actor, invoice, owner));
    await addCredits(tx, actor, invoice);
    return { invoices: [invoice.id] };
  },
  async invoice_recomputed({ tx, actor, owner }, { invoice }, feeIds) {
    learn(feeIds, await replaceInvoice(tx, actor, invoice, owner));
    await addCredits(tx, actor, invoice);
    return { invoices: [invoice.id] };
  },
  async invoice_voided({ tx, actor }, { invoiceId }) {
    await saveVoided(tx, actor, invoiceId);
    return { invoices: [invoiceId] };
  },
  async number_taken({ tx, actor, held, owner }, { numbering, selfBilled }) {
    await takeNumber(tx, actor, held, owner, { ...numbering, selfBilled });
    return {};
  },
  async coupon_used({ tx, actor }, { coupon }) {
    await saveCoupon(tx, actor, coupon);
    return { appliedCoupons: [coupon.id] };
  },
  async credit_note_used({ tx }, { note }) {
    await saveNoteBalance(tx, note);
    return { creditNotes: [note.id] };
  },
  async wallet_used({ tx, actor }, change) {
    const booked = await bookWallet(tx, actor, change);
    return { wallets: [change.use.walletId], walletTransactions: [booked] };
  },
  async wallet_given_back({ tx, actor }, change) {
    await creditWallet(tx, actor, change);
    return { wallets: [change.use.walletId], walletTransactions: [change.inboundId] };
  },
  async credit_note_made({ tx, actor, owner }, { note }, feeIds) {
    await addCreditNote(tx, actor, note, owner.customerId, (feeKey) => feeIds.get(feeKey) ?? feeKey);
    return { creditNotes: [note.id] };
  },
  async credit_note_finalized({ tx }, { note }, feeIds) {
    // Its invoice was computed again before it: a fee that is not among the new ones is gone, and the note with it.
    await saveCreditNote(tx, note, (feeKey) => feeIds.get(feeKey) ?? null);
    return { creditNotes: [note.id] };
  },
  async fee_made({ tx, actor, owner }, { fee: { id, fee }, currency, selfBilled }) {
    await addFees(tx, actor, { invoiceId: null, currency, selfBilled, fees: [{ id, fee }] }, owner);
    return {};
  },
  async fees_gathered({ tx }, { invoiceId, feeIds: ids }) {
    await tx.fee.updateMany({ where: { id: { in: [...ids] } }, data: { invoiceId } });
    return {};
  },
  async subscription_changed({ tx, actor }, { subscriptionId, members }) {
    await saveSubscription(tx, actor, subscriptionId, members);
    return { subscriptions: [subscriptionId] };
  },
  async units_changed({ tx, actor }, change) {
    const fixedChargeUnitsEvents = await addUnitEvents(tx, actor, [change]);
    return { fixedChargeUnitsEvents, subscriptions: [change.subscriptionId] };
  },
};

const write = <K extends ChangeKind>(rows: Rows, change: Change<K>, feeIds: FeeIds): Promise<Changed> =>
  WRITTEN[change.kind](rows, change, feeIds);

/** Stores what rules decided, in its order; says which rows that changed or made. Numbers are not kept by what is only tried. */
export async function applyChanges(rows: Rows, changes: readonly Change[]): Promise<Changed> {
  const feeIds: FeeIds = new Map();
  const changed: Changed[] = [];
  for (const change of changes) changed.push(await write(rows, change, feeIds));
  const all = allChanged(changed);
  if ('dryRun' in rows.actor && rows.actor.dryRun) await dropNumbers(rows.tx, rows.actor, all.invoices ?? []);
  return all;
}
