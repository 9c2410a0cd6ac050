import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, roundToInteger, sum } from '../../src/billing/money/decimal.ts';
import { isBillingDay, isDue, nextBillingMoment } from '../../src/billing/period/billing-day.ts';
import { boundaries } from '../../src/billing/period/boundaries.ts';
import {
  addDays,
  compareDates,
  DAY_MS,
  dayCount,
  daysBetween,
  endOfDay,
  formatDate,
  localDate,
  parseDate,
  startOfDay,
} from '../../src/billing/period/calendar.ts';
import {
  dateOneIntervalBefore,
  periodDays,
  periodGrid,
  periodOf,
  periodStart,
} from '../../src/billing/period/period.ts';
import { prorateCents } from '../../src/billing/period/proration.ts';
import { INTERVALS, type PeriodTerms } from '../../src/billing/period/terms.ts';
import { ANCHORS, ZONES } from './period-zones.ts';

const YEARS = 10;
const MINUTE_MS = 60_000;

/** Terms whose anchor is a moment of the anchor's date, in its zone. */
const anyTerms = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    anchor: fc.constantFrom(...ANCHORS).map(parseDate),
    minute: fc.oneof(fc.constant(0), fc.nat({ max: 22 * 60 })),
    interval: fc.constantFrom(...INTERVALS),
    billingTime: fc.constantFrom('calendar' as const, 'anniversary' as const),
    payInAdvance: fc.boolean(),
    billChargesMonthly: fc.boolean(),
    billFixedChargesMonthly: fc.boolean(),
  })
  .map(({ anchor, minute, ...rest }): PeriodTerms => {
    const startedAt = startOfDay(anchor, rest.zone) + minute * MINUTE_MS;
    const shared = { terminatedAt: null, successor: 'none' as const, lastInvoice: null };
    return { ...rest, ...shared, amountCents: 31_00n, subscriptionAt: startedAt, startedAt };
  });

/** Local dates of ten years from the start on which the periodic biller would bill. */
function billingDates(terms: PeriodTerms) {
  const first = localDate(terms.startedAt, terms.zone);
  return Array.from({ length: YEARS * 365 }, (_, index) => addDays(first, index + 1)).filter(
    (date) =>
      endOfDay(date, terms.zone) >= startOfDay(date, terms.zone) && isBillingDay(terms, startOfDay(date, terms.zone)),
  );
}

/** A date that its zone never had lasts no time. */
const lasts = (date: ReturnType<typeof parseDate>, zone: string) => endOfDay(date, zone) >= startOfDay(date, zone);

