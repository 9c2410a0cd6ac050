import { Decimal, dec, ZERO } from '../money/decimal.ts';
import { DAY_MS, SECOND_MS } from '../period/calendar.ts';
import { decimalOf } from '../usage/value.ts';
import { type Aggregate, aggregateOf, type Fold, type FoldOptions } from './fold.ts';

/** Seconds run to the end of the period, rounded up to a whole second: 23:59:59.999 counts as midnight. */
function endOf(to: number): number {
  return Math.ceil(to / SECOND_MS) * SECOND_MS;
}

/** What changes of a level come to; moments in milliseconds. */
export interface LevelTotals {
  /** The level that the period begins with. */
  readonly initial: Decimal;
  readonly variation: Decimal;
  /** Each change within the period times the moment it came. */
  readonly momentsTotal: Decimal;
  /** The moment of the last change within the period; null without any. */
  readonly lastAt: number | null;
  readonly count: Decimal;
}

/**
 * Mean level over the full period, each level weighted by how long it stood; event values are changes of the level, those
 * before the period make up the level it starts with. The divisor is the full period, also where only a part is billed. Rounded up
 * at 20 decimals. A change weighs from its moment to the end, so nothing needs an order.
 * 1000 from the 5th of March on are 1000 × 27/31 = 870.96774. Source: pricing 4.4.
 */
export function weightedSumOf(
  totals: LevelTotals,
  { metric, period }: Pick<FoldOptions, 'metric' | 'period'>,
): Aggregate {
  const { initial, variation, momentsTotal, lastAt, count } = totals;
  const end = dec(endOf(period.to));
  const levelMs = initial.times(end.minus(period.from)).plus(variation.times(end)).minus(momentsTotal);
  const length = dec(period.durationMs ?? period.durationDays * DAY_MS);
  return aggregateOf(levelMs.div(length).toDecimalPlaces(20, Decimal.ROUND_CEIL), count, {
    totalAggregatedUnits: metric.recurring ? initial.plus(variation) : variation,
    variation,
    levelSince: lastAt ?? period.from,
  });
}

/** Adds changes up. Constant memory. */
export function weightedSumFold(options: FoldOptions): Fold {
  const { metric, period } = options;
  const field = metric.fieldName ?? '';
  let initial = ZERO;
  let variation = ZERO;
  let momentsTotal = ZERO;
  let lastAt: number | null = null;
  let count = 0;
  return {
    add: (event) => {
      const value = decimalOf(event.properties[field]);
      if (value === null) return false;
      if (event.timestamp < period.from) {
        initial = initial.plus(value);
        return true;
      }
      momentsTotal = momentsTotal.plus(value.times(event.timestamp));
      variation = variation.plus(value);
      lastAt = event.timestamp;
      count += 1;
      return true;
    },
    finish: () => weightedSumOf({ initial, variation, momentsTotal, lastAt, count: dec(count) }, options),
  };
}
