import { Temporal } from 'temporal-polyfill';

/**
 * A moment, as whole milliseconds since 1970-01-01T00:00:00Z: what `Date.getTime()` gives for a database row.
 * Moments meet local dates only here; every rule about periods works on dates.
 */
export type Instant = number;

/** A day of the calendar without a time or a zone. Compare with `compareDates`, print with `formatDate`. */
export type LocalDate = Temporal.PlainDate;

export const SECOND_MS = 1_000;
export const DAY_MS = 86_400_000;

/** The first and the last moment that date-times of four digits a year can name, and databases know: of the years 1 to 9999. */
export const [FIRST_INSTANT, LAST_INSTANT] = [-62_135_596_800_000, 253_402_300_799_999] as const;

const EPOCH_DATE = Temporal.PlainDate.from('1970-01-01');
const INSTANT_TEXT = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;
const USUAL_TEXT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;
const HAS_ZONE = /[Tt ].*(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;

/** Bound of the memo below: some 30 zones of a decade; it is emptied, not trimmed, when full. */
const MEMO_LIMIT = 100_000;
const dayStarts = new Map<string, Map<number, Instant>>();
const dates = new Map<number, LocalDate>();
const knownZones = new Set<string>();
let memoSize = 0;

/** What most clients write, read in a tenth of the time; undefined for what needs the whole reading. */
function usualInstant(text: string): Instant | undefined {
  const instant = USUAL_TEXT.test(text) ? Date.parse(text) : Number.NaN;
  // A day that its month does not have is rolled over here.
  if (Number.isNaN(instant) || !new Date(instant).toISOString().startsWith(text.slice(0, 19))) return undefined;
  return instant;
}

/**
 * The moment an ISO 8601 text names, or undefined when it names none: impossible days and hours are refused, not rolled
 * over, and so are moments that are not of the years 1 to 9999 in UTC. Without an offset the text is UTC; a date alone is its
 * midnight in UTC. Decimals beyond milliseconds are dropped.
 */
export function tryParseInstant(text: string): Instant | undefined {
  if (!INSTANT_TEXT.test(text)) return undefined;
  const zoned = HAS_ZONE.test(text) ? text : text.length === 10 ? `${text}T00:00Z` : `${text}Z`;
  try {
    const instant = usualInstant(text) ?? Temporal.Instant.from(zoned).epochMilliseconds;
    return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : undefined;
  } catch {
    return undefined;
  }
}

/** The date `YYYY-MM-DD` names, or undefined: 30 February and the year 0 are refused. */
export function tryParseDate(text: string): LocalDate | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

/** As `tryParseDate`, for texts that were checked before: throws a RangeError. */
export function parseDate(text: string): LocalDate {
  const date = tryParseDate(text);
  if (date === undefined) throw new RangeError(`not a date: ${text}`);
  return date;
}

/** `YYYY-MM-DD`. */
export function formatDate(date: LocalDate): string {
  return date.toString();
}

/** Negative when `a` is earlier than `b`, 0 when they are the same day. */
export function compareDates(a: LocalDate, b: LocalDate): number {
  return epochDay(a) - epochDay(b);
}

/** The one that comes last. */
export function laterDate(a: LocalDate, b: LocalDate): LocalDate {
  return compareDates(a, b) > 0 ? a : b;
}

/** The date `days` later, or earlier when negative. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return dateOf(epochDay(date) + days);
}

/** Whole days from `from` to `to`, 0 on the same day: 1 March to 31 March is 30. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return epochDay(to) - epochDay(from);
}

/** Whether a time zone is known by its name of the time zone database (`Europe/Paris`, `UTC`). Offsets are none, but GMT+12. */
export function isTimeZone(zone: string): boolean {
  if (!knownZones.has(zone)) {
    try {
      if (!/^[A-Za-z]/.test(zone)) return false;
      EPOCH_DATE.toZonedDateTime(zoneId(zone));
      knownZones.add(zone);
    } catch {
      return false;
    }
  }
  return true;
}

// The one documented zone that the database of time zones has under another name.
const zoneId = (zone: string) => (zone === 'GMT+12' ? 'Etc/GMT+12' : zone);

/**
 * First moment of a local date: midnight, or what follows it where clocks jump over midnight. A date that a zone never
 * had begins with the next one, so it lasts no time. 2026-04-24 in Cairo begins at 01:00+03:00.
 */
export function startOfDay(date: LocalDate, zone: string): Instant {
  return startOfEpochDay(epochDay(date), zone);
}

/** Last millisecond of a local date: one before the first of the next date. */
export function endOfDay(date: LocalDate, zone: string): Instant {
  return startOfEpochDay(epochDay(date) + 1, zone) - 1;
}

/**
 * The local date that holds a moment: `startOfDay <= instant < startOfDay of the next date`. Where clocks go back over
 * midnight, the repeated minutes belong to the new date, so that dates follow each other.
 */
export function localDate(instant: Instant, zone: string): LocalDate {
  return dateOf(localEpochDay(instant, zone));
}

/**
 * The moment on a local date at which clocks show the time they show at `instant`. Where clocks jump over that time it is
 * as much later; where they show it twice, the first. A date that a zone never had gives its neighbour's time.
 */
export function localTimeOn(date: LocalDate, instant: Instant, zone: string): Instant {
  const time = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zoneId(zone)).toPlainTime();
  return date.toZonedDateTime({ timeZone: zoneId(zone), plainTime: time }).epochMilliseconds;
}

