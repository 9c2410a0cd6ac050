import { asNobody } from '../../database/connection-share.ts';
import { isEmbeddedClient } from '../../database/server-kind.ts';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';

/** Usage of one metric by the subscriptions of one external id. */
interface Of {
  readonly organizationId: string;
  readonly externalSubscriptionId: string;
  readonly code: string;
}

/** Of usage of so many events in a period it is kept what they come to. */
const MANY_EVENTS = 100_000;

// What is told of is remembered.
const MOST_TOLD = 1000;

const LONGEST_MS = 60 * 60 * 1000;
// Writers wait for no longer; an import that is under way has longer, and nothing is kept before it ends.
const PATIENCE = `SET LOCAL lock_timeout = '200ms'`;

type Transaction = Prisma.TransactionClient;

const note = (tx: Transaction, { organizationId, externalSubscriptionId, code }: Of) =>
  tx.$executeRaw`INSERT INTO kept_usage (organization_id, external_subscription_id, code)
    VALUES (${organizationId}::uuid, ${externalSubscriptionId}, ${code})
    ON CONFLICT (organization_id, external_subscription_id, code) DO UPDATE SET is_complete = false`;

const make = (tx: Transaction, { organizationId, externalSubscriptionId, code }: Of) =>
  tx.$executeRaw`SELECT make_kept_usage(${organizationId}::uuid, ${externalSubscriptionId}, ${code})`;

/**
 * Notes what is to be kept at a moment at which nobody writes events: what was written before is in the snapshot that the
 * transaction has from then on, and what comes later is added by who writes it. The lock is held for a commit, not for the work.
 */
async function noteAtOneMoment(prisma: PrismaClient, tx: Transaction, of: Of): Promise<void> {
  await tx.$executeRawUnsafe(PATIENCE);
  await tx.$executeRaw`SAVEPOINT moment`;
  await prisma.$transaction(async (other) => {
    await note(other, of);
    await tx.$executeRaw`LOCK TABLE ONLY events IN SHARE MODE`;
  });
  await tx.$queryRaw`SELECT 1 AS snapshot`;
  await tx.$executeRaw`ROLLBACK TO SAVEPOINT moment`;
  await tx.$executeRaw`SET LOCAL lock_timeout = 0`;
  await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
}

/** Keeps usage from now on, made anew of its events. Throws where writers do not let it in. */
export async function keepUsage(prisma: PrismaClient, of: Of): Promise<void> {
  if (isEmbeddedClient(prisma)) {
    return prisma.$transaction(
      async (tx) => {
        await note(tx, of);
        await make(tx, of);
      },
      { timeout: LONGEST_MS },
    );
  }
  await prisma.$transaction(
    async (tx) => {
      await noteAtOneMoment(prisma, tx, of);
      await make(tx, of);
    },
    { isolationLevel: 'RepeatableRead', timeout: LONGEST_MS },
  );
}

const underWay = new WeakSet<PrismaClient>();

type Tell = (error: unknown, of: Of) => void;
const listeners = new WeakMap<PrismaClient, Tell>();

/** Who is told, once for each metric and subscription, that keeping their usage failed: it is read from the events until it is tried again. */
export function onKeepingFailed(prisma: PrismaClient, tell: Tell): void {
  const told = new Set<string>();
  listeners.set(prisma, (error, of) => {
    const name = JSON.stringify([of.organizationId, of.externalSubscriptionId, of.code]);
    if (told.has(name) || told.size >= MOST_TOLD) return;
    told.add(name);
    tell(error, of);
  });
}

/**
 * Keeps usage from now on if it is of many events and is not kept yet, while others go on; at most one at a time. Not on the embedded
 * database, where all others would wait: the command does it there.
 */
export function keepLater(prisma: PrismaClient | undefined, of: Of): void {
  if (!prisma || isEmbeddedClient(prisma) || underWay.has(prisma)) return;
  underWay.add(prisma);
  const { organizationId, externalSubscriptionId, code } = of;
  const keep = async () => {
    const [many] = await prisma.$queryRaw<
      object[]
    >`SELECT 1 AS one FROM events WHERE organization_id = ${organizationId}::uuid
      AND external_subscription_id = ${externalSubscriptionId} AND code = ${code} AND deleted_at IS NULL
      OFFSET ${MANY_EVENTS - 1} LIMIT 1`;
    if (many) await keepUsage(prisma, of);
  };
  // Somebody else does it, or writers were in the way: whoever reads it next tries again.
  asNobody(keep)
    .catch((error: unknown) => listeners.get(prisma)?.(error, of))
    .finally(() => underWay.delete(prisma));
}

/** Makes anew what is kept, of one organization or of all; answers of how many metrics of subscriptions. */
export async function remakeUsage(prisma: PrismaClient, organization?: string): Promise<number> {
  const all = await prisma.$queryRaw<Of[]>`SELECT organization_id AS "organizationId",
    external_subscription_id AS "externalSubscriptionId", code FROM kept_usage
    WHERE ${organization ?? null}::text IS NULL OR organization_id IN (SELECT id FROM organizations WHERE name = ${organization ?? null})`;
  for (const of of all) await keepUsage(prisma, of);
  return all.length;
}

/** Puts the rows of each hour together, and deletes what is of nothing that is kept any more. */
export async function foldUsage(prisma: PrismaClient): Promise<void> {
  await prisma.$executeRaw`WITH many AS (
      SELECT organization_id, external_subscription_id, code, measured_by, hour FROM usage_hours
      GROUP BY 1, 2, 3, 4, 5 HAVING count(*) > 1
    ), gone AS (
      DELETE FROM usage_hours one USING many WHERE one.organization_id = many.organization_id
        AND one.external_subscription_id = many.external_subscription_id AND one.code = many.code
        AND one.measured_by = many.measured_by AND one.hour = many.hour RETURNING one.*
    )
    INSERT INTO usage_hours (organization_id, external_subscription_id, code, measured_by, hour, events, valued, total, largest,
      moments, last_at)
    SELECT organization_id, external_subscription_id, code, measured_by, hour, sum(events), sum(valued), sum(total), max(largest),
      sum(moments), max(last_at) FROM gone GROUP BY 1, 2, 3, 4, 5`;
  for (const table of ['usage_hours', 'usage_values']) {
    await prisma.$executeRawUnsafe(`DELETE FROM ${table} WHERE (organization_id, external_subscription_id, code) NOT IN
      (SELECT organization_id, external_subscription_id, code FROM kept_usage)`);
  }
}
