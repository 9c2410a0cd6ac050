import type { BillingEntityInput, CustomerInput } from '../../billing/customer/customer.ts';
import type { InvoiceResult } from '../../billing/invoice/issued-invoice.ts';
import { draftNumber, invoiceNumber } from '../../billing/invoice/numbering.ts';
import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';

/** How an invoice is numbered: by its customer, and by its billing entity. */
export interface InvoiceNumbering {
  readonly number: string;
  readonly sequentialId: number | null;
  readonly billingEntitySequentialId: number | null;
}

/** Keeps others from numbering invoices of the same billing entities and customers, in an order that cannot block itself. */
export async function lockNumbering(
  tx: TenantTransaction,
  { organizationId }: Actor,
  entityIds: readonly string[],
  customerIds: readonly string[],
): Promise<void> {
  await tx.$queryRaw`
    SELECT id FROM billing_entities
    WHERE organization_id = ${organizationId}::uuid AND id::text = ANY(${[...entityIds]}) ORDER BY id FOR UPDATE`;
  await tx.$queryRaw`
    SELECT id FROM customers
    WHERE organization_id = ${organizationId}::uuid AND id::text = ANY(${[...customerIds]}) ORDER BY id FOR UPDATE`;
}

/** The next ranks of a customer and of an entity; their rows are locked. */
async function ranks(tx: TenantTransaction, customerId: string, billingEntityId: string) {
  const own = await tx.invoice.aggregate({ where: { customerId, billingEntityId }, _max: { sequentialId: true } });
  const all = await tx.invoice.aggregate({
    where: { billingEntityId, selfBilled: false, sequentialId: { not: null } },
    _count: { id: true },
    _max: { billingEntitySequentialId: true },
  });
  const forEntity = Math.max(all._count.id, all._max.billingEntitySequentialId ?? 0);
  return { forCustomer: (own._max.sequentialId ?? 0) + 1, forEntity: forEntity + 1 };
}

/** The number of an invoice that is about to be stored; one that is not final takes none. The rows must be locked. */
export async function nextNumber(
  tx: TenantTransaction,
  { now }: Actor,
  invoice: InvoiceResult,
  customer: CustomerInput,
  entity: BillingEntityInput,
): Promise<InvoiceNumbering> {
  if (invoice.status !== 'finalized') {
    return { number: draftNumber(entity), sequentialId: null, billingEntitySequentialId: null };
  }
  const { forCustomer, forEntity } = await ranks(tx, customer.id, entity.id);
  const customerSequentialId = customer.sequentialId ?? 1;
  const { selfBilled } = invoice;
  const rank = { customerSequentialId, forCustomer, forEntity: forEntity - (selfBilled ? 1 : 0), selfBilled };
  const isCounted = entity.documentNumbering === 'per_billing_entity' && !selfBilled;
  return {
    number: invoiceNumber(entity, rank, now.getTime()),
    sequentialId: forCustomer,
    billingEntitySequentialId: isCounted ? forEntity : null,
  };
}
