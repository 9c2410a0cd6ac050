import type { Actor } from '../../access/audit.ts';
import type { TenantClient, TenantTransaction } from '../../database/tenant.ts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts';

const { sql } = Prisma;

/** Of a row `due`, a subscription `s` that has begun under its external identifier; `more` is a condition more on it. */
const begun = (
  more: Prisma.Sql,
) => sql`EXISTS (SELECT FROM subscriptions s WHERE s.organization_id = due.organization_id
  AND s.external_id = due.external_subscription_id AND s.started_at IS NOT NULL AND s.status IN ('active', 'terminated') ${more})`;

const HAPPENED = sql`(due.event ->> 'timestamp')::timestamptz`;

const HELD = begun(
  sql`AND s.started_at <= ${HAPPENED} AND (s.terminated_at IS NULL OR s.terminated_at >= ${HAPPENED})`,
);

// What no time holds may be billed all the same, to who runs: where its metric is recurring.
const IS_BILLED = sql`EXISTS (SELECT FROM fees JOIN subscriptions s ON s.id = fees.subscription_id
  WHERE fees.organization_id = due.organization_id AND fees.event_transaction_id = due.event ->> 'transactionId'
    AND s.external_id = due.external_subscription_id AND fees.deleted_at IS NULL)`;

/** Lets what is due of external identifiers that no subscription has begun with wait for one. */
export async function letStrangersWait(db: TenantClient, asked: Prisma.Sql): Promise<void> {
  await db.$executeRaw`UPDATE usage_dues due SET waits = true WHERE ${asked} AND NOT ${begun(Prisma.empty)}`;
}

/** What was due is done; events whose time no subscription holds wait for one that does. */
export async function dropDues(
  tx: TenantTransaction,
  { organizationId }: Actor,
  ids: readonly string[],
): Promise<void> {
  const own = sql`organization_id = ${organizationId}::uuid AND id = ANY(${[...ids]}::uuid[]) AND NOT waits`;
  await tx.$executeRaw`UPDATE usage_dues due SET waits = true
    WHERE ${own} AND event IS NOT NULL AND NOT ${HELD} AND NOT ${IS_BILLED}`;
  await tx.$executeRaw`DELETE FROM usage_dues WHERE ${own}`;
}

/**
 * Takes up what waits although a subscription holds its time: of one that began at the moment at which somebody found that there was none,
 * the trigger that takes up what waits saw nothing.
 */
export async function takeUpHeld(prisma: PrismaClient): Promise<void> {
  await prisma.$executeRaw`UPDATE usage_dues due SET waits = false WHERE waits AND event IS NOT NULL AND ${HELD}`;
}

/** The moments up to one at which subscriptions are to begin that usage waits for, in their order. */
export async function startsAwaited(db: TenantClient, { organizationId }: Actor, until: Date): Promise<Date[]> {
  const rows = await db.$queryRaw<{ at: Date }[]>`
    SELECT DISTINCT subscription_at AS at FROM subscriptions s
    WHERE organization_id = ${organizationId}::uuid AND status = 'pending' AND subscription_at <= ${until}::timestamptz
      AND EXISTS (SELECT FROM usage_dues due WHERE due.waits AND due.organization_id = s.organization_id
        AND due.external_subscription_id = s.external_id)
    ORDER BY 1`;
  return rows.map(({ at }) => at);
}
