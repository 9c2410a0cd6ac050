import { Prisma } from '../../generated/prisma/client.ts';

const { sql } = Prisma;

const END = sql`'infinity'::timestamptz`;
const TICK = sql`interval '1 millisecond'`;

// A span is the time in which events of an external identifier are a subscription's: until it ends or the next one starts. What a
// recurring metric counts began earlier: where the one before ended (`open_from`); a level (`level_from`) only where one plan followed another.
export const spans = (organizationId: string, among: Prisma.Sql): Prisma.Sql => sql`spans AS MATERIALIZED (
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
export const lastMoment = (end: Prisma.Sql): Prisma.Sql =>
  sql`date_trunc('second', ${end}) + interval '999 milliseconds'`;

// One row a month, so that events find the few that may hold them by an equality. Of those that overlap the earlier one ends where
// the later begins. As an array: of a list PostgreSQL takes ten rows for granted, of generate_series a thousand, and would sort all events.
export const byMonth = (
  periods: Prisma.Sql,
): Prisma.Sql => sql`SELECT periods.*, month FROM (${periods}) periods CROSS JOIN LATERAL unnest(ARRAY(
    SELECT generate_series(date_trunc('month', from_at, 'UTC'), to_at, interval '1 month'))) month`;

/** Statuses of invoices whose periods are billed: a voided one bills nothing any more, and nothing bills its periods again. */
export const FINAL: Prisma.Sql = sql`('finalized', 'closed', 'voided')`;

// What was billed: the fees for usage in arrears of final invoices, each with the metric that it was measured by, also where the code is
// another's by now. A fee is the last word on its period, so those of progressive invoices, which it credits, are left out. What is recurring
// is billed up to the end of its last fee. Codes of which a fee has another metric have their properties carried along.
export const billed = (organizationId: string): Prisma.Sql => sql`fee_periods AS MATERIALIZED (
  SELECT fees.subscription_id, item_code, from_date AS from_at,
    LEAST(${lastMoment(sql`max(to_date)`)}, lead(from_date) OVER (PARTITION BY fees.subscription_id, item_code ORDER BY from_date) - ${TICK}) AS to_at,
    min(COALESCE(invoices.finalized_at, invoices.created_at)) AS closed_at,
    (array_agg(COALESCE(charges.billable_metric_id, metrics.id) ORDER BY fees.created_at DESC))[1] AS metric_id
  FROM fees JOIN invoices ON invoices.id = fees.invoice_id LEFT JOIN charges ON charges.id = fees.charge_id
    LEFT JOIN metrics ON metrics.code = item_code AND metrics.is_last
  WHERE fees.organization_id = ${organizationId}::uuid AND fees.subscription_id IN (SELECT id FROM spans)
    AND fees.fee_type = 'charge' AND NOT fees.pay_in_advance AND fees.deleted_at IS NULL AND from_date IS NOT NULL
    AND invoices.status IN ${FINAL} AND invoices.invoice_type <> 'progressive_billing'
  GROUP BY 1, 2, 3
), last_fees AS MATERIALIZED (
  SELECT subscription_id, item_code, max(to_at) AS to_at, max(closed_at) AS closed_at,
    (array_agg(metric_id ORDER BY to_at DESC))[1] AS metric_id
  FROM fee_periods JOIN metrics ON metrics.id = metric_id WHERE recurring GROUP BY 1, 2
), named AS MATERIALIZED (
  SELECT id, code, recurring, aggregation_type, field_name, needs_number, deleted_at IS NULL AS is_live, code IN (
    SELECT item_code FROM fee_periods JOIN metrics ON metrics.id = metric_id WHERE NOT is_last) AS was_another
  FROM metrics WHERE is_last
), at_once AS MATERIALIZED (
  SELECT DISTINCT subscription_id, item_code, event_transaction_id AS transaction_id
  FROM fees LEFT JOIN invoices ON invoices.id = fees.invoice_id
  WHERE fees.organization_id = ${organizationId}::uuid AND fees.subscription_id IN (SELECT id FROM spans)
    AND fees.event_transaction_id IS NOT NULL AND fees.deleted_at IS NULL
    AND (invoices.id IS NULL OR invoices.status IN ${FINAL})
)`;

// Periods that were billed, whatever for: what comes later for one of them comes too late.
export const closed = (organizationId: string): Prisma.Sql => sql`closed_periods AS MATERIALIZED (
  SELECT periods.subscription_id, charges_from_datetime AS from_at,
    LEAST(${lastMoment(sql`max(charges_to_datetime)`)}, lead(charges_from_datetime) OVER (
      PARTITION BY periods.subscription_id ORDER BY charges_from_datetime) - ${TICK}) AS to_at,
    min(COALESCE(invoices.finalized_at, invoices.created_at)) AS closed_at
  FROM billing_periods periods JOIN invoices ON invoices.id = periods.invoice_id
  WHERE periods.organization_id = ${organizationId}::uuid AND periods.subscription_id IN (SELECT id FROM spans)
    AND invoices.status IN ${FINAL} AND invoicing_reason IN ('subscription_periodic', 'subscription_terminating')
  GROUP BY 1, 2
)`;

// All metrics that were; of each code the last one, which is the living one where there is one. Of a charge of an override it counts since
// when its parent's is there.
export const catalogue = (organizationId: string): Prisma.Sql => sql`metrics AS MATERIALIZED (
  SELECT id, code, recurring, aggregation_type, field_name, deleted_at,
    aggregation_type IN ('sum_agg', 'max_agg', 'latest_agg', 'weighted_sum_agg') AS needs_number,
    row_number() OVER (PARTITION BY code ORDER BY deleted_at DESC NULLS FIRST, id) = 1 AS is_last
  FROM billable_metrics WHERE organization_id = ${organizationId}::uuid
), charged AS MATERIALIZED (
  SELECT own.plan_id, own.billable_metric_id, bool_or(NOT own.pay_in_advance) AS in_arrears,
    min(LEAST(own.created_at, parent.created_at)) AS since
  FROM charges own LEFT JOIN charges parent ON parent.id = own.parent_id
  WHERE own.organization_id = ${organizationId}::uuid AND own.deleted_at IS NULL GROUP BY 1, 2
)`;
