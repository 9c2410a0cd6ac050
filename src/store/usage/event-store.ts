import { sharedSenderOf } from '../database/sender.ts';
import { originOf, type TenantClient, type TenantTransaction } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { appendEvents } from './append-events.ts';
import { EventQueue } from './event-queue.ts';
import type { EventRow } from './event-row.ts';

const queues = new WeakMap<PrismaClient, EventQueue>();

function queueOf(prisma: PrismaClient): EventQueue {
  const known = queues.get(prisma) ?? new EventQueue((parts) => appendEvents(sharedSenderOf(prisma), parts));
  queues.set(prisma, known);
  return known;
}

/**
 * Stores events of one organization, all or none: the places of those that are stored already are answered, and then none is
 * stored. Committed when it is answered. Throws `rate_limit_exceeded` where too many wait.
 */
export function storeEvents(db: TenantClient, rows: readonly EventRow[]): Promise<readonly number[]> {
  const origin = originOf(db);
  if (!origin) throw new Error('events in a transaction are stored by it');
  return queueOf(origin.prisma).add(rows);
}

/** The same as a part of a transaction. */
export async function storeEventsWithin(tx: TenantTransaction, rows: readonly EventRow[]): Promise<readonly number[]> {
  const send = async (sql: string, args: readonly unknown[]) => {
    const found = await tx.$queryRawUnsafe<Record<string, unknown>[]>(sql, ...args);
    return found.map((row) => Object.values(row));
  };
  const [known = []] = await appendEvents(send, [rows]);
  return known;
}
