import { presentationKeys, pricingGroupKeys } from '../../billing/aggregate/group.ts';
import type { UsageAsked } from '../../billing/aggregate/metric-usage.ts';
import type { OrderedFilter } from '../../billing/catalogue/filter.ts';
import { FIRST_INSTANT, LAST_INSTANT } from '../../billing/period/calendar.ts';
import type { UsageEvent, UsageWindow } from '../../billing/usage/usage.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Range } from './hours/kept-span.ts';
import { decimalSql, isOdd, markSql, textSql } from './property-sql.ts';
import { type Measure, measureText } from './table/measured-by.ts';

const { sql } = Prisma;

/** Usage of one metric by the subscriptions of one external id. */
export interface KeptMetric {
  readonly organizationId: string;
  readonly externalSubscriptionId: string;
  readonly code: string;
}

/** The same within a statement: the external id may be that of a row beside it. */
export interface ReadMetric extends Omit<KeptMetric, 'externalSubscriptionId'> {
  readonly externalSubscriptionId: string | Prisma.Sql;
}

/** The events that a statement reads. */
export interface EventsRead {
  readonly metric: ReadMetric;
  readonly window: UsageWindow;
  readonly until: number | undefined;
  readonly supposed: readonly UsageEvent[];
  readonly measure: Measure | null;
  /** What is read of those that are measured by the metric as it is; all in the window by default. */
  readonly own?: readonly Part[];
}

/** A time of which events are read; with a condition, only where it holds. */
export interface Part extends Range {
  readonly only?: Prisma.Sql;
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

const NOTHING = sql`NULL::numeric AS value, NULL::text AS mark`;

/** What is measured, from the properties. */
function measured(measure: Measure | null): Prisma.Sql {
  if (measure === null) return NOTHING;
  const { by, field } = measure;
  return by === '='
    ? sql`${decimalSql(field)} AS value, NULL::text AS mark`
    : sql`NULL::numeric AS value, ${markSql(field)} AS mark`;
}

/** The same from what stands beside them. */
function kept(measure: Measure | null): Prisma.Sql {
  if (measure === null) return NOTHING;
  return measure.by === '='
    ? sql`measured_value AS value, NULL::text AS mark`
    : sql`NULL::numeric AS value, measured_text AS mark`;
}

const COLUMNS = sql`"timestamp" AS at, 0 AS place, created_at, id, properties, precise_total_amount_cents AS amount`;

// Events were measured by the metric that there was. Those of another one are read from their properties: they are before and after
// in the index, where most often none are.
function keptEvents({ measure, metric, own }: EventsRead, range: Range): Prisma.Sql[] {
  const by = measureText(measure);
  const conditionOf = ({ from, to }: Range) => sql`organization_id = ${metric.organizationId}::uuid
    AND external_subscription_id = ${metric.externalSubscriptionId} AND code = ${metric.code} AND deleted_at IS NULL
    ${from === null ? Prisma.empty : sql`AND "timestamp" >= ${moment(from)}`} AND "timestamp" <= ${moment(to)}`;
  const owned = (own ?? [range]).map(
    ({ only, ...part }: Part) => sql`SELECT ${COLUMNS}, ${kept(measure)} FROM events
      WHERE measured_by = ${by} AND ${conditionOf(part)} ${only ? sql`AND ${only}` : Prisma.empty}`,
  );
  // How many they are the planner guesses from all events, and would read a whole month for none: so the first is looked for in the index.
  const others = (sign: string) => {
    const where = sql`measured_by ${Prisma.raw(sign)} ${by} AND ${conditionOf(range)}`;
    return sql`SELECT ${COLUMNS}, ${measured(measure)} FROM events WHERE ${where}
      AND (SELECT true FROM events WHERE ${where} ORDER BY measured_by, "timestamp" LIMIT 1)`;
  };
  return [...owned, others('<'), others('>')];
}

/** The time of which events are read. */
export const rangeOf = ({ window, until }: Pick<EventsRead, 'window' | 'until'>): Range => ({
  from: window.from,
  to: Math.min(window.to, until ?? window.to),
});

/**
 * SELECTs of `at`, `place` (0, or that of a supposed event), `created_at`, `id`, `properties` and `amount` of events, and of
 * the metric's `value`, or its `mark` as `property_mark` has it: null where only the rules have the text. Together they are the events
 * that are read; each is in the order of `at` where that is asked for. `where` is a condition more on `at`.
 */
export function eventParts(read: EventsRead, where = Prisma.empty, isOrdered = false): readonly Prisma.Sql[] {
  const { window, supposed, measure } = read;
  const within = supposed.filter(
    ({ timestamp }) => timestamp <= window.to && (window.from === null || timestamp >= window.from),
  );
  const list = sql`SELECT (one ->> 'at')::timestamptz AS at, place::int AS place, NULL::timestamptz AS created_at,
      NULL::uuid AS id, one -> 'properties' AS properties, (one ->> 'amount')::numeric AS amount
    FROM jsonb_array_elements(${supposedJson(within)}::jsonb) WITH ORDINALITY AS list(one, place)`;
  const added = sql`SELECT at, place, created_at, id, properties, amount, ${measured(measure)} FROM (${list}) list`;
  const parts = [...keptEvents(read, rangeOf(read)), ...(within.length === 0 ? [] : [added])];
  const order = isOrdered ? sql`ORDER BY at` : Prisma.empty;
  return parts.map((part) => sql`SELECT * FROM (${part}) events WHERE true ${where} ${order}`);
}

/** All parts of something as one. */
export const together = (parts: readonly Prisma.Sql[]): Prisma.Sql =>
  Prisma.join(
    parts.map((part) => sql`(${part})`),
    ' UNION ALL ',
  );

export const EVENT_ORDER: Prisma.Sql = sql`at, place, created_at, id`;
export const LAST_FIRST: Prisma.Sql = sql`at DESC, place DESC, created_at DESC, id DESC`;

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

const MEASURES = sql`at, place, created_at, id, amount, value, mark`;

/** Whether a split leaves usage as one group. */
export const isWhole = (split: Split): boolean => splitKeys(split).length === 0;

/**
 * SELECT of events with their `bucket` (the place of the filter, or -1), and the values of their group (`grp`) and of the keys that
 * fees show (`part`). `odd`: a text that is read is one only the rules have.
 */
export function splitSql(events: Prisma.Sql, split: Split): Prisma.Sql {
  const keys = splitKeys(split);
  if (keys.length === 0) {
    return sql`SELECT ${MEASURES}, -1 AS bucket, '{}'::text[] AS grp, '{}'::text[] AS part, false AS odd FROM (${events}) events`;
  }
  const columns = keys.map((key, position) => sql`${textSql(key)} AS ${asColumn(position)}`);
  const textOf = (key: string) => asColumn(keys.indexOf(key));
  // Each text is made once, whatever looks at it: OFFSET keeps the levels apart.
  return sql`SELECT texts.*, ${groupsSql(split, textOf)} AS grp FROM (
      SELECT texts.*, ${bucketSql(split, textOf)} AS bucket, ${groupSql(split.shown, textOf)} AS part FROM (
        SELECT ${MEASURES}, ${isOdd(keys)} AS odd, ${Prisma.join(columns)}
        FROM (${events}) events OFFSET 0) texts OFFSET 0) texts`;
}
