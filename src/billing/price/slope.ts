import { type Decimal, ZERO } from '../money/decimal.ts';
import { placeFinder } from './range-table.ts';

/** A price per unit between two counts; null is open. One whose upper count is not above its lower one prices nothing. */
export interface Slope {
  readonly lower: Decimal | null;
  readonly upper: Decimal | null;
  readonly price: Decimal;
}

interface Turn {
  readonly at: Decimal;
  readonly change: Decimal;
}

function turnsOf({ lower, upper, price }: Slope): Turn[] {
  if (lower && upper?.lte(lower)) return [];
  const begins = lower === null ? [] : [{ at: lower, change: price }];
  return upper === null ? begins : [...begins, { at: upper, change: price.neg() }];
}

/**
 * What all units up to a count cost, from a fixed count on: the difference of two answers is what the units between two counts
 * cost. The slopes are added up once and halved for each question. Up to 10 at 5, beyond at 2: from 8 to 12 costs 14.
 */
export function slopeTotals(slopes: readonly Slope[]): (count: Decimal) => Decimal {
  const turns = slopes.flatMap(turnsOf).sort((one, other) => one.at.comparedTo(other.at));
  let price = ZERO;
  for (const slope of slopes) if (slope.lower === null) price = price.plus(slope.price);
  const [first] = turns;
  if (first === undefined) return (count) => count.times(price);
  // Before the first turn, and after each: the price there, and the total where it begins.
  const stretches = [{ at: first.at, total: ZERO, price }];
  let last = first.at;
  let total = ZERO;
  for (const { at, change } of turns) {
    total = total.plus(at.minus(last).times(price));
    price = price.plus(change);
    last = at;
    stretches.push({ at, total, price });
  }
  const find = placeFinder(turns.map(({ at }) => at));
  return (count) => {
    const stretch = stretches[find(count)] ?? { at: first.at, total: ZERO, price: ZERO };
    return stretch.total.plus(count.minus(stretch.at).times(stretch.price));
  };
}
