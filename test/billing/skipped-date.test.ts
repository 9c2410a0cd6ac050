import { describe, expect, it } from 'vitest';
import { isBillingDay } from '../../src/billing/period/billing-day.ts';
import {
  addDays,
  compareDates,
  endOfDay,
  formatDate,
  parseDate,
  startOfDay,
} from '../../src/billing/period/calendar.ts';
import { periodGrid, periodOf } from '../../src/billing/period/period.ts';
import { INTERVALS, type PeriodTerms } from '../../src/billing/period/terms.ts';

/** Zones that crossed the date line, each with the date it never had. */
const SKIPPED = [
  ['Pacific/Apia', '2011-12-30'],
  ['Pacific/Fakaofo', '2011-12-30'],
  ['Pacific/Kwajalein', '1993-08-21'],
  ['Pacific/Kiritimati', '1994-12-31'],
  ['Pacific/Enderbury', '1994-12-31'],
] as const;

describe.each(SKIPPED)('%s never had %s', (zone, text) => {
  const gone = parseDate(text);

  it('it lasts no time, and the day before ends where the day after begins', () => {
    expect(endOfDay(gone, zone)).toBe(startOfDay(gone, zone) - 1);
    expect(endOfDay(addDays(gone, -1), zone) + 1).toBe(startOfDay(addDays(gone, 1), zone));
  });

  it.each(INTERVALS)('%s periods that end on it, begin on it or hold it follow each other', (interval) => {
    for (let shift = -2; shift <= 2; shift += 1) {
      const subscriptionAt = startOfDay(addDays(gone, shift - 1500), zone);
      for (const billingTime of ['calendar', 'anniversary'] as const) {
        const grid = periodGrid({ interval, billingTime, subscriptionAt, zone });
        for (let day = -8; day <= 8; day += 1) {
          const period = periodOf(grid, addDays(gone, day));
          const next = periodOf(grid, addDays(period.last, 1));
          expect(compareDates(next.first, addDays(period.last, 1))).toBe(0);
          expect(startOfDay(next.first, zone), formatDate(next.first)).toBe(endOfDay(period.last, zone) + 1);
        }
      }
    }
  });

  it('a period that begins on it is billed once, on the day after', () => {
    const startedAt = startOfDay(addDays(gone, -28), zone);
    const terms: PeriodTerms = {
      ...{ interval: 'weekly', billingTime: 'anniversary', zone, payInAdvance: false, amountCents: 700n },
      ...{ billChargesMonthly: false, billFixedChargesMonthly: false, terminatedAt: null, successor: 'none' },
      ...{ subscriptionAt: startedAt, startedAt, lastInvoice: null },
    };
    const moments = new Set(
      [-7, -6, -1, 0, 1, 2, 7]
        .map((day) => startOfDay(addDays(gone, day), zone))
        .filter((at) => isBillingDay(terms, at)),
    );
    expect([...moments]).toEqual([-7, 1, 7].map((day) => startOfDay(addDays(gone, day), zone)));
  });
});
