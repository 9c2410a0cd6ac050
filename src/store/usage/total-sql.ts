import { dayStarts } from '../../billing/aggregate/day.ts';
import type { UsageAsked } from '../../billing/aggregate/metric-usage.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { EVENT_ORDER, type EventsRead, LAST_FIRST, type Split, splitSql } from './event-sql.ts';

const { sql } = Prisma;

/** How the totals of a charge are read. */
export interface TotalsAsked {
  readonly asked: UsageAsked;
  readonly read: EventsRead;
  readonly split: Split;
}

const moment = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`;
const milliseconds = (at: Prisma.Sql) => sql`(extract(epoch FROM ${at}) * 1000)`;

/** The events as they are split; of a charge in advance only those that weigh something. */
function splitEvents({ asked, read, split }: TotalsAsked, where?: Prisma.Sql): Prisma.Sql {
  const { metric, payInAdvance } = asked.charge;
  const events = splitSql(read, split, where);
  if (!payInAdvance || metric.aggregation === 'count') return events;
  const weighs = metric.aggregation === 'unique_count' ? sql`text IS NOT NULL OR odd_field` : sql`value IS NOT NULL`;
  return sql`SELECT * FROM (${events}) events WHERE ${weighs}`;
}

/** How each aggregation fills `counted`, `value`, `earlier`, `weighted`, `amounts`, `last_at` and `used` of a group. */
function measures({ charge, period }: UsageAsked): Prisma.Sql {
  const { metric } = charge;
  const none = sql`NULL::numeric`;
  const shape = (
    counted: Prisma.Sql,
    value = none,
    earlier = none,
    weighted = none,
    lastAt = sql`NULL::timestamptz`,
  ) => {
    const isSummed = charge.model === 'dynamic' && metric.aggregation === 'sum';
    const amounts = isSummed ? sql`sum(amount) FILTER (WHERE value IS NOT NULL)` : none;
    return sql`${counted} AS counted, ${value} AS value, ${earlier} AS earlier, ${weighted} AS weighted,
      ${amounts} AS amounts, ${lastAt} AS last_at`;
  };
  const valued = sql`count(value)`;
  const before = sql`(WHERE at < ${moment(period.from)})`;
  const within = sql`(WHERE at >= ${moment(period.from)})`;
  if (metric.aggregation === 'count') return shape(sql`count(*)`);
  if (metric.aggregation === 'max') return shape(valued, sql`max(value)`);
  if (metric.aggregation === 'latest') {
    return shape(valued, none, none, none, sql`max(at) FILTER (WHERE value IS NOT NULL)`);
  }
  if (metric.aggregation === 'weighted_sum') {
    return shape(
      sql`count(value) FILTER ${within}`,
      sql`sum(value) FILTER ${within}`,
      sql`sum(value) FILTER ${before}`,
      sql`sum(value * ${milliseconds(sql`at`)}) FILTER ${within}`,
      sql`max(at) FILTER (WHERE at >= ${moment(period.from)} AND value IS NOT NULL)`,
    );
  }
  if (!charge.prorated) return shape(valued, sql`sum(value)`);
  const starts = dayStarts(period);
  const list = starts.map((at) => new Date(at).toISOString());
  const days = sql`(${starts.length + 1}::int - width_bucket(at, ${list}::timestamptz[]))`;
  return shape(valued, sql`sum(value)`, sql`sum(value) FILTER ${before}`, sql`sum(value * ${days}) FILTER ${within}`);
}

const KEYS = sql`bucket, grp`;
const KEYS_AND_PART = sql`bucket, grp, part`;

/** The totals of each group; with `part`, of each part of one that a fee shows. */
function plainTotals(totals: TotalsAsked, keys: Prisma.Sql): Prisma.Sql {
  const used = totals.asked.charge.metric.aggregation === 'count' ? sql`count(*)` : sql`count(value)`;
  return sql`SELECT ${keys}, min(at) AS first_at, bool_or(odd) AS odd, ${used} AS used, ${measures(totals.asked)}
    FROM (${splitEvents(totals)}) events GROUP BY ${keys}`;
}

/** Values are active whose last event added them. Only where both came at one moment is it looked at which was last. */
function uniqueTotals(totals: TotalsAsked, keys: Prisma.Sql): Prisma.Sql {
  const same = [...keys.sql.split(', '), 'text'].map((name) =>
    Prisma.raw(`one.${name} IS NOT DISTINCT FROM each.${name}`),
  );
  const last = sql`SELECT NOT removes FROM (${splitEvents(totals, sql`AND at = each.added`)}) one
    WHERE ${Prisma.join(same, ' AND ')} ORDER BY ${LAST_FIRST} LIMIT 1`;
  return sql`SELECT ${keys}, min(first_at) AS first_at, bool_or(odd) AS odd, count(*) AS used,
      count(*) FILTER (WHERE CASE WHEN removed IS NULL THEN true WHEN added IS NULL OR added < removed THEN false
        WHEN added > removed THEN true ELSE (${last}) END) AS counted,
      NULL::numeric AS value, NULL::numeric AS earlier, NULL::numeric AS weighted, NULL::numeric AS amounts,
      NULL::timestamptz AS last_at
    FROM (SELECT ${keys}, text, min(at) AS first_at, bool_or(odd OR odd_field) AS odd,
        max(at) FILTER (WHERE NOT removes) AS added, max(at) FILTER (WHERE removes) AS removed
      FROM (${splitEvents(totals)}) events GROUP BY ${keys}, text) each GROUP BY ${keys}`;
}

/** The last values of groups of which it is known when they came. */
function withLatest(totals: TotalsAsked, keys: Prisma.Sql, groups: Prisma.Sql): Prisma.Sql {
  const same = keys.sql.split(', ').map((name) => Prisma.raw(`one.${name} = each.${name}`));
  return sql`SELECT ${keys}, first_at, odd, used, counted, (SELECT one.value
      FROM (${splitEvents(totals, sql`AND at = each.last_at`)}) one WHERE ${Prisma.join(same, ' AND ')} AND one.value IS NOT NULL
      ORDER BY ${LAST_FIRST} LIMIT 1) AS value, earlier, weighted, amounts, last_at FROM (${groups}) each`;
}

function totalsBy(totals: TotalsAsked, keys: Prisma.Sql): Prisma.Sql {
  const { aggregation } = totals.asked.charge.metric;
  if (aggregation === 'unique_count') return uniqueTotals(totals, keys);
  const groups = plainTotals(totals, keys);
  return aggregation === 'latest' ? withLatest(totals, keys, groups) : groups;
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
  const row = (
    part: Prisma.Sql,
  ) => sql`SELECT json_build_array(bucket, grp, ${part}, ${milliseconds(sql`first_at`)}::bigint,
    odd, used, counted, value::text, earlier::text, weighted::text, amounts::text, ${milliseconds(sql`last_at`)}::bigint)::text AS row`;
  const groups = sql`${row(sql`NULL`)} FROM (${totalsBy(totals, KEYS)}) groups`;
  const limit = sql`LIMIT ${most + 1}`;
  if (totals.split.shown.length === 0) return sql`${groups} ${limit}`;
  return sql`${groups} UNION ALL ${row(sql`part`)} FROM (${totalsBy(ofParts(totals), KEYS_AND_PART)}) parts ${limit}`;
}

/** Which group, or part of one, was first, where several began at one moment: one row each, as a JSON list with its place. */
export function placesSql(totals: TotalsAsked, moments: readonly number[]): Prisma.Sql {
  const list = moments.map((at) => new Date(at).toISOString());
  const events = splitEvents(totals, sql`AND at = ANY (${list}::timestamptz[])`);
  return sql`SELECT json_build_array(bucket, grp, part, min(place_of))::text AS row FROM (
    SELECT bucket, grp, part, row_number() OVER (ORDER BY ${EVENT_ORDER}) AS place_of FROM (${events}) events) placed
    GROUP BY bucket, grp, part`;
}
