import type { UsageGroup, UsageSource } from '../aggregate/metric-usage.ts';
import { usageOfEvents, usageUntil } from '../aggregate/usage-source.ts';
import type { PlanChargeInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { invalid } from '../errors.ts';
import { type ChargeUsage, usageGroups } from '../fee/charge-usage.ts';
import { chargeFees } from '../fee/fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { chargeInvoiceFee, type FeeOwner } from '../fee/owned-fee.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import { taxFee } from '../invoice/tax.ts';
import { Decimal, dec, ONE, ZERO } from '../money/decimal.ts';
import { dayCount, type Instant, isTimeZone } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import { billedSubscription, zoneOf } from '../subscription/billed-subscription.ts';
import { feeOwner } from '../subscription/subscription-fees.ts';
import { runningPeriod } from '../subscription/usage-fees.ts';
import { chargeAsked, groupsSelected, selectedCharges, type UsageSelection } from './usage-selection.ts';

/** What current usage is asked about: charges over a period, up to a moment. */
export interface UsageReport {
  readonly owner: FeeOwner;
  readonly period: ChargePeriod;
  readonly at: Instant;
  readonly levelFrom: Instant;
  readonly selection: UsageSelection;
  /** As they are in the plan, in the order in which they are shown. */
  readonly charges: readonly PlanChargeInput[];
  /** The part of the period that has passed, 0 to 1. */
  readonly passed: Decimal;
}

/** Days begun of the period up to a moment, to its length in days. */
function passedOf({ from, to, timezone }: ChargePeriod, at: Instant): Decimal {
  const whole = dayCount(from, to, timezone);
  if (whole === 0) return ONE;
  const share = dec(dayCount(from, Math.min(at, to), timezone)).div(dec(whole));
  return Decimal.max(Decimal.min(share, ONE), ZERO);
}

/** Since the start of the subscription; a mean over time is one over all of it. */
function wholePeriod(period: ChargePeriod, { startedAt, subscriptionAt }: SubscriptionInput): ChargePeriod {
  const from = startedAt ?? subscriptionAt;
  return { ...period, from, durationDays: dayCount(from, period.to, period.timezone) };
}

/**
 * What the current usage of a subscription that runs is made of: the period that holds the moment, or all since the start. Null where
 * no period is open. Throws what `selectedCharges` throws, and `timezone: ['invalid_timezone']`. Source: engine-catalogue 15.1.
 */
export function usageReport(
  account: CustomerAccount,
  subscription: SubscriptionInput,
  selection: UsageSelection,
  at: Instant,
): UsageReport | null {
  if (!isTimeZone(zoneOf(account.customer, account.billingEntity))) throw invalid({ timezone: ['invalid_timezone'] });
  const charges = selectedCharges(subscription.plan.charges, selection);
  const billed = billedSubscription(account, subscription, at, 'subscription_periodic');
  const running = runningPeriod(billed);
  if (running === null) return null;
  const period = selection.isWhole ? wholePeriod(running, subscription) : running;
  const owner = feeOwner(billed, account);
  return { owner, period, at, levelFrom: billed.levelFrom, selection, charges, passed: passedOf(period, at) };
}

function askedOf(report: UsageReport, charge: PlanChargeInput): Omit<ChargeUsage, 'usage'> {
  const { owner, period, levelFrom, selection } = report;
  return {
    ...{ charge: chargeAsked(charge, selection), currency: owner.subscription.plan.currency, period, levelFrom },
    context: 'current_usage',
  };
}

const NOTHING = usageOfEvents([]);

/** The usage of one charge, by bucket and group: as if nothing came after the moment of the report. */
export function reportedGroups(
  report: UsageReport,
  charge: PlanChargeInput,
  usage: UsageSource,
): readonly UsageGroup[] {
  const asked = askedOf(report, charge);
  const used = usageUntil(usage, report.at).of(report.owner.subscription.externalId, charge.metric.code);
  const groups = usageGroups({ ...asked, usage: used });
  return groupsSelected(groups, usageGroups({ ...asked, usage: NOTHING }), report.selection);
}

/** A fee of usage so far, and what it would be at the end of the period. */
export interface ReportedFee {
  readonly fee: InvoiceFee;
  readonly projected: InvoiceFee;
}

/**
 * Fees of groups of a charge, with their taxes, in the order of the groups: what an invoice at this moment would bill, also where that is
 * nothing. Neither minimums nor coupons. Prices of groups do not look at each other, so that they may be asked for a part at a time.
 */
export function reportedFees(
  report: UsageReport,
  charge: PlanChargeInput,
  groups: readonly UsageGroup[],
  { isTaxed, isProjected }: { readonly isTaxed: boolean; readonly isProjected: boolean },
): ReportedFee[] {
  const { owner, passed } = report;
  const asked = askedOf(report, charge);
  const usage = { groups: () => groups, advance: NOTHING.advance };
  const owned = (part: Decimal | null) =>
    chargeFees({ ...asked, usage, passed: part }).map((fee) => chargeInvoiceFee(fee, charge, owner));
  const fees = owned(null);
  const projected = isProjected ? owned(passed) : fees;
  return fees.map((fee, at) => ({ fee: isTaxed ? taxFee(fee) : fee, projected: projected[at] ?? fee }));
}
