import { notFound } from '../../billing/errors.ts';
import { HIDDEN_STATES } from '../../billing/invoice/hidden.ts';
import type { Actor } from '../access/audit.ts';
import { lockCustomers } from '../customer/customer-lock.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { TenantClient, TenantTransaction } from '../database/tenant.ts';
import { isUuid } from '../database/uuid.ts';
import type { InvoiceGetPayload } from '../generated/prisma/models.ts';

const include = {
  billingPeriods: { orderBy: OLDEST_FIRST, select: { subscription: { select: { externalId: true } } } },
} as const;

export type LockedInvoice = InvoiceGetPayload<{ include: typeof include }>;

interface Shown {
  /** Whether one that is open is found, too: it is shown to nobody, but paid. */
  readonly open?: boolean;
}

const shown = (id: string, { open = false }: Shown) => ({
  ...{ id, status: { notIn: HIDDEN_STATES.filter((status) => !(open && status === 'open')) } },
});

/** What an invoice that is shown is now; it may be another in a moment. Throws `object_not_found`. */
export async function seenInvoice(db: TenantClient | TenantTransaction, svcId: string, which: Shown = {}) {
  const select = { customerId: true, status: true, taxStatus: true } as const;
  const seen = isUuid(svcId) ? await db.invoice.findFirst({ where: shown(svcId, which), select }) : null;
  if (!seen) throw notFound('invoice');
  return seen;
}

/**
 * An invoice that is shown, whose customer nobody else bills until the transaction ends: who bills or changes an invoice locks the customer
 * first. Throws `object_not_found`.
 */
export async function lockInvoice(
  tx: TenantTransaction,
  actor: Actor,
  svcId: string,
  which: Shown = {},
): Promise<LockedInvoice> {
  const { customerId } = await seenInvoice(tx, svcId, which);
  await lockCustomers(tx, actor, [customerId]);
  const row = await tx.invoice.findFirst({ where: shown(svcId, which), include });
  if (!row) throw notFound('invoice');
  return row;
}

/** The life that an invoice is a part of: the subscriptions that it bills, of its customer, by its entity. */
export function lifeOf({ customerId, billingEntityId, billingPeriods }: LockedInvoice) {
  const externalIds = [...new Set(billingPeriods.map(({ subscription }) => subscription.externalId))];
  return { customerId, billingEntityId, externalIds };
}

/** The same, with the subscriptions of its fees: what was paid alone is gathered on one invoice. */
export async function lifeOfFees(tx: TenantTransaction, invoice: LockedInvoice) {
  const { externalIds, ...life } = lifeOf(invoice);
  const where = { fees: { some: { invoiceId: invoice.id } } };
  const rows = await tx.subscription.findMany({ where, select: { externalId: true }, orderBy: OLDEST_FIRST });
  return { ...life, externalIds: [...new Set([...externalIds, ...rows.map(({ externalId }) => externalId)])] };
}

/** The invoice that was made anew of a voided one; null where none was. */
export const regeneratedOf = (tx: TenantTransaction, voidedInvoiceId: string) =>
  tx.invoice.findFirst({ where: { voidedInvoiceId }, select: { id: true } });
