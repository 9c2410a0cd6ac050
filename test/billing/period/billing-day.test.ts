import { describe, expect, it } from 'vitest';
import {
  type BilledPeriod,
  isBillingDay,
  isDue,
  nextBillingMoment,
  terminationBoundaries,
} from '../../../src/billing/period/billing-day.ts';
import { boundaries } from '../../../src/billing/period/boundaries.ts';
import {
  planChange,
  prorateCents,
  subscriptionDays,
  yearlyAmountCents,
} from '../../../src/billing/period/proration.ts';
import type { PeriodTerms } from '../../../src/billing/period/terms.ts';
import { formatInstant, parseInstant } from '../../instant.ts';

const START = '2024-01-15T10:00:00Z';
const monthly: PeriodTerms = {
  interval: 'monthly',
  billingTime: 'calendar',
  subscriptionAt: parseInstant(START),
  startedAt: parseInstant(START),
  zone: 'UTC',
  payInAdvance: false,
  billChargesMonthly: false,
  billFixedChargesMonthly: false,
  amountCents: 3100n,
  terminatedAt: null,
  successor: 'none',
  lastInvoice: null,
};
const at = parseInstant;
const show = (instant: number | null) => (instant === null ? null : formatInstant(instant));

describe('billing days', () => {
  it('are the first days of periods, of months where something is split', () => {
    const yearly = { ...monthly, interval: 'yearly' as const };
    expect(isBillingDay(monthly, at('2024-03-01T23:59:59Z'))).toBe(true);
    expect(isBillingDay(monthly, at('2024-03-02T00:00:00Z'))).toBe(false);
    expect(isBillingDay(yearly, at('2024-03-01T00:00:00Z'))).toBe(false);
    expect(isBillingDay({ ...yearly, billFixedChargesMonthly: true }, at('2024-03-01T00:00:00Z'))).toBe(true);
    expect(
      isBillingDay({ ...monthly, interval: 'quarterly', billChargesMonthly: true }, at('2024-03-01T00:00:00Z')),
    ).toBe(false);
  });

  it('follow the local date where clocks jump over midnight', () => {
    const anchor = at('2026-01-24T10:00:00Z');
    const cairo = { ...monthly, zone: 'Africa/Cairo', billingTime: 'anniversary' as const, subscriptionAt: anchor };
    expect(isBillingDay(cairo, at('2026-04-23T21:59:59.999Z'))).toBe(false);
    expect(isBillingDay(cairo, at('2026-04-23T22:00:00Z'))).toBe(true);
    expect(isBillingDay(cairo, at('2026-04-24T20:59:59.999Z'))).toBe(true);
    expect(isBillingDay(cairo, at('2026-04-24T21:00:00Z'))).toBe(false);
  });

  it('move to the next date where the zone skips the first day of a period', () => {
    const anchor = at('2011-11-30T12:00:00Z');
    const apia = { ...monthly, zone: 'Pacific/Apia', billingTime: 'anniversary' as const, subscriptionAt: anchor };
    expect(isBillingDay(apia, at('2011-12-30T09:59:59Z'))).toBe(false);
    expect(isBillingDay(apia, at('2011-12-30T10:00:00Z'))).toBe(true);
    expect(isBillingDay(apia, at('2011-12-31T10:00:00Z'))).toBe(false);
  });

  it.each([
    [true, false],
    [false, true],
    [true, true],
  ])('come every month of a year whose usage (%s) or fixed charges (%s) are billed by the month', (usage, fixed) => {
    const split = {
      ...monthly,
      interval: 'yearly' as const,
      billChargesMonthly: usage,
      billFixedChargesMonthly: fixed,
    };
    const past: BilledPeriod[] = [];
    for (let month = 2; month <= 14; month += 1) {
      const run = Date.UTC(2024, month - 1, 1, 5);
      expect([month, isDue(split, run, past, null)]).toEqual([month, true]);
      // As a biller that is run again the next day would see it.
      past.push({ zone: split.zone, ...boundaries(split, run), billedAt: run - 20 * 3_600_000 });
      expect([month, isDue(split, run, past, null)]).toEqual([month, false]);
    }
  });

  it('bill once, not on the day of the start or of the end, and never what is billed already', () => {
    const run = at('2024-03-01T05:00:00Z');
    const billed = { zone: monthly.zone, billedAt: run, ...boundaries(monthly, run) };
    expect(isDue(monthly, run, [], null)).toBe(true);
    expect(isDue(monthly, at('2024-03-01T09:00:00Z'), [billed], null)).toBe(false);
    expect(isDue(monthly, run, [{ ...billed, billedAt: at('2024-02-29T23:00:00Z') }], null)).toBe(false);
    expect(isDue(monthly, at('2024-04-01T00:00:00Z'), [billed], null)).toBe(true);
    expect(isDue(monthly, run, [], at('2024-03-01T20:00:00Z'))).toBe(false);
    expect(isDue(monthly, run, [], at('2024-03-02T20:00:00Z'))).toBe(true);
    expect(isDue({ ...monthly, startedAt: at('2024-03-01T00:00:00Z') }, run, [], null)).toBe(false);
    expect(isDue({ ...monthly, startedAt: at('2024-02-29T23:59:59Z') }, run, [], null)).toBe(true);
    expect(isDue({ ...monthly, terminatedAt: at('2024-02-10T00:00:00Z') }, run, [], null)).toBe(false);
  });
});

