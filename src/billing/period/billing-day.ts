import { boundaries, isTerminatedBy, ZONE_CHANGE_LIMIT_MS } from './boundaries.ts';
import { addDays, compareDates, endOfDay, type Instant, localDate, SECOND_MS, startOfDay } from './calendar.ts';
import { periodGrid, periodOf, periodStart } from './period.ts';
import type { Boundaries, BoundaryView, PeriodRule, PeriodTerms } from './terms.ts';

/** What a periodic invoice remembers of one subscription. Null where it billed nothing of a kind. */
export interface BilledPeriod {
  /** The customer's time zone then. */
  zone: string;
  billedAt: Instant;
  from: Instant;
  to: Instant;
  chargesFrom: Instant | null;
  chargesTo: Instant | null;
  fixedChargesFrom: Instant | null;
  fixedChargesTo: Instant | null;
}

type SplitRule = PeriodRule & Pick<PeriodTerms, 'billChargesMonthly' | 'billFixedChargesMonthly'>;

/**
 * Whether the local date of a moment opens a period: of a month where a yearly or semiannual plan bills usage or fixed
 * charges by the month. Source: invoicing 2.6. Anchor 31: 28 February is one, in anniversary billing.
 */
export function isBillingDay(rule: SplitRule, at: Instant): boolean {
  // Moments, not dates: a period may open on a date that the zone never had, and is then billed on the next one.
  return lastBillingDay(rule, at) === startOfDay(localDate(at, rule.zone), rule.zone);
}

/** The first moment of the last day, up to that of a moment, that opens a period in that sense. */
export function lastBillingDay(rule: SplitRule, at: Instant): Instant {
  const date = localDate(at, rule.zone);
  const long = rule.interval === 'yearly' || rule.interval === 'semiannual';
  const split = long && (rule.billChargesMonthly || rule.billFixedChargesMonthly);
  return startOfDay(periodStart(periodGrid(rule, split ? 'monthly' : rule.interval), date), rule.zone);
}

/**
 * Whether the periodic biller bills an active subscription at a moment: it is a billing day, the subscription started on
 * an earlier date, nothing was billed periodically that day or for the same dates, and it does not end that day (its
 * termination bills then). Source: invoicing 2.6.
 */
export function isDue(
  terms: PeriodTerms,
  at: Instant,
  past: readonly BilledPeriod[],
  endingAt: Instant | null,
): boolean {
  const { zone } = terms;
  if (isTerminatedBy(terms.terminatedAt, at) || !isBillingDay(terms, at)) return false;
  const date = localDate(at, zone);
  const isToday = (moment: Instant) => compareDates(localDate(moment, zone), date) === 0;
  if (compareDates(localDate(terms.startedAt, zone), date) >= 0) return false;
  if (endingAt !== null && isToday(endingAt)) return false;
  if (past.some((billed) => isToday(billed.billedAt))) return false;
  const dates = boundaries(terms, at);
  return !past.some((billed) => samePeriod(billed, dates, zone));
}

/**
 * `boundaries` for a subscription that may have ended by `at`. One without a successor that ends on the day its previous
 * period is due is taken as still active, so that the whole previous period is billed; unless that was done, then the
 * one running day is. Source: invoicing 2.5.
 */
export function terminationBoundaries(
  terms: PeriodTerms,
  at: Instant,
  past: readonly BilledPeriod[],
  view: BoundaryView = 'billing',
): Boundaries {
  const ended = boundaries(terms, at, view);
  if (terms.successor !== 'none' || !isTerminatedBy(terms.terminatedAt, at)) return ended;
  const started = localDate(terms.startedAt, terms.zone);
  const startedBefore = compareDates(started, localDate(at, terms.zone)) < 0;
  if (!startedBefore || !isBillingDay(terms, at)) return ended;
  const active = boundaries({ ...terms, terminatedAt: null }, at, view);
  return past.some((billed) => samePeriod(billed, active, terms.zone)) ? ended : active;
}

/**
 * The moment at which the period that holds `at` is billed: the end of the day after it. The local date counts, and it is
 * the first of the next period whatever the clocks do. Source: invoicing 17.3, "end of the current period + 24 h".
 */
export function nextBillingMoment(rule: PeriodRule, at: Instant): Instant {
  const { last } = periodOf(periodGrid(rule), localDate(at, rule.zone));
  return endOfDay(addDays(last, 1), rule.zone);
}

/**
 * Stored dates may have lost their milliseconds: seconds decide. What was billed in another zone is the same period where each of its ends lies no
 * further off than two zones can be apart.
 */
function samePeriod(billed: BilledPeriod, dates: Boundaries, zone: string): boolean {
  const isNear = billed.zone === zone ? sameSecond : nearInstants;
  return (
    isNear(billed.from, dates.from) &&
    isNear(billed.to, dates.to) &&
    isNear(billed.chargesFrom, dates.chargesFrom) &&
    isNear(billed.chargesTo, dates.chargesTo) &&
    isNear(billed.fixedChargesFrom, dates.fixedChargesFrom) &&
    isNear(billed.fixedChargesTo, dates.fixedChargesTo)
  );
}

function sameSecond(a: Instant | null, b: Instant | null): boolean {
  if (a === null || b === null) return a === b;
  return Math.floor(a / SECOND_MS) === Math.floor(b / SECOND_MS);
}

function nearInstants(a: Instant | null, b: Instant | null): boolean {
  if (a === null || b === null) return a === b;
  return Math.abs(a - b) < ZONE_CHANGE_LIMIT_MS;
}
