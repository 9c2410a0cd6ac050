import type { Decimal } from '../money/decimal.ts';
import type { Instant } from './calendar.ts';

export const INTERVALS = ['weekly', 'monthly', 'quarterly', 'semiannual', 'yearly'] as const;
export type Interval = (typeof INTERVALS)[number];

/** `calendar` periods follow the calendar, `anniversary` periods the day the subscription began. */
export type BillingTime = 'calendar' | 'anniversary';

/** Which period of the calendar is meant: all that the dates of a period depend on. */
export interface PeriodRule {
  interval: Interval;
  billingTime: BillingTime;
  /** The anchor of anniversary periods; its local date counts. */
  subscriptionAt: Instant;
  /** Customer's time zone, else the billing entity's, else UTC. */
  zone: string;
}

/** A subscription and its plan, as far as periods depend on them. */
export interface PeriodTerms extends PeriodRule {
  payInAdvance: boolean;
  /** Usage, and fixed charges, of a yearly or semiannual plan by the month; without effect on other intervals. */
  billChargesMonthly: boolean;
  billFixedChargesMonthly: boolean;
  /** Price of a whole period, for `singleDayPriceCents`. */
  amountCents: bigint;
  /** First moment it ran. */
  startedAt: Instant;
  /** Moment it ended; null while it runs. */
  terminatedAt: Instant | null;
  /** What replaced it, when something did: a dearer plan at once, or a cheaper one with the next period. */
  successor: 'none' | 'upgrade' | 'downgrade';
  /** The last invoice, when the customer's zone was another one then. */
  lastInvoice: { zone: string; chargesTo: Instant | null; fixedChargesTo: Instant | null } | null;
}

/** `billing` looks back from a billing day; `current_usage` looks at the period that holds the moment. */
export type BoundaryView = 'billing' | 'current_usage';

/** What a billing run knows of its periods before the subscription's own start and end cut them. */
export interface PeriodFrame {
  /** End of the whole period that holds the moment of billing. */
  nextEndOfPeriod: Instant;
  /** End of the billed period without regard to a termination, and the first moment after it. */
  endOfPeriod: Instant;
  nextPeriodStartedAt: Instant;
  previousBeginningOfPeriod: Instant;
  /** Days of the whole period that holds the first day: 7, 28 to 31, 90 to 92, 181 to 184, 365 or 366. */
  durationDays: number;
  chargesDurationDays: number;
  fixedChargesDurationDays: number;
  /** `amountCents / durationDays`, not rounded. Prefer multiplying before dividing: `amount x days / durationDays`. */
  singleDayPriceCents: Decimal;
}

/** The dates of one billing run. Both ends are included: a period ends on the last millisecond of a day. */
export interface Boundaries extends PeriodFrame {
  from: Instant;
  to: Instant;
  /** Null when this run bills no usage: the months after the first one of a long period that is not split. */
  chargesFrom: Instant | null;
  chargesTo: Instant | null;
  fixedChargesFrom: Instant | null;
  fixedChargesTo: Instant | null;
}
