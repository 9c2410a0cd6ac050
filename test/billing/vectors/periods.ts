import { dec } from '../../../src/billing/money/decimal.ts';
import { type BilledPeriod, isDue } from '../../../src/billing/period/billing-day.ts';
import { boundaries, isTerminatedBy } from '../../../src/billing/period/boundaries.ts';
import { DAY_MS, dayCount, type Instant, localDate, startOfDay } from '../../../src/billing/period/calendar.ts';
import type { Boundaries, BoundaryView, Interval, PeriodTerms } from '../../../src/billing/period/terms.ts';
import { parseInstant } from '../../instant.ts';

export const file = 'periods';

interface Evaluation {
  expected: unknown;
  actual: unknown;
  agree: boolean;
  deviation?: { reason: string };
}

type Values = Record<string, string | number | null>;

interface CaseInput {
  interval: Interval;
  billing_time: 'calendar' | 'anniversary';
  timezone: string;
  pay_in_advance: boolean;
  bill_charges_monthly: boolean;
  bill_fixed_charges_monthly?: boolean;
  plan_amount_cents?: number;
  subscription_at: string;
  started_at?: string | null;
  terminated_at?: string | null;
  next_subscription?: { kind: 'upgrade' | 'downgrade' } | null;
  last_invoice?: {
    timezone: string;
    charges_to_datetime: string | null;
    fixed_charges_to_datetime: string | null;
  } | null;
  billing_at: string;
  current_usage?: boolean;
}

interface BoundariesCase {
  kind: 'boundaries';
  input: CaseInput;
  expected: Values;
  quirk?: Record<string, { calendar_correct: string }>;
  known_flaw?: boolean;
  suggested?: Values;
}

interface BillingDaysCase {
  kind: 'billing_days';
  input: CaseInput;
  expected: Record<string, string[]>;
}

interface DayCountCase {
  kind: 'day_count';
  input: { from: string; to: string; timezone: string };
  expected: { days: number };
}

/** Compares one case of the file with what the rules say; a deviation is tested against our own value. */
export function evaluate(vectorCase: unknown): Evaluation {
  const known = vectorCase as BoundariesCase | BillingDaysCase | DayCountCase;
  switch (known.kind) {
    case 'boundaries':
      return evaluateBoundaries(known);
    case 'billing_days':
      return evaluateBillingDays(known);
    case 'day_count':
      return evaluateDayCount(known);
    default:
      throw new Error(`unknown kind of case: ${JSON.stringify(vectorCase).slice(0, 200)}`);
  }
}

function evaluateBoundaries(known: BoundariesCase): Evaluation {
  const { input } = known;
  const terms = termsOf(input);
  const view: BoundaryView = input.current_usage ? 'current_usage' : 'billing';
  const at = parseInstant(input.billing_at);
  // A subscription that never started has no dates of its own, but its plan's periods are there.
  const actual = valuesOf(
    input.started_at === null
      ? { ...boundaries({ ...terms, startedAt: at }, at, view), ...NO_DATES }
      : boundaries({ ...terms, startedAt: parseInstant(input.started_at ?? input.subscription_at) }, at, view),
  );
  const reasons: string[] = [];
  const split = correctSplit(known, terms, at, view);
  if (split) reasons.push('a termination inside a day bills the running month of a split part');
  const next = correctNextPeriod(known, terms.zone);
  if (next) reasons.push('the next period starts on the day after the last one, whatever the clocks do');
  const expected = { ...known.expected, ...split, ...next };
  const agree = Object.entries(expected).every(([field, value]) => sameValue(field, value, actual[field]));
  return { expected, actual, agree, ...(reasons.length > 0 && { deviation: { reason: reasons.join('; ') } }) };
}

/**
 * Rule: the reference adds 24 elapsed hours to the end of the period and takes the start of that local day, which is a
 * day late where the clocks go forward.
 */
function correctNextPeriod(known: BoundariesCase, zone: string): Values | undefined {
  const { quirk, expected } = known;
  if (quirk) return Object.fromEntries(Object.entries(quirk).map(([field, value]) => [field, value.calendar_correct]));
  const { end_of_period: end, next_period_started_at: next } = expected;
  if (typeof end !== 'string' || typeof next !== 'string') return undefined;
  const elapsed = startOfDay(localDate(parseInstant(end) + DAY_MS, zone), zone);
  const correct = parseInstant(end) + 1;
  if (parseInstant(next) !== elapsed || elapsed === correct) return undefined;
  return { next_period_started_at: text(correct) };
}

/**
 * Rule: the reference hands a split part the midnight of the termination's date, so a subscription that ends later that
 * day does not count as ended. Ours: the split part is that of a monthly plan with the same dates.
 */