describe('terminationBoundaries', () => {
  const ends = at('2024-03-01T10:00:00Z');
  const ended = { ...monthly, terminatedAt: ends };
  const dates = (terms: PeriodTerms, past: Parameters<typeof terminationBoundaries>[2] = [], moment = ends) => {
    const { from, to } = terminationBoundaries(terms, moment, past);
    return [show(from), show(to)];
  };

  it('bill the whole previous period on the day it is due, unless that was done', () => {
    const billed = { zone: monthly.zone, billedAt: at('2024-03-01T01:00:00Z'), ...boundaries(monthly, ends) };
    expect(dates(ended)).toEqual(['2024-02-01T00:00:00Z', '2024-02-29T23:59:59Z']);
    expect(dates(ended, [billed])).toEqual(['2024-03-01T00:00:00Z', '2024-03-01T10:00:00Z']);
  });

  it('bill the running days on any other day, with a successor, or when it began that day', () => {
    const later = at('2024-03-02T10:00:00Z');
    const running = ['2024-03-01T00:00:00Z', '2024-03-01T10:00:00Z'];
    expect(dates({ ...monthly, terminatedAt: later }, [], later)).toEqual([
      '2024-03-01T00:00:00Z',
      '2024-03-02T10:00:00Z',
    ]);
    expect(dates({ ...ended, successor: 'upgrade' })).toEqual(running);
    expect(dates({ ...ended, startedAt: at('2024-03-01T08:00:00Z') })).toEqual(running);
  });
});

describe('boundaries', () => {
  it('of a split part run to a termination inside a day', () => {
    const terminatedAt = at('2024-05-22T10:00:00Z');
    const split = {
      ...monthly,
      interval: 'yearly' as const,
      billChargesMonthly: true,
      payInAdvance: true,
      terminatedAt,
    };
    const run = boundaries(split, terminatedAt);
    expect([show(run.chargesFrom), show(run.chargesTo)]).toEqual(['2024-05-01T00:00:00Z', '2024-05-22T10:00:00Z']);
    expect(run.fixedChargesFrom).toBeNull();
  });

  it('follow the last invoice of another zone to the second, whether it kept its milliseconds or not', () => {
    for (const chargesTo of ['2022-01-31T23:59:59Z', '2022-01-31T23:59:59.999Z']) {
      const lastInvoice = { zone: 'UTC', chargesTo: at(chargesTo), fixedChargesTo: null };
      const early = { subscriptionAt: at('2021-02-02T00:00:00Z'), startedAt: at('2021-02-02T00:00:00Z') };
      const moved = { ...monthly, ...early, zone: 'America/Los_Angeles', lastInvoice };
      expect(show(boundaries(moved, at('2022-03-02T00:00:00Z')).chargesFrom)).toBe('2022-02-01T00:00:00Z');
    }
  });

  it('begin and end with the local day where clocks jump over midnight', () => {
    const anchor = at('2026-03-24T10:00:00Z');
    const early = { billingTime: 'anniversary' as const, subscriptionAt: anchor, startedAt: anchor };
    const run = boundaries({ ...monthly, ...early, zone: 'Africa/Cairo' }, at('2026-05-24T10:00:00Z'));
    expect(show(run.from)).toBe('2026-04-23T22:00:00Z');
    expect(new Date(run.to).toISOString()).toBe('2026-05-23T20:59:59.999Z');
    expect(run.durationDays).toBe(30);
  });
});

describe('nextBillingMoment', () => {
  it('lies on the first date of the next period, also after the night clocks go forward', () => {
    const paris = {
      ...monthly,
      zone: 'Europe/Paris',
      billingTime: 'anniversary' as const,
      subscriptionAt: at('2024-01-31T15:00:00Z'),
    };
    expect(show(nextBillingMoment(paris, at('2024-03-20T15:00:00Z')))).toBe('2024-03-31T21:59:59Z');
    expect(show(nextBillingMoment(monthly, at('2024-04-04T00:00:00Z')))).toBe('2024-05-01T23:59:59Z');
  });
});

describe('proration and plan changes', () => {
  it('count one day less for an upgrade, never below 0', () => {
    expect(subscriptionDays(at('2024-03-01T00:00:00Z'), at('2024-03-20T10:00:00Z'), 'UTC', false)).toBe(20);
    expect(subscriptionDays(at('2024-03-01T00:00:00Z'), at('2024-03-20T10:00:00Z'), 'UTC', true)).toBe(19);
    expect(subscriptionDays(at('2024-03-01T00:00:00Z'), at('2024-03-01T00:00:00Z'), 'UTC', true)).toBe(0);
  });

  it('multiply before they divide', () => {
    expect(prorateCents(999n, 15, 30).toString()).toBe('499.5');
    expect(prorateCents(10n ** 18n, 31, 31).toString()).toBe('1000000000000000000');
  });

  it('compare what plans cost in a year', () => {
    expect(yearlyAmountCents({ interval: 'weekly', amountCents: 100n })).toBe(5200n);
    expect(planChange({ interval: 'monthly', amountCents: 100n }, { interval: 'yearly', amountCents: 1200n })).toBe(
      'upgrade',
    );
    expect(planChange({ interval: 'monthly', amountCents: 100n }, { interval: 'yearly', amountCents: 1199n })).toBe(
      'downgrade',
    );
    expect(
      planChange({ interval: 'quarterly', amountCents: 300n }, { interval: 'semiannual', amountCents: 601n }),
    ).toBe('upgrade');
  });
});
