import { Prisma } from '../generated/prisma/client.ts';

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

const END = sql`'infinity'::timestamptz`;
const TICK = sql`interval '1 millisecond'`;

// A span is the time in which events of an external identifier are a subscription's: until it ends or the next one starts. What a
// recurring metric counts began earlier: where the one before ended (`open_from`); a level (`level_from`) only where one plan followed another.
const spans = (organizationId: string, among: Prisma.Sql) => sql`spans AS MATERIALIZED (
  SELECT id, external_id, plan_id, started_at, ended_at,
    COALESCE(lag(ended_at) OVER w + ${TICK}, '-infinity'::timestamptz) AS open_from,
    CASE WHEN previous_subscription_id IS NULL THEN started_at
      ELSE COALESCE(lag(ended_at) OVER w + ${TICK}, started_at) END AS level_from
  FROM (SELECT id, external_id, plan_id, started_at, previous_subscription_id,
      LEAST(COALESCE(terminated_at, ${END}), COALESCE(lead(started_at) OVER w - ${TICK}, ${END})) AS ended_at
    FROM subscriptions
    WHERE organization_id = ${organizationId}::uuid AND started_at IS NOT NULL AND status IN ('active', 'terminated') ${among}
    WINDOW w AS (PARTITION BY external_id ORDER BY started_at, id)) own
  WINDOW w AS (PARTITION BY external_id ORDER BY started_at, id)
)`;

// Ends are told to the second; it belongs to the period whole.
const lastMoment = (end: Prisma.Sql) => sql`date_trunc('second', ${end}) + interval '999 milliseconds'`;

// One row a month, so that events find the few that may hold them by an equality. Of those that overlap the earlier one ends where
// the later begins. As an array: of a list PostgreSQL takes ten rows for granted, of generate_series a thousand, and would sort all events.
const byMonth = (
  periods: Prisma.Sql,
) => sql`SELECT periods.*, month FROM (${periods}) periods CROSS JOIN LATERAL unnest(ARRAY(
    SELECT generate_series(date_trunc('month', from_at, 'UTC'), to_at, interval '1 month'))) month`;

// What was billed: the fees for usage in arrears of final invoices. A fee is the last word on its period, so those of progressive
// invoices, which it credits, are left out.
const billed = (organizationId: string) => sql`fee_periods AS MATERIALIZED (
  SELECT fees.subscription_id, item_code, from_date AS from_at,
    LEAST(${lastMoment(sql`max(to_date)`)}, lead(from_date) OVER (PARTITION BY fees.subscription_id, item_code ORDER BY from_date) - ${TICK}) AS to_at,
    min(COALESCE(invoices.finalized_at, invoices.created_at)) AS closed_at
  FROM fees JOIN invoices ON invoices.id = fees.invoice_id
  WHERE fees.organization_id = ${organizationId}::uuid AND fees.subscription_id IN (SELECT id FROM spans)
    AND fees.fee_type = 'charge' AND NOT fees.pay_in_advance AND fees.deleted_at IS NULL AND from_date IS NOT NULL
    AND invoices.status IN ('finalized', 'closed') AND invoices.invoice_type <> 'progressive_billing'
  GROUP BY 1, 2, 3
), last_fees AS MATERIALIZED (
  SELECT subscription_id, item_code, max(to_at) AS to_at, max(closed_at) AS closed_at FROM fee_periods GROUP BY 1, 2
), at_once AS MATERIALIZED (
  SELECT DISTINCT subscription_id, item_code, event_transaction_id AS transaction_id
  FROM fees LEFT JOIN invoices ON invoices.id = fees.invoice_id
  WHERE fees.organization_id = ${organizationId}::uuid AND fees.subscription_id IN (SELECT id FROM spans)
    AND fees.event_transaction_id IS NOT NULL AND fees.deleted_at IS NULL
    AND (invoices.id IS NULL OR invoices.status IN ('finalized', 'closed'))
)`;

// Periods that were billed, whatever for: what comes later for one of them comes too late.
const closed = (organizationId: string) => sql`closed_periods AS MATERIALIZED (
  SELECT periods.subscription_id, charges_from_datetime AS from_at,
    LEAST(${lastMoment(sql`max(charges_to_datetime)`)}, lead(charges_from_datetime) OVER (
      PARTITION BY periods.subscription_id ORDER BY charges_from_datetime) - ${TICK}) AS to_at,
    min(COALESCE(invoices.finalized_at, invoices.created_at)) AS closed_at
  FROM billing_periods periods JOIN invoices ON invoices.id = periods.invoice_id
  WHERE periods.organization_id = ${organizationId}::uuid AND periods.subscription_id IN (SELECT id FROM spans)
    AND invoices.status IN ('finalized', 'closed') AND invoicing_reason IN ('subscription_periodic', 'subscription_terminating')
  GROUP BY 1, 2
)`;

const catalogue = (organizationId: string) => sql`metrics AS MATERIALIZED (
  SELECT id, code, recurring, aggregation_type, field_name,
    aggregation_type IN ('sum_agg', 'max_agg', 'latest_agg', 'weighted_sum_agg') AS needs_number
  FROM billable_metrics WHERE organization_id = ${organizationId}::uuid AND deleted_at IS NULL
), charged AS MATERIALIZED (
  SELECT plan_id, billable_metric_id, bool_or(NOT pay_in_advance) AS in_arrears FROM charges
  WHERE organization_id = ${organizationId}::uuid AND deleted_at IS NULL GROUP BY 1, 2
)`;

