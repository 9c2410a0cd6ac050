import { zoneOf } from '../../billing/subscription/billed-subscription.ts';
import {
  creditNoteMode,
  firstMethod,
  nextPeriodStart,
  type SentSubscription,
  startsNow,
} from '../../billing/subscription/subscription-write.ts';
import type { TimelineState } from '../../billing/timeline/timeline-type.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { type PlanRow, planInput } from '../../store/account/plan-input.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { newId } from '../../store/database/uuid.ts';
import type { SubscriptionGetPayload } from '../../store/generated/prisma/models.ts';
import { allChanged, type Written } from '../changed.ts';
import { live, type Stage } from '../life/live.ts';
import { activationOf, type OwnActivation, saveActivation } from './own-activation.ts';
import { firstSections, type OwnSections, saveOwnSections } from './own-section.ts';
import { type OwnThresholds, saveOwnThresholds } from './own-threshold.ts';

/** What is read of the subscription that its customer has under the name. */
export const CURRENT = { plan: true } as const;

export type CurrentRow = SubscriptionGetPayload<{ include: typeof CURRENT }>;

/** What an application sends to subscribe a customer to a plan, or to an override of it that is made for this subscription. */
export interface NewSubscription extends SentSubscription, OwnThresholds, OwnSections, OwnActivation {
  /** Whether what cannot change of prices is refused where it would; else it is left as it is without a word. */
  readonly refusesIgnored?: boolean;
}

/** A subscription that is wanted, and what it names. */
export interface Wanted {
  readonly sent: NewSubscription;
  readonly plan: PlanRow;
  readonly customer: { readonly id: string; readonly billingEntityId: string };
  /** Of its own, where one is named. */
  readonly billingEntityId: string | undefined;
}

const select = { id: true } as const;
const ofPlan = (plan: { readonly id: string; readonly code: string }) => ({ planId: plan.id });

/** Who bills it, and under which name its life is loaded. */
const lifeOf = ({ customer, sent }: Wanted, billingEntityId: string | null | undefined) => ({
  customerId: customer.id,
  billingEntityId: billingEntityId ?? customer.billingEntityId,
  externalIds: [sent.externalId],
});

const logged = async ({ tx, actor }: Stage, action: string, objectId: string, before: unknown, after: unknown) => ({
  auditLogs: [await recordAudit(tx, { actor, action, objectType: 'subscription', objectId, before, after })],
});

/** The columns that are said once for a new subscription, or taken from the one that it follows. */
function newRow({ organizationId, now }: Actor, { sent, plan, customer, billingEntityId }: Wanted, id: string) {
  const { externalId, consolidateInvoice, onTerminationInvoice } = sent;
  return {
    ...{ id, organizationId, externalId, customerId: customer.id, ...ofPlan(plan), billingEntityId },
    ...{ name: sent.name?.trim() || null, status: 'pending' as const, billingTime: sent.billingTime ?? undefined },
    subscriptionAt: sent.subscriptionAt ?? now,
    endingAt: sent.endingAt ?? null,
    ...{ consolidateInvoice: consolidateInvoice ?? undefined, onTerminationInvoice: onTerminationInvoice ?? undefined },
    onTerminationCreditNote: creditNoteMode(plan, sent.onTerminationCreditNote),
    progressiveBillingDisabled: sent.progressiveBillingDisabled ?? undefined,
    ...firstMethod(sent.paymentMethod),
    ...{ createdAt: now, updatedAt: now },
  };
}

/** A first subscription: it starts at once, or waits for its date. */
export async function begin(stage: Stage, wanted: Wanted): Promise<Written> {
  const { tx, actor } = stage;
  const id = newId(actor.now);
  const { sent, plan } = wanted;
  const data = newRow(actor, wanted, id);
  const { externalId } = sent;
  await tx.subscription.create({ data, select });
  await saveOwnThresholds(tx, actor, { id, externalId, plan }, sent);
  await firstSections(tx, actor, id, sent);
  await saveActivation(tx, actor, id, sent);
  const told = { externalId, planCode: plan.code, subscriptionAt: data.subscriptionAt, endingAt: data.endingAt };
  const entry = await logged(stage, 'subscription.created', id, null, told);
  const at = actor.now.getTime();
  if (!startsNow(data.subscriptionAt.getTime(), at)) return { id, changed: entry };
  const life = lifeOf(wanted, wanted.billingEntityId);
  const changed = await live(stage, life, { steps: [{ at, do: 'start_pending', subscriptionId: id }] });
  return { id, changed: allChanged([entry, changed]) };
}

