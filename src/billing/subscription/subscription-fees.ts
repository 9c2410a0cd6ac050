import type { PlanInput } from '../catalogue/plan.ts';
import { editOf, editPlanFee } from '../fee/edited-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { commitmentInvoiceFee, type FeeOwner, subscriptionInvoiceFee } from '../fee/owned-fee.ts';
import { adds, type FeeStep, ROUNDING, rounds, scales } from '../fee/step.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import { dec } from '../money/decimal.ts';
import { compareDates, dayCount, endOfDay, type Instant, localDate } from '../period/calendar.ts';
import { isOpeningMonth, periodDays, periodGrid, periodOf } from '../period/period.ts';
import { isInTrial } from '../period/trial.ts';
import { type BilledSubscription, pastFees, periodOn } from './billed-subscription.ts';
import { coveredCents, missingCents, type SettledPeriod } from './commitment.ts';
import { fixedFees } from './fixed-fees.ts';
import { isStartedInPast, type PlanFeeInput, planFeeCents, planFeeDays } from './plan-fee.ts';
import { usageFees } from './usage-fees.ts';

/**
 * All fees of a subscription on an invoice, in their order: subscription, usage, fixed charges, commitment. The commitment is
 * last because it tops up what the others come to. Source: invoicing 5 and 8.1.
 */
export function subscriptionFees(billed: BilledSubscription, account: CustomerAccount): InvoiceFee[] {
  const owner = feeOwner(billed, account);
  const fees = [
    ...(isSubscriptionFeeDue(billed) ? [planFee(billed, owner)] : []),
    ...usageFees(billed, account.usage, owner),
    ...fixedFees(billed, account.pastInvoices, owner),
  ];
  return [...fees, ...commitmentFees(billed, fees, owner)];
}

/** Whose fees they are: the subscription, and the customer and entity that decide the taxes. */
export function feeOwner(billed: BilledSubscription, account: CustomerAccount): FeeOwner {
  const { customer, billingEntity, taxProvider } = account;
  return { subscription: billed.subscription, customer, billingEntity, taxProvider };
}

/** The subscription fee of the billed period, whatever its amount, as it is or changed by hand. Source: invoicing 4. */
export function planFee(billed: BilledSubscription, owner: FeeOwner): InvoiceFee {
  const { dates, terms, subscription } = billed;
  const { from, to, durationDays } = dates;
  const input: PlanFeeInput = {
    terms,
    at: billed.at,
    from,
    to,
    createdAt: subscription.createdAt,
    trialEndsAt: billed.trialEndsAt,
    hasPredecessor: billed.previous !== null,
    startedByUpgrade: billed.startedByUpgrade,
    billedBefore: paidPlanFees(billed).length > 0,
    previousPeriodFrom: dates.previousBeginningOfPeriod,
  };
  const fee = subscriptionInvoiceFee(planFeeCents(input), { from, to, durationDays, timezone: billed.zone }, owner);
  const edit = editOf(billed.edits, fee);
  billed.trace?.(fee.key, planSteps(input));
  return edit ? editPlanFee(fee, subscription.plan.currency, edit, billed.trace) : fee;
}

function planSteps(input: PlanFeeInput): FeeStep[] {
  const days = planFeeDays(input);
  const plan = adds('plan', dec(input.terms.amountCents));
  return days === 'all' ? [plan, ROUNDING] : [plan, scales('days', dec(days.billed), dec(days.whole)), ROUNDING];
}

/** Whether anything of a plan is paid in advance: itself, or fixed charges. */
export function isAdvanced({ payInAdvance, fixedCharges }: PlanInput): boolean {
  return payInAdvance || fixedCharges.some((charge) => charge.payInAdvance);
}

/** Whether a subscription is billed when it starts: a plan in advance out of its trial, or fixed charges in advance. */
export function isBilledAtStart({ subscription: { plan }, at, trialEndsAt, zone }: BilledSubscription): boolean {
  return isAdvanced(plan.payInAdvance && isInTrial(at, trialEndsAt, zone) ? { ...plan, payInAdvance: false } : plan);
}

/** When no subscription fee is made: invoicing 4.3. */
export function isSubscriptionFeeDue(billed: BilledSubscription): boolean {
  const { terms, at, zone, terminated, reason } = billed;
  if (terms.payInAdvance && (terminated || wasFeeMadeOn(billed, at))) return false;
  if (!terms.payInAdvance && reason === 'subscription_starting') return false;
  if (isInTrial(at, billed.trialEndsAt, zone)) return false;
  return isLongPeriodDue(billed);
}

