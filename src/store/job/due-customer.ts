import { ZONE_CHANGE_LIMIT_MS } from '../../billing/period/boundaries.ts';
import { addDays, localDate, startOfDay } from '../../billing/period/calendar.ts';
import type { Actor } from '../access/audit.ts';
import { type TenantClient, type TenantTransaction, transactionOf } from '../database/tenant.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';

/** A customer of whom something may be due, up to when everything has happened, and from when on to look: earlier where days began at other moments. */
export interface DueCustomer {
  readonly customerId: string;
  readonly livedUntil: Date;
  readonly from: Date;
  /** Whether its days have begun at other moments since then. */
  readonly zoneChanged: boolean;
}

/** Organizations with customers of whom something is due at a moment and that no job has. Those with clocks of their own are never among them. */
export async function organizationsDue(prisma: PrismaClient, now: Date): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT o.id::text FROM organizations o
    WHERE o.test_clock_at IS NULL AND EXISTS (
      SELECT 1 FROM due_customers d
      WHERE d.organization_id = o.id AND d.due_at <= ${now} AND (d.taken_until IS NULL OR d.taken_until <= ${now}))
    ORDER BY o.id`;
  return rows.map(({ id }) => id);
}

/**
 * Takes customers of whom something is due for jobs that are made in the same transaction: nobody else takes them before a moment. Those
 * that another process is taking are left to it. In the order of their identifiers.
 */
export async function takeDueCustomers(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  until: Date,
  most: number,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE due_customers d SET taken_until = ${until}
    FROM (
      SELECT customer_id FROM due_customers
      WHERE organization_id = ${organizationId}::uuid AND due_at <= ${now} AND (taken_until IS NULL OR taken_until <= ${now})
      ORDER BY due_at, customer_id LIMIT ${most} FOR UPDATE SKIP LOCKED
    ) found
    WHERE d.organization_id = ${organizationId}::uuid AND d.customer_id = found.customer_id
    RETURNING d.customer_id::text AS id`;
  return rows.map(({ id }) => id).sort();
}

// Days begin at most so much earlier in another zone.
const LOOKED_FROM = Prisma.sql`CASE WHEN zone_changed THEN lived_until - ${ZONE_CHANGE_LIMIT_MS}::int * interval '1 millisecond' ELSE lived_until END`;

/** Customers of an organization whose days have begun at other moments since that was looked at. */
export async function movedCustomers(db: TenantClient, { organizationId }: Actor): Promise<ReadonlySet<string>> {
  const where = { organizationId, zoneChanged: true };
  const rows = await db.dueCustomer.findMany({ where, select: { customerId: true } });
  return new Set(rows.map(({ customerId }) => customerId));
}

/** Notes that what their new days brought has happened to customers. */
export async function settleMoved(
  db: TenantClient,
  { organizationId }: Actor,
  ids: ReadonlySet<string>,
): Promise<void> {
  if (ids.size === 0) return;
  const where = { organizationId, customerId: { in: [...ids] } };
  await db.dueCustomer.updateMany({ where, data: { zoneChanged: false } });
}

/** Those of some customers of whom something is still due. */
export function stillDue(
  db: TenantClient,
  { organizationId, now }: Actor,
  ids: readonly string[],
): Promise<DueCustomer[]> {
  return db.$queryRaw<DueCustomer[]>`
    SELECT customer_id::text AS "customerId", lived_until AS "livedUntil", ${LOOKED_FROM} AS "from", zone_changed AS "zoneChanged" FROM due_customers
    WHERE organization_id = ${organizationId}::uuid AND customer_id = ANY(${ids}::uuid[]) AND due_at <= ${now}
    ORDER BY customer_id`;
}

interface Looked {
  readonly id: string;
  readonly zone: string;
  /** Whether days matter to it: it has a subscription that runs, a draft, or an invoice that waits for its taxes or is not paid. */
  readonly lives: boolean;
  readonly movesAt: Date | null;
}

