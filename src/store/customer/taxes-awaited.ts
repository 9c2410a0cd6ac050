import type { Actor } from '../access/audit.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
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

/** `awaitsTaxes` as a condition. */
const AWAITING = {
  ...{ vatStatus: 'pending' as const, vatDueAt: { not: null }, deletedAt: null },
  billingEntity: { euTaxManagement: true },
};

const UNTAXED = { taxStatus: 'pending' as const, status: { in: ['draft' as const, 'pending' as const] } };

/** Customers, or some of them, whose invoices have no taxes yet although it is known by now which. */
export async function taxableCustomers(db: TenantClient, ids?: readonly string[]): Promise<string[]> {
  const rows = await db.invoice.findMany({
    where: { ...UNTAXED, ...(ids && { customerId: { in: [...ids] } }), NOT: { customer: AWAITING } },
    distinct: ['customerId'],
    orderBy: { customerId: 'asc' },
    select: { customerId: true },
  });
  return rows.map(({ customerId }) => customerId);
}

/** Invoices of a customer without taxes that one entity issues, and the subscriptions that they bill, by external identifiers. */
export interface Untaxed {
  readonly billingEntityId: string;
  readonly invoiceIds: readonly string[];
  readonly externalIds: readonly string[];
}

/** A customer's invoices without taxes by their entities, where it is known by now which taxes they have. */
export async function untaxedInvoices(tx: TenantTransaction, customerId: string): Promise<Untaxed[]> {
  const rows = await tx.invoice.findMany({
    where: { ...UNTAXED, customerId, NOT: { customer: AWAITING } },
    orderBy: OLDEST_FIRST,
    select: {
      ...{ id: true, billingEntityId: true },
      billingPeriods: { select: { subscription: { select: { externalId: true } } } },
    },
  });
  return [...new Set(rows.map(({ billingEntityId }) => billingEntityId))].map((billingEntityId) => {
    const own = rows.filter((row) => row.billingEntityId === billingEntityId);
    const names = own.flatMap(({ billingPeriods }) =>
      billingPeriods.map(({ subscription }) => subscription.externalId),
    );
    return { billingEntityId, invoiceIds: own.map(({ id }) => id), externalIds: [...new Set(names)].sort() };
  });
}

/** Customers whose VAT numbers are asked about again by a moment, each with when. In the order of those moments. */
export async function askedAgain(db: TenantClient, { now }: Actor): Promise<{ id: string; at: Date }[]> {
  const rows = await db.customer.findMany({
    where: { vatStatus: 'pending', deletedAt: null, vatDueAt: { lte: now } },
    orderBy: [{ vatDueAt: 'asc' }, { id: 'asc' }],
    select: { id: true, vatDueAt: true },
  });
  return rows.map(({ id, vatDueAt }) => ({ id, at: vatDueAt ?? now }));
}
