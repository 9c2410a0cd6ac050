import { type Instant, tryParseInstant } from '../src/billing/period/calendar.ts';

/** The moment that a text of a case names. `2024-02-30T00:00:00Z` names none. */
export function parseInstant(text: string): Instant {
  const instant = tryParseInstant(text);
  if (instant === undefined) throw new RangeError(`not a date-time: ${text}`);
  return instant;
}

/** UTC to the second, as the cases write it: the end of a day is `...T23:59:59Z`. */
export function formatInstant(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, -5)}Z`;
}