/** When to look again: at the next day of its zone, where it has something that days move, or when a subscription starts or ends or a wallet does. */
function nextDue({ zone, lives, movesAt }: Looked, now: Date): Date | null {
  const day = lives ? startOfDay(addDays(localDate(now.getTime(), zone), 1), zone) : Number.POSITIVE_INFINITY;
  const at = Math.min(day, movesAt?.getTime() ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(at) ? new Date(at) : null;
}

/**
 * Notes that everything has happened to some customers up to now, and when something is next due of each. Their rows are held while that is looked
 * up, so that a subscription that is made meanwhile counts before or after it. Whose zone has changed since it was taken is looked at again.
 */
export async function settleCustomers(db: TenantClient, actor: Actor, taken: readonly DueCustomer[]): Promise<void> {
  const { organizationId, now } = actor;
  if (taken.length === 0) return;
  const ids = taken.map(({ customerId }) => customerId);
  const moved = taken.flatMap(({ customerId, zoneChanged }) => (zoneChanged ? [customerId] : []));
  await transactionOf(db, async (tx) => {
    await tx.$queryRaw`
      SELECT customer_id FROM due_customers
      WHERE organization_id = ${organizationId}::uuid AND customer_id = ANY(${ids}::uuid[])
      ORDER BY customer_id FOR UPDATE`;
    const looked = await tx.$queryRaw<Looked[]>`
      SELECT c.id::text, coalesce(c.timezone, e.timezone) AS zone,
        (coalesce(bool_or(s.status = 'active' OR s.status = 'pending' AND s.subscription_at <= ${now}), false) OR EXISTS (
          SELECT 1 FROM invoices i WHERE i.customer_id = c.id AND (i.status = 'draft'
            OR i.status = 'pending' AND i.tax_status = 'pending'
            OR i.status = 'finalized' AND i.payment_status <> 'succeeded' AND NOT i.payment_overdue))) AS lives,
        least(min(s.subscription_at) FILTER (WHERE s.status = 'pending' AND s.subscription_at > ${now}),
          min(s.ending_at) FILTER (WHERE s.status = 'active' AND s.ending_at > ${now}),
          (SELECT min(a.expires_at) FROM subscriptions w JOIN activation_rules a ON a.subscription_id = w.id
            WHERE w.customer_id = c.id AND w.status = 'incomplete' AND a.status = 'pending'),
          (SELECT least(min(w.expiration_at) FILTER (WHERE w.expiration_at > ${now}),
              min(r.expiration_at) FILTER (WHERE r.status = 'active' AND r.expiration_at > ${now}))
            FROM wallets w LEFT JOIN recurring_transaction_rules r ON r.wallet_id = w.id
            WHERE w.customer_id = c.id AND w.status = 'active')) AS "movesAt"
      FROM customers c JOIN billing_entities e ON e.id = c.billing_entity_id LEFT JOIN subscriptions s ON s.customer_id = c.id
      WHERE c.organization_id = ${organizationId}::uuid AND c.id = ANY(${ids}::uuid[])
      GROUP BY c.id, e.timezone`;
    const dueAt = looked.map((one) => nextDue(one, now)?.toISOString() ?? '');
    await tx.$executeRaw`
      UPDATE due_customers d SET lived_until = ${now}, taken_until = NULL,
        zone_changed = d.zone_changed AND d.customer_id <> ALL(${moved}::uuid[]),
        due_at = CASE WHEN d.zone_changed AND d.customer_id <> ALL(${moved}::uuid[]) THEN ${now}
          ELSE nullif(looked.due_at, '')::timestamptz END
      FROM unnest(${looked.map(({ id }) => id)}::uuid[], ${dueAt}::text[]) AS looked (id, due_at)
      WHERE d.organization_id = ${organizationId}::uuid AND d.customer_id = looked.id`;
  });
}

/** Gives customers back that a job has taken; to be taken again from a moment on, or at once. */
export async function releaseCustomers(
  db: TenantClient,
  { organizationId }: Actor,
  ids: readonly string[],
  from: Date | null = null,
): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    UPDATE due_customers SET taken_until = ${from}
    WHERE organization_id = ${organizationId}::uuid AND customer_id = ANY(${ids}::uuid[]) AND taken_until IS NOT NULL`;
}
