import type { PlanFixedChargeInput } from '../catalogue/plan.ts';
import type { SubscriptionInput, UnitEvent } from '../customer/subscription.ts';
import type { DraftFee } from '../fee/draft-fee.ts';
import { editFee, editOf } from '../fee/edited-fee.ts';
import { isBillable } from '../fee/fee.ts';
import {
  type FixedUnits,
  fixedChargeFee,
  fixedChargeIncreaseFee,
  fixedChargeUnits,
  proposedFixedUnits,
} from '../fee/fixed-charge.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { type FeeOwner, fixedChargeInvoiceFee } from '../fee/owned-fee.ts';
import { adds, beforeRounding, type FeeStep, type Trace } from '../fee/step.ts';
import type { PastInvoice } from '../invoice/past-invoice.ts';
import { Decimal, dec, roundToInteger, sum, ZERO } from '../money/decimal.ts';
import { leastCents } from '../money/share.ts';
import { boundaries } from '../period/boundaries.ts';
import { DAY_MS, type Instant, SECOND_MS } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import { type BilledSubscription, pastFees, pastOf } from './billed-subscription.ts';
import { isUpgraded, keyed, keyedTrace } from './usage-fees.ts';

/**
 * Fees of a subscription's fixed charges on its invoice: those in arrears for the ended period, those in advance for the
 * period that holds the moment of billing, never twice for one period. After an upgrade what the earlier plan paid in advance
 * for the same add-on is deducted. Source: invoicing 6.
 */
export function fixedFees(
  billed: BilledSubscription,
  pastInvoices: readonly PastInvoice[],
  owner: FeeOwner,
  ended: ChargePeriod | null = arrearsPeriod(billed),
): InvoiceFee[] {
  return billed.subscription.plan.fixedCharges.flatMap((charge) => {
    const period = charge.payInAdvance ? advancePeriod(billed, charge) : ended;
    if (period === null) return [];
    let told: readonly FeeStep[] = [];
    const fee = feeOf(billed, charge, period, owner, (_, steps) => {
      told = steps;
    });
    const edit = editOf(billed.edits, fee);
    // What is said by hand is all that is billed.
    if (edit) return [editFee(fee, charge, owner.subscription.plan.currency, edit, billed.trace)];
    if (!isBillable(fee) && !isProposed(billed)) return [];
    const paidCents = paidByPrevious(billed, charge, pastInvoices);
    billed.trace?.(fee.key, paidCents === 0n ? told : deductedSteps(told, fee, paidCents));
    return [deducted(fee, paidCents)];
  });
}

/**
 * The fee of a change of units that takes effect at once, paid in advance: what the new units exceed those billed in the
 * running period. A decrease is a fee of 0. Null for a fixed charge in arrears. `increase`: what they exceed them by, where it is known. Source: invoicing 6.
 */
export function fixedIncreaseFee(
  billed: BilledSubscription,
  charge: PlanFixedChargeInput,
  owner: FeeOwner,
  increase?: Decimal,
): InvoiceFee | null {
  const period = runningFixedPeriod(billed);
  if (!charge.payInAdvance || period === null) return null;
  const paidUnits = increase ? ZERO : sum(feesOfPeriod(billed, charge, period).map((fee) => fee.units));
  const newUnits = increase ?? fixedChargeUnits(unitHistory(billed.subscription, charge), period, false).units;
  const trace = keyedTrace(billed.trace, owner);
  const input = { charge, currency: owner.subscription.plan.currency, period, trace };
  const fee = fixedChargeIncreaseFee(input, { newUnits, paidUnits, at: billed.at });
  return fixedChargeInvoiceFee(keyed(fee, owner), charge, owner);
}

/** Units history of a fixed charge; without one, the units of the plan from the start. */
export function unitHistory(subscription: SubscriptionInput, charge: PlanFixedChargeInput): readonly UnitEvent[] {
  const at = subscription.startedAt ?? subscription.subscriptionAt;
  return subscription.unitEvents?.[charge.id] ?? [{ units: charge.units, timestamp: at, createdAt: at }];
}

/**
 * What of an amount paid in advance the rest of its period is worth: begun days from now to the end over begun days from its
 * issue to the end. 2000 with 20 days at its issue and 14 now: 1400. Source: invoicing 6.
 */
function unusedPaidCents(paidCents: bigint, issuedAt: Instant, now: Instant, periodTo: Instant): bigint {
  const [left, all] = [begunDays(now, periodTo), begunDays(issuedAt, periodTo)];
  return all === 0 ? 0n : roundToInteger(dec(paidCents).times(left).div(all));
}

