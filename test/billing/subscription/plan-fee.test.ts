import { describe, expect, it } from 'vitest';
import { endOfDay, parseDate } from '../../../src/billing/period/calendar.ts';
import type { PeriodTerms } from '../../../src/billing/period/terms.ts';
import { isStartedInPast, type PlanFeeInput, planFeeCents } from '../../../src/billing/subscription/plan-fee.ts';
import { parseInstant } from '../../instant.ts';

const day = (date: string) => parseInstant(`${date}T00:00:00Z`);
const end = (date: string) => endOfDay(parseDate(date), 'UTC');
const TERMS: PeriodTerms = {
  ...{ interval: 'monthly', billingTime: 'calendar', zone: 'UTC', payInAdvance: false, amountCents: 3000n },
  ...{ billChargesMonthly: false, billFixedChargesMonthly: false, terminatedAt: null, successor: 'none' },
  ...{ subscriptionAt: day('2026-06-11'), startedAt: day('2026-06-11'), lastInvoice: null },
};

/** 11 to 30 June of a plan of 3000 a month: 2000 by days. */
function fee(more: Partial<PlanFeeInput> = {}, terms: Partial<PeriodTerms> = {}): string {
  return planFeeCents({
    terms: { ...TERMS, ...terms },
    at: day('2026-07-01'),
    from: day('2026-06-11'),
    to: end('2026-06-30'),
    createdAt: day('2026-06-11'),
    trialEndsAt: null,
    hasPredecessor: false,
    startedByUpgrade: false,
    billedBefore: false,
    previousPeriodFrom: day('2026-05-01'),
    ...more,
  }).toFixed();
}
const june = { from: day('2026-06-01'), to: end('2026-06-30'), billedBefore: true };

describe('a subscription that has ended (invoicing 4.1, rule 1)', () => {
  const half = { ...june, to: end('2026-06-15') };
  const ended = { terminatedAt: parseInstant('2026-06-15T12:00:00Z') };

  it('pays the days of a plan in arrears, an upgrade one day less', () => {
    expect(fee(half, ended)).toBe('1500');
    expect(fee(half, { ...ended, successor: 'upgrade' })).toBe('1400');
  });

  it('pays the whole plan where a cheaper one follows, or where it pays in advance', () => {
    expect(fee(half, { ...ended, successor: 'downgrade' })).toBe('3000');
    expect(fee(half, { ...ended, payInAdvance: true })).toBe('3000');
  });

  it('has not ended before its time has come', () => {
    expect(fee({ ...half, at: parseInstant('2026-06-15T11:59:59Z') }, ended)).toBe('3000');
    expect(fee({ ...half, at: parseInstant('2026-06-15T12:00:00Z') }, ended)).toBe('1500');
  });

  it('loses the day of an upgrade only when it has taken place', () => {
    const first = { at: day('2026-07-01') };
    const upgraded = { successor: 'upgrade', terminatedAt: day('2026-07-05') } as const;
    expect(fee(first, upgraded)).toBe('2000');
  });
});

describe('one that an upgrade made (rule 2)', () => {
  const advance = { payInAdvance: true, billingTime: 'anniversary' } as const;

  it('pays its first days, also in advance', () => {
    const upgraded = { startedByUpgrade: true, hasPredecessor: true, createdAt: day('2026-06-12') };
    expect(fee(upgraded, { payInAdvance: true })).toBe('2000');
    expect(fee({ ...upgraded, hasPredecessor: false }, { ...advance, subscriptionAt: day('2026-06-01') })).toBe('2000');
  });

  it('pays the whole plan from its second invoice on', () => {
    expect(fee({ startedByUpgrade: true, billedBefore: true })).toBe('3000');
  });
});

describe('the whole plan amount (rule 3)', () => {
  const started = { createdAt: day('2026-06-12') };

  it('is due after the first fee', () => {
    expect(fee({ billedBefore: true })).toBe('3000');
    expect(fee()).toBe('2000');
  });

  it('is due in advance from the anniversary of one without predecessor', () => {
    const advance = { payInAdvance: true, billingTime: 'anniversary', subscriptionAt: day('2026-06-01') } as const;
    expect(fee({}, advance)).toBe('3000');
    expect(fee({ hasPredecessor: true }, advance)).toBe('2000');
    expect(fee({}, { ...advance, billingTime: 'calendar' })).toBe('2000');
    expect(fee({}, { ...advance, payInAdvance: false })).toBe('2000');
  });

  it('is due in advance of one that was started in the past', () => {
    expect(fee(started, { payInAdvance: true })).toBe('3000');
    expect(fee({}, { payInAdvance: true })).toBe('2000');
    expect(fee(started)).toBe('2000');
  });

  it('is due in arrears of one that was started before the period before', () => {
    const past = { ...started, createdAt: day('2026-06-20') };
    expect(fee(past, { startedAt: day('2026-04-30') })).toBe('3000');
    expect(fee(past, { startedAt: day('2026-05-01') })).toBe('2000');
    expect(fee({ createdAt: day('2026-04-30') }, { startedAt: day('2026-04-30') })).toBe('2000');
  });

  it('the past is an earlier local date', () => {
    const terms = { ...TERMS, startedAt: parseInstant('2026-06-10T23:30:00Z') };
    expect(isStartedInPast(terms, parseInstant('2026-06-11T00:30:00Z'))).toBe(true);
    expect(isStartedInPast({ ...terms, zone: 'Europe/Paris' }, parseInstant('2026-06-11T00:30:00Z'))).toBe(false);
    expect(isStartedInPast(terms, parseInstant('2026-06-10T23:59:00Z'))).toBe(false);
  });
});

describe('a trial (invoicing 4.2)', () => {
  const trial = (ends: string, more: Partial<PlanFeeInput> = {}) => fee({ ...more, trialEndsAt: parseInstant(ends) });

  it('leaves the days from its end on', () => {
    expect(trial('2026-06-21T00:00:00Z')).toBe('1000');
    expect(trial('2026-06-21T12:00:00Z', june)).toBe('1000');
    expect(trial('2026-06-01T00:00:00Z', june)).toBe('3000');
    expect(trial('2026-05-20T00:00:00Z')).toBe('2000');
  });

  it('leaves nothing when it lasts to the end of the period', () => {
    expect(trial('2026-07-01T00:00:00Z')).toBe('0');
    expect(trial('2026-07-01T00:00:00Z', june)).toBe('0');
    expect(trial('2026-06-30T23:59:59.999Z', june)).toBe('0');
  });

  it('counts the day of its end by the instant, and in a first period by its date', () => {
    const one = { from: end('2026-06-30') - 3_600_000 };
    const day30 = { to: parseInstant('2026-06-30T20:00:00Z') };
    expect(trial('2026-06-30T21:00:00Z', day30)).toBe('100');
    expect(trial('2026-06-30T21:00:00Z', { ...day30, startedByUpgrade: true })).toBe('0');
    expect(trial('2026-06-30T21:00:00Z', { ...one, startedByUpgrade: true })).toBe('100');
  });
});
