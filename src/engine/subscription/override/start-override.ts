import type { BillingError } from '../../../billing/errors.ts';
import { type Actor, recordAudit } from '../../../store/access/audit.ts';
import { PLAN, type PlanRow } from '../../../store/account/plan-input.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import { allChanged, type Changed } from '../../changed.ts';
import { type Overridden, type PlanOverrides, readOverrides } from './change-override.ts';
import { makeOverride } from './make-override.ts';

/** What the log keeps of an override that became another; nothing where it did not. */
export async function logOverride(
  tx: TenantTransaction,
  actor: Actor,
  planId: string,
  { before, after }: Overridden,
): Promise<Changed> {
  if (Object.keys(after).length === 0) return {};
  const told = { actor, action: 'plan.updated', objectType: 'plan', objectId: planId, before, after };
  return { auditLogs: [await recordAudit(tx, told)] };
}

/** The override that a new subscription begins on. Throws what `readOverrides` throws, and one validation error. */
export async function startOverride(
  tx: TenantTransaction,
  actor: Actor,
  plan: PlanRow,
  sent: PlanOverrides,
  refusesIgnored: boolean,
): Promise<{ readonly plan: PlanRow; readonly changed: Changed }> {
  const { id, changed } = await makeOverride(tx, actor, plan);
  const { save } = await readOverrides(tx, actor, id, sent, refusesIgnored);
  const saved = await save();
  const logged = await logOverride(tx, actor, id, saved);
  const own = await tx.plan.findUniqueOrThrow({ where: { id }, include: PLAN });
  return { plan: own, changed: allChanged([changed, saved.changed, logged]) };
}

/** What is wrong with the overrides of a subscription that is refused anyway: the copy that they are held against goes with the transaction. */
export async function overridesRefusal(
  tx: TenantTransaction,
  actor: Actor,
  plan: PlanRow,
  sent: PlanOverrides,
  refusesIgnored: boolean,
): Promise<BillingError | undefined> {
  const { id } = await makeOverride(tx, actor, plan);
  const { refusal } = await readOverrides(tx, actor, id, sent, refusesIgnored);
  return refusal;
}