/** A yearly or semiannual plan is billed in the month that opens its period, also where parts of it are billed monthly. */
function isLongPeriodDue(billed: BilledSubscription): boolean {
  const { terms, at, terminated } = billed;
  const split = terms.billChargesMonthly || terms.billFixedChargesMonthly;
  if (!split || (terms.interval !== 'yearly' && terms.interval !== 'semiannual')) return true;
  if (terminated && !terms.payInAdvance) return true;
  const grid = periodGrid(terms);
  if (isOpeningMonth(grid, localDate(at, terms.zone))) return true;
  const { first } = periodOf(grid, localDate(at, terms.zone));
  const firstPeriod = compareDates(localDate(terms.startedAt, terms.zone), first) >= 0;
  const backdated = isStartedInPast(terms, billed.subscription.createdAt);
  return terms.payInAdvance && paidPlanFees(billed).length === 0 && !(backdated && firstPeriod);
}

function paidPlanFees(billed: BilledSubscription): InvoiceFee[] {
  return pastFees(billed).filter((fee) => fee.type === 'subscription');
}

function wasFeeMadeOn(billed: BilledSubscription, at: Instant): boolean {
  const { zone, subscription, past } = billed;
  const today = localDate(at, zone);
  return past.some(
    (invoice) =>
      compareDates(localDate(invoice.billedAt, zone), today) === 0 &&
      invoice.fees.some((fee) => fee.type === 'subscription' && fee.subscriptionId === subscription.id),
  );
}

/** The commitment fee, when the fees of the settled period, earlier and present ones, do not reach the commitment. */
export function commitmentFees(billed: BilledSubscription, fees: readonly InvoiceFee[], owner: FeeOwner): InvoiceFee[] {
  const { subscription, zone } = billed;
  const { commitment } = subscription.plan;
  if (commitment === null) return [];
  const period = settledPeriod(billed);
  if (period === null) return [];
  const covered = coveredCents([...pastFees(billed, false), ...fees], subscription.id, period);
  const missing = missingCents(commitment.amountCents, period, covered);
  if (missing <= 0n) return [];
  const { from, to, durationDays } = period;
  const fee = commitmentInvoiceFee(missing, { from, to, durationDays, timezone: zone }, owner);
  billed.trace?.(fee.key, [
    adds('minimum', dec(commitment.amountCents)),
    scales('days', dec(dayCount(from, to, zone)), dec(durationDays)),
    ...[rounds('commitment_rounding'), adds('covered', dec(covered).neg()), ROUNDING],
  ]);
  return [fee];
}

/**
 * The period whose commitment an invoice settles: that of the invoice for a plan in arrears, the one before for a plan in
 * advance (none on its first invoice), the last one at a termination. Source: invoicing 7.
 */
function settledPeriod(billed: BilledSubscription): SettledPeriod | null {
  const { terms, dates, reason, terminated } = billed;
  if (reason === 'subscription_starting' || !isLongPeriodDue(billed)) return null;
  if (!terms.payInAdvance) return settledFrom(billed, dates.from, dates.to);
  const starts = pastStarts(billed).filter((from) => terminated || from < dates.from);
  const last = starts.at(-1);
  return last === undefined ? null : settledFrom(billed, last, Number.POSITIVE_INFINITY);
}

/** The settled part of the whole period that holds `from`: since the first day billed in it, to `to` or its end. */
function settledFrom(billed: BilledSubscription, from: Instant, to: Instant): SettledPeriod {
  const { terms, zone } = billed;
  const whole = periodOf(periodGrid(terms), localDate(from, zone));
  const inWhole = pastStarts(billed).filter((start) => compareDates(whole.first, localDate(start, zone)) <= 0);
  return {
    from: Math.min(from, ...inWhole),
    to: Math.min(to, terms.terminatedAt ?? to, endOfDay(whole.last, zone)),
    zone,
    durationDays: periodDays(whole),
  };
}

/** First days of the subscription's periods on its earlier invoices, oldest first; single events and progressive ones aside. */
function pastStarts(billed: BilledSubscription): Instant[] {
  return billed.past.flatMap((invoice) => {
    const period = periodOn(invoice, billed.subscription.id);
    const isPeriodic = period?.reason.startsWith('subscription_') === true;
    return isPeriodic && period.from !== null ? [period.from] : [];
  });
}
