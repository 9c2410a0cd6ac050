import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { copyPlan, holdPlan } from '../../../store/catalogue/plan-copy.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import type { Changed } from '../../changed.ts';

/**
 * Makes an override of a plan, with all of its prices as they are: for one subscription, which is to be put on it. Until the transaction
 * ends the plan stays as it is.
 */
export async function makeOverride(
  tx: TenantTransaction,
  actor: Actor,
  plan: { readonly id: string; readonly code: string },
): Promise<{ readonly id: string; readonly changed: Changed }> {
  await holdPlan(tx, actor, plan.id);
  const { id, charges, fixedCharges } = await copyPlan(tx, actor, plan.id);
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'plan.created', objectType: 'plan', objectId: id, before: null },
    after: { code: plan.code, parentId: plan.id },
  });
  return { id, changed: { plans: [id], charges, fixedCharges, auditLogs: [entry] } };
}