/** Another plan for a subscription that runs: the dearer one is answered, the cheaper one waits and the running one is. */
export async function follow(
  stage: Stage,
  wanted: Wanted,
  current: CurrentRow,
  kind: 'upgrade' | 'downgrade',
): Promise<Written> {
  const { tx, actor } = stage;
  const { sent, plan } = wanted;
  const id = newId(actor.now);
  const at = actor.now.getTime();
  const { billingTime, subscriptionAt, endingAt, consolidateInvoice, billingEntityId } = current;
  const inherited = {
    ...newRow(actor, wanted, id),
    ...{
      subscriptionAt,
      billingTime: sent.billingTime ?? billingTime,
      billingEntityId: wanted.billingEntityId ?? billingEntityId,
    },
    endingAt: sent.endingAt === undefined ? endingAt : sent.endingAt,
    consolidateInvoice: sent.consolidateInvoice ?? consolidateInvoice,
    ...firstMethod(sent.paymentMethod, current),
    ...{ previousSubscriptionId: current.id, previousPlanCode: current.plan.code },
  };
  const told = { externalId: sent.externalId, planCode: plan.code, previousPlanCode: current.plan.code };
  const before = async ({ customer, billingEntity, subscriptions }: TimelineState) => {
    const running = subscriptions.find((one) => one.id === current.id);
    const zone = zoneOf(customer, billingEntity);
    const day = running && kind === 'downgrade' ? new Date(`${nextPeriodStart(running, zone, at)}T00:00:00Z`) : null;
    const next = { nextPlanCode: plan.code, downgradePlanDate: day, updatedAt: actor.now };
    await tx.subscription.create({ data: inherited, select });
    await saveOwnThresholds(tx, actor, { id, externalId: sent.externalId, plan }, sent);
    await firstSections(tx, actor, id, sent, current);
    await saveActivation(tx, actor, id, sent);
    await tx.subscription.update({ where: { id: current.id }, data: next, select });
  };
  const ids = { subscriptionId: current.id, newSubscriptionId: id };
  const activation = activationOf(sent);
  const changed = await live(stage, lifeOf(wanted, billingEntityId), {
    steps: [{ at, do: 'change_plan', ...ids, planCode: plan.code, billingTime: inherited.billingTime, activation }],
    ...{ plans: [planInput(plan)], before },
  });
  const entry = await logged(stage, 'subscription.created', id, null, told);
  const subscriptions = { subscriptions: [id, current.id] };
  return { id: kind === 'upgrade' ? id : current.id, changed: allChanged([entry, changed, subscriptions]) };
}

/** What of a subscription that is there stands beside it: thresholds and custom sections of its own. Says what became another. */
export async function saveOwn(
  tx: TenantTransaction,
  actor: Actor,
  owner: Parameters<typeof saveOwnThresholds>[2] & Parameters<typeof saveOwnSections>[2],
  sent: OwnThresholds & OwnSections,
): Promise<{ readonly before: object; readonly after: object }> {
  const thresholds = await saveOwnThresholds(tx, actor, owner, sent);
  const sections = await saveOwnSections(tx, actor, owner, sent);
  const of = (moment: 'before' | 'after') => ({
    ...(thresholds.after && { usageThresholds: thresholds[moment] }),
    ...sections[moment],
  });
  return { before: of('before'), after: of('after') };
}

/** One that is there already on the plan: nothing but thresholds and custom sections that are sent becomes another. */
export async function keep(stage: Stage, { sent }: Wanted, current: CurrentRow): Promise<Written> {
  const { tx, actor } = stage;
  const { id } = current;
  const { before, after } = await saveOwn(tx, actor, current, sent);
  if (Object.keys(after).length === 0) return { id, changed: {} };
  await tx.subscription.update({ where: { id }, data: { updatedAt: actor.now }, select });
  return { id, changed: await logged(stage, 'subscription.updated', id, before, after) };
}

/** Another plan for one that waits for its date. */
export async function replacePlan(stage: Stage, { sent, plan }: Wanted, current: CurrentRow): Promise<Written> {
  const { tx, actor } = stage;
  const name = sent.name?.trim() || current.name;
  await tx.subscription.update({
    where: { id: current.id },
    data: { ...ofPlan(plan), name, updatedAt: actor.now },
    select,
  });
  await saveOwn(tx, actor, { ...current, plan }, sent);
  await saveActivation(tx, actor, current.id, sent);
  const [before, after] = [current.plan.code, plan.code].map((planCode) => ({ planCode }));
  return { id: current.id, changed: await logged(stage, 'subscription.updated', current.id, before, after) };
}
