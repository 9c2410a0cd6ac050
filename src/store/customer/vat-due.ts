import type { TenantTransaction } from '../database/tenant.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';

const due = (now: Date) => ({
  vatStatus: 'pending' as const,
  deletedAt: null,
  OR: [{ vatDueAt: null }, { vatDueAt: { lte: now } }],
});

/** Customers whose VAT numbers wait for an answer that it is time to ask for, the longest waiting first. */
export async function dueVatNumbers(tx: TenantTransaction, now: Date, most: number): Promise<string[]> {
  const rows = await tx.customer.findMany({
    where: due(now),
    orderBy: [{ vatDueAt: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }],
    take: most,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Organizations with such customers; those with clocks of their own are asked about by their own writes only. */
export async function organizationsAsking(prisma: PrismaClient, now: Date): Promise<string[]> {
  const rows = await prisma.organization.findMany({
    where: { testClockAt: null, customers: { some: due(now) } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}
