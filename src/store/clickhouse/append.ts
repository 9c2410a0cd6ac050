import { type EventRow, keyOf } from '../usage/event-row.ts';
import type { Connection, Row } from './connection.ts';
import { joined, type Sql, sql } from './sql.ts';
import { EVENTS, textsOf } from './table.ts';

/** A row that counts, by what an event is once. */
interface Found {
  readonly key: string;
  readonly organizationId: string;
  readonly externalSubscriptionId: string;
  readonly transactionId: string;
  readonly code: string;
  readonly at: number;
  readonly id: string;
  readonly rank: bigint;
}

// Moments up to the year 2248 in 43 bits, of one moment by 20 bits of the identifier.
const LAST_MOMENT = 2 ** 43 - 1;
const TAIL = /([0-9a-f]{5})$/;
const VOID = 2n ** 64n - 1n;

/** What was received first has the highest; the same in whatever order rows are written. */
function rankOf({ id, createdAt }: Pick<EventRow, 'id' | 'createdAt'>): bigint {
  const received = Math.min(Math.max(createdAt.getTime(), 0), LAST_MOMENT);
  const tail = Number.parseInt(TAIL.exec(id)?.[1] ?? '0', 16);
  return (BigInt(LAST_MOMENT - received) << 20n) + BigInt(0xfffff - tail);
}

const valuesOf = (row: EventRow, storedAt: number) => ({
  ...{ organization_id: row.organizationId, external_subscription_id: row.externalSubscriptionId, code: row.code },
  ...{ at: row.timestamp.getTime(), transaction_id: row.transactionId, id: row.id, stored_at: storedAt },
  ...{
    created_at: row.createdAt.getTime(),
    rank: String(rankOf(row)),
    is_void: 0,
    amount: row.preciseTotalAmountCents,
  },
  ...{ texts: textsOf(row.properties), properties: row.written },
});

const voidOf = (row: Found, storedAt: number) => ({
  ...{ organization_id: row.organizationId, external_subscription_id: row.externalSubscriptionId, code: row.code },
  ...{ at: row.at, transaction_id: row.transactionId, id: row.id, stored_at: storedAt },
  ...{ created_at: 0, rank: String(VOID), is_void: 1, amount: null, texts: {}, properties: '{}' },
});

function foundOf([organizationId, externalSubscriptionId, transactionId, code, at, id, rank]: Row): Found {
  const names = [organizationId, externalSubscriptionId, transactionId].map(String);
  const [organization = '', subscription = '', transaction = ''] = names;
  return {
    ...{ organizationId: organization, externalSubscriptionId: subscription, transactionId: transaction },
    ...{ key: JSON.stringify(names), code: String(code), at: Number(at), id: String(id), rank: BigInt(String(rank)) },
  };
}

/** The rows of some keys that count, or would where their key has several. */
const living = (keys: Sql) => sql`SELECT organization_id, external_subscription_id, transaction_id, code, at,
    toString(argMax(id, rank)) AS found, toString(max(rank)) AS highest FROM ${EVENTS}
  WHERE (organization_id, external_subscription_id, transaction_id) IN (${keys})
  GROUP BY organization_id, external_subscription_id, transaction_id, code, at HAVING argMax(is_void, rank) = 0`;

const keysOf = (rows: readonly EventRow[]) =>
  joined(
    rows.map((row) => sql`(${row.organizationId}, ${row.externalSubscriptionId}, ${row.transactionId})`),
    ', ',
  );

function byKey(found: readonly Found[]): Map<string, Found[]> {
  const lists = new Map<string, Found[]>();
  for (const one of found) lists.set(one.key, [...(lists.get(one.key) ?? []), one]);
  for (const list of lists.values()) list.sort((one, other) => (one.rank > other.rank ? -1 : 1));
  return lists;
}

async function find(connection: Connection, rows: readonly EventRow[]): Promise<Map<string, Found[]>> {
  if (rows.length === 0) return new Map();
  return byKey((await connection.rows(living(keysOf(rows)))).map(foundOf));
}

/** Whether what counts of an event is another row. */
const isOther = (found: ReadonlyMap<string, readonly Found[]>, row: EventRow) => {
  const first = found.get(keyOf(row))?.[0];
  return first !== undefined && first.id !== row.id;
};

const othersOf = (found: ReadonlyMap<string, readonly Found[]>, rows: readonly EventRow[]) =>
  rows.flatMap((row, place) => (isOther(found, row) ? [place] : []));

/** The places of events that are there already. */
export const knownEvents = async (connection: Connection, rows: readonly EventRow[]): Promise<readonly number[]> =>
  othersOf(await find(connection, rows), rows);

/** Makes all but the first received of each key void. */
async function settle(connection: Connection, found: ReadonlyMap<string, readonly Found[]>): Promise<void> {
  const again = [...found.values()].flatMap(([, ...later]) => later);
  const storedAt = Date.now();
  const values = again.map((row) => voidOf(row, storedAt));
  if (values.length > 0) await connection.insert(EVENTS, values);
}

/**
 * Stores parts, each whole, or not at all where one of its events is there already. No transaction keeps others from storing the same
 * meanwhile: after the insert it is looked at again, the first received counts, and the places of the others are answered too; only
 * of these the rest of their parts stays. A row that is there already by its own identifier was stored by an attempt of before.
 */
export async function appendParts(
  connection: Connection,
  parts: readonly (readonly EventRow[])[],
): Promise<readonly (readonly number[])[]> {
  const before = await find(connection, parts.flat());
  const given = new Set<string>();
  const known = parts.map((rows) => {
    const places = rows.flatMap((row, place) => (isOther(before, row) || given.has(keyOf(row)) ? [place] : []));
    if (places.length === 0) for (const row of rows) given.add(keyOf(row));
    return places;
  });
  const accepted = parts.filter((_rows, index) => known[index]?.length === 0).flat();
  const fresh = accepted.filter((row) => !before.has(keyOf(row)));
  if (fresh.length === 0) return known;
  const storedAt = Date.now();
  await connection.insert(
    EVENTS,
    fresh.map((row) => valuesOf(row, storedAt)),
  );
  const after = await find(connection, fresh);
  await settle(connection, after);
  return parts.map((rows, index) => (known[index]?.length ? (known[index] ?? []) : othersOf(after, rows)));
}

/**
 * Settles what was stored since a moment by processes that ended before they could. Who stored one of two when the other had long been
 * there was told so: both are as young.
 */
export async function settleSince(connection: Connection, since: number): Promise<void> {
  const key = sql`organization_id, external_subscription_id, transaction_id`;
  const rows = sql`SELECT ${key}, code, at FROM ${EVENTS} WHERE stored_at >= ${since} AND is_void = 0 GROUP BY ${key}, code, at`;
  const several = living(sql`SELECT ${key} FROM (${rows}) GROUP BY ${key} HAVING count() > 1`);
  await settle(connection, byKey((await connection.rows(several)).map(foundOf)));
}
