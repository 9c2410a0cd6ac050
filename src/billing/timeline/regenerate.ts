import type { PlanChargeInput } from '../catalogue/plan.ts';
import { notFound } from '../errors.ts';
import type { AddOnInput } from '../fee/add-on-fee.ts';
import type { FeeEdit } from '../fee/draft-fee.ts';
import { type EditedCharge, editFee, editPlanFee, isSamePlace, type PlacedEdit } from '../fee/edited-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { Trace } from '../fee/step.ts';
import { chooseTaxes } from '../fee/tax-source.ts';
import type { CreditNoteInput } from '../invoice/credit-input.ts';
import { checkFeeEdit, type ListedFee } from '../invoice/edited-draft.ts';
import { checkListedFees, checkRegeneration } from '../invoice/invoice-write.ts';
import { nextNumber } from '../invoice/numbering.ts';
import type { MadeInvoice } from '../subscription/change.ts';
import { settle, withExcess } from '../subscription/issuer.ts';
import { subscriptionFees } from '../subscription/subscription-fees.ts';
import { accountOf } from './account.ts';
import { afterChanges, withMade } from './apply.ts';
import { idsOf } from './make.ts';
import { billingOf, recomputed } from './recompute.ts';
import type { TimelineState, TimelineStep } from './timeline-type.ts';

type RegenerateStep = Extract<TimelineStep, { do: 'regenerate_invoice' }>;

/** The same fee, found. */
type FoundFee = Omit<ListedFee, 'price'> & { readonly place: PlacedEdit['place'] };

/**
 * An invoice is made anew of a voided one, final at once: for its periods and with its dates, under a number of its own. It has the fees that are
 * listed, the others are dropped; taxes, coupons, credit notes and wallets are those of now. Throws a RangeError for an id the timeline does not know,
 * `object_not_found` for a fee or price, and what `checkRegeneration`, `checkListedFees` and `checkFeeEdit` refuse. Voided at 58.00 and made anew with
 * 5 units at 20.00: 100.00. Source: engine-money 2.9.
 */
export function regenerateInvoice(
  state: TimelineState,
  { invoiceId, fees, addOns, at }: RegenerateStep,
): TimelineState {
  const voided = state.invoices.find(({ id }) => id === invoiceId);
  if (!voided) throw new RangeError(`no invoice ${invoiceId} in the timeline`);
  checkRegeneration(
    voided,
    state.invoices.some(({ voidedInvoiceId }) => voidedInvoiceId === invoiceId),
  );
  const listed = fees?.map((one) => foundIn(state, voided, one)) ?? voided.fees.map(asItIs);
  checkListedFees(voided, listed, (one) => checkEdit(state, voided, one));
  const anew = listed.map((one) => {
    const fee = feeAnew(state, voided, one);
    if (!fee) throw notFound('fee');
    return { ...fee, taxes: taxesOfNow(state, fee, addOns), originalFeeKey: one.feeKey };
  });
  const ids = idsOf(state);
  const bare: MadeInvoice = { ...voided, ...UNTOUCHED, id: ids.invoice(), voidedInvoiceId: invoiceId, fees: anew };
  const instead = { ...state, invoices: withMade(state.invoices, bare) };
  const compute = (creditNotes: readonly CreditNoteInput[]) => recomputed({ ...instead, creditNotes }, bare, true);
  const { invoice: again, made } = withExcess(accountOf(instead, bare), at, ids, compute);
  const { netPaymentTerm, expectedFinalizationDate } = voided;
  const dated = { ...again, netPaymentTerm, expectedFinalizationDate };
  const invoice = { ...dated, ...nextNumber(state.billingEntity, state.customer, state.ranks, dated, at) };
  return afterChanges(state, [...made, { kind: 'invoice_made', invoice }, ...settle(invoice)]);
}

const asItIs = (fee: InvoiceFee): FoundFee => ({ feeKey: fee.key, place: fee, edit: null });

