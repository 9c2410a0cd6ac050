import { usageWindow } from '../aggregate/bucket.ts';
import type { AggregationType } from '../catalogue/metric.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { adds, type FeeStep, inCents, outcomeOf, ROUNDING } from '../fee/step.ts';
import type { DraftInvoice } from '../invoice/draft-invoice.ts';
import { netOf } from '../invoice/tax.ts';
import { minorUnits } from '../money/currency.ts';
import { dec, sum } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import { keptSteps } from '../price/step.ts';
import type { MadeInvoice } from '../subscription/change.ts';
import { accountOf, billedIn } from '../timeline/account.ts';
import type { TimelineState } from '../timeline/timeline-type.ts';
import { type Compared, compareFees, feeDifferences } from './compare.ts';
import { eventAgain, identityOf, type UnaskedReason } from './made-again.ts';
import { unpaidOf } from './verify-sum.ts';

/** The events whose usage a fee bills. */
export interface ExplainedUsage {
  readonly externalSubscriptionId: string;
  readonly code: string;
  readonly aggregation: AggregationType;
  /** Null: since ever. */
  readonly from: Instant | null;
  readonly to: Instant;
  /** Of a fee of one event. */
  readonly transactionId: string | null;
}

/**
 * Why a fee comes to its amount. `computed`: it was computed again, from what it was made from, and came out as it is. `stored`: what it was made
 * from is not there, or comes to another amount by now, so that its steps are what it says of itself; `unasked` says why.
 */
export interface FeeExplanation {
  readonly basis: 'computed' | 'stored';
  readonly unasked: UnaskedReason | 'changed' | null;
  readonly usage: ExplainedUsage | null;
  readonly steps: readonly FeeStep[];
}

const comesTo = (steps: readonly FeeStep[], { preciseAmountCents }: InvoiceFee) =>
  outcomeOf(steps).preciseAmountCents.eq(preciseAmountCents);

/** Steps that a fee itself tells: its details, its units at their price, or the amount alone. */
function ownSteps(fee: InvoiceFee, currency: string, details: FeeStep[]): FeeStep[] {
  const minor = dec(minorUnits(currency));
  const { units, preciseUnitAmount: unitAmount } = fee;
  const amount = units.times(unitAmount);
  const known = [
    ...[details, inCents([{ kind: 'units', units, unitAmount, amount }], minor)],
    [adds('stored', fee.preciseAmountCents, { units })],
  ];
  const exact = known.find((steps) => comesTo(steps, fee)) ?? [];
  const rest = dec(fee.amountCents).minus(outcomeOf([...exact, ROUNDING]).amountCents);
  return [...exact, ROUNDING, ...(rest.isZero() ? [] : [adds('stored', rest, { stage: 'rounded' })])];
}

const usageOf = (fee: InvoiceFee): FeeStep[] =>
  fee.type === 'charge' && fee.trueUpParentKey === null
    ? [
        {
          ...{ kind: 'usage', effect: 'none', stage: 'exact', units: fee.totalAggregatedUnits ?? fee.units },
          ...(fee.eventsCount && { events: fee.eventsCount }),
        },
      ]
    : [];

export interface Credited {
  readonly type: 'coupon' | 'invoice' | 'credit_note';
  readonly code: string;
  readonly name: string;
  readonly before: DraftInvoice;
  readonly after: DraftInvoice;
}

const shareOf = (invoice: DraftInvoice, at: number) => invoice.fees[at]?.preciseCouponsAmountCents;

/** What an invoice makes of a fee: progressive credit, coupons and taxes, one by one; together where the lines do not tell them apart. */
function stepsOnInvoice(fee: InvoiceFee, at: number, credited: readonly Credited[]): FeeStep[] {
  const onInvoice = { stage: 'on_invoice' } as const;
  const shares = credited.flatMap(({ type, code, name, before, after }) => {
    const share = shareOf(after, at)?.minus(shareOf(before, at) ?? 0);
    const kind = type === 'invoice' ? 'progressive_credit' : 'coupon';
    return share && !share.isZero() ? [adds(kind, share.neg(), { ...onInvoice, code, name })] : [];
  });
  const all = sum(shares.flatMap(({ amountCents }) => amountCents ?? [])).neg();
  const stored = fee.preciseCouponsAmountCents;
  const isTold = all.minus(stored).abs().lt('1e-20');
  const together = stored.isZero() ? [] : [adds('coupon', stored.neg(), onInvoice)];
  const taxes = fee.appliedTaxes.map(({ code, name, rate, preciseAmountCents }) =>
    adds('tax', preciseAmountCents, { ...onInvoice, units: netOf(fee), rate, code, name }),
  );
  const exact = sum(fee.appliedTaxes.map(({ preciseAmountCents }) => preciseAmountCents));
  const rest = dec(fee.taxesAmountCents).minus(exact);
  return [...(isTold ? shares : together), ...taxes, ...(rest.isZero() ? [] : [adds('tax_rounding', rest, onInvoice)])];
}

