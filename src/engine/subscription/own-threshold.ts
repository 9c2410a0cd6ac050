import { attempted, type BillingError, invalid, joined } from '../../billing/errors.ts';
import { differences } from '../../billing/resource/resource.ts';
import type { Actor } from '../../store/access/audit.ts';
import { readThresholds, saveThresholds, type Threshold } from '../../store/catalogue/plan-part-write.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { askForLook } from '../../store/usage/due/usage-due.ts';
import { type OwnPartsSent, wantedThresholds } from '../catalogue/plan/plan-part.ts';
import type { PlanOverrides } from './override/change-override.ts';

/** What a body says of the thresholds of one subscription. */
export interface OwnThresholds extends Pick<OwnPartsSent, 'usageThresholds'> {
  readonly planOverrides?: PlanOverrides | null | undefined;
}

/** What is wrong with them, and that those of an override of the plan are sent too: of both only one could count. */
export function ownThresholdsRefusal(sent: OwnThresholds): BillingError | undefined {
  const { refusal } = attempted(() => wantedThresholds(sent, []));
  const isTwofold = sent.usageThresholds != null && sent.planOverrides?.usageThresholds != null;
  const both = ['incompatible_params'];
  const twofold = isTwofold
    ? invalid(
        { 'plan_overrides.usage_thresholds': both, usage_thresholds: both },
        { 'plan_overrides.usage_thresholds': { at: ['planOverrides'], name: 'usage_thresholds' } },
      )
    : undefined;
  return refusal && twofold ? joined(refusal, twofold) : (refusal ?? twofold);
}

/** The subscription whose thresholds they are, and the plan that it is on. */
interface Owner {
  readonly id: string;
  readonly externalId: string;
  readonly plan: { readonly id: string; readonly parentId: string | null };
}

/**
 * Gives a subscription thresholds of its own in place of those that it has; an empty list takes them away. Those of an override of its plan
 * go with the former ones. Says what became another; what is sent as it is changes nothing.
 */
export async function saveOwnThresholds(
  tx: TenantTransaction,
  actor: Actor,
  { id, externalId, plan }: Owner,
  sent: OwnThresholds,
): Promise<{ readonly before?: readonly Threshold[]; readonly after?: readonly Threshold[] }> {
  if (sent.usageThresholds == null) return {};
  const owner = { subscriptionId: id };
  const stored = await readThresholds(tx, owner);
  const wanted = wantedThresholds(sent, stored);
  const copied = plan.parentId === null ? [] : await readThresholds(tx, { planId: plan.id });
  if (copied.length > 0) await saveThresholds(tx, actor, { planId: plan.id }, [], false);
  const isSame = Object.keys(differences({ stored }, { stored: wanted })).length === 0;
  if (isSame && copied.length === 0) return {};
  if (!isSame) await saveThresholds(tx, actor, owner, wanted, stored.length === 0);
  await askForLook(tx, actor, externalId);
  return { before: stored.length > 0 ? stored : copied, after: wanted };
}
