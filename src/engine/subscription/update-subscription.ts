import { attempted, type BillingError, joined } from '../../billing/errors.ts';
import { type ChangedTerms, changedTerms, startsNow } from '../../billing/subscription/subscription-write.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { entityByCode } from '../../store/customer/entity-of-customer.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { lockChangeable, meantStatus } from '../../store/subscription/subscription-lock.ts';
import { askForLook } from '../../store/usage/due/usage-due.ts';
import { allChanged, type Changed, type Written } from '../changed.ts';
import { takingCurrency } from '../customer/take-currency.ts';
import { live, type Stage } from '../life/live.ts';
import { settleWaiting } from '../life/settle-waiting.ts';
import { methodRefusal } from '../payment/payment-method.ts';
import { inTransaction } from '../transaction.ts';
import { readOverrides } from './override/change-override.ts';
import { ownPlan } from './override/own-plan.ts';
import { logOverride } from './override/start-override.ts';
import { activationRefusal, type OwnActivation, saveActivation } from './own-activation.ts';
import type { OwnSections } from './own-section.ts';
import { type OwnThresholds, ownThresholdsRefusal } from './own-threshold.ts';
import { saveOwn } from './start-subscription.ts';

/** What an application changes of a subscription, and of its plan for this subscription alone. */
export interface SubscriptionUpdate
  extends Omit<ChangedTerms, 'billingEntityId'>,
    OwnThresholds,
    OwnSections,
    OwnActivation {
  /** Code of who bills it from now on; blank: as it is. */
  readonly billingEntityCode?: string | null | undefined;
  /** Whether what cannot change of prices is refused where it would; else it is left as it is without a word. */
  readonly refusesIgnored?: boolean;
}

interface Path {
  readonly externalId: string;
  /** Null: the one that runs, or the only one of its name. */
  readonly status: 'active' | 'pending' | 'incomplete' | null;
}

type LockedSubscription = Awaited<ReturnType<typeof lockChangeable>>;
type Refusals = readonly (BillingError | undefined)[];

/** The subscription, with a plan of its own where the plan is to be overridden, and how that is stored. */
async function found(stage: Stage, { externalId, status }: Path, sent: SubscriptionUpdate) {
  const { tx, actor } = stage;
  const { planOverrides, refusesIgnored = false } = sent;
  const path = { externalId, status: status ?? (await meantStatus(tx, externalId)) };
  if (!planOverrides) {
    const save = async (): Promise<Changed> => ({});
    return { row: await lockChangeable(tx, actor, path), refusals: [], save };
  }
  const { row, planId, changed } = await ownPlan(tx, actor, path);
  const overrides = await readOverrides(tx, actor, planId, planOverrides, refusesIgnored);
  const { refusal } = await takingCurrency(tx, actor, row.customerId, planOverrides.amountCurrency ?? null);
  const save = async (): Promise<Changed> => {
    const saved = await overrides.save();
    const settled = 'amountCents' in saved.after ? await settleWaiting(stage, [planId]) : {};
    return allChanged([changed, saved.changed, settled, await logOverride(tx, actor, planId, saved)]);
  };
  return { row, refusals: [overrides.refusal, refusal], save };
}

/** Whoever is to follow it is billed by whom it is billed, unless another was named. */
async function saveTerms(
  { tx, actor }: Stage,
  { id, billingEntityId }: LockedSubscription,
  after: Partial<ReturnType<typeof changedTerms>['after']>,
): Promise<void> {
  const data = { ...after, updatedAt: actor.now };
  await tx.subscription.update({ where: { id }, data, select: { id: true } });
  if (!after.billingEntityId) return;
  const where = { previousSubscriptionId: id, status: 'pending' as const, billingEntityId };
  await tx.subscription.updateMany({ where, data: { billingEntityId: after.billingEntityId } });
}

/** One whose date has come by that starts now, and bills what its plan takes in advance. */
function started(
  stage: Stage,
  { id, externalId, customerId, customer, ...row }: LockedSubscription,
  after: Partial<ReturnType<typeof changedTerms>['after']>,
): Promise<Changed> {
  const at = stage.actor.now.getTime();
  if (!after.subscriptionAt || !startsNow(after.subscriptionAt.getTime(), at)) return Promise.resolve({});
  const billingEntityId = after.billingEntityId ?? row.billingEntityId ?? customer.billingEntityId;
  const life = { customerId, billingEntityId, externalIds: [externalId] };
  return live(stage, life, { steps: [{ at, do: 'start_pending', subscriptionId: id }] });
}

/** Who is named to bill it. Throws `object_not_found`. */
async function entityOf(tx: TenantTransaction, row: LockedSubscription, { billingEntityCode }: SubscriptionUpdate) {
  const code = billingEntityCode?.trim();
  if (!code) return undefined;
  const { id } = await entityByCode(tx, code);
  return id === (row.billingEntityId ?? row.customer.billingEntityId) ? undefined : id;
}

/** All that is wrong with a change at once; else what becomes another. */
async function checked({ tx, actor }: Stage, row: LockedSubscription, refusals: Refusals, sent: SubscriptionUpdate) {
  const billingEntityId = await entityOf(tx, row, sent);
  const terms = attempted(() => changedTerms(row, { ...sent, billingEntityId }, row.plan, actor.now));
  const method = await methodRefusal(tx, sent.paymentMethod, { id: row.customerId });
  const owner = { customer: { id: row.customerId }, method: row, hasBegun: row.status !== 'pending' };
  const rules = await activationRefusal(tx, sent, owner);
  const refused = [...refusals, terms.refusal, method, rules, ownThresholdsRefusal(sent)].filter(
    (one): one is BillingError => one !== undefined,
  );
  if (terms.refusal || refused.length > 0) throw joined(...refused);
  return terms.value;
}

/**
 * Changes the terms of a subscription that runs or, where that is said, waits: what is absent stays, null takes the name and the end away.
 * Overrides give it a plan of its own, or change the one that it has; other units of fixed charges that count at once are invoiced at once. One
 * that waits gets another date, and starts where that has come.
 * What is as it was is not logged. Throws one validation error, and `object_not_found`.
 */
export function updateSubscription(
  db: TenantClient,
  actor: Actor,
  path: Path,
  sent: SubscriptionUpdate,
): Promise<Written> {
  return inTransaction(db, actor, async (tx) => {
    const stage = { db, tx, actor };
    const { row, refusals, save } = await found(stage, path, sent);
    const { id } = row;
    const { before, after } = await checked(stage, row, refusals, sent);
    const changed = await save();
    const beside = await saveOwn(tx, actor, row, sent);
    const rules = await saveActivation(tx, actor, id, sent);
    const own = { before: { ...beside.before, ...rules.before }, after: { ...beside.after, ...rules.after } };
    if (Object.keys({ ...after, ...own.after }).length === 0) return { id, changed };
    await saveTerms(stage, row, after);
    if (after.progressiveBillingDisabled === false) await askForLook(tx, actor, row.externalId);
    const entry = await recordAudit(tx, {
      ...{ actor, action: 'subscription.updated', objectType: 'subscription', objectId: id },
      before: { ...before, ...own.before },
      after: { ...after, ...own.after },
    });
    const begun = await started(stage, row, after);
    return { id, changed: allChanged([changed, { auditLogs: [entry] }, begun]) };
  });
}
