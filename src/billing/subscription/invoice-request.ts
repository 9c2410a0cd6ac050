import type { PlanChargeInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import { advanceEventFee } from '../fee/advance-fee.ts';
import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { chargeInvoiceFee } from '../fee/owned-fee.ts';
import type { Trace } from '../fee/step.ts';
import { byTargetWallet } from '../fee/target-wallet.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import type { AppliedThreshold, InvoiceType } from '../invoice/issued-invoice.ts';
import { type Instant, localDate, startOfDay } from '../period/calendar.ts';
import type { UsageEvent } from '../usage/usage.ts';
import { type BilledSubscription, billedSubscription } from './billed-subscription.ts';
import { fixedIncreaseFee } from './fixed-fees.ts';
import { feeOwner } from './subscription-fees.ts';
import { chargeUsage, keyed, keyedTrace, runningPeriod } from './usage-fees.ts';

/** What an invoice is asked for: some subscriptions at a moment, with fees that were computed elsewhere where `fees` is given. */
export interface InvoiceRequest {
  readonly at: Instant;
  readonly subscriptions: readonly BilledSubscription[];
  readonly fees?: readonly InvoiceFee[];
  readonly type?: InvoiceType;
  /** Of a progressive invoice: the thresholds that were crossed. */
  readonly appliedThresholds?: readonly AppliedThreshold[];
  /** Of an invoice without subscriptions; absent: the customer's. */
  readonly currency?: string;
  /** The voided invoice that it is made anew of. */
  readonly voidedInvoiceId?: string | null | undefined;
  /** Nothing of it counts before it is paid; where nothing is to be paid it is final. */
  readonly gated?: boolean;
  /** The grace period is over, or does not apply: coupons, notes and wallets are used. */
  readonly final?: boolean;
}

/**
 * What to bill for units of fixed charges that changed now: those paid in advance, on one invoice, by what they exceed the units
 * already billed in the period; a decrease is a fee of 0. `subscription` has the new units in its history. Null when none of them
 * is paid in advance. Source: invoicing 6.
 */
export function unitsRequest(
  account: CustomerAccount,
  subscription: SubscriptionInput,
  fixedChargeIds: readonly string[],
  at: Instant,
): InvoiceRequest | null {
  const billed = billedSubscription(account, subscription, at, 'in_advance_charge');
  const owner = feeOwner(billed, account);
  const fees = subscription.plan.fixedCharges
    .filter((charge) => fixedChargeIds.includes(charge.id))
    .flatMap((charge) => fixedIncreaseFee(billed, charge, owner) ?? []);
  return fees.length === 0 ? null : { at, subscriptions: [running(billed)], fees };
}

/**
 * What to bill for one event of a charge in advance: its fee alone, at the moment of the event. `account.usage` is the stored
 * one, the event in it or not. The fee covers whole days, also in the period the subscription started in. Null when no
 * usage period is open, and for an event that lacks what its metric measures. Source: invoicing 3 and 5, engine-catalogue 14.3.
 */
export function eventRequest(
  account: CustomerAccount,
  subscription: SubscriptionInput,
  charge: PlanChargeInput,
  event: UsageEvent,
  trace?: Trace,
): InvoiceRequest | null {
  const billed = billedSubscription(account, subscription, event.timestamp, 'in_advance_charge');
  const period = runningPeriod(billed);
  const { aggregation, fieldName } = charge.metric;
  if (period === null || (aggregation !== 'count' && event.properties[fieldName ?? ''] == null)) return null;
  const owner = feeOwner(billed, account);
  const shown = {
    ...period,
    from: startOfDay(localDate(period.from, billed.zone), billed.zone),
  };
  const fee = advanceEventFee({
    charge: byTargetWallet(charge),
    currency: subscription.plan.currency,
    period,
    usage: chargeUsage(account.usage, billed, charge),
    event,
    trace: keyedTrace(trace, owner),
  });
  const fees = [chargeInvoiceFee(keyed({ ...fee, period: shown }, owner), charge, owner)];
  return { at: billed.at, subscriptions: [running(billed)], fees };
}

/** The dates of an invoice inside a period: the usage period that runs, to its end. */
export function running(billed: BilledSubscription): BilledSubscription {
  const period = runningPeriod(billed);
  return { ...billed, dates: { ...billed.dates, chargesFrom: period?.from ?? null, chargesTo: period?.to ?? null } };
}
