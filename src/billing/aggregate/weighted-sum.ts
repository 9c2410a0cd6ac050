import { Decimal, dec, ZERO } from '../money/decimal.ts';
import { DAY_MS, SECOND_MS } from '../period/calendar.ts';
import { decimalOf } from '../usage/value.ts';
import { aggregateOf, type Fold, type FoldOptions } from './fold.ts';

/** Seconds run to the end of the period, rounded up to a whole second: 23:59:59.999 counts as midnight. */
function endOf(to: number): number {
  return Math.ceil(to / SECOND_MS) * SECOND_MS;
}

/**
 * Mean level over the full period, each level weighted by how long it stood; event values are changes of the level, those
 * before the period make up the level it starts with. The
 * divisor is the full period, also where only a part is billed. Rounded up at 20 decimals. Constant memory.
 * 1000 from the 5th of March on are 1000 × 27/31 = 870.96774. Source: pricing 4.4.
 */
export function weightedSumFold(options: FoldOptions): Fold {
  const { metric, period } = options;
  const field = metric.fieldName ?? '';
  const length = dec(period.durationDays).times(DAY_MS);
  let initial = ZERO;
  let variation = ZERO;
  let levelMs = ZERO;
  let since = period.from;
  let count = 0;
  return {
    add: (event) => {
      const value = decimalOf(event.properties[field]);
      if (value === null) return false;
      if (event.timestamp < period.from) {
        initial = initial.plus(value);
        return true;
      }
      levelMs = levelMs.plus(initial.plus(variation).times(event.timestamp - since));
      since = event.timestamp;
      variation = variation.plus(value);
      count += 1;
      return true;
    },
    finish: () => {
      const level = initial.plus(variation);
      const total = levelMs.plus(level.times(endOf(period.to) - since));
      const units = total.div(length).toDecimalPlaces(20, Decimal.ROUND_CEIL);
      return aggregateOf(units, dec(count), {
        totalAggregatedUnits: metric.recurring ? level : variation,
        variation,
        levelSince: since,
      });
    },
  };
}
