import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  compareDates,
  dayCount,
  daysBetween,
  endOfDay,
  formatDate,
  isTimeZone,
  localDate,
  localTimeOn,
  parseDate,
  startOfDay,
  tryParseDate,
  tryParseInstant,
} from '../../../src/billing/period/calendar.ts';
import { formatInstant, parseInstant } from '../../instant.ts';

describe('parseInstant', () => {
  it.each([
    ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00Z'],
    ['2024-02-29T10:00:00.999Z', '2024-02-29T10:00:00Z'],
    ['2024-02-29T10:00:00+02:00', '2024-02-29T08:00:00Z'],
    ['2024-02-29T10:00:00-0330', '2024-02-29T13:30:00Z'],
    ['2024-02-29 10:00', '2024-02-29T10:00:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
  ])('reads %s', (text, shown) => {
    expect(formatInstant(parseInstant(text))).toBe(shown);
  });

  it.each([
    '',
    'tomorrow',
    '2023-02-29',
    '2024-02-30T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:00Z[Europe/Paris]',
    '24-01-01',
    '2024-01-01T',
    '1704067200',
    '0000-12-31',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    ' 2024-01-01',
  ])('refuses "%s"', (text) => {
    expect(tryParseInstant(text)).toBeUndefined();
    expect(() => parseInstant(text)).toThrow(RangeError);
  });
});

it('usual texts of every day and time are read as Temporal reads them, impossible ones too', () => {
  const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
  const year = fc.integer({ min: 0, max: 9999 }).map((n) => String(n).padStart(4, '0'));
  const parts = fc.tuple(
    year,
    two(13),
    two(32),
    two(25),
    two(61),
    two(59),
    fc.constantFrom('', '.000', '.123', '.999'),
  );
  fc.assert(
    fc.property(parts, ([y, month, day, hour, minute, second, rest]) => {
      const text = `${y}-${month}-${day}T${hour}:${minute}:${second}${rest}Z`;
      expect(tryParseInstant(text)).toBe(tryParseInstant(text.replace('Z', '+00:00')));
    }),
    { numRuns: 2000 },
  );
});

describe('dates', () => {
  it('refuse days that do not exist', () => {
    expect(tryParseDate('2024-02-30')).toBeUndefined();
    expect(tryParseDate('2023-02-29')).toBeUndefined();
    expect(tryParseDate('2024-2-3')).toBeUndefined();
    expect(() => parseDate('2024-04-31')).toThrow(RangeError);
    expect(formatDate(parseDate('2024-02-29'))).toBe('2024-02-29');
  });

  it('are counted and compared', () => {
    const [february, march] = [parseDate('2024-02-28'), parseDate('2024-03-01')];
    expect(daysBetween(february, march)).toBe(2);
    expect(compareDates(february, march)).toBeLessThan(0);
    expect(formatDate(addDays(march, -1))).toBe('2024-02-29');
  });
});

describe('isTimeZone', () => {
  it.each(['UTC', 'Europe/Paris', 'America/Argentina/Buenos_Aires', 'Pacific/Apia', 'Europe/Kyiv', 'GMT+12'])(
    'knows %s',
    (zone) => {
      expect(isTimeZone(zone)).toBe(true);
    },
  );

  it.each(['', 'Mars/Olympus', '+02:00', '2024-01-01[UTC]', 'Europe/', 'Europe/Paris '])('refuses "%s"', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});

describe('the first moment of a date', () => {
  it.each([
    ['2024-05-01', 'GMT+12', '2024-05-01T12:00:00Z', 'twelve hours behind Greenwich'],
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00Z', 'clocks jump from 00:00 to 01:00'],
    ['2024-09-08', 'America/Santiago', '2024-09-08T04:00:00Z', 'clocks jump from 00:00 to 01:00'],
    ['2024-03-31', 'Asia/Beirut', '2024-03-30T22:00:00Z', 'clocks jump from 00:00 to 01:00'],
    ['2024-03-10', 'America/Havana', '2024-03-10T05:00:00Z', 'clocks jump from 00:00 to 01:00'],
    ['2024-11-03', 'America/Havana', '2024-11-03T04:00:00Z', 'midnight comes twice: the first one'],
    ['2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00Z', 'the last day east of the date line'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z', 'a date that never was begins with the next'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00Z', 'the day after the skipped one'],
    ['2010-11-07', 'America/St_Johns', '2010-11-07T02:30:00Z', 'clocks go back at 00:01 into the day before'],
    ['2024-03-31', 'Europe/Paris', '2024-03-30T23:00:00Z', 'an ordinary midnight'],
    ['2024-06-01', 'Asia/Kathmandu', '2024-05-31T18:15:00Z', 'a quarter of an hour'],
  ])('%s in %s is %s: %s', (date, zone, first) => {
    expect(formatInstant(startOfDay(parseDate(date), zone))).toBe(first);
    expect(endOfDay(addDays(parseDate(date), -1), zone)).toBe(parseInstant(first) - 1);
  });

  it('opens the local date it belongs to, one millisecond before is the date before', () => {
    const first = parseInstant('2026-04-23T22:00:00Z');
    expect(formatDate(localDate(first, 'Africa/Cairo'))).toBe('2026-04-24');
    expect(formatDate(localDate(first - 1, 'Africa/Cairo'))).toBe('2026-04-23');
  });

  it('gives no moment to a skipped date', () => {
    const first = parseInstant('2011-12-30T10:00:00Z');
    expect(formatDate(localDate(first, 'Pacific/Apia'))).toBe('2011-12-31');
    expect(formatDate(localDate(first - 1, 'Pacific/Apia'))).toBe('2011-12-29');
  });

  it('keeps repeated minutes after midnight in the new date', () => {
    expect(formatDate(localDate(parseInstant('2010-11-07T03:00:00Z'), 'America/St_Johns'))).toBe('2010-11-07');
  });
});

describe('dayCount', () => {
  const days = (from: string, to: string, zone: string) => dayCount(parseInstant(from), parseInstant(to), zone);

  it.each([
    ['2024-02-28T10:00:00Z', '2024-03-01T11:00:00Z', 'UTC', 3, 'started days count'],
    ['2024-02-28T10:00:00Z', '2024-03-01T10:00:00Z', 'UTC', 2, 'exactly two'],
    ['2023-12-01T00:00:00Z', '2023-12-07T00:00:00Z', 'UTC', 7, 'an end at midnight counts its date'],
    ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00Z', 'UTC', 0, 'no time at all'],
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z', 'UTC', 1, 'no time, but an end at midnight counts its date'],
    ['2024-01-02T00:00:00Z', '2024-01-01T00:00:00Z', 'UTC', 0, 'never negative'],
    ['2024-02-29T23:00:00Z', '2024-03-31T21:59:59Z', 'Europe/Paris', 31, 'clocks go forward'],
    ['2024-09-30T22:00:00Z', '2024-10-31T22:59:59Z', 'Europe/Paris', 31, 'clocks go back'],
    ['2026-04-23T22:00:00Z', '2026-05-23T20:59:59.999Z', 'Africa/Cairo', 30, 'a first day that begins at 01:00'],
    ['2026-04-23T22:00:00Z', '2026-04-24T20:59:59.999Z', 'Africa/Cairo', 1, 'the day of 23 hours'],
    ['2026-04-22T22:00:00Z', '2026-04-23T22:00:00Z', 'Africa/Cairo', 2, 'an end at 01:00 that is a first moment'],
    ['2024-11-03T04:00:00Z', '2024-11-04T04:59:59.999Z', 'America/Havana', 1, 'the day of 25 hours'],
    ['2011-12-01T10:00:00Z', '2011-12-31T09:59:59.999Z', 'Pacific/Apia', 31, 'December without its 30th'],
  ])('%s to %s in %s is %i: %s', (from, to, zone, expected) => {
    expect(days(from, to, zone)).toBe(expected);
  });
});

describe('localTimeOn', () => {
  const time = (date: string, instant: string, zone: string) =>
    formatInstant(localTimeOn(parseDate(date), parseInstant(instant), zone));

  it('keeps the hour of the clock, and is later where clocks jump over it', () => {
    expect(time('2024-04-01', '2024-03-22T01:12:00Z', 'Europe/Paris')).toBe('2024-04-01T00:12:00Z');
    expect(time('2024-03-31', '2024-03-22T01:12:00Z', 'Europe/Paris')).toBe('2024-03-31T01:12:00Z');
    expect(time('2024-10-27', '2024-10-01T00:12:00Z', 'Europe/Paris')).toBe('2024-10-27T00:12:00Z');
  });
});
