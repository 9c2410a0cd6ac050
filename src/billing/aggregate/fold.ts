import type { MetricInput } from '../catalogue/metric.ts';
import { type Decimal, ZERO } from '../money/decimal.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import type { FreeAllowance } from '../price/allowance.ts';
import { type EventShare, NO_RUNNING_TOTALS, type RunningTotals } from '../price/price-type.ts';
import type { UsageEvent } from '../usage/usage.ts';

/** What a fold is told before it sees the first event. */
export interface FoldOptions {
  readonly metric: MetricInput;
  readonly period: ChargePeriod;
  readonly prorated: boolean;
  /** The events are split by pricing groups. */
  readonly grouped: boolean;
  readonly allowance: FreeAllowance;
  /** Adds up what events say they cost: dynamic prices. */
  readonly amounts?: boolean;
  /** Is told one value an event in time order, or so many of one value, by the end of the fold: bounds per transaction. */
  readonly onValue?: ((value: Decimal, times: number) => void) | undefined;
  /** Is told one share an event in time order, by the end of the fold: prorated graduated prices. */
  readonly onShare?: ((share: EventShare) => void) | undefined;
}

/** Everything an aggregation can tell about the events of one bucket and group. */
export interface Aggregate {
  /** What is priced, before the metric's rounding. */
  readonly units: Decimal;
  /** Prorated units before they are rounded up; equal to the units otherwise. */
  readonly unroundedUnits: Decimal;
  /** The same without proration. */
  readonly fullUnits: Decimal;
  readonly eventsCount: Decimal;
  readonly totalAggregatedUnits: Decimal | null;
  readonly runningTotals: RunningTotals;
  readonly preciseTotalAmountCents: Decimal;
  /** Weighted sum: how much the level changed, and since when it stands. */
  readonly variation: Decimal;
  readonly levelSince: number | null;
}

/** A fold over events in time order. Add every event of the bucket once, then finish once. */
export interface Fold {
  /** False: the event has no usable value and counts for nothing. */
  add(event: UsageEvent): boolean;
  finish(): Aggregate;
}

/** An aggregate with the members that most aggregations do not have at their neutral values. */
export function aggregateOf(units: Decimal, eventsCount: Decimal, rest: Partial<Aggregate> = {}): Aggregate {
  return {
    units,
    unroundedUnits: units,
    fullUnits: units,
    eventsCount,
    totalAggregatedUnits: null,
    runningTotals: NO_RUNNING_TOTALS,
    preciseTotalAmountCents: ZERO,
    variation: ZERO,
    levelSince: null,
    ...rest,
  };
}
