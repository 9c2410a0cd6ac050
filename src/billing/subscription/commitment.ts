import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { roundToInteger } from '../money/decimal.ts';
import { mostCents } from '../money/share.ts';
import { dayCount, type Instant } from '../period/calendar.ts';
import { prorateCents } from '../period/proration.ts';

/** A period whose commitment is settled: from the first billed day in it to the end of what was billed. */
export interface SettledPeriod {
  readonly from: Instant;
  readonly to: Instant;
  readonly zone: string;
  /** Days of the whole period. */
  readonly durationDays: number;
}

/**
 * The commitment of a period in minor units, rounded: `commitment x days / days of the whole period`. 40000 for 90 of 91 days
 * is 39560. Source: invoicing 7.
 */
export function committedCents(commitmentCents: bigint, period: SettledPeriod): bigint {
  const days = dayCount(period.from, period.to, period.zone);
  return roundToInteger(prorateCents(commitmentCents, days, period.durationDays));
}

/** What is missing to the commitment: 0 when the fees of the period reach it. */
export function missingCents(commitmentCents: bigint, period: SettledPeriod, coveredCents: bigint): bigint {
  return mostCents(committedCents(commitmentCents, period) - coveredCents, 0n);
}

/**
 * What the fees of a subscription cover of a period, before coupons: every fee whose own period starts in it, so usage of a
 * metric in advance counts where it was billed and its renewal for the coming period does not. Commitment fees never count.
 * The caller leaves out progressive invoices: their usage is billed again with the period.
 */
export function coveredCents(fees: readonly InvoiceFee[], subscriptionId: string, period: SettledPeriod): bigint {
  return fees
    .filter((fee) => fee.subscriptionId === subscriptionId && fee.type !== 'commitment')
    .filter((fee) => fee.period !== null && period.from <= fee.period.from && fee.period.from <= period.to)
    .reduce((total, fee) => total + fee.amountCents, 0n);
}
