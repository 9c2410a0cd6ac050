import { type Decimal, dec } from '../money/decimal.ts';
import { isTerminatedBy } from '../period/boundaries.ts';
import { compareDates, type Instant, localDate } from '../period/calendar.ts';
import { periodDays, periodGrid, periodOf } from '../period/period.ts';
import { prorateCents, subscriptionDays } from '../period/proration.ts';
import type { PeriodTerms } from '../period/terms.ts';
import { billedFromAfterTrial } from '../period/trial.ts';

/** What the amount of a subscription fee depends on, besides the terms of its periods. */
export interface PlanFeeInput {
  readonly terms: PeriodTerms;
  /** Moment of billing. */
  readonly at: Instant;
  /** The billed period, both ends included. */
  readonly from: Instant;
  readonly to: Instant;
  readonly createdAt: Instant;
  readonly trialEndsAt: Instant | null;
  /** It replaced another subscription of the customer, and did so as an upgrade. */
  readonly hasPredecessor: boolean;
  readonly startedByUpgrade: boolean;
  /** A subscription fee of it was billed before. */
  readonly billedBefore: boolean;
  /** Local start of the period before the one that is billed. */
  readonly previousPeriodFrom: Instant;
}

/**
 * The exact amount of a subscription fee in minor units: the whole plan amount, or the billed days of the whole period's
 * days. 100 a month, started on 15 March: 17 of 31 days, 54.8387... Source: invoicing 4.1 and 4.2.
 */
export function planFeeCents(input: PlanFeeInput): Decimal {
  const days = planFeeDays(input);
  const { amountCents } = input.terms;
  return days === 'all' ? dec(amountCents) : prorateCents(amountCents, days.billed, days.whole);
}

/** The days of the whole period that a subscription fee bills; none where all of it lies in the trial. */
export function planFeeDays(input: PlanFeeInput): BilledDays {
  if (isBilledByDay(input)) return byDays(input);
  if (!isWhole(input)) return byDays(input, 'date');
  const { from, to, trialEndsAt, terms } = input;
  const billedFrom = billedFromAfterTrial({ from, to }, trialEndsAt, terms.zone);
  return billedFrom === null || billedFrom > from ? byDays(input) : 'all';
}

type BilledDays = 'all' | { readonly billed: number; readonly whole: number };

/** Rules 1 and 2: the last period of a plan in arrears, and the first one after an upgrade. */
function isBilledByDay(input: PlanFeeInput): boolean {
  const { terms, at } = input;
  const ended = isTerminatedBy(terms.terminatedAt, at) && !terms.payInAdvance;
  if (ended && terms.successor !== 'downgrade') return true;
  return input.startedByUpgrade && !input.billedBefore;
}

/** Rule 3: nothing of the period is missing, or it was paid before. */
function isWhole(input: PlanFeeInput): boolean {
  const { terms } = input;
  if (input.billedBefore) return true;
  if (terms.payInAdvance && terms.billingTime === 'anniversary' && !input.hasPredecessor) return true;
  if (!isStartedInPast(terms, input.createdAt)) return false;
  return terms.payInAdvance || terms.startedAt < input.previousPeriodFrom;
}

/** Whether a subscription was given a start on an earlier local date than the one it was created on. */
export function isStartedInPast(terms: PeriodTerms, createdAt: Instant): boolean {
  return compareDates(localDate(terms.startedAt, terms.zone), localDate(createdAt, terms.zone)) < 0;
}

function byDays(input: PlanFeeInput, trialBy?: 'date'): BilledDays {
  const { terms, from, to } = input;
  const billedFrom = billedFromAfterTrial({ from, to }, input.trialEndsAt, terms.zone, trialBy);
  const whole = wholeDays(terms, from);
  if (billedFrom === null) return { billed: 0, whole };
  const upgraded = terms.successor === 'upgrade' && isTerminatedBy(terms.terminatedAt, input.at);
  return { billed: subscriptionDays(billedFrom, to, terms.zone, upgraded), whole };
}

/** Days of the whole period that holds a moment. */
export function wholeDays(terms: PeriodTerms, at: Instant): number {
  return periodDays(periodOf(periodGrid(terms), localDate(at, terms.zone)));
}
