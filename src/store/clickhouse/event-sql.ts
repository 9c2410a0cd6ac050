import type { UsageAsked } from '../../billing/aggregate/metric-usage.ts';
import { FIRST_INSTANT, LAST_INSTANT } from '../../billing/period/calendar.ts';
import type { UsageEvent, UsageWindow } from '../../billing/usage/usage.ts';
import type { KeptMetric, Split } from '../usage/event-sql.ts';
import { joined, type Sql, sql } from './sql.ts';
import { EVENTS, textsOf } from './table.ts';

/** The events that a statement adds up. */
export interface EventsRead {
  readonly metric: KeptMetric;
  readonly window: UsageWindow;
  readonly until: number | undefined;
  readonly supposed: readonly UsageEvent[];
}

/** The condition of what is kept of a metric within a window; one row counts of each event. */
export function keptSql({ metric, window }: Pick<EventsRead, 'metric' | 'window'>): Sql {
  const { organizationId, externalSubscriptionId, code } = metric;
  const from = window.from === null ? sql`` : sql`AND at >= ${instant(window.from)}`;
  return sql`${EVENTS} FINAL WHERE organization_id = ${organizationId}
    AND external_subscription_id = ${externalSubscriptionId} AND code = ${code} ${from} AND at <= ${instant(window.to)}`;
}

const instant = (at: number) => Math.min(Math.max(at, FIRST_INSTANT), LAST_INSTANT);

/** Supposed events as a literal, in their order. */
function supposedJson(supposed: readonly UsageEvent[]): string {
  const list = supposed.map(({ timestamp, properties, preciseTotalAmountCents: amount }, at) => {
    return [timestamp, at + 1, textsOf(properties), amount ?? null];
  });
  return JSON.stringify(list);
}

/** SELECT of `at`, `place` (0, or that of a supposed event), `created`, `made` (the identifier as text: as identifiers they have another order), `texts` and `amount` of events. */
function eventsSql({ metric, window, until, supposed }: EventsRead): Sql {
  const to = Math.min(window.to, until ?? window.to);
  const kept = sql`SELECT at, toUInt32(0) AS place, created_at AS created, toString(id) AS made, texts, amount
    FROM ${keptSql({ metric, window: { ...window, to } })}`;
  const within = supposed.filter(
    ({ timestamp }) => timestamp <= window.to && (window.from === null || timestamp >= window.from),
  );
  if (within.length === 0) return kept;
  return sql`${kept} UNION ALL SELECT one.1 AS at, one.2 AS place, toInt64(-1) AS created, '' AS made,
      CAST(one.3, 'Map(LowCardinality(String), String)') AS texts, one.4 AS amount
    FROM (SELECT arrayJoin(JSONExtract(${supposedJson(within)},
      'Array(Tuple(Int64, UInt32, Map(String, String), Nullable(String)))')) AS one)`;
}

/** A property as text: empty without one. */
const textSql = (key: string): Sql => sql`texts[${key}]`;
const isThere = (key: string): Sql => sql`mapContains(texts, ${key})`;

// What of a text reads as a number (see `decimalOf`) is exact in 76 digits, 30 of them behind the point, with room for sums of
// products; what has more makes its group odd, and is left to the rules.
const NUMBER = String.raw`^-?\d+(\.\d+)?$`;
const EXACT = String.raw`^-?\d{1,20}(\.\d{1,30})?$`;

const decimalSql = (text: Sql): Sql => sql`if(match(${text}, ${EXACT}), toDecimal256OrNull(${text}, 30), NULL)`;
const isInexact = (text: Sql): Sql =>
  sql`(length(${text}) <= 1000 AND match(${text}, ${NUMBER}) AND NOT match(${text}, ${EXACT}))`;

const NO_NUMBER = sql`CAST(NULL, 'Nullable(Decimal(76, 30))')`;

/** `value`, `rest` (the text of a unique count after =), `adds` (whether it is not taken away), `cost`, and whether any is `odd`. */
function measures({ charge }: UsageAsked): Sql {
  const { aggregation, fieldName } = charge.metric;
  const field = fieldName ?? '';
  const amount = sql`ifNull(amount, '')`;
  const [cost, oddCost] = charge.model === 'dynamic' ? [decimalSql(amount), isInexact(amount)] : [NO_NUMBER, sql`0`];
  if (aggregation === 'count') return sql`${NO_NUMBER} AS value, '' AS rest, 1 AS adds, ${NO_NUMBER} AS cost, 0 AS odd`;
  if (aggregation === 'unique_count') {
    const rest = sql`if(${isThere(field)}, concat('=', ${textSql(field)}), '')`;
    return sql`${NO_NUMBER} AS value, ${rest} AS rest, ${textSql('operation_type')} != 'remove' AS adds,
      ${NO_NUMBER} AS cost, 0 AS odd`;
  }
  return sql`${decimalSql(textSql(field))} AS value, '' AS rest, 1 AS adds, ${cost} AS cost,
    (${isInexact(textSql(field))} OR ${oddCost}) AS odd`;
}

function bucketSql({ order }: Split): Sql {
  if (order.length === 0) return sql`toInt32(-1)`;
  const cases = order.map(({ index, values }) => {
    const all = Object.entries(values).map(([key, list]) => {
      const any = list.length === 0 ? sql`0` : sql`has(${[...list]}, ${textSql(key)})`;
      return sql`${isThere(key)} AND ${any}`;
    });
    return sql`${joined(all, ' AND ')}, toInt32(${index})`;
  });
  return sql`multiIf(${joined(cases, ', ')}, toInt32(-1))`;
}

function groupSql(keys: readonly string[]): Sql {
  const values = keys.map((key) => sql`nullIf(${textSql(key)}, '')`);
  return sql`CAST([${joined(values, ', ')}], 'Array(Nullable(String))')`;
}

function groupsSql({ filterKeys, restKeys }: Split): Sql {
  const rest = groupSql(restKeys);
  if (filterKeys.length === 0) return rest;
  const cases = filterKeys.map((keys, index) => sql`bucket = ${index}, ${groupSql(keys)}`);
  return sql`multiIf(${joined(cases, ', ')}, ${rest})`;
}

/** Which events weigh something: of a charge in advance the others make no group. */
function weighing({ charge }: UsageAsked): Sql {
  const { aggregation } = charge.metric;
  if (!charge.payInAdvance || aggregation === 'count') return sql`1`;
  return aggregation === 'unique_count' ? sql`rest != ''` : sql`(value IS NOT NULL OR odd)`;
}

/**
 * SELECT of events with their place in the one order (`spot`), what is measured of them, their `bucket` (the place of the filter, or
 * -1), and the values of their group (`grp`) and of the keys that fees show (`part`).
 */
export const splitSql = (asked: UsageAsked, read: EventsRead, split: Split): Sql =>
  sql`SELECT at, (at, place, created, made) AS spot, ${measures(asked)}, ${bucketSql(split)} AS bucket,
      ${groupsSql(split)} AS grp, ${groupSql(split.shown)} AS part
    FROM (${eventsSql(read)}) WHERE ${weighing(asked)}`;
