import { describe, expect, it } from 'vitest';
import { dec } from '../../../src/billing/money/decimal.ts';
import { dayCount } from '../../../src/billing/period/calendar.ts';
import { billedFromAfterTrial, isInTrial, isTrialOverOn, trialEnd } from '../../../src/billing/period/trial.ts';
import { formatInstant, parseInstant } from '../../instant.ts';

const end = (start: string, days: string, zone = 'UTC') => {
  const ends = trialEnd(parseInstant(start), dec(days), zone);
  return ends === null ? null : formatInstant(ends);
};

describe('trialEnd', () => {
  it.each([
    ['2024-03-05T12:12:00Z', '10', 'UTC', '2024-03-15T12:12:00Z'],
    ['2024-03-22T18:12:00Z', '10', 'Asia/Tokyo', '2024-04-01T18:12:00Z'],
    ['2024-03-05T12:00:00Z', '0.5', 'UTC', '2024-03-06T00:00:00Z'],
    ['2024-03-22T01:12:00Z', '10', 'Europe/Paris', '2024-04-01T00:12:00Z'],
    ['2024-10-20T22:00:00Z', '7', 'Europe/Paris', '2024-10-27T23:00:00Z'],
    ['2026-04-13T22:00:00Z', '10', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
  ])('%s and %s days in %s: %s', (start, days, zone, expected) => {
    expect(end(start, days, zone)).toBe(expected);
  });

  it('is none without days', () => {
    expect(end('2024-03-05T12:12:00Z', '0')).toBeNull();
  });
});

describe('billedFromAfterTrial', () => {
  const january = { from: parseInstant('2022-01-01T00:00:00Z'), to: parseInstant('2022-01-31T23:59:59Z') };
  const days = (endsAt: string | null, by?: 'instant' | 'date') => {
    const from = billedFromAfterTrial(january, endsAt === null ? null : parseInstant(endsAt), 'UTC', by);
    return from === null ? 0 : dayCount(from, january.to, 'UTC');
  };

  it('counts from the end of a trial inside the period', () => {
    expect(days('2022-01-04T00:01:00Z')).toBe(28);
    expect(days('2022-01-16T00:00:00Z')).toBe(16);
    expect(days('2022-01-31T23:59:58Z')).toBe(1);
  });

  it('is nothing when the trial reaches the end, and everything when it was over before', () => {
    expect(days('2022-01-31T23:59:59Z')).toBe(0);
    expect(days('2022-03-01T00:00:00Z')).toBe(0);
    expect(days('2021-12-31T10:00:00Z')).toBe(31);
    expect(days(null)).toBe(31);
  });

  it('by date bills the whole day on which it ends', () => {
    expect(days('2022-01-31T23:59:59Z', 'date')).toBe(1);
    expect(days('2022-02-01T10:00:00Z', 'date')).toBe(0);
    expect(days('2022-01-04T10:00:00Z', 'date')).toBe(28);
  });
});

describe('the day a trial ends', () => {
  const ends = parseInstant('2024-04-01T18:12:00Z');

  it('bills from its local date on', () => {
    expect(isInTrial(parseInstant('2024-04-01T14:59:00Z'), ends, 'Asia/Tokyo')).toBe(true);
    expect(isInTrial(parseInstant('2024-04-01T15:00:00Z'), ends, 'Asia/Tokyo')).toBe(false);
    expect(isInTrial(parseInstant('2024-05-01T00:00:00Z'), ends, 'Asia/Tokyo')).toBe(false);
    expect(isInTrial(ends, null, 'Asia/Tokyo')).toBe(false);
  });

  it('is over at its moment, on that day only', () => {
    expect(isTrialOverOn(ends - 1, ends, 'Asia/Tokyo')).toBe(false);
    expect(isTrialOverOn(ends, ends, 'Asia/Tokyo')).toBe(true);
    expect(isTrialOverOn(parseInstant('2024-04-02T15:00:00Z'), ends, 'Asia/Tokyo')).toBe(false);
  });
});