describe('periods', () => {
  it.each(INTERVALS)('tile ten years without gap or overlap: %s', (interval) => {
    for (const zone of ZONES) {
      // The day of the month means nothing to a week.
      for (const anchor of interval === 'weekly' ? ANCHORS.slice(0, 3) : ANCHORS) {
        for (const billingTime of ['calendar', 'anniversary'] as const) {
          const start = startOfDay(parseDate(anchor), zone);
          const grid = periodGrid({ interval, billingTime, subscriptionAt: start, zone });
          let period = periodOf(grid, parseDate(anchor));
          let days = 0;
          const opened = period.first;
          while (days < YEARS * 365) {
            const next = periodOf(grid, addDays(period.last, 1));
            const seam = [compareDates(next.first, addDays(period.last, 1)), startOfDay(next.first, zone)];
            if (seam[0] !== 0 || seam[1] !== endOfDay(period.last, zone) + 1) {
              expect.fail(
                `${zone} ${anchor} ${billingTime}: ${formatDate(period.last)} then ${formatDate(next.first)}`,
              );
            }
            days += periodDays(period);
            period = next;
          }
          expect(days).toBe(daysBetween(opened, period.first));
        }
      }
    }
  });

  it('hold every date between their ends, and no other', () => {
    fc.assert(
      fc.property(anyTerms, fc.integer({ min: -2000, max: 4000 }), (terms, away) => {
        const grid = periodGrid(terms);
        const date = addDays(localDate(terms.startedAt, terms.zone), away);
        const { first, last } = periodOf(grid, date);
        expect(compareDates(first, date)).toBeLessThanOrEqual(0);
        expect(compareDates(date, last)).toBeLessThanOrEqual(0);
        expect(formatDate(periodStart(grid, last))).toBe(formatDate(first));
        expect(formatDate(periodOf(grid, addDays(first, -1)).last)).toBe(formatDate(addDays(first, -1)));
      }),
      { numRuns: 2000 },
    );
  });

  it('open on the day of the anchor, or on the last day of a month too short for it', () => {
    fc.assert(
      fc.property(anyTerms, fc.nat({ max: 4000 }), (terms, away) => {
        fc.pre(terms.interval !== 'weekly' && terms.billingTime === 'anniversary');
        const anchor = localDate(terms.startedAt, terms.zone);
        const start = periodStart(periodGrid(terms), addDays(anchor, away));
        expect(start.day).toBe(Math.min(anchor.day, start.daysInMonth));
      }),
      { numRuns: 1000 },
    );
  });

  it('look back from a billing day into the period that ended the day before', () => {
    fc.assert(
      fc.property(anyTerms, fc.nat({ max: 4000 }), (terms, away) => {
        const grid = periodGrid(terms);
        const opening = periodStart(grid, addDays(localDate(terms.startedAt, terms.zone), away));
        const back = periodOf(grid, dateOneIntervalBefore(grid, opening));
        expect(formatDate(back.last)).toBe(formatDate(addDays(opening, -1)));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('billing runs', () => {
  it('bill usage and fixed charges of ten years once each, without gap or overlap', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const dates = billingDates(terms).map((date) => boundaries(terms, startOfDay(date, terms.zone)));
        for (const [from, to] of [
          ['chargesFrom', 'chargesTo'] as const,
          ['fixedChargesFrom', 'fixedChargesTo'] as const,
        ]) {
          let expected = terms.startedAt;
          for (const run of dates) {
            const [opens, closes] = [run[from], run[to]];
            if (opens === null || closes === null) continue;
            // Before the first whole period of a long plan is over, an unsplit part has nothing to bill yet.
            if (closes <= terms.startedAt) continue;
            expect(opens).toBe(expected);
            expected = closes + 1;
          }
          expect(expected).toBeGreaterThan(terms.startedAt);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('bill subscription periods that follow each other, each as long as its days say', () => {
    fc.assert(
      fc.property(anyTerms, (drawn) => {
        const terms = { ...drawn, billChargesMonthly: false, billFixedChargesMonthly: false };
        const runs = billingDates(terms).map((date) => boundaries(terms, startOfDay(date, terms.zone)));
        for (const [index, run] of runs.entries()) {
          const next = runs[index + 1];
          if (next) expect([next.from, next.from]).toEqual([run.to + 1, run.nextPeriodStartedAt]);
          // A period that opens or closes on a date the zone never had counts one day less than the calendar.
          const opening = addDays(localDate(run.endOfPeriod, terms.zone), 1 - run.durationDays);
          const closing = addDays(localDate(run.from, terms.zone), run.durationDays - 1);
          if (index === 0 || ![opening, closing].every((date) => lasts(date, terms.zone))) continue;
          expect(dayCount(run.from, run.to, terms.zone)).toBe(run.durationDays);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('are due once per period, whatever the hour, and never on the first day', () => {
    fc.assert(
      fc.property(
        anyTerms,
        fc.nat({ max: 2000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (terms, away, share) => {
          const date = addDays(localDate(terms.startedAt, terms.zone), away);
          const start = startOfDay(date, terms.zone);
          const at = start + Math.floor((endOfDay(date, terms.zone) + 1 - start) * share);
          fc.pre(lasts(date, terms.zone));
          const due = isDue(terms, at, [], null);
          expect(due).toBe(away > 0 && isBillingDay(terms, at));
          if (due)
            expect(isDue(terms, at, [{ zone: terms.zone, billedAt: at, ...boundaries(terms, at) }], null)).toBe(false);
          expect(isDue(terms, at, [], at)).toBe(false);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('come on the first day after the running period', () => {
    fc.assert(
      fc.property(anyTerms, fc.nat({ max: 4000 }), (terms, away) => {
        const at = terms.startedAt + away * DAY_MS;
        const next = nextBillingMoment(terms, at);
        const { endOfPeriod } = boundaries(terms, at, 'current_usage');
        fc.pre(next > endOfPeriod);
        expect(formatDate(localDate(next, terms.zone))).toBe(formatDate(localDate(endOfPeriod + 1, terms.zone)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('days', () => {
  const zoneAndDates = fc.record({
    zone: fc.constantFrom(...ZONES),
    from: fc.integer({ min: 0, max: 9000 }).map((days) => addDays(parseDate('2005-01-01'), days)),
    before: fc.nat({ max: 400 }),
    after: fc.nat({ max: 400 }),
  });

  it('of parts add up to those of the whole, and the parts of an amount to the amount', () => {
    fc.assert(
      fc.property(zoneAndDates, fc.bigInt({ min: 0n, max: 10n ** 15n }), ({ zone, from, before, after }, amount) => {
        const cutDate = addDays(from, before);
        const to = addDays(cutDate, after + 1);
        fc.pre([from, cutDate, addDays(cutDate, 1), to].every((date) => lasts(date, zone)));
        const whole = dayCount(startOfDay(from, zone), endOfDay(to, zone), zone);
        const first = dayCount(startOfDay(from, zone), endOfDay(cutDate, zone), zone);
        const second = dayCount(startOfDay(addDays(cutDate, 1), zone), endOfDay(to, zone), zone);
        expect(whole).toBe(before + after + 2);
        expect(first + second).toBe(whole);
        const parts = [prorateCents(amount, first, whole), prorateCents(amount, second, whole)];
        expect(roundToInteger(sum(parts))).toBe(amount);
        const rounded = parts.map(roundToInteger).reduce((total, part) => total + part, 0n);
        expect(
          dec(rounded - amount)
            .abs()
            .toNumber(),
        ).toBeLessThanOrEqual(1);
      }),
      { numRuns: 3000 },
    );
  });

  it('tile time: each moment lies in its local date', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 1.1e12, max: 2e12 }), (zone, instant) => {
        const date = localDate(instant, zone);
        expect(startOfDay(date, zone)).toBeLessThanOrEqual(instant);
        expect(endOfDay(date, zone)).toBeGreaterThanOrEqual(instant);
      }),
      { numRuns: 3000 },
    );
  });
});
