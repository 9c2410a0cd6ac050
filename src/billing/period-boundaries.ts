import { endOfDay, type Instant, type LocalDate, localDate, SECOND_MS, startOfDay } from './calendar.ts';
import { dec } from './decimal.ts';
import {
  dateOneIntervalBefore,
  isOpeningMonth,
  type PeriodGrid,
  periodDays,
  periodGrid,
  periodOf,
  periodStart,
} from './period.ts';
import type { Boundaries, BoundaryView, PeriodFrame, PeriodTerms } from './period-terms.ts';

/** Two invoices of one zone change lie at most this far apart: the widest step between two zones. */
const ZONE_CHANGE_LIMIT_MS = 26 * 60 * 60 * SECOND_MS;

/** Terms without the start: enough for the frame. */
export type FrameTerms = Omit<PeriodTerms, 'startedAt' | 'lastInvoice'>;

/** What each step below needs, computed once. */
interface Run {
  terms: FrameTerms;
  at: Instant;
  view: BoundaryView;
  date: LocalDate;
  grid: PeriodGrid;
  terminated: boolean;
}

/**
 * The dates of a billing run at moment `at`: which days its subscription fee, usage and fixed charges cover. Source:
 * invoicing 2.3 and 2.4. A monthly calendar plan in arrears billed on 1 March 2022 covers 1 to 28 February.
 */
export function boundaries(terms: PeriodTerms, at: Instant, view: BoundaryView = 'billing'): Boundaries {
  const run = openRun(terms, at, view);
  const subscription = subscriptionDates(run, terms.startedAt);
  const charges = partDates(run, terms, 'charges');
  const fixed = partDates(run, terms, 'fixedCharges');
  return {
    ...frameOf(run),
    from: subscription.from,
    to: subscription.to,
    chargesFrom: charges?.from ?? null,
    chargesTo: charges?.to ?? null,
    fixedChargesFrom: fixed?.from ?? null,
    fixedChargesTo: fixed?.to ?? null,
  };
}

/** The part of `boundaries` that does not depend on when the subscription started. Source: invoicing 2.3. */
export function periodFrame(terms: FrameTerms, at: Instant, view: BoundaryView = 'billing'): PeriodFrame {
  return frameOf(openRun(terms, at, view));
}

/** Whether a subscription had ended by a moment; both are rounded to the second. Source: invoicing 2.3. */
export function isTerminatedBy(terminatedAt: Instant | null, at: Instant): boolean {
  return terminatedAt !== null && roundToSecond(terminatedAt) <= roundToSecond(at);
}

function openRun(terms: FrameTerms, at: Instant, view: BoundaryView): Run {
  const terminated = isTerminatedBy(terms.terminatedAt, at);
  return { terms, at, view, date: localDate(at, terms.zone), grid: periodGrid(terms), terminated };
}

function frameOf(run: Run): PeriodFrame {
  const { zone, amountCents } = run.terms;
  const billed = periodOf(run.grid, subscriptionFirstDay(run, run.grid));
  const durationDays = periodDays(billed);
  const endOfPeriod = endOfDay(billed.last, zone);
  return {
    nextEndOfPeriod: endOfDay(periodOf(run.grid, run.date).last, zone),
    endOfPeriod,
    nextPeriodStartedAt: endOfPeriod + 1,
    previousBeginningOfPeriod: startOfDay(previousStart(run, run.grid), zone),
    durationDays,
    chargesDurationDays: partDuration(run, 'charges'),
    fixedChargesDurationDays: partDuration(run, 'fixedCharges'),
    singleDayPriceCents: dec(amountCents).div(durationDays),
  };
}

type Part = 'charges' | 'fixedCharges';
interface Dates {
  from: Instant;
  to: Instant;
}

function subscriptionDates(run: Run, startedAt: Instant): Dates {
  const { zone } = run.terms;
  const firstDay = subscriptionFirstDay(run, run.grid);
  const opens = startOfDay(firstDay, zone);
  const from = opens < startedAt ? startOfDay(localDate(startedAt, zone), zone) : opens;
  return { from, to: cut(run, endOfDay(periodOf(run.grid, firstDay).last, zone), startedAt) };
}

/** Usage or fixed charges: from the exact start, where the subscription fee takes the whole first day. */
function partDates(run: Run, terms: PeriodTerms, part: Part): Dates | null {
  if (!isPartBilled(run, part)) return null;
  const { zone, startedAt, lastInvoice } = terms;
  const grid = partGrid(run, part);
  const firstDay = partFirstDay(run, grid);
  let from = startOfDay(firstDay, zone);
  const lastTo = part === 'charges' ? lastInvoice?.chargesTo : lastInvoice?.fixedChargesTo;
  if (lastInvoice && lastInvoice.zone !== zone && lastTo != null) {
    // The next whole second, whether the stored end kept its milliseconds or not: no gap, no overlap.
    const resumed = (Math.floor(lastTo / SECOND_MS) + 1) * SECOND_MS;
    if (Math.abs(from - resumed) < ZONE_CHANGE_LIMIT_MS) from = resumed;
  }
  return {
    from: Math.max(from, startedAt),
    to: cut(run, endOfDay(periodOf(grid, firstDay).last, zone), startedAt),
  };
}

function partDuration(run: Run, part: Part): number {
  const grid = partGrid(run, part);
  return periodDays(periodOf(grid, partFirstDay(run, grid)));
}

function subscriptionFirstDay(run: Run, grid: PeriodGrid): LocalDate {
  const { payInAdvance, successor } = run.terms;
  const running = payInAdvance || (run.terminated && successor !== 'downgrade');
  return running ? periodStart(grid, run.date) : previousStart(run, grid);
}

function partFirstDay(run: Run, grid: PeriodGrid): LocalDate {
  const { payInAdvance, successor } = run.terms;
  if (run.terminated && successor === 'none') return periodStart(grid, run.date);
  return payInAdvance ? previousStart(run, grid) : subscriptionFirstDay(run, grid);
}

function previousStart(run: Run, grid: PeriodGrid): LocalDate {
  const base = run.view === 'current_usage' ? run.date : dateOneIntervalBefore(grid, run.date);
  return periodStart(grid, base);
}

function cut(run: Run, end: Instant, startedAt: Instant): Instant {
  const { terminatedAt } = run.terms;
  const last = run.terminated && terminatedAt !== null ? Math.min(end, roundToSecond(terminatedAt)) : end;
  return Math.max(last, startedAt);
}

function isLong(run: Run): boolean {
  return run.terms.interval === 'yearly' || run.terms.interval === 'semiannual';
}

function isSplit(run: Run, part: Part): boolean {
  const { billChargesMonthly, billFixedChargesMonthly } = run.terms;
  return isLong(run) && (part === 'charges' ? billChargesMonthly : billFixedChargesMonthly);
}

function partGrid(run: Run, part: Part): PeriodGrid {
  return isSplit(run, part) ? periodGrid(run.terms, 'monthly') : run.grid;
}

/** A part that is not split, beside one that is, is billed in the month in which the long period opens. */
function isPartBilled(run: Run, part: Part): boolean {
  const other = part === 'charges' ? 'fixedCharges' : 'charges';
  if (isSplit(run, part) || !isSplit(run, other)) return true;
  return (part === 'charges' && run.view === 'current_usage') || isOpeningMonth(run.grid, run.date);
}

function roundToSecond(instant: Instant): Instant {
  return Math.round(instant / SECOND_MS) * SECOND_MS;
}
