import { issueUnitsInvoice } from '../../billing/subscription/issue-units.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { ENTITY, entityInput } from '../../store/account/customer-input.ts';
import { loadAccount } from '../../store/account/load-account.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import type { SubscriptionGetPayload } from '../../store/generated/prisma/models.ts';
import { bookCredits } from '../../store/invoice/credit-write.ts';
import { lockNumbering, nextNumber } from '../../store/invoice/invoice-number.ts';
import { addInvoice } from '../../store/invoice/invoice-write.ts';

const COLUMNS = { billingEntity: { include: ENTITY }, customer: { select: { billingEntityId: true } } };

type Row = SubscriptionGetPayload<{ include: typeof COLUMNS }>;

/** The customer's account, billed by the entity of the subscription where it has its own. */
async function accountOf(tx: TenantTransaction, { now }: Actor, row: Row) {
  const account = await loadAccount(tx, row.customerId, [row.externalId], now);
  return account && row.billingEntity ? { ...account, billingEntity: entityInput(row.billingEntity) } : account;
}

async function invoiceOne(tx: TenantTransaction, actor: Actor, fixedChargeId: string, row: Row): Promise<void> {
  const account = await accountOf(tx, actor, row);
  const subscription = account?.subscriptions.find(({ id }) => id === row.id);
  if (!account || !subscription) return;
  const invoice = issueUnitsInvoice(account, subscription, fixedChargeId, actor.now.getTime());
  if (!invoice) return;
  const { customer, billingEntity } = account;
  const numbering = await nextNumber(tx, actor, invoice, customer, billingEntity);
  const owner = { customerId: customer.id, billingEntityId: billingEntity.id };
  const invoiceId = await addInvoice(tx, actor, invoice, owner, numbering);
  await bookCredits(tx, actor, { invoiceId, invoice });
  const { status, totalAmountCents } = invoice;
  await recordAudit(tx, {
    ...{ actor, action: 'invoice.created', objectType: 'invoice', objectId: invoiceId },
    before: null,
    after: { number: numbering.number, status, totalAmountCents, fixedChargeId },
  });
}

/**
 * Invoices other units of a fixed charge that is paid in advance and changes at once: one invoice for each active
 * subscription directly on its plan whose end has not come, numbered in the order of the subscriptions.
 */
export async function issueUnits(
  tx: TenantTransaction,
  actor: Actor,
  charge: { readonly id: string; readonly planId: string },
): Promise<void> {
  const rows = await tx.subscription.findMany({
    where: { planId: charge.planId, status: 'active', OR: [{ endingAt: null }, { endingAt: { gt: actor.now } }] },
    include: COLUMNS,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const entityIds = rows.map((row) => row.billingEntityId ?? row.customer.billingEntityId);
  const customerIds = rows.map((row) => row.customerId);
  await lockNumbering(tx, actor, [...new Set(entityIds)], [...new Set(customerIds)]);
  for (const row of rows) await invoiceOne(tx, actor, charge.id, row);
}
