import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { expiredCoupons, newlyOverdue } from '../../store/job/expiry.ts';
import { allChanged, type Changed } from '../changed.ts';
import { endWallet } from '../payment/terminate-wallet.ts';
import { inTransaction } from '../transaction.ts';

/** The same actor, at the moment when something happened by itself. */
const then = (actor: Actor, at: Date | null): Actor => ({ ...actor, now: at ?? actor.now });

async function markOverdue(tx: TenantTransaction, actor: Actor, customerId: string): Promise<Changed> {
  const overdue = await newlyOverdue(tx, actor, customerId);
  const auditLogs: string[] = [];
  for (const { id, at } of overdue) {
    await tx.invoice.update({ where: { id }, data: { paymentOverdue: true, updatedAt: at }, select: { id: true } });
    const told = { action: 'invoice.payment_overdue', objectType: 'invoice', objectId: id };
    const [before, after] = [{ paymentOverdue: false }, { paymentOverdue: true }];
    auditLogs.push(await recordAudit(tx, { actor: then(actor, at), ...told, before, after }));
  }
  return { invoices: overdue.map(({ id }) => id), auditLogs };
}

async function endWallets(tx: TenantTransaction, actor: Actor, customerId: string): Promise<Changed> {
  const over = await tx.wallet.findMany({
    where: { customerId, status: 'active', expirationAt: { lte: actor.now } },
    select: { id: true, expirationAt: true },
    orderBy: [{ expirationAt: 'asc' }, { id: 'asc' }],
  });
  const changed: Changed[] = [];
  for (const { id, expirationAt } of over) {
    const { changed: besides } = await endWallet(tx, then(actor, expirationAt), id);
    changed.push({ wallets: [id] }, besides);
  }
  return allChanged(changed);
}

async function endRules(tx: TenantTransaction, actor: Actor, customerId: string): Promise<Changed> {
  const over = await tx.recurringTransactionRule.findMany({
    where: { wallet: { customerId }, status: 'active', expirationAt: { lte: actor.now } },
    select: { id: true, walletId: true, expirationAt: true },
    orderBy: [{ expirationAt: 'asc' }, { id: 'asc' }],
  });
  const auditLogs: string[] = [];
  for (const { id, walletId, expirationAt } of over) {
    const data = { status: 'terminated' as const, terminatedAt: expirationAt };
    await tx.recurringTransactionRule.update({ where: { id }, data, select: { id: true } });
    const told = { action: 'wallet.updated', objectType: 'wallet', objectId: walletId };
    const after = { terminatedRecurringTransactionRuleIds: [id] };
    auditLogs.push(await recordAudit(tx, { actor: then(actor, expirationAt), ...told, before: null, after }));
  }
  return { recurringTransactionRules: over.map(({ id }) => id), auditLogs };
}

/**
 * Notes what is over of a customer by the actor's moment, each as of its own: invoices that are not paid in time are overdue, wallets and rules
 * past their expiration end. Done again, it changes nothing.
 */
export function expireCustomer(db: TenantClient, actor: Actor, customerId: string): Promise<Changed> {
  return inTransaction(db, actor, async (tx) => {
    await lockCustomers(tx, actor, [customerId]);
    const overdue = await markOverdue(tx, actor, customerId);
    const wallets = await endWallets(tx, actor, customerId);
    return allChanged([overdue, wallets, await endRules(tx, actor, customerId)]);
  });
}

/** Ends the coupons whose time is over: nobody is given one any more. What customers were given goes on. */
export function expireCoupons(db: TenantClient, actor: Actor): Promise<Changed> {
  return inTransaction(db, actor, async (tx) => {
    const auditLogs: string[] = [];
    for (const { id, expirationAt } of await expiredCoupons(tx, actor.now)) {
      const after = { status: 'terminated' as const, terminatedAt: expirationAt };
      const { count } = await tx.coupon.updateMany({ where: { id, status: 'active' }, data: after });
      if (count === 0) continue;
      const told = { action: 'coupon.terminated', objectType: 'coupon', objectId: id };
      auditLogs.push(
        await recordAudit(tx, { actor: then(actor, expirationAt), ...told, before: { status: 'active' }, after }),
      );
    }
    return { auditLogs };
  });
}
