import { keepElsewhere } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { databaseEvents } from './database-events.ts';
import type { EventStore } from './event-store.ts';

const stores = new WeakMap<PrismaClient, EventStore>();

/** Has the events of a database kept in a store of their own from now on. */
export function keepEventsIn(prisma: PrismaClient, store: EventStore): void {
  stores.set(prisma, store);
  if (store.apart) keepElsewhere(prisma, 'Event', store.apart.rows);
}

/** Where events are kept: in the database itself, unless they have a store of their own. */
export function eventStoreOf(prisma: PrismaClient): EventStore {
  const known = stores.get(prisma) ?? databaseEvents(prisma);
  stores.set(prisma, known);
  return known;
}
