import { dayStarts } from '../../billing/aggregate/day.ts';
import type { UsageAsked } from '../../billing/aggregate/metric-usage.ts';
import { Prisma } from '../generated/prisma/client.ts';
import {
  EVENT_ORDER,
  type EventsRead,
  eventParts,
  isWhole,
  LAST_FIRST,
  type Split,
  splitSql,
  together,
} from './event-sql.ts';
import { hoursPart, type KeptUsage, leftOf, valuesPart } from './hours/kept-sql.ts';
import { measureText } from './table/measured-by.ts';

const { sql } = Prisma;

/** How the totals of a charge are read. */
export interface TotalsAsked {
  readonly asked: UsageAsked;
  readonly read: EventsRead;
  readonly split: Split;
  /** Of usage that is one group: what is read from what is kept instead of from events. */
  readonly kept?: KeptUsage | null;
}

const moment = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`;
const milliseconds = (at: Prisma.Sql) => sql`(extract(epoch FROM ${at}) * 1000)`;

const isUnique = ({ charge }: UsageAsked) => charge.metric.aggregation === 'unique_count';

/** The events as they are split, by parts; of a charge in advance only those that weigh something. */
function splitParts({ asked, read, split }: TotalsAsked, where?: Prisma.Sql): readonly Prisma.Sql[] {
  const { metric, payInAdvance } = asked.charge;
  const parts = eventParts(read, where).map((events) => splitSql(events, split));
  if (!payInAdvance || metric.aggregation === 'count') return parts;
  const weighs = isUnique(asked) ? sql`mark IS NULL OR length(mark) > 1` : sql`value IS NOT NULL`;
  return parts.map((events) => sql`SELECT * FROM (${events}) events WHERE ${weighs}`);
}

const splitEvents = (totals: TotalsAsked, where?: Prisma.Sql) => together(splitParts(totals, where));

/** The same without what is read from what is kept. */
function leftParts({ kept, ...totals }: TotalsAsked): readonly Prisma.Sql[] {
  if (!kept) return splitParts(totals);
  const { metric, measure } = totals.read;
  return splitParts({ ...totals, read: { ...totals.read, own: leftOf(kept, metric, measureText(measure)) } });
}

/** How a column of totals is made of events, and of the same of several parts. */
type Sums = Record<'used' | 'counted' | 'value' | 'earlier' | 'weighted' | 'amounts' | 'last_at', Prisma.Sql>;

const NONE = sql`NULL::numeric`;

/** What each aggregation adds up. */
function sumsOf({ charge, period }: UsageAsked): Sums {
  const { aggregation } = charge.metric;
  const valued = sql`count(value)`;
  const start = moment(period.from);
  const nothing = { value: NONE, earlier: NONE, weighted: NONE, amounts: NONE, last_at: sql`NULL::timestamptz` };
  if (aggregation === 'count') return { ...nothing, used: sql`count(*)`, counted: sql`count(*)` };
  const all = { ...nothing, used: valued, counted: valued };
  if (aggregation === 'max') return { ...all, value: sql`max(value)` };
  if (aggregation === 'latest') return { ...all, last_at: sql`max(at) FILTER (WHERE value IS NOT NULL)` };
  const earlier = sql`sum(value) FILTER (WHERE at < ${start})`;
  if (aggregation === 'weighted_sum') {
    const within = charge.metric.recurring ? sql`FILTER (WHERE at >= ${start})` : Prisma.empty;
    return {
      ...{ ...all, counted: sql`count(value) ${within}`, value: sql`sum(value) ${within}` },
      earlier: charge.metric.recurring ? earlier : NONE,
      weighted: sql`sum(value * extract(epoch FROM at)) ${within}`,
      last_at: sql`max(at) FILTER (WHERE at >= ${start} AND value IS NOT NULL)`,
    };
  }
  const summed = { ...all, value: sql`sum(value)` };
  const amounts = charge.model === 'dynamic' ? sql`sum(amount) FILTER (WHERE value IS NOT NULL)` : NONE;
  if (!charge.prorated) return { ...summed, amounts };
  const starts = dayStarts(period);
  const list = starts.map((at) => new Date(at).toISOString());
  const days = sql`(${starts.length + 1}::int - width_bucket(at, ${list}::timestamptz[]))`;
  return { ...summed, amounts, earlier, weighted: sql`sum(value * ${days}) FILTER (WHERE at >= ${start})` };
}

const KEYS = sql`bucket, grp`;
const KEYS_AND_PART = sql`bucket, grp, part`;

/** How rows are put together: by keys, or all of them where there is one group. */
interface By {
  readonly keys: Prisma.Sql;
  readonly isWhole: boolean;
  /** A part is read from what is kept, unless that turns out to be kept no more: then it is odd. */
  readonly isKept?: boolean;
}

const columnsBy = ({ keys, isWhole }: By) => (isWhole ? sql`-1 AS bucket, '{}'::text[] AS grp` : keys);
const grouped = ({ keys, isWhole }: By, more = Prisma.empty) => {
  if (!isWhole) return sql`GROUP BY ${keys}${more === Prisma.empty ? more : sql`, ${more}`}`;
  return more === Prisma.empty ? more : sql`GROUP BY ${more}`;
};
// One group needs no place among others, and nothing that splits it can be odd.
const firstBy = ({ isWhole }: By, of: Prisma.Sql) => (isWhole ? sql`NULL::timestamptz` : sql`min(${of})`);
const oddBy = ({ isWhole, isKept }: By) => (isWhole && !isKept ? sql`false` : sql`bool_or(odd)`);

/** The totals of each group; with `part`, of each part of one that a fee shows. Parts of the events are added up on their own first. */
function plainTotals(totals: TotalsAsked, by: By): Prisma.Sql {
  const sums = sumsOf(totals.asked);
  const columns = Object.entries(sums).map(([name, sum]) => sql`${sum} AS ${Prisma.raw(name)}`);
  const parts = leftParts(totals).map(
    (events) => sql`SELECT ${columnsBy(by)}, ${firstBy(by, sql`at`)} AS first_at, ${oddBy(by)} AS odd,
      ${Prisma.join(columns)} FROM (${events}) events ${grouped(by)}`,
  );
  parts.push(...hoursPart(totals, Object.keys(sums)));
  const value = totals.asked.charge.metric.aggregation === 'max' ? sql`max(value)` : sql`sum(value)`;
  return sql`SELECT ${columnsBy(by)}, ${firstBy(by, sql`first_at`)} AS first_at, ${oddBy(by)} AS odd, sum(used)::bigint AS used,
      sum(counted)::bigint AS counted, ${value} AS value, sum(earlier) AS earlier, sum(weighted) AS weighted,
      sum(amounts) AS amounts, max(last_at) AS last_at FROM (${together(parts)}) parts ${grouped(by)}`;
}

const namesOf = (keys: Prisma.Sql) => keys.sql.split(', ');

/**
 * Values are active whose last event added them. Only where both came at one moment is it looked at which was last. A value that
 * only the rules have the text of makes its group odd.
 */
function uniqueTotals(totals: TotalsAsked, by: By): Prisma.Sql {
  const odd = totals.kept ? sql`bool_or(odd OR left(mark, 1) = '-')` : oddBy(by);
  const parts = leftParts(totals).map(
    (
      events,
    ) => sql`SELECT ${columnsBy(by)}, mark, ${firstBy(by, sql`at`)} AS first_at, ${odd} AS odd, max(at) AS last_at
      FROM (${events}) events ${grouped(by, sql`mark`)}`,
  );
  parts.push(...valuesPart(totals));
  const keys = by.isWhole ? KEYS : by.keys;
  const same = namesOf(keys).map((name) => Prisma.raw(`one.${name} = each.${name}`));
  const last = sql`SELECT left(mark, 1) = '+' FROM (${splitEvents(totals, sql`AND at = each.added`)}) one
    WHERE ${Prisma.join(same, ' AND ')} AND substr(mark, 2) = each.rest ORDER BY ${LAST_FIRST} LIMIT 1`;
  const marks = sql`SELECT ${keys}, substr(mark, 2) AS rest, min(first_at) AS first_at, bool_or(odd OR mark IS NULL) AS odd,
      max(last_at) FILTER (WHERE left(mark, 1) = '+') AS added, max(last_at) FILTER (WHERE left(mark, 1) = '-') AS removed
    FROM (${together(parts)}) parts GROUP BY ${keys}, substr(mark, 2)`;
  return sql`SELECT ${keys}, min(first_at) AS first_at, bool_or(odd) AS odd, count(*) AS used,
      count(*) FILTER (WHERE CASE WHEN removed IS NULL THEN true WHEN added IS NULL OR added < removed THEN false
        WHEN added > removed THEN true ELSE (${last}) END) AS counted,
      ${NONE} AS value, ${NONE} AS earlier, ${NONE} AS weighted, ${NONE} AS amounts, NULL::timestamptz AS last_at
    FROM (${marks}) each GROUP BY ${keys}`;
}

/** The last values of groups of which it is known when they came. */
function withLatest(totals: TotalsAsked, { keys }: By, groups: Prisma.Sql): Prisma.Sql {
  const same = namesOf(keys).map((name) => Prisma.raw(`one.${name} = each.${name}`));
  return sql`SELECT ${keys}, first_at, odd, used, counted, (SELECT one.value
      FROM (${splitEvents(totals, sql`AND at = each.last_at`)}) one WHERE ${Prisma.join(same, ' AND ')} AND one.value IS NOT NULL
      ORDER BY ${LAST_FIRST} LIMIT 1) AS value, earlier, weighted, amounts, last_at FROM (${groups}) each`;
}

function totalsBy(totals: TotalsAsked, by: By): Prisma.Sql {
  if (isUnique(totals.asked)) return uniqueTotals(totals, by);
  const groups = plainTotals(totals, by);
  return totals.asked.charge.metric.aggregation === 'latest' ? withLatest(totals, by, groups) : groups;
}

/** What the parts that fees show are made of: events of the period, from level 0 on and without proration. */
function ofParts(totals: TotalsAsked): TotalsAsked {
  const { asked, read } = totals;
  const isLevel = asked.charge.metric.aggregation === 'weighted_sum';
  return {
    ...totals,
    asked: { ...asked, charge: { ...asked.charge, prorated: false } },
    read: isLevel ? { ...read, window: { ...read.window, from: asked.period.from } } : read,
  };
}

/** One row a group, as a JSON list; null in place of the values of a part: the group itself. */
export function totalsSql(totals: TotalsAsked, most: number): Prisma.Sql {
  // Of a weighted sum it is seconds that were added up.
  const weighted = totals.asked.charge.metric.aggregation === 'weighted_sum' ? sql`weighted * 1000` : sql`weighted`;
  const row = (
    part: Prisma.Sql,
  ) => sql`SELECT json_build_array(bucket, grp, ${part}, ${milliseconds(sql`first_at`)}::bigint,
    odd, used, counted, value::text, earlier::text, (${weighted})::text, amounts::text,
    ${milliseconds(sql`last_at`)}::bigint)::text AS row`;
  const groups = totalsBy(totals, { keys: KEYS, isWhole: isWhole(totals.split), isKept: totals.kept != null });
  const limit = sql`LIMIT ${most + 1}`;
  const whole = sql`${row(sql`NULL`)} FROM (${groups}) groups`;
  if (totals.split.shown.length === 0) return sql`${whole} ${limit}`;
  const parts = totalsBy(ofParts(totals), { keys: KEYS_AND_PART, isWhole: false });
  return sql`${whole} UNION ALL ${row(sql`part`)} FROM (${parts}) parts ${limit}`;
}

/** Which group, or part of one, was first, where several began at one moment: one row each, as a JSON list with its place. */
export function placesSql(totals: TotalsAsked, moments: readonly number[]): Prisma.Sql {
  const list = moments.map((at) => new Date(at).toISOString());
  const events = splitEvents(totals, sql`AND at = ANY (${list}::timestamptz[])`);
  return sql`SELECT json_build_array(bucket, grp, part, min(place_of))::text AS row FROM (
    SELECT bucket, grp, part, row_number() OVER (ORDER BY ${EVENT_ORDER}) AS place_of FROM (${events}) events) placed
    GROUP BY bucket, grp, part`;
}
