import { Prisma } from '../../generated/prisma/client.ts';
import { billed, byMonth, catalogue, closed, spans } from './billed-sql.ts';

const { sql } = Prisma;

/** Events whose fates are read. */
export interface Fated {
  readonly organizationId: string;
  /** What follows `FROM`, called `e`: it has the columns of events, and those of the organization only. */
  readonly events: Prisma.Sql;
  /** External identifiers of their subscriptions, where these are few: no other subscriptions and periods are read then. */
  readonly among?: readonly string[];
}

/** What of an event its fate depends on, wherever it is kept. */
export interface FatedEvent {
  readonly id: string;
  readonly transactionId: string;
  readonly externalSubscriptionId: string;
  readonly code: string;
  readonly timestamp: Date;
  readonly properties: unknown;
  readonly createdAt: Date;
}

/** Events that have been read. */
export function readEvents(organizationId: string, events: readonly FatedEvent[]): Fated {
  const rows = events.map(({ externalSubscriptionId, transactionId, createdAt, ...event }) => ({
    ...event,
    ...{ external_subscription_id: externalSubscriptionId, transaction_id: transactionId, created_at: createdAt },
  }));
  const list = sql`json_to_recordset(${JSON.stringify(rows)}::json) AS e (id uuid, transaction_id text,
    external_subscription_id text, code text, "timestamp" timestamptz, properties jsonb, created_at timestamptz,
    measured_by text, measured_value numeric)`;
  return { organizationId, events: list, among: [...new Set(events.map((event) => event.externalSubscriptionId))] };
}

/** Events of the database; `where` is a condition more on `e`. */
export const keptEvents = (organizationId: string, where: Prisma.Sql): Fated => ({
  organizationId,
  events: sql`(SELECT * FROM events e WHERE organization_id = ${organizationId}::uuid AND deleted_at IS NULL ${where}) e`,
});

// What a metric measured, or would: see metric_measure and property_number.
const numberOf = (properties: Prisma.Sql, metric: 'm' | 'j') => {
  const field = Prisma.raw(`${metric}.field_name`);
  return sql`CASE WHEN e.measured_by = '=' || ${field} THEN e.measured_value ELSE property_number(${properties}, ${field}) END`;
};

// Told of each event first, so that its properties are not carried along, but for codes whose fees are of several metrics. OFFSET keeps the levels apart.
const withMetric = (events: Prisma.Sql) => sql`SELECT e.*, date_trunc('month', e."timestamp", 'UTC') AS month,
    COALESCE(m.needs_number AND ${numberOf(sql`e.properties`, 'm')} IS NULL, false) AS lacks_number,
    CASE WHEN m.was_another THEN e.properties END AS reread
  FROM ${events} LEFT JOIN named m ON m.code = e.code OFFSET 0`;

const HAS_NO_NUMBER = sql`CASE WHEN j.id = m.id THEN e.lacks_number
    ELSE COALESCE(j.needs_number AND ${numberOf(sql`e.reread`, 'j')} IS NULL, false) END`;

/** The fate of an event `e`, as a text. */
export const FATE_SQL: Prisma.Sql = sql`CASE
  WHEN a.transaction_id IS NOT NULL THEN 'billed'
  WHEN ${HAS_NO_NUMBER} AND COALESCE(c.since, f.closed_at, l.closed_at) IS NOT NULL THEN 'rejected'
  WHEN e.created_at <= f.closed_at OR e.created_at <= l.closed_at THEN 'billed'
  WHEN c.plan_id IS NULL THEN CASE WHEN f.closed_at IS NOT NULL AND NOT j.recurring THEN 'late' ELSE 'unmatched' END
  WHEN m.recurring THEN 'counted'
  WHEN NOT c.in_arrears THEN CASE WHEN e.created_at >= c.since THEN 'counted'
    WHEN f.closed_at IS NOT NULL THEN 'late' ELSE 'unmatched' END
  WHEN e.created_at <= p.closed_at THEN 'billed'
  WHEN COALESCE(p.closed_at, f.closed_at) IS NOT NULL THEN 'late'
  ELSE 'counted' END`;

