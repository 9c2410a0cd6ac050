import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { holdPlan, moveToOverride } from '../../../store/catalogue/plan-copy.ts';
import { lockPlans } from '../../../store/catalogue/plan-lock.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import type { SubscriptionPath } from '../../../store/subscription/subscription-entitlement.ts';
import { absence, LATEST_FIRST, lockChangeable } from '../../../store/subscription/subscription-lock.ts';
import { allChanged } from '../../changed.ts';
import { makeOverride } from './make-override.ts';

/**
 * A subscription with a plan of its own, which nobody else changes until the transaction ends: its override, made and moved to where it has
 * none. The plan is held before the customer, as who changes a plan does. Throws `object_not_found`, and a validation error for one that
 * waits to be paid.
 */
export async function ownPlan(tx: TenantTransaction, actor: Actor, { externalId, status }: SubscriptionPath) {
  const seen = await tx.subscription.findFirst({
    where: { externalId, status },
    orderBy: LATEST_FIRST,
    select: { plan: { select: { id: true, parentId: true } } },
  });
  if (!seen) throw await absence(tx, externalId);
  await holdPlan(tx, actor, seen.plan.parentId ?? seen.plan.id);
  const row = await lockChangeable(tx, actor, { externalId, status });
  if (row.plan.parentId !== null) {
    const plans = await lockPlans(tx, actor, [row.planId]);
    return { row, planId: row.planId, changed: { plans } };
  }
  const { id: planId, changed } = await makeOverride(tx, actor, row.plan);
  await moveToOverride(tx, actor, row.id, planId);
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'subscription.updated', objectType: 'subscription', objectId: row.id },
    ...{ before: { planId: row.planId }, after: { planId } },
  });
  return { row, planId, changed: allChanged([changed, { subscriptions: [row.id], auditLogs: [entry] }]) };
}
