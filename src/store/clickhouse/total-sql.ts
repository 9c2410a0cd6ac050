import { dayStarts } from '../../billing/aggregate/day.ts';
import type { UsageAsked } from '../../billing/aggregate/metric-usage.ts';
import type { Split } from '../usage/event-sql.ts';
import { type EventsRead, splitSql } from './event-sql.ts';
import { joined, type Sql, sql } from './sql.ts';

/** How the totals of a charge are read. */
export interface TotalsAsked {
  readonly asked: UsageAsked;
  readonly read: EventsRead;
  readonly split: Split;
}

/** How a column of totals is made of events. */
type Sums = Record<'used' | 'counted' | 'total' | 'earlier' | 'weighted' | 'costs' | 'last_at', Sql>;

const NONE = sql`NULL`;
const VALUED = sql`value IS NOT NULL`;

/** What each aggregation adds up. */
function sumsOf({ charge, period }: UsageAsked): Sums {
  const { aggregation, recurring } = charge.metric;
  const nothing = { total: NONE, earlier: NONE, weighted: NONE, costs: NONE, last_at: NONE };
  if (aggregation === 'count') return { ...nothing, used: sql`count()`, counted: sql`count()` };
  const all = { ...nothing, used: sql`countIf(${VALUED})`, counted: sql`countIf(${VALUED})` };
  if (aggregation === 'max') return { ...all, total: sql`max(value)` };
  if (aggregation === 'latest') return { ...all, total: sql`argMaxIf(value, spot, ${VALUED})` };
  const within = sql`at >= ${period.from}`;
  const earlier = sql`sumIf(value, NOT (${within}))`;
  if (aggregation === 'weighted_sum') {
    const counts = recurring ? within : sql`1`;
    return {
      ...{ ...all, counted: sql`countIf(${VALUED} AND ${counts})`, total: sql`sumIf(value, ${counts})` },
      earlier: recurring ? earlier : NONE,
      weighted: sql`sumIf(value * at, ${counts})`,
      last_at: sql`maxOrNullIf(at, ${within} AND ${VALUED})`,
    };
  }
  const summed = { ...all, total: sql`sum(value)` };
  const costs = charge.model === 'dynamic' ? sql`sumIf(cost, ${VALUED})` : NONE;
  if (!charge.prorated) return { ...summed, costs };
  const starts = dayStarts(period);
  const days = sql`toInt64(${starts.length + 1} - arrayCount(start -> start <= at, CAST(${starts}, 'Array(Int64)')))`;
  return { ...summed, costs, earlier, weighted: sql`sumIf(value * ${days}, ${within})` };
}

/** The totals of each group, or part of one. */
function plainTotals(totals: TotalsAsked, keys: Sql): Sql {
  const columns = Object.entries(sumsOf(totals.asked)).map(([name, sum]) => sql`${sum} AS ${raw(name)}`);
  return sql`SELECT ${keys}, min(spot) AS first, max(odd) AS is_odd, ${joined(columns, ', ')}
    FROM (${splitSql(totals.asked, totals.read, totals.split)}) GROUP BY ${keys}`;
}

const NAMES = { used: sql`used`, counted: sql`counted`, total: sql`total`, earlier: sql`earlier` };
const MORE = { weighted: sql`weighted`, costs: sql`costs`, last_at: sql`last_at` };
const ALL: Readonly<Record<string, Sql>> = { ...NAMES, ...MORE };
const raw = (name: string): Sql => ALL[name] ?? NONE;

/** Values are active whose last event added them. */
function uniqueTotals(totals: TotalsAsked, keys: Sql): Sql {
  const values = sql`SELECT ${keys}, rest, min(spot) AS begun, argMax(adds, spot) AS active
    FROM (${splitSql(totals.asked, totals.read, totals.split)}) GROUP BY ${keys}, rest`;
  return sql`SELECT ${keys}, min(begun) AS first, 0 AS is_odd, count() AS used, countIf(active) AS counted, ${NONE} AS total,
      ${NONE} AS earlier, ${NONE} AS weighted, ${NONE} AS costs, ${NONE} AS last_at
    FROM (${values}) GROUP BY ${keys}`;
}

const totalsBy = (totals: TotalsAsked, keys: Sql) =>
  totals.asked.charge.metric.aggregation === 'unique_count' ? uniqueTotals(totals, keys) : plainTotals(totals, keys);

/** The parts that fees show are made of events of the period, from level 0 on and without proration. */
function ofParts({ asked, read, split }: TotalsAsked): TotalsAsked {
  const isLevel = asked.charge.metric.aggregation === 'weighted_sum';
  return {
    asked: { ...asked, charge: { ...asked.charge, prorated: false } },
    read: isLevel ? { ...read, window: { ...read.window, from: asked.period.from } } : read,
    split,
  };
}

/** One row a group, and one for each part of it that fees show, in the order of their first events. */
export function totalsSql(totals: TotalsAsked, most: number): Sql {
  const row = (
    isPart: boolean,
    part: Sql,
  ) => sql`SELECT ${isPart} AS is_part, bucket, grp, ${part} AS part, first, is_odd,
    used, counted, toString(total) AS total, toString(earlier) AS earlier, toString(weighted) AS weighted,
    toString(costs) AS costs, toNullable(last_at) AS last_at`;
  const groups = sql`${row(false, sql`CAST([], 'Array(Nullable(String))')`)} FROM (${totalsBy(totals, sql`bucket, grp`)})`;
  const parts = sql`${row(true, sql`part`)} FROM (${totalsBy(ofParts(totals), sql`bucket, grp, part`)})`;
  const all = totals.split.shown.length === 0 ? groups : sql`${groups} UNION ALL ${parts}`;
  return sql`SELECT bucket, grp, is_part, part, first.1, is_odd, used, counted, total, earlier, weighted, costs, last_at
    FROM (${all}) ORDER BY first LIMIT ${most + 1}`;
}
