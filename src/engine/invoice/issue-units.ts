import { issueUnits } from '../../billing/subscription/issue-units.ts';
import type { Actor } from '../../store/access/audit.ts';
import { ENTITY, entityInput } from '../../store/account/customer-input.ts';
import { loadAccount } from '../../store/account/load-account.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import { OLDEST_FIRST } from '../../store/database/row-order.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import type { SubscriptionGetPayload } from '../../store/generated/prisma/models.ts';
import { type HeldCounters, holdCounters } from '../../store/invoice/invoice-counter.ts';
import { counterOwners, ranksOf } from '../../store/invoice/invoice-number.ts';
import { allChanged, type Changed } from '../changed.ts';
import { applyChanges, newIds } from './apply-changes.ts';
import { auditChanges } from './audit-changes.ts';

const NUMBERING = { id: true, documentNumbering: true };
const COLUMNS = { billingEntity: { include: ENTITY }, customer: { select: { billingEntity: { select: NUMBERING } } } };

type Row = SubscriptionGetPayload<{ include: typeof COLUMNS }>;

/** The customer's account, billed by the entity of the subscription where it has its own. */
async function accountOf(tx: TenantTransaction, { now }: Actor, row: Row) {
  const account = await loadAccount(tx, row.customerId, [row.externalId], now);
  return account && row.billingEntity ? { ...account, billingEntity: entityInput(row.billingEntity) } : account;
}

async function issueOne(
  tx: TenantTransaction,
  actor: Actor,
  held: HeldCounters,
  fixedChargeIds: readonly string[],
  row: Row,
): Promise<Changed> {
  const account = await accountOf(tx, actor, row);
  const subscription = account?.subscriptions.find(({ id }) => id === row.id);
  if (!account || !subscription) return {};
  const { customer, billingEntity } = account;
  const owner = { customerId: customer.id, billingEntityId: billingEntity.id };
  const { now } = actor;
  const issuing = { ...account, ranks: ranksOf(held, owner) };
  const changes = issueUnits(issuing, subscription, fixedChargeIds, now.getTime(), newIds(now));
  const changed = await applyChanges({ tx, actor, owner, held }, changes);
  const auditLogs = await auditChanges(tx, [{ actor, changes, why: { fixedChargeIds } }]);
  return { ...changed, auditLogs };
}

/**
 * Invoices other units of fixed charges of a plan that are paid in advance and change at once: one invoice for each active
 * subscription directly on the plan whose end has not come, numbered in the order of the subscriptions.
 */
export async function issueUnitsOf(
  tx: TenantTransaction,
  actor: Actor,
  { planId, ids }: { readonly planId: string; readonly ids: readonly string[] },
): Promise<Changed> {
  const rows = await tx.subscription.findMany({
    where: { planId, status: 'active', OR: [{ endingAt: null }, { endingAt: { gt: actor.now } }] },
    include: COLUMNS,
    orderBy: OLDEST_FIRST,
  });
  const owners = rows.flatMap(({ customerId, billingEntity, customer }) => {
    const entity = billingEntity ?? customer.billingEntity;
    return counterOwners({ customerId, billingEntityId: entity.id }, entity);
  });
  await lockCustomers(
    tx,
    actor,
    rows.map(({ customerId }) => customerId),
  );
  const held = await holdCounters(tx, actor, owners);
  const changed: Changed[] = [];
  for (const row of rows) changed.push(await issueOne(tx, actor, held, ids, row));
  return allChanged(changed);
}
