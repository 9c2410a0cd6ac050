import { dec } from '../money/decimal.ts';
import { endOfDay, type Instant, type LocalDate, localDate, SECOND_MS, startOfDay } from './calendar.ts';
import {
  dateOneIntervalBefore,
  isOpeningMonth,
  type Period,
  type PeriodGrid,
  periodDays,
  periodGrid,
  periodOf,
} from './period.ts';
import type { Boundaries, BoundaryView, PeriodFrame, PeriodTerms } from './terms.ts';

/** Two invoices of one zone change lie at most this far apart: the widest step between two zones. */
export const ZONE_CHANGE_LIMIT_MS = 26 * 60 * 60 * SECOND_MS;

/** Terms without the start: enough for the frame. */
type FrameTerms = Omit<PeriodTerms, 'startedAt' | 'lastInvoice'>;

/** The whole periods that a run chooses from: the one that holds its moment, and the one it looks back on. */
interface Choice {
  running: Period;
  previous: Period;
}

/** What each step below needs, computed once. */
interface Run {
  terms: FrameTerms;
  date: LocalDate;
  grid: PeriodGrid;
  view: BoundaryView;
  terminated: boolean;
  own: Choice;
  /** The months of a long plan, where usage or fixed charges are billed by the month. */
  monthly: Choice;
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

/** Whether a subscription had ended by a moment; both are rounded to the second. Source: invoicing 2.3. */
export function isTerminatedBy(terminatedAt: Instant | null, at: Instant): boolean {
  return terminatedAt !== null && roundToSecond(terminatedAt) <= roundToSecond(at);
}

function openRun(terms: FrameTerms, at: Instant, view: BoundaryView): Run {
  const date = localDate(at, terms.zone);
  const grid = periodGrid(terms);
  const own = choiceOf(grid, date, view);
  const split = isLong(terms) && (terms.billChargesMonthly || terms.billFixedChargesMonthly);
  const monthly = split ? choiceOf(periodGrid(terms, 'monthly'), date, view) : own;
  return { terms, date, grid, view, terminated: isTerminatedBy(terms.terminatedAt, at), own, monthly };
}

function choiceOf(grid: PeriodGrid, date: LocalDate, view: BoundaryView): Choice {
  const running = periodOf(grid, date);
  return { running, previous: view === 'current_usage' ? running : periodOf(grid, dateOneIntervalBefore(grid, date)) };
}

function frameOf(run: Run): PeriodFrame {
  const { zone, amountCents } = run.terms;
  const billed = subscriptionPeriod(run, run.own);
  const durationDays = periodDays(billed);
  const endOfPeriod = endOfDay(billed.last, zone);
  return {
    nextEndOfPeriod: endOfDay(run.own.running.last, zone),
    endOfPeriod,
    nextPeriodStartedAt: endOfPeriod + 1,
    previousBeginningOfPeriod: startOfDay(run.own.previous.first, zone),
    durationDays,
    chargesDurationDays: periodDays(partPeriod(run, 'charges')),
    fixedChargesDurationDays: periodDays(partPeriod(run, 'fixedCharges')),
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
  const { first, last } = subscriptionPeriod(run, run.own);
  const opens = startOfDay(first, zone);
  const from = opens < startedAt ? startOfDay(localDate(startedAt, zone), zone) : opens;
  return { from, to: cut(run, endOfDay(last, zone), startedAt) };
}

/** Usage or fixed charges: from the exact start, where the subscription fee takes the whole first day. */
function partDates(run: Run, terms: PeriodTerms, part: Part): Dates | null {
  if (!isPartBilled(run, part)) return null;
  const { zone, startedAt, lastInvoice } = terms;
  const { first, last } = partPeriod(run, part);
  let from = startOfDay(first, zone);
  const lastTo = part === 'charges' ? lastInvoice?.chargesTo : lastInvoice?.fixedChargesTo;
  if (lastInvoice && lastInvoice.zone !== zone && lastTo != null) {
    // The next whole second, whether the stored end kept its milliseconds or not: no gap, no overlap.
    const resumed = (Math.floor(lastTo / SECOND_MS) + 1) * SECOND_MS;
    if (Math.abs(from - resumed) < ZONE_CHANGE_LIMIT_MS) from = resumed;
  }
  return { from: Math.max(from, startedAt), to: cut(run, endOfDay(last, zone), startedAt) };
}

function subscriptionPeriod(run: Run, choice: Choice): Period {
  const { payInAdvance, successor } = run.terms;
  return payInAdvance || (run.terminated && successor !== 'downgrade') ? choice.running : choice.previous;
}

function partPeriod(run: Run, part: Part): Period {
  const { payInAdvance, successor } = run.terms;
  const choice = isSplit(run.terms, part) ? run.monthly : run.own;
  if (run.terminated && successor === 'none') return choice.running;
  return payInAdvance ? choice.previous : subscriptionPeriod(run, choice);
}

function cut(run: Run, end: Instant, startedAt: Instant): Instant {
  const { terminatedAt } = run.terms;
  const last = run.terminated && terminatedAt !== null ? Math.min(end, roundToSecond(terminatedAt)) : end;
  return Math.max(last, startedAt);
}

function isLong(terms: FrameTerms): boolean {
  return terms.interval === 'yearly' || terms.interval === 'semiannual';
}

function isSplit(terms: FrameTerms, part: Part): boolean {
  return isLong(terms) && (part === 'charges' ? terms.billChargesMonthly : terms.billFixedChargesMonthly);
}

/** A part that is not split, beside one that is, is billed in the month in which the long period opens. */
function isPartBilled(run: Run, part: Part): boolean {
  const other = part === 'charges' ? 'fixedCharges' : 'charges';
  if (isSplit(run.terms, part) || !isSplit(run.terms, other)) return true;
  return (part === 'charges' && run.view === 'current_usage') || isOpeningMonth(run.grid, run.date);
}

function roundToSecond(instant: Instant): Instant {
  return Math.round(instant / SECOND_MS) * SECOND_MS;
}
