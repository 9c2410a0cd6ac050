import type { Actor } from '../access/audit.ts';
import { isLeftToJob } from '../customer/left-to-job.ts';
import type { TenantClient, TenantTransaction } from '../database/tenant.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import { type InvoiceLife, invoiceLives } from './invoice-life.ts';

/** Drafts of which something has changed that they are made of. */
const STALE = { status: 'draft' as const, readyToBeRefreshed: true };

/** Customers with such drafts, in their order; unless they are left to a job that computes them anew. */
export async function staleCustomers(
  db: TenantClient | TenantTransaction,
  { organizationId, now }: Actor,
  most = 100_000,
): Promise<string[]> {
  const customer = Prisma.sql`i.customer_id`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT i.customer_id::text AS id FROM invoices i
    WHERE i.organization_id = ${organizationId}::uuid AND i.ready_to_be_refreshed AND i.status = 'draft'
      AND NOT ${isLeftToJob('draft_refresh', organizationId, customer, now)}
    ORDER BY id LIMIT ${most}`;
  return rows.map(({ id }) => id);
}

/** Such drafts of a customer. */
export const staleDrafts = (tx: TenantTransaction, customerId: string): Promise<InvoiceLife[]> =>
  invoiceLives(tx, { ...STALE, customerId });

/** Organizations with such drafts; those with clocks of their own are never among them. */
export async function organizationsWithStale(prisma: PrismaClient): Promise<string[]> {
  const rows = await prisma.organization.findMany({
    where: { testClockAt: null, invoices: { some: STALE } },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}
