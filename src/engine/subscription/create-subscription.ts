import { invalid, notFound } from '../../billing/errors.ts';
import { zoneOf } from '../../billing/subscription/billed-subscription.ts';
import {
  checkSubscription,
  creditNoteMode,
  nextPeriodStart,
  planDecision,
  type SentSubscription,
  startsNow,
} from '../../billing/subscription/subscription-write.ts';
import type { TimelineState } from '../../billing/timeline/timeline-type.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { PLAN, type PlanRow, planInput } from '../../store/account/plan-input.ts';
import { heldByCode } from '../../store/catalogue/code-lock.ts';
import { entityByCode } from '../../store/customer/entity-of-customer.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import { UNIQUE_LIVE_SUBSCRIPTION, whereUnique } from '../../store/database/unique.ts';
import { newId } from '../../store/database/uuid.ts';
import type { SubscriptionGetPayload } from '../../store/generated/prisma/models.ts';
import { allChanged, type Written } from '../changed.ts';
import { takingCurrency } from '../customer/take-currency.ts';
import { customerOf } from '../customer/upsert-customer.ts';
import { live, type Stage } from '../life/live.ts';
import { inTransaction } from '../transaction.ts';

const CURRENT = { plan: true } as const;

type CurrentRow = SubscriptionGetPayload<{ include: typeof CURRENT }>;

interface Wanted {
  readonly sent: SentSubscription;
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
    ...{ createdAt: now, updatedAt: now },
  };
}

async function begin(stage: Stage, wanted: Wanted): Promise<Written> {
  const { tx, actor } = stage;
  const id = newId(actor.now);
  const { sent, plan } = wanted;
  const data = newRow(actor, wanted, id);
  await tx.subscription.create({ data, select });
  const { externalId } = sent;
  const told = { externalId, planCode: plan.code, subscriptionAt: data.subscriptionAt, endingAt: data.endingAt };
  const entry = await logged(stage, 'subscription.created', id, null, told);
  const at = actor.now.getTime();
  if (!startsNow(data.subscriptionAt.getTime(), at)) return { id, changed: entry };
  const life = lifeOf(wanted, wanted.billingEntityId);
  const changed = await live(stage, life, { steps: [{ at, do: 'start_pending', subscriptionId: id }] });
  return { id, changed: allChanged([entry, changed]) };
}

/** Another plan for a subscription that runs: the dearer one is answered, the cheaper one waits and the running one is. */
async function follow(
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
    ...{ previousSubscriptionId: current.id, previousPlanCode: current.plan.code },
  };
  const told = { externalId: sent.externalId, planCode: plan.code, previousPlanCode: current.plan.code };
  const before = async ({ customer, billingEntity, subscriptions }: TimelineState) => {
    const running = subscriptions.find((one) => one.id === current.id);
    const zone = zoneOf(customer, billingEntity);
    const day = running && kind === 'downgrade' ? new Date(`${nextPeriodStart(running, zone, at)}T00:00:00Z`) : null;
    const next = { nextPlanCode: plan.code, downgradePlanDate: day, updatedAt: actor.now };
    await tx.subscription.create({ data: inherited, select });
    await tx.subscription.update({ where: { id: current.id }, data: next, select });
  };
  const ids = { subscriptionId: current.id, newSubscriptionId: id };
  const changed = await live(stage, lifeOf(wanted, billingEntityId), {
    steps: [{ at, do: 'change_plan', ...ids, planCode: plan.code, billingTime: inherited.billingTime }],
    ...{ plans: [planInput(plan)], before },
  });
  const entry = await logged(stage, 'subscription.created', id, null, told);
  const subscriptions = { subscriptions: [id, current.id] };
  return { id: kind === 'upgrade' ? id : current.id, changed: allChanged([entry, changed, subscriptions]) };
}

async function replacePlan(stage: Stage, { sent, plan }: Wanted, current: CurrentRow): Promise<Written> {
  const { tx, actor } = stage;
  const name = sent.name?.trim() || current.name;
  await tx.subscription.update({
    where: { id: current.id },
    data: { ...ofPlan(plan), name, updatedAt: actor.now },
    select,
  });
  const [before, after] = [current.plan.code, plan.code].map((planCode) => ({ planCode }));
  return { id: current.id, changed: await logged(stage, 'subscription.updated', current.id, before, after) };
}

async function wantedOf({ tx, actor }: Stage, sent: SentSubscription): Promise<Wanted> {
  const code = sent.billingEntityCode?.trim();
  const entity = code ? await entityByCode(tx, code) : undefined;
  const [held] = await heldByCode(tx, actor, 'plan', [sent.planCode]);
  if (!held) throw notFound('plan');
  const plan = await tx.plan.findUniqueOrThrow({ where: { id: held.id }, include: PLAN });
  checkSubscription(sent, actor.now);
  const customerId = await customerOf(tx, actor, sent.externalCustomerId, code);
  const columns = { id: true, billingEntityId: true };
  const customer = await tx.customer.findUniqueOrThrow({ where: { id: customerId }, select: columns });
  return { sent, plan, customer, billingEntityId: entity?.id };
}

/** The one that its customer has under the external identifier: it runs, or waits for its date. */
async function currentOf({ tx }: Stage, { sent: { externalId }, customer }: Wanted): Promise<CurrentRow | undefined> {
  const rows = await tx.subscription.findMany({
    where: { externalId, OR: [{ status: 'active' }, { status: 'pending', previousSubscriptionId: null }] },
    include: CURRENT,
    orderBy: [{ subscriptionAt: 'desc' }, { id: 'asc' }],
  });
  const others = rows.some(({ status, customerId }) => status === 'active' && customerId !== customer.id);
  if (others) throw invalid({ external_id: ['value_already_exist'] });
  const own = rows.filter(({ customerId }) => customerId === customer.id);
  return own.find(({ status }) => status === 'active') ?? own[0];
}

async function subscribed(stage: Stage, wanted: Wanted): Promise<Written> {
  const current = await currentOf(stage, wanted);
  if (!current) return begin(stage, wanted);
  const kind = planDecision(current, wanted.plan);
  if (kind === 'keep') return { id: current.id, changed: {} };
  return kind === 'replace_plan' ? replacePlan(stage, wanted, current) : follow(stage, wanted, current, kind);
}

/**
 * Subscribes a customer to a plan, and bills what that takes at once. Who has none under the external identifier gets one, now, from an
 * earlier moment on or from a later one; who has it on the plan keeps it; one that waits gets the plan; else a dearer plan follows now and a
 * cheaper one at the end of the period. An unknown customer is made. Throws one validation error, and `object_not_found`.
 */
export function createSubscription(db: TenantClient, actor: Actor, sent: SentSubscription): Promise<Written> {
  return whereUnique([UNIQUE_LIVE_SUBSCRIPTION], () =>
    inTransaction(db, actor, async (tx) => {
      const stage = { db, tx, actor };
      const wanted = await wantedOf(stage, sent);
      const { refusal, save } = await takingCurrency(tx, actor, wanted.customer.id, wanted.plan.amountCurrency);
      if (refusal) throw refusal;
      const taken = await save();
      const { id, changed } = await subscribed(stage, wanted);
      return { id, changed: allChanged([taken, changed]) };
    }),
  );
}