function explainedUsage(state: TimelineState, fee: InvoiceFee, invoice: MadeInvoice | undefined) {
  const subscription = state.subscriptions.find(({ id }) => id === fee.subscriptionId);
  const charge = subscription?.plan.charges.find(({ id }) => id === fee.chargeId);
  if (!subscription || !charge || !fee.period || fee.trueUpParentKey !== null || fee.edit?.units) return null;
  const { levelFrom } = billedIn(state, subscription.id, fee.period.from, 'subscription_periodic', invoice);
  const window = usageWindow({ charge, period: fee.period, levelFrom });
  const isRenewal = charge.payInAdvance && fee.eventTransactionId === null;
  return {
    ...{ externalSubscriptionId: subscription.externalId, code: charge.metric.code },
    aggregation: charge.metric.aggregation,
    from: window.from,
    to: isRenewal ? fee.period.from - 1 : window.to,
    transactionId: fee.eventTransactionId,
  };
}

function explained(
  state: TimelineState,
  fee: InvoiceFee,
  { fees, steps, unasked }: Pick<Compared, 'fees' | 'steps' | 'unasked'>,
  { invoice, currency, onInvoice }: { invoice?: MadeInvoice; currency: string; onInvoice: readonly FeeStep[] },
): FeeExplanation {
  const again = fees.find((one) => identityOf(one) === identityOf(fee));
  const told = again && feeDifferences(fee, again).length === 0 ? steps.get(again.key) : undefined;
  const usage = explainedUsage(state, fee, invoice);
  if (told) return { basis: 'computed', unasked: unasked.get(fee) ?? null, usage, steps: [...told, ...onInvoice] };
  const own = [...usageOf(fee), ...ownSteps(fee, currency, keptOf(fee, currency))];
  return { basis: 'stored', unasked: unasked.get(fee) ?? 'changed', usage, steps: [...own, ...onInvoice] };
}

const keptOf = (fee: InvoiceFee, currency: string): FeeStep[] =>
  fee.pricingUnit ? [] : inCents(keptSteps(fee.amountDetails), dec(minorUnits(currency)));

/** Why each fee of an invoice comes to its amount, in their order. Throws a RangeError for an id the timeline does not know. */
export function explainInvoice(state: TimelineState, id: string): FeeExplanation[] {
  const invoice = state.invoices.find((one) => one.id === id);
  if (!invoice) throw new RangeError(`no invoice ${id} in the timeline`);
  const credited: Credited[] = [];
  unpaidOf(state, invoice, (credit, before, after) => credited.push({ ...credit, before, after }));
  const again = compareFees(state, invoice);
  return invoice.fees.map((fee, at) =>
    explained(state, fee, again, {
      ...{ invoice, currency: invoice.currency, onInvoice: stepsOnInvoice(fee, at, credited) },
    }),
  );
}

/** The same of a fee that is on no invoice. Throws a RangeError for an id the timeline does not know. */
export function explainLooseFee(state: TimelineState, id: string): FeeExplanation {
  const loose = state.fees.find((one) => one.id === id);
  if (!loose) throw new RangeError(`no fee ${id} in the timeline`);
  const { fee } = loose;
  const steps = new Map<string, readonly FeeStep[]>();
  const again = eventAgain(state, accountOf(state), fee, (key, told) => steps.set(key, told));
  const isGone = typeof again === 'string';
  const currency = state.subscriptions.find((one) => one.id === fee.subscriptionId)?.plan.currency ?? '';
  return explained(
    state,
    fee,
    { fees: isGone ? [] : again, steps, unasked: new Map(isGone ? [[fee, again]] : []) },
    { currency, onInvoice: stepsOnInvoice(fee, -1, []) },
  );
}