// Joined by equalities first, so that many events are one pass over hash tables. What is joined is disjoint: one row an event. `m` is the
// last metric of the code, `j` the one that judges: what is billed was measured by the metric of its fee.
const JOINS = sql`
  LEFT JOIN named m ON m.code = e.code
  LEFT JOIN spans s ON s.external_id = e.external_subscription_id AND e."timestamp" <= s.ended_at
    AND e."timestamp" >= CASE WHEN NOT COALESCE(m.recurring, false) THEN s.started_at
      WHEN m.aggregation_type = 'weighted_sum_agg' THEN s.level_from ELSE s.open_from END
  LEFT JOIN charged c ON c.plan_id = s.plan_id AND c.billable_metric_id = m.id AND m.is_live
  LEFT JOIN fee_months f ON f.subscription_id = s.id AND f.item_code = e.code
    AND f.month = e.month AND e."timestamp" BETWEEN f.from_at AND f.to_at
  LEFT JOIN closed_months p ON p.subscription_id = s.id
    AND p.month = e.month AND e."timestamp" BETWEEN p.from_at AND p.to_at
  LEFT JOIN last_fees l ON l.subscription_id = s.id AND l.item_code = e.code AND l.to_at >= e."timestamp"
  LEFT JOIN at_once a ON a.subscription_id = s.id AND a.item_code = e.code AND a.transaction_id = e.transaction_id
  LEFT JOIN metrics j ON j.id = COALESCE(f.metric_id, l.metric_id, CASE WHEN m.is_live THEN m.id END)`;

/** The `WITH` of a statement that `FATE_SQL` is read in, and its `FROM`: events `e` with what their fates depend on. */
export function fated({ organizationId, events, among }: Fated): { parts: Prisma.Sql; from: Prisma.Sql } {
  const parts = [
    spans(organizationId, among ? sql`AND external_id = ANY (${[...among]}::text[])` : Prisma.empty),
    catalogue(organizationId),
    billed(organizationId),
    closed(organizationId),
    sql`fee_months AS MATERIALIZED (${byMonth(sql`SELECT * FROM fee_periods`)})`,
    sql`closed_months AS MATERIALIZED (${byMonth(sql`SELECT * FROM closed_periods`)})`,
  ];
  return { parts: Prisma.join(parts, ', '), from: sql`FROM (${withMetric(events)}) e ${JOINS}` };
}

const reason = (condition: Prisma.Sql, member: Prisma.Sql, code: string) =>
  sql`CASE WHEN ${condition} THEN json_build_array(${member}, ${code}::text) END`;

const ofField = sql`'properties.' || j.field_name`;
const isMissing = sql`COALESCE(jsonb_typeof(e.properties -> j.field_name), 'null') = 'null'`;

/** Why events `e` have their fates, and what else is worth a look: a JSON list of pairs of a member and a code. */
export const REASONS_SQL = (organizationId: string): Prisma.Sql => sql`(
  SELECT COALESCE(json_agg(reason), '[]') FROM (
    SELECT unnest(ARRAY[
      ${reason(sql`m.is_live IS NOT TRUE`, sql`'code'`, 'billable_metric_not_found')},
      ${reason(sql`e.external_subscription_id = ''`, sql`'external_subscription_id'`, 'value_is_mandatory')},
      ${reason(
        sql`s.id IS NULL AND e.external_subscription_id <> '' AND NOT EXISTS (
          SELECT FROM spans other WHERE other.external_id = e.external_subscription_id)`,
        sql`'external_subscription_id'`,
        'subscription_not_found',
      )},
      ${reason(
        sql`s.id IS NULL AND EXISTS (SELECT FROM spans other WHERE other.external_id = e.external_subscription_id)`,
        sql`'timestamp'`,
        'subscription_not_running',
      )},
      ${reason(
        sql`m.is_live AND s.id IS NOT NULL AND (c.plan_id IS NULL OR ${FATE_SQL} = 'unmatched')`,
        sql`'code'`,
        'charge_not_found',
      )},
      ${reason(sql`${FATE_SQL} = 'late'`, sql`'timestamp'`, 'period_is_billed')},
      ${reason(sql`j.field_name IS NOT NULL AND j.aggregation_type NOT IN ('count_agg', 'custom_agg') AND ${isMissing}`, ofField, 'value_is_mandatory')},
      ${reason(sql`${HAS_NO_NUMBER} AND NOT ${isMissing}`, ofField, 'value_is_not_valid_number')}
    ]) AS reason
    UNION ALL
    SELECT json_build_array('properties.' || filter.key, 'invalid_filter_value') FROM billable_metric_filters filter
    WHERE filter.billable_metric_id = j.id AND filter.organization_id = ${organizationId}::uuid
      AND filter.deleted_at IS NOT DISTINCT FROM j.deleted_at
      AND jsonb_typeof(e.properties -> filter.key) <> 'null'
      AND COALESCE(property_text(e.properties, filter.key) <> ALL (filter.values), true)
  ) reasons WHERE reason IS NOT NULL)`;
