import { type Actor, recordAudit } from '../../store/access/audit.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { lockWallet } from '../../store/payment/wallet-lock.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

/** Ends a wallet with its recurring rules, in a transaction. Throws `object_not_found`. */
export async function endWallet(tx: TenantTransaction, actor: Actor, id: string): Promise<Written> {
  const { status, terminatedAt } = await lockWallet(tx, actor, id);
  const after = { status: 'terminated' as const, terminatedAt: terminatedAt ?? actor.now };
  const isNew = status !== after.status || terminatedAt === null;
  if (isNew) await tx.wallet.update({ where: { id }, data: after, select: { id: true } });
  const rules = await tx.recurringTransactionRule.updateManyAndReturn({
    where: { walletId: id, status: 'active' },
    data: { status: 'terminated', terminatedAt: actor.now },
    select: { id: true },
  });
  if (!isNew && rules.length === 0) return { id, changed: {} };
  const recurringTransactionRules = rules.map((rule) => rule.id);
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'wallet.terminated', objectType: 'wallet', objectId: id.toLowerCase() },
    before: { status, terminatedAt },
    after: { ...after, terminatedRecurringTransactionRuleIds: recurringTransactionRules },
  });
  return { id, changed: { recurringTransactionRules, auditLogs: [entry] } };
}

/**
 * Terminates a wallet and its recurring rules. Balance, credits and invoices stay as they are. Done again, it changes
 * nothing: the time is that of the first termination. Throws `object_not_found`.
 */
export const terminateWallet = (db: TenantClient, actor: Actor, id: string): Promise<Written> =>
  inTransaction(db, actor, (tx) => endWallet(tx, actor, id));
