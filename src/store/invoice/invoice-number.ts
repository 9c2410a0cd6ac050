import type { BillingEntityInput } from '../../billing/customer/customer.ts';
import type { InvoiceNumbering, InvoiceRanks } from '../../billing/invoice/numbering.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import type { Counter, CounterOwner, HeldCounters } from './invoice-counter.ts';

/** Who issues an invoice, and to whom. */
export interface InvoiceOwner {
  readonly customerId: string;
  readonly billingEntityId: string;
}

const ownOf = ({ customerId, billingEntityId }: InvoiceOwner): CounterOwner => ({
  billingEntityId,
  ownerId: customerId,
});
const allOf = ({ billingEntityId }: InvoiceOwner): CounterOwner => ({ billingEntityId, ownerId: billingEntityId });

/**
 * The owners of the counters that an entity's invoices are numbered by. Where it numbers by customer, its own only counts them: it
 * is not held, since all of its customers would wait for each other.
 */
export function counterOwners(
  owner: InvoiceOwner,
  { documentNumbering }: Pick<BillingEntityInput, 'documentNumbering'>,
): CounterOwner[] {
  return documentNumbering === 'per_customer' ? [ownOf(owner)] : [ownOf(owner), allOf(owner)];
}

function held(counters: HeldCounters, owner: CounterOwner): Counter {
  const counter = counters.get(owner);
  if (!counter) throw new Error('an invoice is numbered without holding its counter');
  return counter;
}

/** The ranks that held counters gave last. Numbers of an entity go on from its invoices, whoever they were numbered by. */
export function ranksOf(counters: HeldCounters, owner: InvoiceOwner): InvoiceRanks {
  const all = counters.get(allOf(owner));
  return { forCustomer: held(counters, ownOf(owner)).rank, forEntity: all ? Math.max(all.rank, all.invoices) : 0 };
}

/** Takes the numbers off invoices that will not stay: they are others' to be. */
export async function dropNumbers(tx: TenantTransaction, { now }: Actor, invoiceIds: readonly string[]): Promise<void> {
  await tx.invoice.updateMany({
    where: { id: { in: [...invoiceIds] } },
    data: { number: '', sequentialId: null, billingEntitySequentialId: null, updatedAt: now },
  });
}

/** Moves the counters on by the number that an invoice took; one without a number took none. */
export function takeNumber(
  counters: HeldCounters,
  owner: InvoiceOwner,
  { sequentialId, billingEntitySequentialId: rank, selfBilled }: InvoiceNumbering & { readonly selfBilled: boolean },
): void {
  if (sequentialId === null) return;
  held(counters, ownOf(owner));
  const all = rank === null ? counters.get(allOf(owner)) : held(counters, allOf(owner));
  counters.move(ownOf(owner), sequentialId);
  if (!selfBilled) counters.move(allOf(owner), rank ?? all?.rank ?? 0);
}
