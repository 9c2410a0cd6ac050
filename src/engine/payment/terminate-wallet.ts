import { notFound } from '../../billing/errors.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { inTransaction } from '../../store/access/idempotency.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';

interface Held {
  readonly status: 'active' | 'terminated';
  readonly terminatedAt: Date | null;
}

/** Reads a wallet and keeps others from changing it until the transaction ends. Throws `object_not_found`. */
async function holdWallet(tx: TenantTransaction, { organizationId }: Actor, id: string): Promise<Held> {
  const [held] = await tx.$queryRaw<Held[]>`
    SELECT status::text AS status, terminated_at AS "terminatedAt" FROM wallets
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
  if (!held) throw notFound('wallet');
  return held;
}

/**
 * Terminates a wallet and its recurring rules. Balance, credits and invoices stay as they are. Done again, it changes
 * nothing: the time is that of the first termination. Throws `object_not_found`.
 */
export async function terminateWallet(db: TenantClient, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, actor, async (tx) => {
    const { status, terminatedAt } = await holdWallet(tx, actor, id);
    const after = { status: 'terminated' as const, terminatedAt: terminatedAt ?? actor.now };
    const isNew = status !== after.status || terminatedAt === null;
    if (isNew) await tx.wallet.update({ where: { id }, data: after, select: { id: true } });
    const rules = await tx.recurringTransactionRule.updateManyAndReturn({
      where: { walletId: id, status: 'active' },
      data: { status: 'terminated', terminatedAt: actor.now },
      select: { id: true },
    });
    if (!isNew && rules.length === 0) return;
    await recordAudit(tx, {
      ...{ actor, action: 'wallet.terminated', objectType: 'wallet', objectId: id.toLowerCase() },
      before: { status, terminatedAt },
      after: { ...after, terminatedRecurringTransactionRuleIds: rules.map((rule) => rule.id) },
    });
  });
}
