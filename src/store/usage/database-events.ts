import { sharedSenderOf } from '../database/sender.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { appendEvents } from './append-events.ts';
import type { EventStore, UsageReader, UsageReading } from './event-store.ts';
import { readAdvance, readGroups } from './read-usage.ts';

function readingOf(reader: UsageReader, organizationId: string): UsageReading {
  const of = ([externalSubscriptionId, code]: readonly [string, string]) => ({
    ...{ organizationId, externalSubscriptionId, code },
  });
  return {
    groups: (metric, asked) => readGroups(reader, of(metric), asked),
    advance: (metric, asked) => readAdvance(reader, of(metric), asked),
  };
}

/** Events as rows of PostgreSQL: what is committed counts at once. */
export const databaseEvents = (prisma: PrismaClient): EventStore => ({
  append: (parts) => appendEvents(sharedSenderOf(prisma), parts),
  reading: readingOf,
  completeUntil: async () => new Date(),
  ready: async () => undefined,
});