/** The fee of a voided invoice, or the price, that is meant. Throws `object_not_found`. */
function foundIn(state: TimelineState, voided: MadeInvoice, { feeKey, price, edit }: ListedFee): FoundFee {
  const { subscriptionId, chargeId, filterId, fixedChargeId } = price;
  if (feeKey !== null || (chargeId === null && fixedChargeId === null)) {
    const fee = voided.fees.find(({ key }) => key === feeKey);
    if (!fee) throw notFound('fee');
    return { feeKey, place: fee, edit };
  }
  if (!voided.billingPeriods.some((period) => period.subscriptionId === subscriptionId)) throw notFound('subscription');
  const type = chargeId === null ? ('fixed_charge' as const) : ('charge' as const);
  const ofCharge = chargeId === null ? { filterId: null, fixedChargeId } : { filterId, fixedChargeId: null };
  const place = { subscriptionId, type, chargeId, ...ofCharge, groupedBy: {} };
  const named = priceOf(state, place);
  if (!named) throw notFound(type);
  if (ofCharge.filterId !== null && !named.filters?.some(({ id }) => id === filterId)) throw notFound('charge_filter');
  return { feeKey: null, place, edit: edit ?? NO_EDIT };
}

const NO_EDIT: FeeEdit = { units: null, preciseUnitAmount: null, invoiceDisplayName: null };

function checkEdit(state: TimelineState, voided: MadeInvoice, { feeKey, place, edit }: FoundFee): void {
  const fee = voided.fees.find(({ key }) => key === feeKey);
  const { model = null, prorated = false } = priceOf(state, place) ?? {};
  const isTrueUp = fee !== undefined && fee.trueUpParentKey !== null;
  if (edit) checkFeeEdit(edit, { type: place.type, isTrueUp, isEdited: false, model, prorated });
}

/** What nothing has happened to yet. Without a recipe its fees are not made anew when its taxes come later. */
const UNTOUCHED = {
  recipe: [],
  taxStatus: 'succeeded',
  ...{ totalPaidAmountCents: 0n, refundedCents: 0n, offsetCents: 0n, alreadyCreditedCents: 0n },
  ...{ creditNoteRank: 0, creditNotesMadeCents: 0n, creditNoteTaxesMadeCents: 0n, creditedItems: [] },
} as const;

/**
 * A fee of an invoice that is made anew, before taxes; undefined where the voided invoice has no such fee, and bills no such price. What is changed by
 * hand is priced by the prices of now.
 */
export function feeAnew(
  state: TimelineState,
  voided: MadeInvoice,
  { feeKey, place, edit }: FoundFee,
  trace?: Trace,
): InvoiceFee | undefined {
  const { currency, billingPeriods } = voided;
  const fee = voided.fees.find(({ key }) => key === feeKey);
  const price = priceOf(state, place);
  if (fee && edit) return price ? editFee(fee, price, currency, edit, trace) : editPlanFee(fee, currency, edit, trace);
  const billed = billingPeriods.find(({ subscriptionId }) => subscriptionId === place.subscriptionId);
  if (feeKey !== null || !edit || !billed) return fee;
  const billing = billingOf(state, voided, [{ place, edit }]);
  const fees = subscriptionFees({ ...billing(billed.subscriptionId, billed.reason), trace }, accountOf(state, voided));
  return fees.find((one) => one.edit !== null && isSamePlace(one, place));
}

const planOf = ({ subscriptions }: TimelineState, { subscriptionId }: Pick<InvoiceFee, 'subscriptionId'>) =>
  subscriptions.find(({ id }) => id === subscriptionId)?.plan;

type Price = EditedCharge & Partial<Pick<PlanChargeInput, 'prorated' | 'filters' | 'taxes'>>;

/** The prices that a usage fee or a fixed charge has by now; undefined for another fee, and where there are none any more. */
function priceOf(state: TimelineState, place: PlacedEdit['place']): Price | undefined {
  const { charges = [], fixedCharges = [] } = planOf(state, place) ?? {};
  const charge = charges.find(({ id }) => id === place.chargeId);
  const filter = charge?.filters.find(({ id }) => id === place.filterId);
  if (charge) return { ...charge, properties: filter?.properties ?? charge.properties };
  return fixedCharges.find(({ id }) => id === place.fixedChargeId);
}

/** The taxes of a fee as they are now: its own first. Source: invoicing 11. */
function taxesOfNow(state: TimelineState, fee: InvoiceFee, addOns: readonly AddOnInput[]) {
  const { customer, billingEntity } = state;
  const plan = planOf(state, fee);
  const sold = fee.type === 'add_on' ? addOns.find(({ id }) => id === fee.addOnId)?.taxes : undefined;
  const own = fee.type === 'commitment' ? plan?.commitment?.taxes : (priceOf(state, fee)?.taxes ?? sold);
  const common = { customer: customer.taxes, billingEntity: billingEntity.taxes };
  return chooseTaxes({ ...(own && { own }), ...(plan && { plan: plan.taxes }), ...common });
}
