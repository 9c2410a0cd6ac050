import type { Actor } from '../access/audit.ts';
import { AWAITING } from '../customer/taxes-awaited.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantClient, TenantTransaction } from '../database/tenant.ts';
import type { InvoiceWhereInput } from '../generated/prisma/models.ts';

/** Invoices of a customer that one entity issues, and the subscriptions that they bill, by external identifiers. */
export interface InvoiceLife {
  readonly customerId: string;
  readonly billingEntityId: string;
  readonly invoiceIds: readonly string[];
  readonly externalIds: readonly string[];
}

/** The invoices of a condition by their customers and entities, in the order of customers. */
export async function invoiceLives(tx: TenantTransaction, where: InvoiceWhereInput): Promise<InvoiceLife[]> {
  const rows = await tx.invoice.findMany({
    where,
    orderBy: [{ customerId: 'asc' }, ...OLDEST_FIRST],
    select: {
      ...{ id: true, customerId: true, billingEntityId: true },
      billingPeriods: { select: { subscription: { select: { externalId: true } } } },
    },
  });
  const lives = new Map<string, typeof rows>();
  for (const row of rows) {
    const key = `${row.customerId}/${row.billingEntityId}`;
    lives.set(key, [...(lives.get(key) ?? []), row]);
  }
  return [...lives.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { customerId, billingEntityId } = first;
    const names = own.flatMap(({ billingPeriods }) =>
      billingPeriods.map(({ subscription }) => subscription.externalId),
    );
    const externalIds = [...new Set(names)].sort();
    return [{ customerId, billingEntityId, invoiceIds: own.map(({ id }) => id), externalIds }];
  });
}

// The first zone that has a day is 14 hours before UTC.
const FIRST_ZONE_MS = 14 * 3_600_000;

/** Drafts whose days may be over at a moment, by the day of whichever zone. */
const dueBy = ({ now }: Actor) => ({
  status: 'draft' as const,
  expectedFinalizationDate: { lte: new Date(new Date(now.getTime() + FIRST_ZONE_MS).toISOString().slice(0, 10)) },
});

/** The first customers, in their order, with drafts of a condition whose days may be over by now. */
export async function customersWithDueDrafts(
  tx: TenantTransaction,
  actor: Actor,
  where: InvoiceWhereInput,
  most: number,
): Promise<string[]> {
  const rows = await tx.invoice.findMany({
    where: { ...where, ...dueBy(actor) },
    distinct: ['customerId'],
    orderBy: { customerId: 'asc' },
    take: most,
    select: { customerId: true },
  });
  return rows.map(({ customerId }) => customerId);
}

/** Such drafts of these customers. */
export const dueDrafts = (
  tx: TenantTransaction,
  actor: Actor,
  where: InvoiceWhereInput,
  customers: readonly string[],
) => invoiceLives(tx, { AND: [where, { customerId: { in: [...customers] } }], ...dueBy(actor) });

/** Invoices without taxes, although it is known by now which they have. */
const TAXABLE = {
  ...{ taxStatus: 'pending' as const, status: { in: ['draft' as const, 'pending' as const, 'open' as const] } },
  NOT: { customer: AWAITING },
};

/** Customers, or some of them, with such invoices. */
export async function taxableCustomers(db: TenantClient, ids?: readonly string[]): Promise<string[]> {
  const rows = await db.invoice.findMany({
    where: { ...TAXABLE, ...(ids && { customerId: { in: [...ids] } }) },
    distinct: ['customerId'],
    orderBy: { customerId: 'asc' },
    select: { customerId: true },
  });
  return rows.map(({ customerId }) => customerId);
}

/** A customer's invoices of that kind. */
export const taxableInvoices = (tx: TenantTransaction, customerId: string): Promise<InvoiceLife[]> =>
  invoiceLives(tx, { ...TAXABLE, customerId });
