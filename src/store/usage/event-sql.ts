import { presentationKeys, pricingGroupKeys } from '../../billing/aggregate/group.ts';
import type { UsageAsked } from '../../billing/aggregate/metric-usage.ts';
import type { OrderedFilter } from '../../billing/catalogue/filter.ts';
import { FIRST_INSTANT, LAST_INSTANT } from '../../billing/period/calendar.ts';
import type { UsageEvent, UsageWindow } from '../../billing/usage/usage.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { decimalSql, isOdd, removesSql, textSql } from './property-sql.ts';

const { sql } = Prisma;

/** Usage of one metric by the subscriptions of one external id. */
export interface KeptMetric {
  readonly organizationId: string;
  readonly externalSubscriptionId: string;
  readonly code: string;
}

/** The events that a statement reads. */
export interface EventsRead {
  readonly metric: KeptMetric;
  readonly window: UsageWindow;
  readonly until: number | undefined;
  readonly supposed: readonly UsageEvent[];
}

// A text that JSON can write and a database cannot keep.
const UNKEPT = /\\u(?:0000|d[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)d[c-f])/i;

const isDated = ({ timestamp }: UsageEvent) => timestamp >= FIRST_INSTANT && timestamp <= LAST_INSTANT;

/** Supposed events as a parameter, in their order; null for those that no database can take. */
export function supposedJson(supposed: readonly UsageEvent[]): string | null {
  const list = supposed.map(({ timestamp, properties, preciseTotalAmountCents: amount }) => ({
    ...{ at: new Date(timestamp).toISOString(), properties, amount: amount ?? null },
  }));
  const json = JSON.stringify(list);
  return supposed.every(isDated) && !UNKEPT.test(json) ? json : null;
}

const moment = (at: number) => sql`${new Date(at).toISOString()}::timestamptz`;

/**
 * SELECT of `at`, `place` (0, or that of a supposed event), `created_at`, `transaction_id`, `properties` and `amount` of events;
 * `where` is a condition more on `at`. The one order of events is `EVENT_ORDER`.
 */
export function eventsSql(read: EventsRead, where: Prisma.Sql = Prisma.empty): Prisma.Sql {
  const { metric, window, until, supposed } = read;
  const to = Math.min(window.to, until ?? window.to);
  const from = window.from === null ? Prisma.empty : sql`AND "timestamp" >= ${moment(window.from)}`;
  const kept = sql`SELECT "timestamp" AS at, 0 AS place, created_at, transaction_id, properties,
      precise_total_amount_cents AS amount FROM events
    WHERE organization_id = ${metric.organizationId}::uuid AND external_subscription_id = ${metric.externalSubscriptionId}
      AND code = ${metric.code} AND deleted_at IS NULL ${from} AND "timestamp" <= ${moment(to)}`;
  const within = supposed.filter(
    ({ timestamp }) => timestamp <= window.to && (window.from === null || timestamp >= window.from),
  );
  if (within.length === 0) return sql`SELECT * FROM (${kept}) events WHERE true ${where}`;
  const added = sql`SELECT (one ->> 'at')::timestamptz, place::int, NULL::timestamptz, NULL::text, one -> 'properties',
      (one ->> 'amount')::numeric FROM jsonb_array_elements(${supposedJson(within)}::jsonb) WITH ORDINALITY AS list(one, place)`;
  return sql`SELECT * FROM (${kept} UNION ALL ${added}) events WHERE true ${where}`;
}

export const EVENT_ORDER: Prisma.Sql = sql`at, place, created_at, transaction_id COLLATE "C"`;
export const LAST_FIRST: Prisma.Sql = sql`at DESC, place DESC, created_at DESC, transaction_id COLLATE "C" DESC`;

/** How the usage of a charge is split: by filters in an order of which the first match is the one, and by keys. */
export interface Split {
  readonly order: readonly OrderedFilter[];
  readonly filterKeys: readonly (readonly string[])[];
  readonly restKeys: readonly string[];
  readonly shown: readonly string[];
}