function feeOf(
  billed: BilledSubscription,
  charge: PlanFixedChargeInput,
  period: ChargePeriod,
  owner: FeeOwner,
  trace: Trace,
): InvoiceFee {
  const { subscription } = billed;
  const units: FixedUnits = isProposed(billed)
    ? proposedFixedUnits(charge.units, period, charge.prorated)
    : fixedChargeUnits(unitHistory(subscription, charge), period, charge.prorated);
  const fee: DraftFee = fixedChargeFee({ charge, currency: owner.subscription.plan.currency, period, trace }, units);
  return fixedChargeInvoiceFee(keyed(fee, owner), charge, owner);
}

/** Whether a preview makes the subscription up; one that follows another is billed as it will be when it does. */
export function isProposed({ subscription, previous }: BilledSubscription): boolean {
  return !subscription.stored && previous === null;
}

/** The period that fixed charges in arrears are billed for; none on a starting invoice. */
export function arrearsPeriod(billed: BilledSubscription): ChargePeriod | null {
  const { fixedChargesFrom: from, fixedChargesTo: to, fixedChargesDurationDays: durationDays } = billed.dates;
  if (billed.reason === 'subscription_starting') return null;
  if (from === null || to === null) return null;
  return { from, to, durationDays, timezone: billed.zone, endedByUpgrade: isUpgraded(billed) };
}

function advancePeriod(billed: BilledSubscription, charge: PlanFixedChargeInput): ChargePeriod | null {
  const period = billed.terminated ? null : runningFixedPeriod(billed);
  if (period === null) return null;
  return feesOfPeriod(billed, charge, period).some((fee) => fee.amountCents > 0n) ? null : period;
}

/** The period of fixed charges that holds the moment of billing: the coming one on a billing day. */
export function runningFixedPeriod(billed: BilledSubscription): ChargePeriod | null {
  const dates = boundaries(billed.terms, billed.at, 'current_usage');
  const { fixedChargesFrom: from, fixedChargesTo: to, fixedChargesDurationDays: durationDays } = dates;
  return from === null || to === null ? null : { from, to, durationDays, timezone: billed.zone };
}

/** Fees in advance of a fixed charge for a period, the plan's or the override's. */
function feesOfPeriod(billed: BilledSubscription, charge: PlanFixedChargeInput, period: ChargePeriod): InvoiceFee[] {
  return pastFees(billed).filter(
    (fee) =>
      fee.fixedChargeId === charge.id &&
      fee.payInAdvance &&
      fee.period !== null &&
      period.from - SECOND_MS < fee.period.from &&
      fee.period.from <= period.to,
  );
}

function paidByPrevious(
  billed: BilledSubscription,
  charge: PlanFixedChargeInput,
  pastInvoices: readonly PastInvoice[],
): bigint {
  const { previous, at } = billed;
  if (!previous || !charge.payInAdvance || !charge.prorated) return 0n;
  if (!billed.startedByUpgrade || billed.past.length > 0) return 0n;
  return pastOf(pastInvoices, previous.id)
    .flatMap((invoice) => invoice.fees.map((fee) => ({ fee, issuedAt: invoice.billedAt })))
    .filter(({ fee }) => fee.subscriptionId === previous.id && fee.type === 'fixed_charge' && fee.payInAdvance)
    .filter(({ fee }) => fee.addOnId === charge.addOn.id && fee.period !== null && fee.period.to >= at)
    .reduce((total, { fee, issuedAt }) => {
      return total + unusedPaidCents(fee.amountCents, issuedAt, at, fee.period?.to ?? at);
    }, 0n);
}

/** Never below 0: nothing is given back. */
function deducted(fee: InvoiceFee, paidCents: bigint): InvoiceFee {
  if (paidCents === 0n) return fee;
  const precise = fee.preciseAmountCents.minus(dec(paidCents));
  return {
    ...fee,
    amountCents: fee.amountCents - leastCents(paidCents, fee.amountCents),
    preciseAmountCents: precise.isNegative() ? ZERO : precise,
  };
}

/** What was paid before is taken from the exact amount, as far as there is one. */
const deductedSteps = (steps: readonly FeeStep[], { preciseAmountCents }: InvoiceFee, paidCents: bigint): FeeStep[] =>
  beforeRounding(steps, adds('paid_before', Decimal.min(dec(paidCents), preciseAmountCents).neg()));

function begunDays(from: Instant, to: Instant): number {
  return Math.max(Math.ceil((to - from) / DAY_MS), 0);
}
