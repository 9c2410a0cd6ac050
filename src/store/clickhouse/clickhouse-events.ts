import type { EventStore } from '../usage/event-store.ts';
import { appendParts, knownEvents, settleSince } from './append.ts';
import { type Connection, connect } from './connection.ts';
import { readingOf } from './reading.ts';
import { eventRows } from './rows.ts';
import { sql } from './sql.ts';
import { SETTLED } from './table.ts';

// Clocks of machines differ, and a process may have been slow to insert what it dated.
const MARGIN = 600_000;

/** Looks through what came since the last time, and notes it: the moment up to which each event counts once. */
async function settle(connection: Connection): Promise<Date> {
  const now = Date.now();
  const [row] = await connection.rows(sql`SELECT max(until) FROM ${SETTLED}`);
  await settleSince(connection, Math.max(Number(row?.[0]) - MARGIN, 0));
  await connection.insert(SETTLED, [{ one: 1, until: now }]);
  return new Date(now);
}

/** Keeps events in a ClickHouse. Throws where its address leads to none. */
export async function openClickHouse(url: string): Promise<EventStore & { close(): Promise<void> }> {
  const connection = await connect(url);
  return {
    append: (parts) => appendParts(connection, parts),
    apart: { known: (rows) => knownEvents(connection, rows), rows: eventRows(connection) },
    reading: (reader, organizationId) => readingOf(connection, reader, organizationId),
    completeUntil: () => settle(connection),
    ready: async () => void (await connection.rows(sql`SELECT 1`)),
    close: () => connection.close(),
  };
}
