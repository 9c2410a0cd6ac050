import { type Decimal, dec } from '../money/decimal.ts';
import { dayCount, type Instant } from './calendar.ts';
import type { Interval } from './terms.ts';

const PERIODS_PER_YEAR: Readonly<Record<Interval, bigint>> = {
  weekly: 52n,
  monthly: 12n,
  quarterly: 4n,
  semiannual: 2n,
  yearly: 1n,
};

/**
 * Days a subscription is billed for between two moments: one less, never below 0, when an upgrade ended it, because the
 * new subscription bills that day. Source: invoicing 2.1. 1 March to 20 March, upgraded: 19.
 */
export function subscriptionDays(from: Instant, to: Instant, zone: string, endedByUpgrade: boolean): number {
  const days = dayCount(from, to, zone);
  return endedByUpgrade ? Math.max(days - 1, 0) : days;
}

/**
 * The part of a whole period's amount that some of its days take, not rounded; multiplied before it is divided.
 * Source: invoicing 4.1. 100 cents, 17 of 31 days: 54.838709...
 */
export function prorateCents(amountCents: Decimal | bigint, days: number, durationDays: number): Decimal {
  return dec(amountCents).times(days).div(durationDays);
}

/** What a plan costs in a year of 52 weeks, in cents; only for comparing plans. Source: invoicing 3. */
export function yearlyAmountCents(plan: { interval: Interval; amountCents: bigint }): bigint {
  return plan.amountCents * PERIODS_PER_YEAR[plan.interval];
}

/**
 * Whether a change of plan takes effect at once (upgrade: as dear or dearer a year) or with the next period (downgrade).
 * Source: invoicing 3. From 100 a month to 1200 a year is an upgrade, to 1199 a downgrade.
 */
export function planChange(
  from: { interval: Interval; amountCents: bigint },
  to: { interval: Interval; amountCents: bigint },
): 'upgrade' | 'downgrade' {
  return yearlyAmountCents(to) >= yearlyAmountCents(from) ? 'upgrade' : 'downgrade';
}
