import type { Change, ChangeKind } from '../../billing/subscription/change.ts';
import type { NewIds } from '../../billing/subscription/issuer.ts';
import type { Actor } from '../../store/access/audit.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';
import { addCreditNote, saveCreditNote } from '../../store/invoice/credit-note-write.ts';
import { addCredits, bookWallet, creditWallet, saveCoupon, saveNoteBalance } from '../../store/invoice/credit-write.ts';
import { type HeldCounters, saveCounters } from '../../store/invoice/invoice-counter.ts';
import { dropNumbers, type InvoiceOwner, takeNumber } from '../../store/invoice/invoice-number.ts';
import { addFees, addInvoices, replaceInvoice, saveSettled, saveVoided } from '../../store/invoice/invoice-write.ts';
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

/** New invoices are stored together, by `makeInvoices`. */
type WrittenKind = Exclude<ChangeKind, 'invoice_made'>;

type Written = { readonly [K in WrittenKind]: (rows: Rows, change: Change<K>, feeIds: FeeIds) => Promise<Changed> };

function learn(feeIds: FeeIds, stored: FeeIds): void {
  for (const [key, id] of stored) feeIds.set(key, id);
}

interface MadeHere {
  readonly rows: Rows;
  readonly change: Change<'invoice_made'>;
  readonly feeIds: FeeIds;
}

/** Stores new invoices together. */
async function makeInvoices(tx: TenantTransaction, made: readonly MadeHere[]): Promise<Changed[]> {
  if (made.length === 0) return [];
  const invoices = made.map(({ rows: { actor, owner }, change: { invoice } }) => ({ actor, owner, invoice }));
  const stored = await addInvoices(tx, invoices);
  for (const [place, { feeIds }] of made.entries()) learn(feeIds, stored[place] ?? new Map());
  await addCredits(tx, invoices);
  return made.map(({ change: { invoice } }) => ({ invoices: [invoice.id] }));
}

/** What each kind of change does to the rows of a customer; `billing/timeline/apply.ts` does the same to values. */
const WRITTEN: Written = {
  async invoice_recomputed({ tx, actor, owner }, { invoice }, feeIds) {
    learn(feeIds, await replaceInvoice(tx, actor, invoice, owner));
    await addCredits(tx, [{ actor, invoice }]);
    return { invoices: [invoice.id] };
  },
  async invoice_settled({ tx, actor }, { invoice }) {
    await saveSettled(tx, actor, invoice);
    return { invoices: [invoice.id] };
  },
  async invoice_voided({ tx, actor }, { invoiceId }) {
    await saveVoided(tx, actor, invoiceId);
    return { invoices: [invoiceId] };
  },
  // `takeNumbers` moves the counters, which are stored together at the end.
  number_taken: () => Promise.resolve({}),
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
  async credit_note_recomputed({ tx, actor }, { note }, feeIds) {
    // Its invoice was computed again before it: a fee that is not among the new ones is gone, and the note has none.
    await saveCreditNote(tx, actor, note, (feeKey) => feeIds.get(feeKey) ?? null);
    return { creditNotes: [note.id] };
  },
  async fee_made({ tx, actor, owner }, { fee: { id, fee }, currency, selfBilled }) {
    await addFees(tx, [{ actor, owner, invoiceId: null, currency, selfBilled, fees: [{ id, fee }] }]);
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

const write = <K extends WrittenKind>(rows: Rows, change: Change<K>, feeIds: FeeIds): Promise<Changed> =>
  WRITTEN[change.kind](rows, change, feeIds);

/** Moves the held counters on by what rules numbered; to be done before the next numbers are given. `applyAll` stores them. */
export function takeNumbers({ held, owner }: Pick<Rows, 'held' | 'owner'>, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.kind === 'number_taken') takeNumber(held, owner, { ...change.numbering, selfBilled: change.selfBilled });
  }
}

/** What rules decided for one customer, whose numbers are taken. */
export interface Decided {
  readonly rows: Rows;
  readonly changes: readonly Change[];
}

/**
 * Stores what rules decided for customers in one transaction, each in its order; says by customer which rows that changed or made. New invoices
 * that are at the same place of several customers are stored together. Numbers are not kept by what is only tried.
 */
export async function applyAll(tx: TenantTransaction, decided: readonly Decided[]): Promise<Changed[]> {
  const works = decided.map((one) => ({ ...one, feeIds: new Map<string, string>(), changed: [] as Changed[] }));
  const longest = Math.max(0, ...decided.map(({ changes }) => changes.length));
  for (let place = 0; place < longest; place += 1) {
    const made: (MadeHere & { readonly changed: Changed[] })[] = [];
    for (const { rows, changes, feeIds, changed } of works) {
      const change = changes[place];
      if (change?.kind === 'invoice_made') made.push({ rows, change, feeIds, changed });
      else if (change) changed.push(await write(rows, change, feeIds));
    }
    const stored = await makeInvoices(tx, made);
    for (const [at, { changed }] of made.entries()) changed.push(stored[at] ?? {});
  }
  const [first] = decided;
  if (first) await saveCounters(tx, first.rows.actor, first.rows.held);
  const all = works.map(({ changed }) => allChanged(changed));
  for (const [at, { rows }] of works.entries()) {
    if ('dryRun' in rows.actor && rows.actor.dryRun) await dropNumbers(tx, rows.actor, all[at]?.invoices ?? []);
  }
  return all;
}

/** The same for one customer, of whom the numbers are taken here. */
export async function applyChanges(rows: Rows, changes: readonly Change[]): Promise<Changed> {
  takeNumbers(rows, changes);
  const [changed = {}] = await applyAll(rows.tx, [{ rows, changes }]);
  return changed;
}
