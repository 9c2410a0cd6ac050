import { boundaries } from '../../../src/billing/period/boundaries.ts';
import { addDays, type Instant, localDate, startOfDay } from '../../../src/billing/period/calendar.ts';
import type { ChargePeriod } from '../../../src/billing/period/charge-period.ts';
import type { BillingTime, Interval } from '../../../src/billing/period/terms.ts';

/** A stored subscription whose usage window is that of a case, and when it ends. */
export interface Window {
  readonly interval: Interval;
  readonly billingTime: BillingTime;
  readonly subscriptionAt: Instant;
  readonly startedAt: Instant;
  /** Null: it runs on, and its period ends by itself. */
  readonly endsAt: Instant | null;
  /** The last moment of the window. */
  readonly to: Instant;
}

const INTERVALS: readonly Interval[] = ['monthly', 'weekly', 'quarterly', 'semiannual', 'yearly'];
/** Cases write the end of a day with or without its milliseconds, or as the start of the next one. */
const SAME_END_MS = 1000;

/** Whether a window is the one of a case; the length of the whole period counts only where a rule divides by it. */
export function isSameWindow(one: ChargePeriod, wanted: ChargePeriod, isLengthFree: boolean): boolean {
  const isSameLength = isLengthFree || one.durationDays === wanted.durationDays;
  return one.from === wanted.from && Math.abs(one.to - wanted.to) <= SAME_END_MS && isSameLength;
}

/** Days on which the periods of a subscription can open so that the window ends with one of them, or starts with one. */
function anchors({ from, to, timezone }: ChargePeriod): Instant[] {
  const next = addDays(localDate(to, timezone), 1);
  return [from, startOfDay(next.subtract({ months: 1 }), timezone)];
}

function fitting(window: Omit<Window, 'to'>, wanted: ChargePeriod, isLengthFree: boolean): Window[] {
  const { endsAt, startedAt, interval, billingTime, subscriptionAt } = window;
  const terms = {
    ...{ interval, billingTime, subscriptionAt, startedAt, zone: wanted.timezone, payInAdvance: false },
    ...{ billChargesMonthly: false, billFixedChargesMonthly: false, amountCents: 0n, lastInvoice: null },
    ...{ terminatedAt: endsAt, successor: 'none' as const },
  };
  const dates = boundaries(terms, endsAt ?? wanted.from, 'current_usage');
  const { chargesFrom: from, chargesTo: to, chargesDurationDays: durationDays } = dates;
  if (from === null || to === null) return [];
  return isSameWindow({ ...wanted, from, to, durationDays }, wanted, isLengthFree) ? [{ ...window, to }] : [];
}

/** The first way to come to the window of a case; undefined where no interval has it. */
export function windowOf(wanted: ChargePeriod, isLengthFree: boolean): Window | undefined {
  const startedAt = wanted.from;
  const all = [null, wanted.to].flatMap((endsAt) =>
    INTERVALS.flatMap((interval) =>
      (['calendar', 'anniversary'] as const).flatMap((billingTime) =>
        anchors(wanted).map((subscriptionAt) => ({ interval, billingTime, subscriptionAt, startedAt, endsAt })),
      ),
    ),
  );
  return all
    .filter(({ subscriptionAt }) => subscriptionAt <= startedAt)
    .flatMap((window) => fitting(window, wanted, isLengthFree))[0];
}
