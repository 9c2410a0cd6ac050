import { addDays, compareDates, daysBetween, type LocalDate, localDate } from './calendar.ts';
import type { Interval, PeriodRule } from './terms.ts';

/** Months of a period; a week has none and counts days. */
const INTERVAL_MONTHS: Readonly<Record<Interval, number>> = {
  weekly: 0,
  monthly: 1,
  quarterly: 3,
  semiannual: 6,
  yearly: 12,
};
const DAYS_OF_WEEK = 7;

/** Periods that tile the calendar: period k opens `k x months` after the anchor, or `k x 7` days when months is 0. */
export interface PeriodGrid {
  months: number;
  anchor: LocalDate;
}

/** A whole period, both days included. */
export interface Period {
  first: LocalDate;
  last: LocalDate;
}

/**
 * The grid of a subscription: a calendar week opens on Monday, longer calendar periods divide the year from 1 January;
 * anniversary periods start from the local date of `subscriptionAt`. `interval` replaces that of the rule where a long
 * period is billed by the month. Source: invoicing 2.2.
 */
export function periodGrid(rule: PeriodRule, interval: Interval = rule.interval): PeriodGrid {
  const began = localDate(rule.subscriptionAt, rule.zone);
  const months = INTERVAL_MONTHS[interval];
  if (rule.billingTime === 'anniversary') return { months, anchor: began };
  return { months, anchor: months === 0 ? addDays(began, 1 - began.dayOfWeek) : began.with({ month: 1, day: 1 }) };
}

/**
 * First day of the period that holds a date. Always derived from the anchor, clamped to the month's length, so a short
 * month never drags the later ones: anchor 31 gives 31 January, 28 or 29 February, 31 March. Source: invoicing 2.2.
 */
export function periodStart(grid: PeriodGrid, date: LocalDate): LocalDate {
  const { anchor, months } = grid;
  if (months === 0) return addDays(anchor, Math.floor(daysBetween(anchor, date) / DAYS_OF_WEEK) * DAYS_OF_WEEK);
  const apart = (date.year - anchor.year) * 12 + date.month - anchor.month;
  const index = Math.floor(apart / months);
  const start = openingOf(grid, index);
  return compareDates(start, date) > 0 ? openingOf(grid, index - 1) : start;
}

/** The whole period that holds a date; the day after its last one opens the next period. */
export function periodOf(grid: PeriodGrid, date: LocalDate): Period {
  const first = periodStart(grid, date);
  return { first, last: addDays(nextStart(grid, first), -1) };
}

/** Days of a whole period: 7, 28 to 31, 90 to 92, 181 to 184, 365 or 366. */
export function periodDays(period: Period): number {
  return daysBetween(period.first, period.last) + 1;
}

/**
 * The date one interval before another, clamped to the month's length. From the last day of a month too short for the
 * anchor it is the anchor's day of the earlier month: with anchor 31, 28 February leads to 31 January.
 */
export function dateOneIntervalBefore(grid: PeriodGrid, date: LocalDate): LocalDate {
  if (grid.months === 0) return addDays(date, -DAYS_OF_WEEK);
  const before = date.subtract({ months: grid.months });
  if (date.day !== date.daysInMonth || grid.anchor.day <= date.day) return before;
  return before.with({ day: Math.min(grid.anchor.day, before.daysInMonth) });
}

/**
 * Whether a date lies in the month in which a long period opens: January (and July) of the calendar, the anchor's month
 * (and six months from it) otherwise. Source: invoicing 2.4.
 */
export function isOpeningMonth(grid: PeriodGrid, date: LocalDate): boolean {
  return grid.months === 0 || (date.month - grid.anchor.month) % grid.months === 0;
}

function nextStart(grid: PeriodGrid, first: LocalDate): LocalDate {
  const { anchor, months } = grid;
  if (months === 0) return addDays(first, DAYS_OF_WEEK);
  const apart = (first.year - anchor.year) * 12 + first.month - anchor.month;
  return openingOf(grid, apart / months + 1);
}

function openingOf(grid: PeriodGrid, index: number): LocalDate {
  return grid.anchor.add({ months: index * grid.months });
}
