import type { InvoiceNumbering, InvoiceRanks } from '../../billing/invoice/numbering.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import type { HeldCounters } from './invoice-counter.ts';

/** Who issues an invoice, and to whom. */
export interface InvoiceOwner {
  readonly customerId: string;
  readonly billingEntityId: string;
}

const countersOf = (held: HeldCounters, { customerId, billingEntityId }: InvoiceOwner) => {
  const own = held.get({ billingEntityId, ownerId: customerId });
  const all = held.get({ billingEntityId, ownerId: billingEntityId });
  if (!own || !all) throw new Error('an invoice is numbered without holding its counters');
  return { own, all };
};

/** The owners of the counters that invoices are numbered by. */
export const counterOwners = ({ customerId, billingEntityId }: InvoiceOwner) =>
  [customerId, billingEntityId].map((ownerId) => ({ billingEntityId, ownerId }));

/** The ranks that held counters gave last. Numbers of an entity go on from its invoices, whoever they were numbered by. */
export function ranksOf(held: HeldCounters, owner: InvoiceOwner): InvoiceRanks {
  const { own, all } = countersOf(held, owner);
  return { forCustomer: own.rank, forEntity: Math.max(all.rank, all.invoices) };
}

/** Takes the numbers off invoices that will not stay: they are others' to be. */
export async function dropNumbers(tx: TenantTransaction, { now }: Actor, invoiceIds: readonly string[]): Promise<void> {
  await tx.invoice.updateMany({
    where: { id: { in: [...invoiceIds] } },
    data: { number: '', sequentialId: null, billingEntitySequentialId: null, updatedAt: now },
  });
}

/** Moves the held counters on by the number that an invoice took; one without a number took none. */
export function takeNumber(
  held: HeldCounters,
  owner: InvoiceOwner,
  { sequentialId, billingEntitySequentialId: rank, selfBilled }: InvoiceNumbering & { readonly selfBilled: boolean },
): void {
  if (sequentialId === null) return;
  const { customerId, billingEntityId } = owner;
  const { own, all } = countersOf(held, owner);
  held.move({ billingEntityId, ownerId: customerId, rank: sequentialId, invoices: own.invoices + 1 });
  if (selfBilled) return;
  held.move({ billingEntityId, ownerId: billingEntityId, rank: rank ?? all.rank, invoices: all.invoices + 1 });
}
