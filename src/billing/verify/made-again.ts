import type { UnitEvent } from '../customer/subscription.ts';
import { placeKey } from '../fee/edited-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { roundFee } from '../fee/rounding.ts';
import { amountSteps, type Trace } from '../fee/step.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import { placedEdits } from '../invoice/edited-draft.ts';
import type { Instant } from '../period/calendar.ts';
import type { MadeInvoice } from '../subscription/change.ts';
import { fixedIncreaseFee } from '../subscription/fixed-fees.ts';
import { eventRequest } from '../subscription/invoice-request.ts';
import { feeOwner, planFee, subscriptionFees } from '../subscription/subscription-fees.ts';
import { usageSoFar } from '../subscription/usage-fees.ts';
import { accountOf, billedIn } from '../timeline/account.ts';
import { billingOf } from '../timeline/recompute.ts';
import type { TimelineState } from '../timeline/timeline-type.ts';

/** Why a fee is not made again, or its units are not: they follow from what drafts said that are final now; its event is not stored any more, its charge or subscription is not, or nothing says at which moment it was renewed. */
export type UnaskedReason = 'units_paid_before' | 'event_gone' | 'price_gone' | 'renewed' | 'sold_elsewhere';

/** Fees as they come out now, and those that are not asked again, or not wholly. */
export interface MadeAgain {
  readonly fees: readonly InvoiceFee[];
  readonly unasked: ReadonlyMap<InvoiceFee, UnaskedReason>;
}

/** What tells a fee from the others of its invoice, whenever it is made. */
export const identityOf = (fee: InvoiceFee): string =>
  JSON.stringify([
    ...[placeKey(fee), fee.subscriptionId, fee.addOnId, fee.trueUpParentKey !== null],
    ...[fee.eventTransactionId, fee.type === 'add_on' || fee.type === 'credit' ? fee.key : null],
  ]);

/** Up to when units of fixed charges were recorded: how many of one charge at the moment itself, where several things happened at it. */
export interface UnitsKnown {
  readonly at: Instant;
  readonly atOnce: number;
}

/** The subscriptions as they were when no units of fixed charges were recorded later. */
function unitsKnown(state: TimelineState, { at, atOnce }: UnitsKnown): TimelineState {
  const knownOf = (units: readonly UnitEvent[]) => {
    const before = units.filter(({ createdAt }) => createdAt < at);
    return [...before, ...units.filter(({ createdAt }) => createdAt === at).slice(0, atOnce)];
  };
  const subscriptions = state.subscriptions.map((one) => {
    const histories = Object.entries(one.unitEvents ?? {}).map(([id, units]) => [id, knownOf(units)] as const);
    return { ...one, unitEvents: Object.fromEntries(histories.filter(([, units]) => units.length > 0)) };
  });
  return { ...state, subscriptions };
}

/** Fees of a billing run, with units that were known. */
export function runAgain(state: TimelineState, invoice: MadeInvoice, units: UnitsKnown, trace?: Trace): InvoiceFee[] {
  const known = unitsKnown(state, units);
  const account = accountOf(known, invoice);
  const billing = billingOf(known, invoice, placedEdits(invoice.fees));
  return invoice.recipe.flatMap(({ subscriptionId, reason }) =>
    subscriptionFees({ ...billing(subscriptionId, reason), trace }, account),
  );
}

/** The usage that a progressive invoice billed. */
function progressAgain(state: TimelineState, invoice: MadeInvoice, trace?: Trace): InvoiceFee[] {
  const account = accountOf(state, invoice);
  return invoice.billingPeriods.flatMap(({ subscriptionId }) => {
    const billed = { ...billedIn(state, subscriptionId, invoice.billedAt, 'progressive_billing', invoice), trace };
    return usageSoFar(billed, account.usage, feeOwner(billed, account));
  });
}

/** What was sold, or bought, says itself how much of it at which price. */
function soldAgain(fee: InvoiceFee, currency: string, trace?: Trace): InvoiceFee {
  const { units, preciseUnitAmount: unitAmount } = fee;
  const amount = units.times(unitAmount);
  trace?.(fee.key, amountSteps([{ kind: 'units', units, unitAmount, amount }], { currency }));
  return { ...fee, ...roundFee(amount, unitAmount, { currency }) };
}

/** The fee of one event in advance, from the event and the usage before it. */
export function eventAgain(
  state: TimelineState,
  account: CustomerAccount,
  fee: InvoiceFee,
  trace?: Trace,
): readonly InvoiceFee[] | UnaskedReason {
  const subscription = state.subscriptions.find(({ id }) => id === fee.subscriptionId);
  const charge = subscription?.plan.charges.find(({ id }) => id === fee.chargeId);
  if (!subscription || !charge) return 'price_gone';
  if (fee.eventTransactionId === null) return 'renewed';
  const event = state.events.find(
    ({ transactionId, externalSubscriptionId, metricCode }) =>
      transactionId === fee.eventTransactionId &&
      externalSubscriptionId === subscription.externalId &&
      metricCode === charge.metric.code,
  );
  if (!event) return 'event_gone';
  return eventRequest(account, subscription, charge, event, trace)?.fees ?? [];
}

function looseAgain(
  state: TimelineState,
  invoice: MadeInvoice,
  fee: InvoiceFee,
  trace?: Trace,
): readonly InvoiceFee[] | UnaskedReason {
  const { type, subscriptionId, fixedChargeId } = fee;
  if (type === 'add_on') return [soldAgain(fee, invoice.currency, trace)];
  if (type === 'credit' || subscriptionId === null) return 'sold_elsewhere';
  if (!state.subscriptions.some(({ id }) => id === subscriptionId)) return 'price_gone';
  if (type === 'charge') return eventAgain(state, accountOf(state, invoice), fee, trace);
  const account = accountOf(state, invoice);
  if (type === 'subscription') {
    const billing = billingOf(state, invoice, placedEdits(invoice.fees));
    const billed = { ...billing(subscriptionId, 'subscription_starting'), trace };
    return [planFee(billed, feeOwner(billed, account))];
  }
  // By how much units grew follows from invoices that may have been drafts then: only what they cost.
  const billed = { ...billedIn(state, subscriptionId, invoice.billedAt, 'in_advance_charge', invoice), trace };
  const charge = billed.subscription.plan.fixedCharges.find(({ id }) => id === fixedChargeId);
  return charge ? [fixedIncreaseFee(billed, charge, feeOwner(billed, account), fee.units) ?? []].flat() : 'price_gone';
}

/** Fees on no run: each is made again by itself, as far as what it was made from is there. */
export function othersAgain(state: TimelineState, invoice: MadeInvoice, trace?: Trace): MadeAgain {
  if (invoice.type === 'progressive_billing') {
    return { fees: progressAgain(state, invoice, trace), unasked: new Map() };
  }
  const unasked = new Map<InvoiceFee, UnaskedReason>();
  const fees = invoice.fees.flatMap((fee) => {
    const again = looseAgain(state, invoice, fee, trace);
    if (fee.type === 'fixed_charge') unasked.set(fee, 'units_paid_before');
    if (typeof again !== 'string') return again;
    unasked.set(fee, again);
    return [];
  });
  return { fees, unasked };
}
