import { changedTerms, type SubscriptionTerms } from '../../billing/subscription/subscription-write.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { lockSubscription } from '../../store/subscription/subscription-lock.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';

/**
 * Changes the terms of a subscription that runs or, where that is said, waits: what is absent stays, null takes the name and the end away.
 * What is as it was is not logged. Throws one validation error, and `object_not_found`.
 */
export function updateSubscription(
  db: TenantClient,
  actor: Actor,
  { externalId, status }: { readonly externalId: string; readonly status: 'active' | 'pending' },
  sent: SubscriptionTerms,
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const row = await lockSubscription(tx, actor, { externalId, status });
    const { id, plan } = row;
    const { before, after } = changedTerms(row, sent, plan, actor.now);
    if (Object.keys(after).length === 0) return { id, changed: {} };
    const data = { ...after, updatedAt: actor.now };
    await tx.subscription.update({ where: { id }, data, select: { id: true } });
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'subscription.updated', objectType: 'subscription', objectId: id, before, after },
    });
    return { id, changed: { auditLogs: [entry] } };
  });
}
