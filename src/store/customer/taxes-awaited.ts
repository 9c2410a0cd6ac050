import type { Actor } from '../access/audit.ts';
import type { TenantClient, TenantTransaction } from '../database/tenant.ts';

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

/** The same of a stored customer. */
export async function awaitsTaxesOf(tx: TenantTransaction, id: string): Promise<boolean> {
  const select = { vatStatus: true, vatDueAt: true, deletedAt: true } as const;
  const billingEntity = { select: { euTaxManagement: true } } as const;
  return awaitsTaxes(await tx.customer.findUniqueOrThrow({ where: { id }, select: { ...select, billingEntity } }));
}

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
