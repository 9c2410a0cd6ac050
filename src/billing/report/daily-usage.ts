import type { UsageSource } from '../aggregate/metric-usage.ts';
import { isInRange, numberRange } from '../catalogue/number-range.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import type { CustomerAccount } from '../invoice/account.ts';
import { type Decimal, ZERO } from '../money/decimal.ts';
import { addDays, type Instant, type LocalDate, startOfDay } from '../period/calendar.ts';
import type { GroupedBy } from '../usage/grouped-by.ts';
import { reportedFees, reportedGroups, type UsageReport, usageReport } from './current-usage.ts';

/** What a charge, a filter or a group of it comes to. */
export interface DailyLine {
  readonly chargeId: string;
  readonly chargeCode: string;
  readonly metricCode: string;
  readonly filterId: string | null;
  readonly groupedBy: GroupedBy;
  readonly units: Decimal;
  readonly eventsCount: number;
  /** Minor units. */
  readonly amountCents: bigint;
}

/** What a subscription had used at the end of a day since the start of the period, without taxes. */
export interface DailyUsage {
  readonly period: { readonly from: Instant; readonly to: Instant };
  readonly currency: string;
  /** Minor units. */
  readonly amountCents: bigint;
  readonly lines: readonly DailyLine[];
}

/** The usage of a day that is asked about. */
export interface DayReport {
  readonly report: UsageReport;
  /** Whether nothing is added to the period after the day: it ends, or the subscription did. */
  readonly isLast: boolean;
}

// What was sent at the end of the day is there by then.
const RECORDED_AFTER_MS = 120_000;

/** A moment whose local day is the first that is not recorded yet: a day is once it has been over for two minutes. */
export const recordedUntil = (now: Date): Date => new Date(now.getTime() - RECORDED_AFTER_MS);

const isNothing = ({ units, eventsCount, amountCents }: Pick<DailyLine, 'units' | 'eventsCount' | 'amountCents'>) =>
  units.isZero() && eventsCount === 0 && amountCents === 0n;

const EVERYTHING = { selection: {}, isTaxed: false, isProjected: false };

/**
 * What the usage of a subscription at the end of a day is made of; that of the day on which it ended, at its end. Null where it did not run on the day,
 * and where no period was open. Source: engine-money 1.5.
 */
export function dayReport(
  account: CustomerAccount,
  subscription: SubscriptionInput,
  day: LocalDate,
  zone: string,
): DayReport | null {
  const { startedAt, terminatedAt } = subscription;
  const [from, to] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)];
  if (startedAt === null || startedAt >= to || (terminatedAt !== null && terminatedAt < from)) return null;
  const hasEnded = terminatedAt !== null && terminatedAt < to;
  const running: SubscriptionInput = { ...subscription, status: 'active', terminatedAt: null };
  const report = usageReport(account, running, EVERYTHING.selection, hasEnded ? terminatedAt : to - 1);
  return report && { report, isLast: hasEnded || report.period.to < to };
}

/** All usage that a report is made of, as it is asked about. */
export const dayGroups = ({ report }: DayReport, usage: UsageSource) =>
  report.charges.map((charge) => reportedGroups(report, charge, usage));

/** The usage of a day; null where it comes to nothing. */
export function dailyUsage({ report }: DayReport, usage: UsageSource): DailyUsage | null {
  const lines = report.charges.flatMap((charge) => {
    const fees = reportedFees(report, charge, reportedGroups(report, charge, usage), EVERYTHING);
    return fees.map(({ fee: { filterId, groupedBy, units, eventsCount, amountCents } }): DailyLine => {
      const of = { chargeId: charge.id, chargeCode: charge.code, metricCode: charge.metric.code };
      return { ...of, filterId, groupedBy, units, eventsCount: eventsCount?.trunc().toNumber() ?? 0, amountCents };
    });
  });
  if (lines.every(({ amountCents }) => amountCents === 0n)) return null;
  const { period, owner } = report;
  return {
    period: { from: period.from, to: period.to },
    currency: owner.subscription.plan.currency,
    amountCents: lines.reduce((sum, { amountCents }) => sum + amountCents, 0n),
    lines: lines.filter((line) => !isNothing(line)),
  };
}

/** Whether a record can hold what a day comes to: one without is no trouble, since the invoice of the period tells whose usage comes to too much. */
export const isRecordable = (amountCents: bigint, addedAmountCents: bigint): boolean =>
  isInRange(numberRange('daily_usage', 'amount_cents'), amountCents) &&
  isInRange(numberRange('daily_usage', 'added_amount_cents'), addedAmountCents);

/** A line, and how much more it is than in the record before it of the same period. */
export interface GrownLine extends DailyLine {
  readonly addedUnits: Decimal;
  readonly addedEventsCount: number;
  readonly addedAmountCents: bigint;
}

const placeOf = ({ chargeId, filterId, groupedBy }: DailyLine) =>
  JSON.stringify([chargeId, filterId, Object.entries(groupedBy).sort()]);

/** The lines with what has come to them since `before`; those that are gone are there with nothing left. */
export function grownLines(lines: readonly DailyLine[], before: readonly DailyLine[]): GrownLine[] {
  const now = new Map(lines.map((line) => [placeOf(line), line]));
  const then = new Map(before.map((line) => [placeOf(line), line]));
  const gone = before.filter((line) => !now.has(placeOf(line)) && !isNothing(line));
  const left = gone.map((line) => ({ ...line, units: ZERO, eventsCount: 0, amountCents: 0n }));
  return [...lines, ...left].map((line) => {
    const former = then.get(placeOf(line));
    return {
      ...line,
      addedUnits: line.units.minus(former?.units ?? ZERO),
      addedEventsCount: line.eventsCount - (former?.eventsCount ?? 0),
      addedAmountCents: line.amountCents - (former?.amountCents ?? 0n),
    };
  });
}

/** Whether something has come to some line, or gone from it. */
export const hasGrown = (lines: readonly GrownLine[]): boolean =>
  lines.some(
    ({ addedUnits: units, addedEventsCount: eventsCount, addedAmountCents: amountCents }) =>
      !isNothing({ units, eventsCount, amountCents }),
  );
