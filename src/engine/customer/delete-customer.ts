import { notFound } from '../../billing/errors.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { lockCustomer } from '../../store/customer/customer-lock.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { allChanged, type Changed, type Written } from '../changed.ts';
import { endSubscriptions } from '../life/end-subscriptions.ts';
import { settleTaxes } from '../life/settle-taxes.ts';
import { readValues } from '../resource/row.ts';
import { inTransaction } from '../transaction.ts';
import { CUSTOMERS } from './upsert-customer.ts';

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const select = { id: true } as const;

/** Ends what the customer could pay with. What was used of it stays on its invoices. */
async function endCredits(tx: TenantTransaction, { now }: Actor, customerId: string): Promise<Changed> {
  const active = { status: 'active' } as const;
  const ended = { status: 'terminated', terminatedAt: now } as const;
  const data = { ...ended, updatedAt: now };
  const rules = await tx.recurringTransactionRule.updateManyAndReturn({
    where: { ...active, wallet: { customerId } },
    data,
    select,
  });
  const wallets = await tx.wallet.updateManyAndReturn({ where: { ...active, customerId }, data, select });
  const coupons = await tx.appliedCoupon.updateManyAndReturn({ where: { ...active, customerId }, data, select });
  return {
    recurringTransactionRules: idsOf(rules),
    wallets: idsOf(wallets),
    appliedCoupons: idsOf(coupons),
  };
}

/**
 * Deletes a customer, whose external identifier is free again: the next one of it is another customer. Subscriptions
 * end with their last invoices, then wallets and applied coupons; invoices, drafts among them, and all that they name stay as they are. Throws `object_not_found`.
 */
export function deleteCustomer(db: TenantClient, actor: Actor, externalId: string): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const id = await lockCustomer(tx, actor, externalId);
    if (!id) throw notFound('customer');
    const before = await readValues(tx, CUSTOMERS, id);
    const subscriptions = await endSubscriptions({ db, tx, actor }, { customerId: id });
    const ended = [subscriptions, await endCredits(tx, actor, id)];
    const stamps = { deletedAt: actor.now, updatedAt: actor.now };
    await tx.customer.update({ where: { id }, data: stamps, select });
    // Nobody is asked about its VAT number any more.
    ended.push(await settleTaxes({ db, tx, actor }, id));
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'customer.deleted', objectType: 'customer', objectId: id, before, after: null },
    });
    return { id, changed: allChanged([...ended, { auditLogs: [entry] }]) };
  });
}
