import { PLAN } from '../../../billing/resource/plan.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { isAttached, lockOverrides, lockPlans } from '../../../store/catalogue/plan-lock.ts';
import { followAmount } from '../../../store/catalogue/price-copy.ts';
import type { TenantClient, TenantTransaction } from '../../../store/database/tenant.ts';
import { UNIQUE_PLAN_CODE } from '../../../store/database/unique.ts';
import type { Changed } from '../../changed.ts';
import { endSubscriptions } from '../../life/end-subscriptions.ts';
import { settleWaiting } from '../../life/settle-waiting.ts';
import type { Stored, Subject } from '../../resource/stored.ts';
import { type PlanBody, readBody } from './plan-body.ts';

/** What is agreed with those who subscribe. */
const TERMS = [
  ...['code', 'interval', 'payInAdvance', 'amountCurrency', 'trialPeriod'],
  ...['billChargesMonthly', 'billFixedChargesMonthly'],
];

/** Ends the subscriptions on a plan and on its overrides, which go with it. Prices stay for what was billed by them. */
async function endPlan(
  tx: TenantTransaction,
  actor: Actor,
  { id }: Subject<typeof PLAN.fields>,
  db: TenantClient,
): Promise<Changed> {
  const { now } = actor;
  const overrides = await tx.plan.findMany({ where: { parentId: id, deletedAt: null }, select: { id: true } });
  const children = overrides.map((one) => one.id);
  if (children.length > 0) {
    await lockPlans(tx, actor, children);
    await tx.plan.updateMany({ where: { id: { in: children } }, data: { deletedAt: now, updatedAt: now } });
  }
  const ended = await endSubscriptions({ db, tx, actor }, { planId: { in: [id, ...children] } });
  return { ...ended, plans: children };
}

/** Another amount is followed on request by the overrides that still cost the former one. Source: engine-catalogue 10.2. */
async function cascadeAmount(
  tx: TenantTransaction,
  actor: Actor,
  { id, before, values: { amountCents }, sent }: Subject<typeof PLAN.fields, PlanBody>,
): Promise<Changed> {
  if (!before || before.amountCents === amountCents) return {};
  const overrides = sent.cascadeUpdates ? await lockOverrides(tx, actor, id) : [];
  return { plans: await followAmount(tx, actor, overrides, before.amountCents, amountCents) };
}

/** Plans with all that belongs to them. What was agreed stays once a plan has had a subscription; with a deleted one its subscriptions end. */
export const PLANS: Stored<typeof PLAN.fields, PlanBody> = {
  resource: PLAN,
  model: 'Plan',
  unique: UNIQUE_PLAN_CODE,
  named: { deletedAt: null, parentId: null },
  parts: readBody,
  frozen: async (tx, id) => ((await isAttached(tx, id)) ? TERMS : []),
  saved: cascadeAmount,
  followed: async (stage, { id, before, values: { amountCents } }, { plans = [] }) =>
    before.amountCents === amountCents ? {} : settleWaiting(stage, [id, ...plans]),
  deleted: endPlan,
  drafts: ({ id, before }, { plans = [], charges = [], fixedCharges = [] }) =>
    before ? { plans: [id, ...plans], charges, fixedCharges } : {},
};