export function splitOf({ charge }: Pick<UsageAsked, 'charge'>, order: readonly OrderedFilter[]): Split {
  return {
    order,
    filterKeys: charge.filters.map(({ properties }) => pricingGroupKeys(properties)),
    restKeys: pricingGroupKeys(charge.properties),
    shown: presentationKeys(charge.properties),
  };
}

/** The properties that a split reads as text. */
function splitKeys({ order, filterKeys, restKeys, shown }: Split): readonly string[] {
  const matched = order.flatMap(({ values }) => Object.keys(values));
  return [...new Set([...matched, ...filterKeys.flat(), ...restKeys, ...shown])];
}

const PROPERTIES = sql`properties`;
const asColumn = (position: number) => Prisma.raw(`key_${position}`);

function bucketSql({ order }: Split, textOf: (key: string) => Prisma.Sql): Prisma.Sql {
  if (order.length === 0) return sql`-1`;
  const cases = order.map(({ index, values }) => {
    const all = Object.entries(values).map(([key, list]) => sql`${textOf(key)} = ANY (${[...list]}::text[])`);
    return sql`WHEN ${Prisma.join(all, ' AND ')} THEN ${index}::int`;
  });
  return sql`CASE ${Prisma.join(cases, ' ')} ELSE -1 END`;
}

function groupSql(keys: readonly string[], textOf: (key: string) => Prisma.Sql): Prisma.Sql {
  if (keys.length === 0) return sql`'{}'::text[]`;
  return sql`ARRAY[${Prisma.join(keys.map((key) => sql`NULLIF(${textOf(key)}, '')`))}]`;
}

function groupsSql({ filterKeys, restKeys }: Split, textOf: (key: string) => Prisma.Sql): Prisma.Sql {
  const rest = groupSql(restKeys, textOf);
  if (filterKeys.length === 0) return rest;
  const cases = filterKeys.map((keys, index) => sql`WHEN ${index}::int THEN ${groupSql(keys, textOf)}`);
  return sql`CASE bucket ${Prisma.join(cases, ' ')} ELSE ${rest} END`;
}

/**
 * SELECT of the events with their `bucket` (the place of the filter, or -1), the values of their group (`grp`) and of the keys that
 * fees show (`part`), and of the metric's `value`, `text` and `removes`. `odd`: a text that is read is one only the rules have.
 */
export function splitSql(read: EventsRead, split: Split, field: string | null, where?: Prisma.Sql): Prisma.Sql {
  const keys = splitKeys(split);
  const measures = sql`at, place, created_at, transaction_id, amount, ${
    field === null
      ? sql`NULL::numeric AS value, NULL::text AS text`
      : sql`${decimalSql(PROPERTIES, field)} AS value, ${textSql(PROPERTIES, field)} AS text`
  }, ${removesSql(PROPERTIES)} AS removes, ${field === null ? sql`false` : isOdd(PROPERTIES, [field])} AS odd_field`;
  if (keys.length === 0) {
    return sql`SELECT ${measures}, -1 AS bucket, '{}'::text[] AS grp, '{}'::text[] AS part, false AS odd
      FROM (${eventsSql(read, where)}) events`;
  }
  const columns = keys.map((key, position) => sql`${textSql(PROPERTIES, key)} AS ${asColumn(position)}`);
  const textOf = (key: string) => asColumn(keys.indexOf(key));
  // Each text is made once, whatever looks at it: OFFSET keeps the levels apart.
  return sql`SELECT texts.*, ${groupsSql(split, textOf)} AS grp FROM (
      SELECT texts.*, ${bucketSql(split, textOf)} AS bucket, ${groupSql(split.shown, textOf)} AS part FROM (
        SELECT ${measures}, ${isOdd(PROPERTIES, keys)} AS odd, ${Prisma.join(columns)}
        FROM (${eventsSql(read, where)}) events OFFSET 0) texts OFFSET 0) texts`;
}
