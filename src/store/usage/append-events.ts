import type { Send } from '../database/sender.ts';
import { asking, eventsJson, GIVEN } from './due/due-sql.ts';
import type { EventRow } from './event-row.ts';
import { measuredBy } from './table/measured-by.ts';

const MEASURED = measuredBy('given');

// As one text: however many rows, the statement is the same and its plan is kept. Whether an event is stored already is asked of the
// keys first, so that nothing of a part is written of which one is; who writes the same at this moment meets their unique index, which
// a trigger writes. Asked row by row (LATERAL, LIMIT): a plan made while there were few keys would else read all of them ever after.
const APPEND = `WITH ${GIVEN}, known AS MATERIALIZED (
  SELECT place, part FROM given CROSS JOIN LATERAL (
    SELECT FROM event_keys AS keys WHERE keys.organization_id = given.organization_id
      AND keys.transaction_id = given.transaction_id
      AND keys.external_subscription_id = given.external_subscription_id LIMIT 1) found
), stored AS (
  INSERT INTO events (id, organization_id, transaction_id, external_subscription_id, code, "timestamp", properties,
    precise_total_amount_cents, created_at, measured_by)
  SELECT given.id, given.organization_id, transaction_id, external_subscription_id, given.code, happened, properties, amount,
    given.created_at, ${MEASURED.value}
  FROM given ${MEASURED.join}
  WHERE part NOT IN (SELECT part FROM known) ORDER BY place
), ${asking('WHERE part NOT IN (SELECT part FROM known)')}
SELECT place FROM known ORDER BY place`;

/**
 * Stores events by one statement, with what is to be billed of them. Each part is stored as a whole, or not at all where one of its events is stored already: the
 * places of these in their parts are answered. Throws what the database throws, a unique violation where another writes the same
 * now, and then has stored nothing.
 */
export async function appendEvents(send: Send, parts: readonly (readonly EventRow[])[]): Promise<number[][]> {
  const places = parts.flatMap((rows, part) => rows.map((row, at) => ({ row, part, at })));
  const known: number[][] = parts.map(() => []);
  for (const [place] of await send(APPEND, [eventsJson(places)])) {
    const found = places[Number(place)];
    if (found) known[found.part]?.push(found.at);
  }
  return known;
}
