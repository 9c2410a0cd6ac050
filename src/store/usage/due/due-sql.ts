import type { EventRow } from '../event-row.ts';

/** Events as rows of SQL, from the JSON of `eventsJson` as the first argument. */
export const GIVEN = `given AS (
  SELECT * FROM json_to_recordset($1::text::json) AS given (
    place int, part int, id uuid, organization_id uuid, transaction_id text, external_subscription_id text, code text,
    happened timestamptz, properties jsonb, amount numeric, created_at timestamptz)
)`;

const text = (value: unknown) => JSON.stringify(value);

// By hand: the properties are a JSON text already, with digits that JSON.stringify would lose.
const asJson = (row: EventRow, place: number, part: number) =>
  `{"place":${place},"part":${part},"id":${text(row.id)},"organization_id":${text(row.organizationId)},` +
  `"transaction_id":${text(row.transactionId)},"external_subscription_id":${text(row.externalSubscriptionId)},` +
  `"code":${text(row.code)},"happened":${text(row.timestamp)},"properties":${row.written},` +
  `"amount":${text(row.preciseTotalAmountCents)},"created_at":${text(row.createdAt)}}`;

/** Events in their places, each with its part. */
export const eventsJson = (placed: readonly { readonly row: EventRow; readonly part: number }[]): string =>
  `[${placed.map(({ row, part }, place) => asJson(row, place, part)).join(',')}]`;

/**
 * The asking for what is to be billed of events: each whose metric has a charge in advance, and a look at the thresholds of each
 * subscription that has some. It is looked up once a metric and once a subscription, row by row: see `../append-events.ts`. `events`: which of
 * the given ones.
 */
export const asking = (events: string): string => `asked AS MATERIALIZED (SELECT * FROM given ${events}
), instant AS MATERIALIZED (
  SELECT codes.* FROM (SELECT DISTINCT organization_id, code FROM asked) codes CROSS JOIN LATERAL (
    SELECT FROM billable_metrics metric JOIN charges charge ON charge.billable_metric_id = metric.id
    WHERE metric.organization_id = codes.organization_id AND metric.code = codes.code AND metric.deleted_at IS NULL
      AND charge.pay_in_advance AND charge.deleted_at IS NULL LIMIT 1) found
), gauged AS MATERIALIZED (
  SELECT named.* FROM (
    SELECT organization_id, external_subscription_id, max(created_at) AS created_at FROM asked GROUP BY 1, 2
  ) named CROSS JOIN LATERAL (
    SELECT FROM subscriptions subscription JOIN plans plan ON plan.id = subscription.plan_id
    JOIN usage_thresholds threshold ON threshold.deleted_at IS NULL
      AND (threshold.plan_id IN (plan.id, plan.parent_id) OR threshold.subscription_id = subscription.id)
    WHERE subscription.organization_id = named.organization_id
      AND subscription.external_id = named.external_subscription_id AND subscription.status = 'active'
      AND NOT subscription.progressive_billing_disabled LIMIT 1) found
), due AS (
  INSERT INTO usage_dues (id, organization_id, external_subscription_id, event, created_at)
  SELECT id, organization_id, external_subscription_id, jsonb_build_object('transactionId', transaction_id, 'code', code,
    'timestamp', happened, 'properties', properties, 'amount', amount::text), created_at
  FROM asked JOIN instant USING (organization_id, code)
  UNION ALL SELECT gen_random_uuid(), organization_id, external_subscription_id, NULL, created_at FROM gauged
)`;
