import type { Database } from '../database/database.ts';
import { readiness } from '../database/readiness.ts';
import { sharedSenderOf } from '../database/sender.ts';
import { rootOf, type TenantClient, type TenantTransaction } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { appendEvents } from './append-events.ts';
import { askApart } from './due/usage-due.ts';
import { EventQueue } from './event-queue.ts';
import type { EventRow } from './event-row.ts';
import { eventStoreOf } from './kept-events.ts';

/** Where received events go first. */
export interface EventIntake {
  /**
   * Takes events of one organization, all or none: the places of those that are known already, and then none is taken. What it has
   * answered is not lost. Throws `rate_limit_exceeded` where too many wait.
   */
  add(rows: readonly EventRow[]): Promise<readonly number[]>;
}

/** An intake that keeps what it has taken until it is stored, whatever happens to this process. */
export interface EventBuffer extends EventIntake {
  /** What waits to be stored: how many messages, and when the oldest of them came; null where none does. */
  waiting(): Promise<{ readonly count: number; readonly since: Date | null }>;
  /** Throws where it does not answer. */
  ready(): Promise<void>;
}

const queues = new WeakMap<PrismaClient, EventQueue>();
const buffers = new WeakMap<PrismaClient, EventBuffer>();

// What is to be billed of events is asked for in the statement that stores them, and before it where that is not the database's.
async function append(prisma: PrismaClient, parts: readonly (readonly EventRow[])[]) {
  const store = eventStoreOf(prisma);
  if (store.apart) await askApart(sharedSenderOf(prisma), parts);
  return store.append(parts);
}

/** The queue in front of where events are kept. */
export function queueOf(prisma: PrismaClient): EventQueue {
  const known = queues.get(prisma) ?? new EventQueue((parts) => append(prisma, parts));
  queues.set(prisma, known);
  return known;
}

/** Has received events go to a buffer, from which they come to the queue. */
export const receiveInto = (prisma: PrismaClient, buffer: EventBuffer): void => void buffers.set(prisma, buffer);

function rootPrisma(db: TenantClient): PrismaClient {
  const root = rootOf(db);
  if (!root) throw new Error('events in a transaction are stored by it');
  return root.prisma;
}

/** The moment up to which whatever was acknowledged counts: the buffer is asked first, so that what leaves it meanwhile is stored. */
export async function completeUntil(db: TenantClient): Promise<Date> {
  const prisma = rootPrisma(db);
  const asked = new Date();
  const since = (await buffers.get(prisma)?.waiting())?.since ?? asked;
  const stored = await eventStoreOf(prisma).completeUntil();
  return new Date(Math.min(asked.getTime(), since.getTime(), stored.getTime()));
}

/** The readiness of a database and of where its events are. */
export function wholeReadiness(db: Database): () => Promise<void> {
  const ready = readiness(db);
  return async () => {
    await ready();
    await Promise.all([buffers.get(db.prisma)?.ready(), eventStoreOf(db.prisma).ready()]);
  };
}

/** How many events wait to be stored: in this process, and in the buffer where there is one. */
export async function waitingEvents(prisma: PrismaClient): Promise<{ queue: number; buffer?: number }> {
  const buffered = await buffers.get(prisma)?.waiting();
  return { queue: queueOf(prisma).size(), ...(buffered && { buffer: buffered.count }) };
}

/** Stores events of one organization, or hands them to the buffer: see `EventIntake`. */
export function storeEvents(db: TenantClient, rows: readonly EventRow[]): Promise<readonly number[]> {
  const prisma = rootPrisma(db);
  return (buffers.get(prisma) ?? queueOf(prisma)).add(rows);
}

/** Whether received events are rows of the database at once, and so may be a part of its transactions. */
export const areStoredWithin = (db: TenantClient): boolean =>
  !buffers.has(rootPrisma(db)) && eventStoreOf(rootPrisma(db)).apart === undefined;

/** The places of events that are stored already, where a store beside the database has them; undefined where they are rows of it. */
export const findKnownApart = (db: TenantClient, rows: readonly EventRow[]): Promise<readonly number[]> | undefined =>
  eventStoreOf(rootPrisma(db)).apart?.known(rows);

/** The places of events that are stored already; nothing is stored. */
export async function findKnown(db: TenantClient, rows: readonly EventRow[]): Promise<readonly number[]> {
  const apart = findKnownApart(db, rows);
  if (apart) return apart;
  const names = rows.map(({ organizationId, transactionId, externalSubscriptionId }, place) => ({
    ...{ place, organization_id: organizationId, transaction_id: transactionId },
    external_subscription_id: externalSubscriptionId,
  }));
  const found = await rootPrisma(db).$queryRaw<{ place: number }[]>`
    SELECT place FROM json_to_recordset(${JSON.stringify(names)}::text::json) AS given (
      place int, organization_id uuid, transaction_id text, external_subscription_id text)
    WHERE EXISTS (SELECT FROM event_keys AS keys WHERE keys.organization_id = given.organization_id
      AND keys.transaction_id = given.transaction_id
      AND keys.external_subscription_id = given.external_subscription_id)
    ORDER BY place`;
  return found.map(({ place }) => place);
}

/** Stores events as a part of a transaction, all or none: the places of those that are stored already. */
export async function storeEventsWithin(tx: TenantTransaction, rows: readonly EventRow[]): Promise<readonly number[]> {
  const send = async (sql: string, args: readonly unknown[]) => {
    const found = await tx.$queryRawUnsafe<Record<string, unknown>[]>(sql, ...args);
    return found.map((row) => Object.values(row));
  };
  const [known = []] = await appendEvents(send, [rows]);
  return known;
}
