import type { MetricUsage, UsageSource } from '../aggregate/metric-usage.ts';
import { usageUntil } from '../aggregate/usage-source.ts';
import type { PlanChargeInput } from '../catalogue/plan.ts';
import type { DraftFee } from '../fee/draft-fee.ts';
import { editName } from '../fee/edited-fee.ts';
import { chargeFees } from '../fee/fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { chargeInvoiceFee, type FeeOwner } from '../fee/owned-fee.ts';
import type { Trace } from '../fee/step.ts';
import { byTargetWallet } from '../fee/target-wallet.ts';
import { boundaries } from '../period/boundaries.ts';
import { type Instant, SECOND_MS } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import type { BilledSubscription } from './billed-subscription.ts';

/**
 * Usage fees of a subscription on its invoice: charges in arrears for the ended window, recurring ones in advance renewed for
 * the coming period. Charges in advance on other metrics were billed at their events. Source: invoicing 5.
 */
export function usageFees(billed: BilledSubscription, usage: UsageSource, owner: FeeOwner): InvoiceFee[] {
  const charges = billed.subscription.plan.charges.filter((charge) => charge.invoiceable !== false);
  return charges.flatMap((charge) => {
    if (charge.payInAdvance) return renewalFees(billed, charge, usage, owner, 'invoice');
    const period = arrearsWindow(billed, charge);
    return period === null ? [] : feesIn(billed, charge, period, usage, owner, 'invoice');
  });
}

/**
 * Renewals, with the billing run of a subscription, of recurring charges in advance that are not invoiced: fees on no invoice.
 * Five seats at 30.00: one fee of 15000. Source: invoicing 5 and pricing 8.
 */
export function looseRenewalFees(billed: BilledSubscription, usage: UsageSource, owner: FeeOwner): InvoiceFee[] {
  const charges = billed.subscription.plan.charges.filter((charge) => charge.invoiceable === false);
  return charges.flatMap((charge) => renewalFees(billed, charge, usage, owner, 'recurring'));
}

/**
 * What is there when the coming period begins, for that whole period: what changes after that was billed, or not, at its event.
 * On an invoice it is a fee like any other; outside of one it stands for the events it renews.
 */
function renewalFees(
  billed: BilledSubscription,
  charge: PlanChargeInput,
  usage: UsageSource,
  owner: FeeOwner,
  context: 'invoice' | 'recurring',
): InvoiceFee[] {
  const period = renewalPeriod(billed, charge);
  if (period === null) return [];
  const before = usageUntil(usage, period.from - 1);
  const payInAdvance = context === 'recurring';
  return feesIn(billed, charge, period, before, owner, context).map((fee) => ({ ...fee, payInAdvance }));
}

/** The period that a recurring charge in advance is renewed for; null where this run opens none. */
function renewalPeriod(billed: BilledSubscription, charge: PlanChargeInput): ChargePeriod | null {
  const { dates, terminated, terms, reason } = billed;
  if (!charge.payInAdvance || !charge.metric.recurring || reason === 'subscription_starting') return null;
  const ends = terminated && terms.successor !== 'downgrade';
  return ends || dates.chargesFrom === null ? null : runningPeriod(billed);
}

/** Usage in arrears of a running period up to a moment, without spending minimums. Source: invoicing 9. */
export function usageSoFar(billed: BilledSubscription, usage: UsageSource, owner: FeeOwner): InvoiceFee[] {
  const period = runningPeriod(billed);
  if (period === null) return [];
  const until = { ...period, to: Math.min(period.to, billed.at) };
  const charges = billed.subscription.plan.charges.filter((charge) => !charge.payInAdvance);
  return charges.flatMap((charge) => feesIn(billed, { ...charge, minAmountCents: 0n }, until, usage, owner, 'invoice'));
}

