import type { Send } from '../database/sender.ts';
import type { EventRow } from './event-row.ts';

// As one text: however many rows, the statement is the same and its plan is kept. Whether an event is stored already is asked
// first, so that nothing of a part is written of which one is; who writes the same at this moment meets the unique index. Asked row
// by row (LATERAL, LIMIT): a plan made while there were few events would else read all of them ever after.
const APPEND = `WITH given AS (
  SELECT * FROM json_to_recordset($1::text::json) AS given (
    place int, part int, id uuid, organization_id uuid, transaction_id text, external_subscription_id text, code text,
    happened timestamptz, properties jsonb, amount numeric, created_at timestamptz)
), known AS MATERIALIZED (
  SELECT place, part FROM given CROSS JOIN LATERAL (
    SELECT FROM events WHERE events.organization_id = given.organization_id
      AND events.transaction_id = given.transaction_id
      AND events.external_subscription_id = given.external_subscription_id AND events.deleted_at IS NULL LIMIT 1) found
), stored AS (
  INSERT INTO events (id, organization_id, transaction_id, external_subscription_id, code, "timestamp", properties,
    precise_total_amount_cents, created_at, measured_by)
  SELECT given.id, given.organization_id, transaction_id, external_subscription_id, given.code, happened, properties, amount,
    given.created_at, COALESCE(metric_measure(aggregation_type::text, field_name), '')
  FROM given LEFT JOIN billable_metrics ON billable_metrics.organization_id = given.organization_id
    AND billable_metrics.code = given.code AND billable_metrics.deleted_at IS NULL
  WHERE part NOT IN (SELECT part FROM known) ORDER BY place
)
SELECT place FROM known ORDER BY place`;

const text = (value: unknown) => JSON.stringify(value);

// By hand: the properties are a JSON text already, with digits that JSON.stringify would lose.
const asJson = (row: EventRow, place: number, part: number) =>
  `{"place":${place},"part":${part},"id":${text(row.id)},"organization_id":${text(row.organizationId)},` +
  `"transaction_id":${text(row.transactionId)},"external_subscription_id":${text(row.externalSubscriptionId)},` +
  `"code":${text(row.code)},"happened":${text(row.timestamp)},"properties":${row.written},` +
  `"amount":${text(row.preciseTotalAmountCents)},"created_at":${text(row.createdAt)}}`;

/**
 * Stores events by one statement. Each part is stored as a whole, or not at all where one of its events is stored already: the
 * places of these in their parts are answered. Throws what the database throws, a unique violation where another writes the same
 * now, and then has stored nothing.
 */
export async function appendEvents(send: Send, parts: readonly (readonly EventRow[])[]): Promise<number[][]> {
  const places = parts.flatMap((rows, part) => rows.map((row, at) => ({ row, part, at })));
  const json = `[${places.map(({ row, part }, place) => asJson(row, place, part)).join(',')}]`;
  const known: number[][] = parts.map(() => []);
  for (const [place] of await send(APPEND, [json])) {
    const found = places[Number(place)];
    if (found) known[found.part]?.push(found.at);
  }
  return known;
}
