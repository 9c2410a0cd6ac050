import { attempted, type BillingError, joined } from '../../billing/errors.ts';
import { changedTerms, type SubscriptionTerms } from '../../billing/subscription/subscription-write.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { lockSubscription } from '../../store/subscription/subscription-lock.ts';
import { askForLook } from '../../store/usage/due/usage-due.ts';
import { allChanged, type Changed, type Written } from '../changed.ts';
import { takingCurrency } from '../customer/take-currency.ts';
import { inTransaction } from '../transaction.ts';
import { readOverrides } from './override/change-override.ts';
import { ownPlan } from './override/own-plan.ts';
import { logOverride } from './override/start-override.ts';
import { type OwnThresholds, ownThresholdsRefusal, saveOwnThresholds } from './own-threshold.ts';

/** What an application changes of a subscription, and of its plan for this subscription alone. */
export interface SubscriptionUpdate extends SubscriptionTerms, OwnThresholds {
  /** Whether what cannot change of prices is refused where it would; else it is left as it is without a word. */
  readonly refusesIgnored?: boolean;
}

interface Path {
  readonly externalId: string;
  readonly status: 'active' | 'pending';
}

/** The subscription, with a plan of its own where the plan is to be overridden, and how that is stored. */
async function found(tx: TenantTransaction, actor: Actor, path: Path, sent: SubscriptionUpdate) {
  const { planOverrides, refusesIgnored = false } = sent;
  if (!planOverrides) {
    const save = async (): Promise<Changed> => ({});
    return { row: await lockSubscription(tx, actor, path), refusals: [], save };
  }
  const { row, planId, changed } = await ownPlan(tx, actor, path);
  const overrides = await readOverrides(tx, actor, planId, planOverrides, refusesIgnored);
  const { refusal } = await takingCurrency(tx, actor, row.customerId, planOverrides.amountCurrency ?? null);
  const save = async (): Promise<Changed> => {
    const saved = await overrides.save();
    return allChanged([changed, saved.changed, await logOverride(tx, actor, planId, saved)]);
  };
  return { row, refusals: [overrides.refusal, refusal], save };
}

/**
 * Changes the terms of a subscription that runs or, where that is said, waits: what is absent stays, null takes the name and the end away.
 * Overrides give it a plan of its own, or change the one that it has; other units of fixed charges that count at once are invoiced at once.
 * What is as it was is not logged. Throws one validation error, and `object_not_found`.
 */
export function updateSubscription(
  db: TenantClient,
  actor: Actor,
  path: Path,
  sent: SubscriptionUpdate,
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const { row, refusals, save } = await found(tx, actor, path, sent);
    const { id, plan } = row;
    const terms = attempted(() => changedTerms(row, sent, plan, actor.now));
    const refused = [...refusals, terms.refusal, ownThresholdsRefusal(sent)].filter(
      (one): one is BillingError => one !== undefined,
    );
    if (terms.refusal || refused.length > 0) throw joined(...refused);
    const changed = await save();
    const { before, after } = terms.value;
    const own = await saveOwnThresholds(tx, actor, row, sent);
    if (Object.keys(after).length === 0 && !own.after) return { id, changed };
    const data = { ...after, updatedAt: actor.now };
    await tx.subscription.update({ where: { id }, data, select: { id: true } });
    if (after.progressiveBillingDisabled === false) await askForLook(tx, actor, row.externalId);
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'subscription.updated', objectType: 'subscription', objectId: id },
      before: { ...before, ...(own.after && { usageThresholds: own.before }) },
      after: { ...after, ...(own.after && { usageThresholds: own.after }) },
    });
    return { id, changed: allChanged([changed, { auditLogs: [entry] }]) };
  });
}