export function correctSplit(
  known: Pick<BoundariesCase, 'input' | 'expected' | 'suggested'>,
  terms: Omit<PeriodTerms, 'startedAt'>,
  at: Instant,
  view: BoundaryView,
): Values | undefined {
  const { input, suggested } = known;
  if (suggested) return suggested;
  const { terminatedAt, zone } = terms;
  const isLong = terms.interval === 'yearly' || terms.interval === 'semiannual';
  const midnight = startOfDay(localDate(at, zone), zone);
  if (!isLong || !input.started_at || !isTerminatedBy(terminatedAt, at) || isTerminatedBy(terminatedAt, midnight)) {
    return undefined;
  }
  const startedAt = parseInstant(input.started_at);
  const monthly = valuesOf(boundaries({ ...terms, startedAt, interval: 'monthly' }, at, view));
  const fields = [
    ...(terms.billChargesMonthly ? CHARGES_FIELDS : []),
    ...(terms.billFixedChargesMonthly ? FIXED_CHARGES_FIELDS : []),
  ].filter((field) => monthly[field] !== known.expected[field]);
  return fields.length === 0 ? undefined : Object.fromEntries(fields.map((field) => [field, monthly[field] ?? null]));
}

const CHARGES_FIELDS = ['charges_from_datetime', 'charges_to_datetime', 'charges_duration_in_days'];
const FIXED_CHARGES_FIELDS = CHARGES_FIELDS.map((field) => `fixed_${field}`);

/** Runs the periodic biller at the listed moments, in the order of the lists, and says which runs billed. */
function evaluateBillingDays(known: BillingDaysCase): Evaluation {
  const startedAt = parseInstant(known.input.started_at ?? known.input.subscription_at);
  const terms: PeriodTerms = { ...termsOf(known.input), startedAt };
  const past: BilledPeriod[] = [];
  const bills = (moment: string): boolean => {
    const at = parseInstant(moment);
    const due = isDue(terms, at, past, null);
    if (due) past.push({ zone: terms.zone, billedAt: at, ...boundaries(terms, at) });
    return due;
  };
  const actual: Record<string, string[]> = {};
  let agree = true;
  for (const [list, moments] of Object.entries(known.expected)) {
    const billed = moments.filter(bills);
    actual[list] = billed;
    agree &&= billed.length === billedCount(list, moments);
  }
  return { expected: known.expected, actual: { billed: actual }, agree };
}

function billedCount(list: string, moments: readonly string[]): number {
  switch (list) {
    case 'no_invoice_at':
    case 'still_none_more_at':
      return 0;
    case 'exactly_one_invoice_over':
      return 1;
    case 'invoice_at_each_of':
      return moments.length;
    default:
      throw new Error(`unknown list of moments: ${list}`);
  }
}

function evaluateDayCount(known: DayCountCase): Evaluation {
  const { from, to, timezone } = known.input;
  const actual = { days: dayCount(parseInstant(from), parseInstant(to), timezone) };
  return { expected: known.expected, actual, agree: actual.days === known.expected.days };
}

export function termsOf(input: CaseInput): Omit<PeriodTerms, 'startedAt'> {
  const last = input.last_invoice;
  const moment = (value: string | null | undefined) => (value ? parseInstant(value) : null);
  return {
    interval: input.interval,
    billingTime: input.billing_time,
    subscriptionAt: parseInstant(input.subscription_at),
    zone: input.timezone,
    payInAdvance: input.pay_in_advance,
    billChargesMonthly: input.bill_charges_monthly,
    billFixedChargesMonthly: input.bill_fixed_charges_monthly ?? false,
    amountCents: BigInt(input.plan_amount_cents ?? 0),
    terminatedAt: moment(input.terminated_at),
    successor: input.next_subscription?.kind ?? 'none',
    lastInvoice: last
      ? {
          zone: last.timezone,
          chargesTo: moment(last.charges_to_datetime),
          fixedChargesTo: moment(last.fixed_charges_to_datetime),
        }
      : null,
  };
}

const NO_DATES = {
  from: null,
  to: null,
  chargesFrom: null,
  chargesTo: null,
  fixedChargesFrom: null,
  fixedChargesTo: null,
};

type MaybeDates = { [Field in keyof Boundaries]: Boundaries[Field] | null };

function valuesOf(dates: MaybeDates): Values {
  return {
    from_datetime: text(dates.from),
    to_datetime: text(dates.to),
    charges_from_datetime: text(dates.chargesFrom),
    charges_to_datetime: text(dates.chargesTo),
    fixed_charges_from_datetime: text(dates.fixedChargesFrom),
    fixed_charges_to_datetime: text(dates.fixedChargesTo),
    next_end_of_period: text(dates.nextEndOfPeriod),
    end_of_period: text(dates.endOfPeriod),
    next_period_started_at: text(dates.nextPeriodStartedAt),
    previous_beginning_of_period: text(dates.previousBeginningOfPeriod),
    single_day_price: dates.singleDayPriceCents?.toString() ?? null,
    charges_duration_in_days: dates.chargesDurationDays,
    fixed_charges_duration_in_days: dates.fixedChargesDurationDays,
  };
}

function text(instant: Instant | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

/** Moments as moments, the day price to the digits that the file's binary numbers have, the rest as it is. */
function sameValue(
  field: string,
  expected: string | number | null,
  actual: string | number | null | undefined,
): boolean {
  if (expected === null || actual === null || actual === undefined) return expected === actual;
  if (field === 'single_day_price') return dec(actual).minus(dec(expected)).abs().lessThan(1e-9);
  if (typeof expected === 'string') return parseInstant(expected) === parseInstant(String(actual));
  return expected === actual;
}
