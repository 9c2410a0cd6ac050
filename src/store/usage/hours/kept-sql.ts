import type { UsageAsked } from '../../../billing/aggregate/metric-usage.ts';
import type { TenantTransaction } from '../../database/tenant.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { EventsRead, KeptMetric, Part, ReadMetric } from '../event-sql.ts';
import { measureText } from '../table/measured-by.ts';
import { type KeptHours, type KeptValues, keptHours, keptValues, type Range } from './kept-span.ts';

const { sql } = Prisma;

const NONE = sql`NULL::numeric`;

/** What is kept of the usage that is asked for: sums of hours, or values of days and months. */
export type KeptUsage = { readonly hours: KeptHours } | { readonly values: KeptValues };

const moment = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`;

const within = (column: Prisma.Sql, { from, to }: Range) =>
  sql`${column} <= ${moment(to)} ${from === null ? Prisma.empty : sql`AND ${column} >= ${moment(from)}`}`;

const ofMetric = ({
  organizationId,
  externalSubscriptionId,
  code,
}: ReadMetric) => sql`organization_id = ${organizationId}::uuid
  AND external_subscription_id = ${externalSubscriptionId} AND code = ${code}`;

/** Whether usage is kept: said in the statement that reads it, since it may be dropped at any moment. */
const isKept = (of: ReadMetric): Prisma.Sql =>
  sql`EXISTS (SELECT FROM kept_usage WHERE ${ofMetric(of)} AND is_complete)`;

/**
 * Whether what events come to may be kept: asked by one statement for all external ids, when it is first asked. The statement that
 * reads it says whether it still is.
 */
export function keptWithin(
  tx: TenantTransaction,
  externalIds: readonly string[],
): (of: KeptMetric) => Promise<boolean> {
  let known: Promise<ReadonlySet<string>> | undefined;
  const keyOf = (externalId: string, code: string) => JSON.stringify([externalId, code]);
  const read = async (organizationId: string) => {
    const rows = await tx.$queryRaw<
      { of: string; code: string }[]
    >`SELECT external_subscription_id AS of, code FROM kept_usage
      WHERE organization_id = ${organizationId}::uuid AND external_subscription_id = ANY(${externalIds}) AND is_complete`;
    return new Set(rows.map(({ of, code }) => keyOf(of, code)));
  };
  return async ({ organizationId, externalSubscriptionId, code }) => {
    known ??= read(organizationId);
    return (await known).has(keyOf(externalSubscriptionId, code));
  };
}

/** Of usage that is one group, what is read from what is kept; null where events are needed: days of a zone, amounts of events. */
export function keptOf({ charge, period }: UsageAsked, range: Range): KeptUsage | null {
  const { aggregation } = charge.metric;
  if (charge.prorated || charge.model === 'dynamic') return null;
  if (aggregation === 'unique_count') return { values: keptValues(range) };
  return { hours: keptHours(range, aggregation === 'weighted_sum' ? [period.from] : []) };
}

/** The columns of totals, made of hours as `sumsOf` makes them of events. */
function hourSums({ charge, period }: UsageAsked): Readonly<Record<string, Prisma.Sql>> {
  const { aggregation, recurring } = charge.metric;
  const count = aggregation === 'count' ? sql`sum(events)::bigint` : sql`sum(valued)::bigint`;
  const plain = { used: count, counted: count, value: NONE, earlier: NONE, weighted: NONE, amounts: NONE };
  const last = { last_at: sql`NULL::timestamptz` };
  if (aggregation === 'max') return { ...plain, ...last, value: sql`max(largest)` };
  if (aggregation === 'latest') return { ...plain, last_at: sql`max(last_at)` };
  if (aggregation === 'sum') return { ...plain, ...last, value: sql`sum(total)` };
  if (aggregation !== 'weighted_sum') return { ...plain, ...last };
  const start = moment(period.from);
  const since = recurring ? sql`FILTER (WHERE hour >= ${start})` : Prisma.empty;
  return {
    ...plain,
    counted: sql`(sum(valued) ${since})::bigint`,
    value: sql`sum(total) ${since}`,
    earlier: recurring ? sql`sum(total) FILTER (WHERE hour < ${start})` : NONE,
    weighted: sql`sum(moments) ${since}`,
    last_at: sql`max(last_at) FILTER (WHERE hour >= ${start})`,
  };
}

/** What follows `SELECT ... FROM` to read whole hours. */
function hoursFrom(of: ReadMetric, by: string, { hours, without }: KeptHours): Prisma.Sql {
  const cut = without.map((hour) => new Date(hour).toISOString());
  return sql`usage_hours WHERE ${ofMetric(of)} AND measured_by = ${by} AND ${within(sql`hour`, hours)}
    AND hour <> ALL (${cut}::timestamptz[])`;
}

const isMeasured = (of: ReadMetric, by: string, range: Range) => sql`EXISTS (SELECT FROM events WHERE ${ofMetric(of)}
  AND measured_by = ${by} AND deleted_at IS NULL AND ${within(sql`"timestamp"`, range)})`;

/** What is left of events: of the month that goes on only where something happened in it later. */
export function leftOf(kept: KeptUsage, of: ReadMetric, by: string): readonly Part[] {
  if ('hours' in kept) return kept.hours.cut;
  const { cut, running } = kept.values;
  const only = running && isMeasured(of, by, running.later);
  return [...cut, ...(running?.cut ?? []).map((range) => ({ ...range, ...(only ? { only } : {}) }))];
}

/** SELECT of the values of whole days and months, as `mark`; of one that is null where they are not kept. */
function valuesSql(of: ReadMetric, by: string, { months, days, running }: KeptValues): Prisma.Sql {
  const later = running && isMeasured(of, by, running.later);
  const ofDay = (range: Range) => sql`span = 'day' AND ${within(sql`start`, range)}`;
  const spans = [
    ...(months ? [sql`span = 'month' AND ${within(sql`start`, months)}`] : []),
    ...days.map(ofDay),
    ...(running ? [sql`span = 'month' AND start = ${moment(running.month)} AND NOT ${later}`] : []),
    ...(running?.days ?? []).map((range) => sql`${ofDay(range)} AND ${later}`),
  ];
  const read = spans.map(
    (span) => sql`SELECT mark FROM usage_values WHERE ${ofMetric(of)} AND measured_by = ${by} AND ${span}`,
  );
  return Prisma.join([...read, sql`SELECT NULL::text AS mark WHERE NOT ${isKept(of)}`], ' UNION ALL ');
}

/** Usage that is one group, as its totals have it. */
interface Whole {
  readonly asked: UsageAsked;
  readonly read: Pick<EventsRead, 'metric' | 'measure'>;
  readonly kept?: KeptUsage | null;
}

const GROUP = sql`-1 AS bucket, '{}'::text[] AS grp, NULL::timestamptz AS first_at`;

/** What whole hours come to, with these columns of totals. It is odd where they are kept no more. */
export function hoursPart({ asked, read, kept }: Whole, columns: readonly string[]): Prisma.Sql[] {
  if (!kept || !('hours' in kept)) return [];
  const sums = hourSums(asked);
  const list = columns.map((name) => sql`${sums[name] ?? NONE} AS ${Prisma.raw(name)}`);
  return [
    sql`SELECT ${GROUP}, NOT ${isKept(read.metric)} AS odd, ${Prisma.join(list)}
      FROM ${hoursFrom(read.metric, measureText(read.measure), kept.hours)}`,
  ];
}

/** The values of whole days and months. Which came last of an addition and a removal only events tell: a removal is odd. */
export function valuesPart({ asked, read, kept }: Whole): Prisma.Sql[] {
  if (!kept || !('values' in kept)) return [];
  const weighs = asked.charge.payInAdvance ? sql`WHERE mark IS NULL OR length(mark) > 1` : Prisma.empty;
  return [
    sql`SELECT -1 AS bucket, '{}'::text[] AS grp, mark, NULL::timestamptz AS first_at,
        mark IS NULL OR left(mark, 1) = '-' AS odd, '-infinity'::timestamptz AS last_at
      FROM (${valuesSql(read.metric, measureText(read.measure), kept.values)}) marks ${weighs}`,
  ];
}