/** The usage period that holds the moment of billing, for events billed at once; null where none is open. */
export function runningPeriod(billed: BilledSubscription): ChargePeriod | null {
  const dates = boundaries(billed.terms, billed.at, 'current_usage');
  return period(billed, dates.chargesFrom, dates.chargesTo, dates.chargesDurationDays);
}

/** The usage of a charge's metric that a subscription has, over all periods. */
export function chargeUsage(
  usage: UsageSource,
  { subscription }: Pick<BilledSubscription, 'subscription'>,
  charge: PlanChargeInput,
): MetricUsage {
  return usage.of(subscription.externalId, charge.metric.code);
}

/** The window in which a charge in arrears is billed on this invoice, or null when it is not. */
function arrearsWindow(billed: BilledSubscription, charge: PlanChargeInput): ChargePeriod | null {
  const { dates, reason } = billed;
  if (reason === 'subscription_starting' || carriesOver(billed, charge)) return null;
  return period(billed, dates.chargesFrom, dates.chargesTo, dates.chargesDurationDays);
}

/** Recurring usage that is not prorated goes on in the dearer plan, when that has a charge on the same metric. */
function carriesOver(billed: BilledSubscription, charge: PlanChargeInput): boolean {
  if (!charge.metric.recurring || charge.prorated || !isUpgraded(billed)) return false;
  return (billed.next?.plan.charges ?? []).some((other) => other.metric.id === charge.metric.id);
}

/** Whether a dearer plan has taken its place: the day of that is the new plan's. */
export function isUpgraded(billed: BilledSubscription): boolean {
  return billed.terminated && billed.terms.successor === 'upgrade';
}

/** The last moment whose events one that has ended is billed for, which its window says by the second; null while it runs, and where that ended before. */
function lastUsed({ terms, terminated, next }: BilledSubscription, to: Instant): Instant | null {
  const { terminatedAt } = terms;
  if (!terminated || terminatedAt === null || Math.abs(to - terminatedAt) >= SECOND_MS) return null;
  return next?.startedAt === terminatedAt ? terminatedAt - 1 : terminatedAt;
}

function period(
  billed: BilledSubscription,
  from: Instant | null,
  to: Instant | null,
  durationDays: number,
): ChargePeriod | null {
  if (from === null || to === null) return null;
  const { zone: timezone, resumedAt } = billed;
  const own = resumedAt === from ? from + 1 : from;
  const usedTo = lastUsed(billed, to);
  const ended = usedTo === null ? {} : { usedTo };
  return { from: own, to, durationDays, timezone, endedByUpgrade: isUpgraded(billed), ...ended };
}

function feesIn(
  billed: BilledSubscription,
  charge: PlanChargeInput,
  window: ChargePeriod,
  usage: UsageSource,
  owner: FeeOwner,
  context: 'invoice' | 'recurring',
): InvoiceFee[] {
  const { plan } = owner.subscription;
  const fees = chargeFees({
    charge: byTargetWallet(charge),
    currency: plan.currency,
    period: window,
    context,
    usage: chargeUsage(usage, billed, charge),
    levelFrom: billed.levelFrom,
    edits: billed.edits,
    trace: keyedTrace(billed.trace, owner),
  });
  return fees.map((fee: DraftFee) => editName(chargeInvoiceFee(keyed(fee, owner), charge, owner)));
}

/** Tells who asks why of fees by the keys that they have on an invoice. */
export const keyedTrace = (trace: Trace | undefined, { subscription }: FeeOwner): Trace | undefined =>
  trace && ((key, steps) => trace(`${subscription.id}/${key}`, steps));

/** Keys are unique among the fees of one computation; on an invoice several subscriptions meet. */
export function keyed(fee: DraftFee, owner: FeeOwner): DraftFee {
  const { id } = owner.subscription;
  const parent = fee.trueUpParentKey;
  return { ...fee, key: `${id}/${fee.key}`, trueUpParentKey: parent === null ? null : `${id}/${parent}` };
}
