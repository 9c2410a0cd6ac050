import type { PlanChargeInput } from '../catalogue/plan.ts';
import { isSamePlace, type PlacedEdit } from '../fee/edited-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { targetWalletOf } from '../fee/target-wallet.ts';
import { withCommonTaxes } from '../fee/tax-source.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import { editsOf } from '../invoice/edited-draft.ts';
import { isOpen } from '../invoice/final-status.ts';
import type { InvoicingReason } from '../invoice/issued-invoice.ts';
import { dec, ZERO } from '../money/decimal.ts';
import type { BilledSubscription } from '../subscription/billed-subscription.ts';
import type { MadeCreditNote, MadeInvoice } from '../subscription/change.ts';
import { running } from '../subscription/invoice-request.ts';
import { issueInvoice } from '../subscription/issue.ts';
import { feeOwner, planFee } from '../subscription/subscription-fees.ts';
import { terminationCreditNote } from '../subscription/termination.ts';
import { accountOf, billedIn, inZoneOf } from './account.ts';
import { afterChanges } from './apply.ts';
import type { TimelineState } from './timeline-type.ts';

/** Who is billed again. */
type Billing = (subscriptionId: string, reason: InvoicingReason) => BilledSubscription;

/** Subscriptions as an invoice bills them again, with what was changed by hand on its fees. */
export const billingOf =
  (state: TimelineState, invoice: MadeInvoice, edits: readonly PlacedEdit[]): Billing =>
  (subscriptionId, reason) => ({
    ...billedIn(state, subscriptionId, invoice.billedAt, reason, invoice),
    edits: edits.filter(({ place }) => place.subscriptionId === subscriptionId),
  });

/**
 * An invoice that is not final as it is computed with the data of this moment, with its dates. `edits`: what is changed by hand on its fees from
 * now on; absent: what is already. Source: invoicing 14.
 */
export function recomputed(
  now: TimelineState,
  draft: MadeInvoice,
  final: boolean,
  edits?: readonly PlacedEdit[],
): MadeInvoice {
  const state = inZoneOf(now, draft);
  const isOfRun = draft.recipe.length > 0;
  const billing = billingOf(state, draft, edits ?? editsOf(draft));
  const subscriptions = (isOfRun ? draft.recipe : draft.billingPeriods).map(({ subscriptionId, reason }) => {
    const billed = billing(subscriptionId, reason);
    return reason.startsWith('subscription_') ? billed : running(billed);
  });
  const account = accountOf(state, draft);
  const result = issueInvoice(account, {
    ...{ at: draft.billedAt, subscriptions, final, gated: draft.status === 'open' },
    ...{ type: draft.type, currency: draft.currency, appliedThresholds: draft.appliedThresholds },
    voidedInvoiceId: draft.voidedInvoiceId,
    ...(isOfRun ? {} : { fees: feesAgain(state, draft, account, edits && billing) }),
  });
  const billingPeriods = isOfRun ? result.billingPeriods : draft.billingPeriods;
  return {
    ...draft,
    ...result,
    billingPeriods,
    issuingDate: draft.issuingDate,
    paymentDueDate: draft.paymentDueDate,
  };
}

/**
 * The fees that an invoice was made with, where it is not of a run that makes them anew; taxed by now where their taxes were waited for. Those of
 * a plan alone are computed with `billing`, where what is changed by hand is another.
 */
function feesAgain(
  { subscriptions }: TimelineState,
  draft: MadeInvoice,
  account: CustomerAccount,
  billing: Billing | undefined,
): InvoiceFee[] {
  const charges = new Map(
    subscriptions.flatMap(({ plan }) => plan.charges.map((charge) => [charge.id, charge] as const)),
  );
  const fees = draft.fees.map((fee) => {
    const { type, subscriptionId, chargeId } = fee;
    const billed =
      type === 'subscription' && subscriptionId ? billing?.(subscriptionId, 'subscription_starting') : null;
    return billed ? planFee(billed, feeOwner(billed, account)) : withoutCredits(fee, charges.get(chargeId ?? ''));
  });
  return draft.taxStatus === 'pending' ? withCommonTaxes(fees, account) : fees;
}

