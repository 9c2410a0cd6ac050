import { overdueFrom } from '../../billing/invoice/overdue.ts';
import { localDate } from '../../billing/period/calendar.ts';
import type { Actor } from '../access/audit.ts';
import { storedZone, ZONE_COLUMNS } from '../account/period-row.ts';
import type { TenantClient, TenantTransaction } from '../database/tenant.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';

// The first zone that has a day is 14 hours before UTC.
const FIRST_ZONE_MS = 14 * 3_600_000;

interface Expiring {
  readonly id: string;
  readonly zone: string;
  /** When its first invoice that is not paid was to be; null for a wallet or a rule that is over. */
  readonly dueDate: Date | null;
}

const overdueSince = (dueDate: Date, zone: string): Date =>
  new Date(overdueFrom(localDate(dueDate.getTime(), 'UTC'), zone));

/** Customers, or some of them, of whom by a moment something is over: the time to pay an invoice, a wallet, or a rule of one. */
export async function expiringCustomers(
  db: TenantClient,
  { organizationId, now }: Actor,
  ids?: readonly string[],
): Promise<string[]> {
  const among = (column: string) =>
    ids ? Prisma.sql`AND ${Prisma.raw(column)} = ANY(${[...ids]}::uuid[])` : Prisma.empty;
  const day = new Date(now.getTime() + FIRST_ZONE_MS).toISOString().slice(0, 10);
  const rows = await db.$queryRaw<Expiring[]>`
    SELECT c.id::text, coalesce(c.timezone, e.timezone) AS zone, min(i.payment_due_date) AS "dueDate"
    FROM invoices i JOIN customers c ON c.id = i.customer_id JOIN billing_entities e ON e.id = c.billing_entity_id
    WHERE i.organization_id = ${organizationId}::uuid AND i.status = 'finalized' AND i.payment_status <> 'succeeded'
      AND i.total_due_amount_cents > 0 AND NOT i.payment_overdue AND i.payment_dispute_lost_at IS NULL AND i.payment_due_date < ${day}::date ${among('i.customer_id')}
    GROUP BY c.id, e.timezone
    UNION ALL
    SELECT customer_id::text, '', NULL FROM wallets
    WHERE organization_id = ${organizationId}::uuid AND status = 'active' AND expiration_at <= ${now} ${among('customer_id')}
    UNION ALL
    SELECT w.customer_id::text, '', NULL FROM recurring_transaction_rules r JOIN wallets w ON w.id = r.wallet_id
    WHERE r.organization_id = ${organizationId}::uuid AND r.status = 'active' AND r.expiration_at <= ${now} ${among('w.customer_id')}
    ORDER BY id`;
  const over = rows.filter(({ dueDate, zone }) => !dueDate || overdueSince(dueDate, zone) <= now);
  return [...new Set(over.map(({ id }) => id))];
}

/** Invoices of a customer that are overdue at a moment and are not known to be, with the moments when they became so. */
export async function newlyOverdue(
  tx: TenantTransaction,
  { now }: Actor,
  customerId: string,
): Promise<{ id: string; at: Date }[]> {
  const customer = await tx.customer.findUniqueOrThrow({ where: { id: customerId }, select: ZONE_COLUMNS });
  const zone = storedZone(customer);
  const rows = await tx.invoice.findMany({
    where: {
      ...{ customerId, status: 'finalized', paymentStatus: { not: 'succeeded' } },
      ...{ totalDueAmountCents: { gt: 0n }, paymentOverdue: false, paymentDisputeLostAt: null },
    },
    select: { id: true, paymentDueDate: true },
    orderBy: [{ paymentDueDate: 'asc' }, { id: 'asc' }],
  });
  return rows
    .map(({ id, paymentDueDate }) => ({
      id,
      at: overdueSince(paymentDueDate, zone),
    }))
    .filter(({ at }) => at <= now);
}

const overCoupons = (now: Date) => ({
  status: 'active' as const,
  expiration: 'time_limit' as const,
  expirationAt: { lte: now },
  deletedAt: null,
});

/** Coupons of an organization whose time is over. */
export const expiredCoupons = (
  tx: TenantTransaction,
  now: Date,
): Promise<{ id: string; expirationAt: Date | null }[]> =>
  tx.coupon.findMany({ where: overCoupons(now), select: { id: true, expirationAt: true }, orderBy: { id: 'asc' } });

/** Organizations with such coupons; those with clocks of their own are never among them. */
export async function organizationsWithExpired(prisma: PrismaClient, now: Date): Promise<string[]> {
  const rows = await prisma.organization.findMany({
    where: { testClockAt: null, coupons: { some: overCoupons(now) } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}