// What the metric measured, or would: see metric_measure and property_number.
const NUMBER = sql`CASE WHEN e.measured_by = '=' || m.field_name THEN e.measured_value
  ELSE property_number(e.properties, m.field_name) END`;

// Told of each event first, so that its properties are not carried along. OFFSET keeps the levels apart.
const withMetric = (events: Prisma.Sql) => sql`SELECT e.*, date_trunc('month', e."timestamp", 'UTC') AS month,
    COALESCE(m.needs_number AND ${NUMBER} IS NULL, false) AS has_no_number
  FROM ${events} LEFT JOIN metrics m ON m.code = e.code OFFSET 0`;

/** The fate of an event `e`, as a text. */
export const FATE_SQL: Prisma.Sql = sql`CASE
  WHEN a.transaction_id IS NOT NULL THEN 'billed'
  WHEN e.has_no_number AND (c.plan_id IS NOT NULL OR f.closed_at IS NOT NULL) THEN 'rejected'
  WHEN e.created_at <= f.closed_at THEN 'billed'
  WHEN m.id IS NULL OR s.id IS NULL OR c.plan_id IS NULL THEN 'unmatched'
  WHEN m.recurring THEN CASE WHEN e.created_at <= l.closed_at THEN 'billed' ELSE 'counted' END
  WHEN NOT c.in_arrears THEN 'counted'
  WHEN e.created_at <= p.closed_at THEN 'billed'
  WHEN COALESCE(p.closed_at, f.closed_at) IS NOT NULL THEN 'late'
  ELSE 'counted' END`;

// Joined by equalities first, so that many events are one pass over hash tables. What is joined is disjoint: one row an event.
const JOINS = sql`
  LEFT JOIN metrics m ON m.code = e.code
  LEFT JOIN spans s ON s.external_id = e.external_subscription_id AND e."timestamp" <= s.ended_at
    AND e."timestamp" >= CASE WHEN NOT COALESCE(m.recurring, false) THEN s.started_at
      WHEN m.aggregation_type = 'weighted_sum_agg' THEN s.level_from ELSE s.open_from END
  LEFT JOIN charged c ON c.plan_id = s.plan_id AND c.billable_metric_id = m.id
  LEFT JOIN fee_months f ON f.subscription_id = s.id AND f.item_code = e.code
    AND f.month = e.month AND e."timestamp" BETWEEN f.from_at AND f.to_at
  LEFT JOIN closed_months p ON p.subscription_id = s.id
    AND p.month = e.month AND e."timestamp" BETWEEN p.from_at AND p.to_at
  LEFT JOIN last_fees l ON l.subscription_id = s.id AND l.item_code = e.code AND l.to_at >= e."timestamp"
  LEFT JOIN at_once a ON a.subscription_id = s.id AND a.item_code = e.code AND a.transaction_id = e.transaction_id`;

/** The `WITH` of a statement that `FATE_SQL` is read in, and its `FROM`: events `e` with what their fates depend on. */
export function fated({ organizationId, events, among }: Fated): { parts: Prisma.Sql; from: Prisma.Sql } {
  const parts = [
    spans(organizationId, among ? sql`AND external_id = ANY (${[...among]}::text[])` : Prisma.empty),
    billed(organizationId),
    closed(organizationId),
    catalogue(organizationId),
    sql`fee_months AS MATERIALIZED (${byMonth(sql`SELECT * FROM fee_periods`)})`,
    sql`closed_months AS MATERIALIZED (${byMonth(sql`SELECT * FROM closed_periods`)})`,
  ];
  return { parts: Prisma.join(parts, ', '), from: sql`FROM (${withMetric(events)}) e ${JOINS}` };
}

const reason = (condition: Prisma.Sql, member: Prisma.Sql, code: string) =>
  sql`CASE WHEN ${condition} THEN json_build_array(${member}, ${code}::text) END`;

const ofField = sql`'properties.' || m.field_name`;
const isMissing = sql`COALESCE(jsonb_typeof(e.properties -> m.field_name), 'null') = 'null'`;

/** Why events `e` have their fates, and what else is worth a look: a JSON list of pairs of a member and a code. */
export const REASONS_SQL = (organizationId: string): Prisma.Sql => sql`(
  SELECT COALESCE(json_agg(reason), '[]') FROM (
    SELECT unnest(ARRAY[
      ${reason(sql`m.id IS NULL`, sql`'code'`, 'billable_metric_not_found')},
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
      ${reason(sql`m.id IS NOT NULL AND s.id IS NOT NULL AND c.plan_id IS NULL`, sql`'code'`, 'charge_not_found')},
      ${reason(sql`${FATE_SQL} = 'late'`, sql`'timestamp'`, 'period_is_billed')},
      ${reason(sql`m.field_name IS NOT NULL AND m.aggregation_type NOT IN ('count_agg', 'custom_agg') AND ${isMissing}`, ofField, 'value_is_mandatory')},
      ${reason(sql`e.has_no_number AND NOT ${isMissing}`, ofField, 'value_is_not_valid_number')}
    ]) AS reason
    UNION ALL
    SELECT json_build_array('properties.' || filter.key, 'invalid_filter_value') FROM billable_metric_filters filter
    WHERE filter.billable_metric_id = m.id AND filter.organization_id = ${organizationId}::uuid AND filter.deleted_at IS NULL
      AND jsonb_typeof(e.properties -> filter.key) <> 'null'
      AND COALESCE(property_text(e.properties, filter.key) <> ALL (filter.values), true)
  ) reasons WHERE reason IS NOT NULL)`;
