import { invalid } from '../errors.ts';
import { DAY_MS, type Instant } from '../period/calendar.ts';

/** A clock is moved by so many days at once. */
const MOST_CLOCK_DAYS = 800;

/** Refuses to set a clock back, or on by more than `MOST_CLOCK_DAYS`. */
export function checkClock(from: Instant, to: Instant): void {
  if (to > from && to - from <= MOST_CLOCK_DAYS * DAY_MS) return;
  const limit = `after the present time of the clock, by ${MOST_CLOCK_DAYS} days at most`;
  throw invalid({ to: ['value_is_out_of_range'] }, { to: { limit } });
}
