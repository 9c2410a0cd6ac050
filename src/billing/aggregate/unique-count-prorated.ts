import { dec, ONE, ZERO } from '../money/decimal.ts';
import type { EventShare } from '../price/price-type.ts';
import { textOf } from '../usage/value.ts';
import { type PeriodDays, periodDays } from './day.ts';
import { type Aggregate, aggregateOf, type Fold, type FoldOptions } from './fold.ts';
import { ceilProrated } from './rounding.ts';
import { countedRunningTotals } from './running-total.ts';

/** One stretch in which a value was active; `to` is null while it is. Days count from the first date of the period. */
interface Stretch {
  readonly from: number;
  to: number | null;
  /** Ended before the period: it is not there any more, except for the one day that groups bill. */
  before: boolean;
  removal: Move | null;
}

interface Move {
  readonly stretch: Stretch;
  readonly added: boolean;
  /** A removal that was taken back on the same date. */
  dropped: boolean;
}

/** Days of the period that a stretch covers, its first and last date included. */
function daysOf(stretch: Stretch, days: PeriodDays, grouped: boolean): number {
  if (stretch.before) return grouped ? 1 : 0;
  const last = Math.min(stretch.to ?? days.last, days.last);
  return Math.max(last - Math.max(stretch.from, 0) + 1, 0);
}

/** The moves that count, in time order: a removal that was taken back is none. */
function sharesOf(moves: readonly Move[], days: PeriodDays, length: number, grouped: boolean): readonly EventShare[] {
  return moves.flatMap(({ stretch, added, dropped }) => {
    if (stretch.before || dropped) return [];
    if (!added) return [{ full: ONE.neg(), prorated: ZERO }];
    return [{ full: ONE, prorated: ceilProrated(dec(daysOf(stretch, days, grouped)).div(length)) }];
  });
}

interface StretchTracker {
  add(value: string | null, day: number): void;
  remove(value: string | null, day: number, before: boolean): void;
  readonly moves: readonly Move[];
  activeCount(): number;
  /** Days of all stretches together. */
  totalDays(): number;
}

/** Keeps the latest stretch of each value; the days of earlier ones are added up as they are replaced. */
function trackStretches(days: PeriodDays, grouped: boolean, keepMoves: boolean): StretchTracker {
  const latest = new Map<string | null, Stretch>();
  const moves: Move[] = [];
  let closedDays = 0;
  let activeCount = 0;
  const note = (stretch: Stretch, added: boolean): Move => {
    const move = { stretch, added, dropped: false };
    if (keepMoves) moves.push(move);
    return move;
  };
  return {
    moves,
    activeCount: () => activeCount,
    totalDays: () =>
      [...latest.values()].reduce((total, stretch) => total + daysOf(stretch, days, grouped), closedDays),
    add(value, day) {
      const previous = latest.get(value);
      if (previous?.to === null) return;
      activeCount += 1;
      if (previous?.to === day) {
        reopen(previous);
        return;
      }
      if (previous !== undefined) closedDays += daysOf(previous, days, grouped);
      const stretch: Stretch = { from: day, to: null, before: false, removal: null };
      latest.set(value, stretch);
      note(stretch, true);
    },
    remove(value, day, before) {
      const stretch = latest.get(value);
      if (stretch === undefined || stretch.to !== null) return;
      activeCount -= 1;
      stretch.to = day;
      stretch.before = before;
      stretch.removal = note(stretch, false);
    },
  };
}

/** Added again on the date of its removal: the removal did not happen. */
function reopen(stretch: Stretch): void {
  stretch.to = null;
  stretch.before = false;
  if (stretch.removal !== null) stretch.removal.dropped = true;
}

/**
 * Each stretch in which a value is active weighs its days, first and last included, over the length of the full period;
 * a removal followed by an addition on the same date did not happen. Rounded up at 5 decimals on the total.
 * A seat from the 10th to the 12th of 30 days is 0.1. Source: pricing 5.
 */
export function proratedUniqueCountFold(options: FoldOptions): Fold {
  const { period, grouped } = options;
  const field = options.metric.fieldName ?? '';
  const days = periodDays(period);
  const stretches = trackStretches(days, grouped, options.onShare !== undefined);
  return {
    add: (event) => {
      const value = textOf(event.properties[field]);
      const day = days.dayOf(event.timestamp);
      if (event.properties.operation_type === 'remove') stretches.remove(value, day, event.timestamp < period.from);
      else stretches.add(value, day);
      return true;
    },
    finish: (): Aggregate => {
      const prorated = dec(stretches.totalDays()).div(period.durationDays);
      const units = ceilProrated(prorated);
      const activeCount = stretches.activeCount();
      for (const share of sharesOf(stretches.moves, days, period.durationDays, grouped)) options.onShare?.(share);
      return aggregateOf(units, units, {
        unroundedUnits: prorated,
        fullUnits: dec(activeCount),
        runningTotals: countedRunningTotals(activeCount, options.allowance),
      });
    },
  };
}