/** A fee as it was before its invoice credited and taxed it. */
function withoutCredits(fee: InvoiceFee, charge: PlanChargeInput | undefined): InvoiceFee {
  return {
    ...fee,
    targetWalletCode: fee.targetWalletCode ?? (charge ? targetWalletOf(fee, charge) : null),
    preciseCouponsAmountCents: ZERO,
    preciseCreditNotesAmountCents: ZERO,
  };
}

/** What an invoice has of credit notes before any was made on it. */
export const WITHOUT_NOTES = {
  ...{ creditedItems: [], creditNoteTaxesMadeCents: 0n, creditNotesMadeCents: 0n, refundedCents: 0n },
  offsetCents: 0n,
};

/** What is left of a note when its invoice bills nothing of it any more. */
export const NOTHING = {
  couponsAdjustmentCents: ZERO,
  subTotalExcludingTaxesAmountCents: 0n,
  taxesAmountCents: 0n,
  totalAmountCents: 0n,
  creditAmountCents: 0n,
  refundAmountCents: 0n,
  offsetAmountCents: 0n,
};

/**
 * The draft notes of an invoice that was computed again: each stands on the fee that took the place of its own, of which it gives back the part that it
 * gave back before, and becomes final with the invoice. 1900 of 2100 are 3800 of 4200. `before`: the invoice as it was. Source: engine-money 2.6
 * and 2.7, invoicing 12.2.
 */
export function notesAgain(state: TimelineState, before: MadeInvoice): TimelineState {
  const notes = state.madeNotes.filter(({ invoiceId, status }) => invoiceId === before.id && status === 'draft');
  return notes.reduce((changed, note) => noteAgain(changed, before, note), state);
}

function noteAgain(state: TimelineState, before: MadeInvoice, note: MadeCreditNote): TimelineState {
  const invoice = state.invoices.find(({ id }) => id === note.invoiceId);
  if (!invoice) return state;
  const { amounts, items } = contentAgain(state, before, note) ?? {
    amounts: { ...NOTHING, taxesRate: note.taxesRate },
    items: note.items.map(({ feeKey }) => ({
      feeKey: successorOf(before, invoice, feeKey)?.key ?? feeKey,
      preciseAmountCents: ZERO,
    })),
  };
  const again: MadeCreditNote = {
    ...note,
    ...amounts,
    items,
    number: note.number.replace(note.invoiceNumber, invoice.number),
    invoiceNumber: invoice.number,
    status: isOpen(invoice) ? 'draft' : 'finalized',
    balanceCents: amounts.creditAmountCents,
    creditStatus: amounts.creditAmountCents > 0n ? 'available' : 'consumed',
  };
  return afterChanges(state, [{ kind: 'credit_note_recomputed', note: again }]);
}

function contentAgain(state: TimelineState, before: MadeInvoice, note: MadeCreditNote) {
  if (note.subscriptionId === null) return null;
  const billed = billedIn(state, note.subscriptionId, note.createdAt, 'subscription_terminating');
  const made = terminationCreditNote(billed, note.mode, (fee) => partAgain(before, note, fee));
  if (made === null || made.invoiceId !== note.invoiceId) return null;
  const { feeKey, itemPreciseAmountCents: preciseAmountCents, ...amounts } = made;
  return { amounts, items: [{ feeKey, preciseAmountCents }] };
}

/**
 * What a note gives back of a fee that was changed by hand and took the place of its own: the same part. Null where its own was nothing, which says
 * no part, and where the rule says how much, which is the same part and exact.
 */
function partAgain(before: MadeInvoice, { items: [item] }: MadeCreditNote, fee: InvoiceFee) {
  const own = before.fees.find(({ key }) => key === item?.feeKey);
  if (fee.edit?.units == null || !item || !own || own.amountCents <= 0n || item.preciseAmountCents.lte(ZERO))
    return null;
  return item.preciseAmountCents.times(dec(fee.amountCents)).div(dec(own.amountCents));
}

/** The fee that took the place of another: whether its key is the same depends on where it was made. */
function successorOf(before: MadeInvoice, after: MadeInvoice, feeKey: string): InvoiceFee | undefined {
  const own = before.fees.find(({ key }) => key === feeKey);
  return after.fees.find(
    (fee) => fee.key === feeKey || (own && fee.subscriptionId === own.subscriptionId && isSamePlace(fee, own)),
  );
}
