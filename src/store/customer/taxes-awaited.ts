import type { Actor } from '../access/audit.ts';
import type { TenantClient } from '../database/tenant.ts';

/** What it is told by whether a customer's taxes are waited for. */
interface Awaiting {
  readonly vatStatus: string | null;
  readonly vatDueAt: Date | null;
  readonly deletedAt: Date | null;
  readonly billingEntity: { readonly euTaxManagement: boolean };
}

/**
 * Whether it is not known what VAT a customer pays: there is a register that is asked about its number, and that has not answered. One who is
 * gone is asked about no more.
 */
export const awaitsTaxes = ({ vatStatus, vatDueAt, deletedAt, billingEntity }: Awaiting): boolean =>
  vatStatus === 'pending' && vatDueAt !== null && deletedAt === null && billingEntity.euTaxManagement;

/** `awaitsTaxes` as a condition. */
export const AWAITING = {
  ...{ vatStatus: 'pending' as const, vatDueAt: { not: null }, deletedAt: null },
  billingEntity: { euTaxManagement: true },
};

/** Customers whose VAT numbers are asked about again by a moment, each with when. In the order of those moments. */
export async function askedAgain(db: TenantClient, { now }: Actor): Promise<{ id: string; at: Date }[]> {
  const rows = await db.customer.findMany({
    where: { vatStatus: 'pending', deletedAt: null, vatDueAt: { lte: now } },
    orderBy: [{ vatDueAt: 'asc' }, { id: 'asc' }],
    select: { id: true, vatDueAt: true },
  });
  return rows.map(({ id, vatDueAt }) => ({ id, at: vatDueAt ?? now }));
}
