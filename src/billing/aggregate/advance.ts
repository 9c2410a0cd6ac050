import type { MetricInput } from '../catalogue/metric.ts';
import { Decimal, dec, ONE, ZERO } from '../money/decimal.ts';
import { dayCount } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import type { UsageEvent } from '../usage/usage.ts';
import { decimalOf, textOf } from '../usage/value.ts';
import { ceilProrated } from './rounding.ts';

/** What pay-in-advance events billed so far in the period, per bucket. Units, not money. */
export interface AdvanceState {
  readonly currentUnits: Decimal;
  readonly maxUnits: Decimal;
  readonly maxUnitsProrated?: Decimal;
}

/** What one event adds to a charge that is paid in advance. */
export interface AdvanceStep {
  /** The event's own change of the running total. */
  readonly own: Decimal;
  /** What lifts the running total above its highest value so far: the units that are billed. */
  readonly billable: Decimal;
  /** The billable units times the rest of the period; equal to them when the charge is not prorated. */
  readonly billablePriced: Decimal;
  /** What the fee shows: the billable units, or the event's own value when it lifted nothing. */
  readonly shown: Decimal;
}

export interface AdvanceFold {
  /** Takes the next event in time order. One before the period only tells which values are active. */
  add(event: UsageEvent): AdvanceStep;
  state(): AdvanceState;
}

const NOTHING: AdvanceStep = { own: ZERO, billable: ZERO, billablePriced: ZERO, shown: ZERO };

function changeReader(metric: MetricInput): (event: UsageEvent) => Decimal {
  const field = metric.fieldName ?? '';
  if (metric.aggregation === 'sum') return (event) => decimalOf(event.properties[field]) ?? ZERO;
  if (metric.aggregation !== 'unique_count') return () => ONE;
  const active = new Set<string>();
  return (event) => {
    const value = textOf(event.properties[field]);
    if (value === null) return ZERO;
    if (event.properties.operation_type === 'remove') return active.delete(value) ? ONE.neg() : ZERO;
    const isNew = !active.has(value);
    active.add(value);
    return isNew ? ONE : ZERO;
  };
}

/**
 * The running total of a period and its highest value: an event is billed for what it lifts the total above that, so
 * that removing and adding again is not billed twice. 4 of at most 10, plus 10: billed 4, the highest is 14.
 * Prorated: times days(event, end) / length, rounded up at 5 decimals. Source: pricing 9.
 */
export function advanceFold(metric: MetricInput, period: ChargePeriod, prorated: boolean): AdvanceFold {
  const changeOf = changeReader(metric);
  let current: Decimal | null = null;
  let max = ZERO;
  let maxProrated = ZERO;
  const lift = (own: Decimal): Decimal => {
    const before = current === null ? null : max;
    current = current === null ? own : current.plus(own);
    if (before === null) {
      max = own;
      return Decimal.max(own, ZERO);
    }
    if (current.lte(before)) return ZERO;
    max = current;
    return current.minus(before);
  };
  const share = (units: Decimal, event: UsageEvent) =>
    ceilProrated(units.times(dayCount(event.timestamp, period.to, period.timezone)).div(dec(period.durationDays)));
  return {
    add(event) {
      const own = changeOf(event);
      if (event.timestamp < period.from) return NOTHING;
      const billable = lift(own);
      const billablePriced = prorated ? share(billable, event) : billable;
      maxProrated = maxProrated.plus(billablePriced);
      return { own, billable, billablePriced, shown: billable.isZero() ? Decimal.max(own, ZERO) : billable };
    },
    state: () => ({ currentUnits: current ?? ZERO, maxUnits: max, maxUnitsProrated: maxProrated }),
  };
}
