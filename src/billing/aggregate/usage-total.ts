import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import { freeAllowance } from '../price/allowance.ts';
import { transactionFold } from '../price/percentage-transaction.ts';
import type { AdvanceState } from './advance.ts';
import { boundsTransactions, foldOptions, pricesShares } from './bucket.ts';
import { countOf } from './count.ts';
import { type Aggregate, aggregateOf, type FoldOptions } from './fold.ts';
import { latestOf } from './latest.ts';
import type { GroupAggregate, UsageAsked, UsageGroup } from './metric-usage.ts';
import { proratedSumOf } from './sum.ts';
import { weightedSumOf } from './weighted-sum.ts';

/** What the events of one bucket and group add up to, in whatever order they are read. */
export interface UsageTotals {
  /** Events that count; of a weighted sum those within the period, of a unique count the values that are active. */
  readonly count: number;
  /** The sum, the largest or the last value; of a weighted sum the sum of the changes within the period. */
  readonly value: Decimal | null;
  /** The sum of what was there before the period. */
  readonly before: Decimal | null;
  /** Each value times the days it was there, or times the milliseconds of its moment. */
  readonly weighted: Decimal | null;
  /** What the events say they cost, in minor units. */
  readonly amounts: Decimal | null;
  /** Milliseconds; the last change of a level within the period. */
  readonly lastAt: number | null;
}

const allProperties = ({ properties, filters }: UsageAsked['charge']) => [
  ...filters.map((filter) => filter.properties),
  properties,
];

/**
 * Whether totals are enough to bill a charge. What a price or a running total does with each event in its turn needs them one by
 * one: shares of prorated graduated prices, bounds per transaction, free allowances, what was billed at events, and the days of a
 * prorated unique count.
 */
export function isAddedUp({ charge, withAdvance }: UsageAsked): boolean {
  const { aggregation } = charge.metric;
  if (charge.payInAdvance && withAdvance) return aggregation === 'count' && !charge.prorated;
  if (aggregation === 'unique_count') return !charge.prorated;
  const priced = charge.model === 'percentage' ? allProperties(charge) : [];
  const looksAtEach = priced.some((properties) => {
    const { events, amount } = freeAllowance(properties);
    const isFree = aggregation === 'sum' && (events > 0 || amount.gt(0));
    return isFree || boundsTransactions(charge, properties);
  });
  if (aggregation === 'sum' || aggregation === 'max') return !looksAtEach && !pricesShares(charge);
  return aggregation !== 'custom';
}

function aggregateOfTotals(options: FoldOptions, totals: UsageTotals): Aggregate {
  const { metric, period, prorated } = options;
  const { count, before, weighted, amounts, lastAt } = totals;
  const value = totals.value ?? ZERO;
  if (metric.aggregation === 'count' || metric.aggregation === 'unique_count') return countOf(count, options);
  if (metric.aggregation === 'latest') return latestOf(value, dec(count));
  if (metric.aggregation === 'weighted_sum') {
    const levels = { initial: before ?? ZERO, variation: value, momentsTotal: weighted ?? ZERO };
    return weightedSumOf({ ...levels, lastAt, count: dec(count) }, { metric, period });
  }
  const plain = aggregateOf(value, dec(count), { preciseTotalAmountCents: amounts ?? ZERO });
  if (metric.aggregation === 'max' || !prorated) return plain;
  return proratedSumOf(plain, { carried: before ?? ZERO, valueDays: weighted ?? ZERO }, period);
}

/** What totals come to: the same as the folds of the events that they are of. */
export function groupAggregate(
  asked: Pick<UsageAsked, 'charge' | 'period'>,
  properties: UsageGroup['properties'],
  totals: UsageTotals,
): GroupAggregate {
  const options = foldOptions(asked, properties);
  const transactions = boundsTransactions(asked.charge, properties) ? transactionFold(properties) : null;
  const aggregate = aggregateOfTotals({ ...options, onValue: transactions?.add }, totals);
  return { ...aggregate, transactions: transactions?.totals() ?? null, shares: null };
}

/** The units of a part of a group that a fee shows, without proration. */
export function partUnits(asked: Pick<UsageAsked, 'charge' | 'period'>, totals: UsageTotals): Decimal {
  return aggregateOfTotals({ ...foldOptions(asked, {}), prorated: false }, { ...totals, before: null }).units;
}

/** What was billed at the events of a count: each of them. */
export function countedAdvance({ charge, withAdvance }: UsageAsked, count: number): AdvanceState | null {
  if (!charge.payInAdvance || !withAdvance) return null;
  return { currentUnits: dec(count), maxUnits: dec(count), maxUnitsProrated: dec(count) };
}
