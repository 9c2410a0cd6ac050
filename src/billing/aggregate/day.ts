import {
  addDays,
  dayCount,
  daysBetween,
  type Instant,
  type LocalDate,
  localDate,
  startOfDay,
} from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';

/**
 * Calendar days of a period in the customer's time zone. Where an upgrade ended it, what was there all along leaves that day to
 * the next plan; a value that came within the period keeps it. Source: pricing 5 and 5.1.
 */
export interface PeriodDays {
  /** Days from the first moment of the period to its last, without the day of an upgrade. */
  readonly whole: number;
  /** Days from a moment's date to the date the period ends on, both included. */
  left(at: Instant): number;
  /** Position of a moment's date: the first date of the period is 0, earlier ones are negative. */
  dayOf(at: Instant): number;
  /** Position of the last date that is billed, without the day of an upgrade. */
  readonly last: number;
}

/** Counts the days of `period` once, so that a million events cost a look-up each. */
export function periodDays(period: ChargePeriod): PeriodDays {
  const cut = period.endedByUpgrade === true ? 1 : 0;
  const first = localDate(period.from, period.timezone);
  const end = daysBetween(first, localDate(period.to, period.timezone));
  const dayOf = dayCounter(first, period.timezone);
  return {
    whole: Math.max(dayCount(period.from, period.to, period.timezone) - cut, 0),
    left: (at) => Math.max(end - dayOf(at) + 1, 0),
    dayOf,
    last: end - cut,
  };
}

/** The position of a date, remembered for the hour: events come in time order and no zone changes date within a quarter. */
function dayCounter(first: LocalDate, zone: string): (at: Instant) => number {
  const QUARTER_MS = 900_000;
  let quarter = Number.NaN;
  let day = 0;
  return (at) => {
    const current = Math.floor(at / QUARTER_MS);
    if (current !== quarter) {
      quarter = current;
      day = daysBetween(first, localDate(at, zone));
    }
    return day;
  };
}

/**
 * The moments at which the dates of a period begin, but for its first: after so many of them an event has `left` one day less than
 * the first one of the period has. 1 to 3 March in UTC: midnight of the 2nd and of the 3rd.
 */
export function dayStarts({ from, to, timezone }: ChargePeriod): readonly Instant[] {
  const first = localDate(from, timezone);
  const length = Math.max(daysBetween(first, localDate(to, timezone)), 0);
  return Array.from({ length }, (_, at) => startOfDay(addDays(first, at + 1), timezone));
}
