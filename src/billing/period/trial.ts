import type { Decimal } from '../money/decimal.ts';
import { addDays, compareDates, DAY_MS, type Instant, localDate, localTimeOn, startOfDay } from './calendar.ts';

/**
 * The moment a trial ends: `trialDays` after the first start of any subscription with the same external id, at the same
 * hour of the local clock; a fraction of a day is hours after that. Null when there is no trial. Source: invoicing 4.2.
 * From 5 March 12:12, 10 days: 15 March 12:12; also where the clocks changed in between.
 */
export function trialEnd(firstStartedAt: Instant, trialDays: Decimal, zone: string): Instant | null {
  if (!trialDays.greaterThan(0)) return null;
  const whole = trialDays.trunc();
  const fraction = trialDays.minus(whole).times(DAY_MS).round().toNumber();
  const date = addDays(localDate(firstStartedAt, zone), whole.toNumber());
  return localTimeOn(date, firstStartedAt, zone) + fraction;
}

/**
 * From when a subscription fee counts its days: the end of the trial inside the period, else `from`; null when the trial
 * covers the whole period and the fee is 0. By `date`, the day on which the trial ends counts from its beginning.
 * Source: invoicing 4.2. 1 to 31 January, trial to 4 January 00:01: 4 January 00:01, which is 28 days.
 */
export function billedFromAfterTrial(
  period: { from: Instant; to: Instant },
  endsAt: Instant | null,
  zone: string,
  by: 'instant' | 'date' = 'instant',
): Instant | null {
  if (endsAt === null) return period.from;
  const ends = by === 'date' ? startOfDay(localDate(endsAt, zone), zone) : endsAt;
  if (ends >= period.to) return null;
  return Math.max(ends, period.from);
}

/** Whether no subscription fee is made at a moment: in trial, and not on the local day it ends. Source: invoicing 4.2. */
export function isInTrial(at: Instant, endsAt: Instant | null, zone: string): boolean {
  return endsAt !== null && compareDates(localDate(at, zone), localDate(endsAt, zone)) < 0;
}

/** Whether a moment lies on the day on which a trial ends, the trial being over: then its first fee is due. */
export function isTrialOverOn(at: Instant, endsAt: Instant | null, zone: string): boolean {
  return endsAt !== null && at >= endsAt && compareDates(localDate(at, zone), localDate(endsAt, zone)) === 0;
}

/**
 * When the trial of a subscription ended: at its end, once that has come; null without a trial, before it, and where the
 * subscription ended first. Of 10 days from 5 March 12:12, asked on the 20th: 15 March 12:12. Source: engine-money 1.2.
 */
export function trialEndedBy(
  now: Instant,
  endsAt: Instant | null,
  { startedAt, terminatedAt }: { readonly startedAt: Instant | null; readonly terminatedAt: Instant | null },
): Instant | null {
  if (endsAt === null || startedAt === null || endsAt > now) return null;
  return terminatedAt !== null && terminatedAt < endsAt ? null : endsAt;
}