/**
 * Days begun between two moments on the local clock, whatever daylight saving does; an end at the first moment of a date
 * counts that date. 1 March 00:00 to 31 March 23:59:59.999 is 31; 28 February 10:00 to 1 March 2024 11:00 is 3.
 * A date that a zone never had counts between two others, but not as the last one: its end is that of the date before.
 * Never negative. Source: invoicing 2.1.
 */
export function dayCount(from: Instant, to: Instant, zone: string): number {
  const end = wallClock(to, zone);
  const elapsed = (end % DAY_MS === 0 ? end + SECOND_MS : end) - wallClock(from, zone);
  return to < from ? 0 : Math.max(Math.ceil(elapsed / DAY_MS), 0);
}

/** Milliseconds of the local clock since the epoch; the first moment of a date counts as its midnight. */
function wallClock(instant: Instant, zone: string): number {
  const day = localEpochDay(instant, zone);
  const start = startOfEpochDay(day, zone);
  const sinceStart = instant - start;
  if (sinceStart === 0 || startOfEpochDay(day + 1, zone) - start === DAY_MS) return day * DAY_MS + sinceStart;
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zoneId(zone));
  return Math.max(instant + Math.trunc(offsetNanoseconds / 1e6), day * DAY_MS);
}

function localEpochDay(instant: Instant, zone: string): number {
  let day = Math.floor(instant / DAY_MS);
  while (instant < startOfEpochDay(day, zone)) day -= 1;
  while (instant >= startOfEpochDay(day + 1, zone)) day += 1;
  return day;
}

function startOfEpochDay(day: number, zone: string): Instant {
  if (zone === 'UTC') return day * DAY_MS;
  const known = dayStarts.get(zone)?.get(day);
  if (known !== undefined) return known;
  const start = dateOf(day).toZonedDateTime(zoneId(zone)).epochMilliseconds;
  if (memoSize >= MEMO_LIMIT) {
    dayStarts.clear();
    memoSize = 0;
  }
  const starts = dayStarts.get(zone) ?? new Map<number, Instant>();
  dayStarts.set(zone, starts.set(day, start));
  memoSize += 1;
  return start;
}

function dateOf(day: number): LocalDate {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = EPOCH_DATE.add({ days: day });
  if (dates.size >= MEMO_LIMIT) dates.clear();
  dates.set(day, date);
  return date;
}

function epochDay(date: LocalDate): number {
  // Date.UTC takes the years 0 to 99 for those of the twentieth century; 400 years are 146,097 days.
  return Math.round(Date.UTC(date.year + 400, date.month - 1, date.day) / DAY_MS) - 146_097;
}
