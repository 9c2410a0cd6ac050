import type { UsageSource } from '../aggregate/metric-usage.ts';
import { usageUntil } from '../aggregate/usage-source.ts';
import type { PlanChargeInput } from '../catalogue/plan.ts';
import { invalid } from '../errors.ts';
import type { Decimal } from '../money/decimal.ts';
import { addDays, DAY_MS, type Instant, type LocalDate, localDate, SECOND_MS, startOfDay } from '../period/calendar.ts';
import type { UsageReport } from './current-usage.ts';

export type SeriesInterval = 'hour' | 'day' | 'month';

/** Usage of a stretch of time, both ends included. */
export interface SeriesPoint {
  readonly from: Instant;
  readonly to: Instant;
  readonly units: Decimal;
  readonly eventsCount: number;
}

/** Points of a series at most. */
const MOST_POINTS = 100;
const HOUR_MS = 3_600_000;

const firstOfNextMonth = (date: LocalDate): LocalDate => date.with({ day: 1 }).add({ months: 1 });

/** The first moment after the hour, day or month of a zone that holds a moment: hours are counted from the begin of their day. */
function nextOf(at: Instant, interval: SeriesInterval, zone: string): Instant {
  const date = localDate(at, zone);
  if (interval === 'month') return startOfDay(firstOfNextMonth(date), zone);
  const tomorrow = startOfDay(addDays(date, 1), zone);
  if (interval === 'day') return tomorrow;
  const today = startOfDay(date, zone);
  return Math.min(today + (Math.floor((at - today) / HOUR_MS) + 1) * HOUR_MS, tomorrow);
}

/**
 * The hours, days or months of a stretch of time, the first and the last one cut to it: a day with a change of the clock has 23 or 25
 * hours. Throws `from: ['value_is_out_of_range']` for more than a hundred, and where it ends before it begins.
 */
export function seriesWindows(
  { from, to }: { readonly from: Instant; readonly to: Instant },
  interval: SeriesInterval,
  zone: string,
): { readonly from: Instant; readonly to: Instant }[] {
  const windows: { from: Instant; to: Instant }[] = [];
  for (let start = from; start <= to; ) {
    const next = nextOf(start, interval, zone);
    windows.push({ from: start, to: Math.min(next - 1, to) });
    if (windows.length > MOST_POINTS) break;
    start = next;
  }
  if (windows.length === 0 || windows.length > MOST_POINTS) {
    throw invalid(
      { from: ['value_is_out_of_range'] },
      { from: { limit: `before \`to\`, and at most ${MOST_POINTS} points` } },
    );
  }
  return windows;
}

/** The charge as it is asked for a stretch of time: its metric alone. What adds up says what came; a level is the mean of it. */
function measured(charge: PlanChargeInput): PlanChargeInput {
  const { metric } = charge;
  const recurring = metric.aggregation === 'weighted_sum';
  return {
    ...charge,
    ...{ model: 'standard', properties: {}, filters: [], prorated: false, payInAdvance: false },
    metric: { ...metric, recurring },
  };
}

/**
 * The usage of a charge's metric hour by hour, day by day or month by month, in units before the metric's rounding and without prices:
 * of counts and sums all points together are the usage of the whole stretch.
 */
export function usageSeries(
  { owner, period, at, levelFrom }: UsageReport,
  charge: PlanChargeInput,
  windows: ReturnType<typeof seriesWindows>,
  usage: UsageSource,
): SeriesPoint[] {
  const asked = measured(charge);
  const used = usageUntil(usage, at).of(owner.subscription.externalId, charge.metric.code);
  const since = charge.metric.recurring ? levelFrom : period.from;
  return windows.map(({ from, to }) => {
    // A mean ends with a whole second, as it does in a period.
    const durationMs = Math.max(Math.ceil(to / SECOND_MS) * SECOND_MS - from, 1);
    const window = { from, to, durationDays: durationMs / DAY_MS, durationMs, timezone: period.timezone };
    const [group] = used.groups({ charge: asked, period: window, levelFrom: since, withAdvance: false });
    if (!group) throw new Error('usage without a group');
    const { units, eventsCount } = group.aggregate;
    return { from, to, units, eventsCount: eventsCount.trunc().toNumber() };
  });
}
