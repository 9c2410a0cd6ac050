import type { TimelineStep } from '../../billing/timeline/timeline-type.ts';
import type { Actor } from '../../store/access/audit.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import type { SubscriptionGetPayload, SubscriptionWhereInput } from '../../store/generated/prisma/models.ts';
import { allChanged, type Changed } from '../changed.ts';
import { type Life, live, type Stage } from './live.ts';

/** Gives up subscriptions that are to come; what was to be followed by one is followed by nothing. */
export async function cancelPending(
  tx: TenantTransaction,
  { now }: Actor,
  where: SubscriptionWhereInput,
): Promise<Changed> {
  const canceled = await tx.subscription.updateManyAndReturn({
    where: { ...where, status: 'pending' },
    data: { status: 'canceled', canceledAt: now, updatedAt: now },
    select: { id: true, previousSubscriptionId: true },
  });
  const previous = canceled.flatMap(({ previousSubscriptionId: id }) => id ?? []);
  if (previous.length > 0) {
    const data = { nextPlanCode: null, downgradePlanDate: null, updatedAt: now };
    await tx.subscription.updateMany({ where: { id: { in: previous }, status: 'active' }, data });
  }
  return { subscriptions: [...canceled.map(({ id }) => id), ...previous] };
}

/** What is read of subscriptions to know the lives that they are of. */
export const OF_LIFE = {
  ...{ id: true, status: true, externalId: true, customerId: true, billingEntityId: true },
  customer: { select: { billingEntityId: true } },
} as const;

type Running = SubscriptionGetPayload<{ select: typeof OF_LIFE }>;

/** The subscriptions of a customer that one entity bills. */
interface Ending extends Life {
  readonly ids: readonly string[];
}

/** Subscriptions by the lives that they are of, in the order of customers. */
export function livesOf(running: readonly Running[]): Ending[] {
  const lives = new Map<string, Ending>();
  for (const { id, externalId, customerId, billingEntityId: own, customer } of running) {
    const billingEntityId = own ?? customer.billingEntityId;
    const { ids = [], externalIds = [] } = lives.get(`${customerId}/${billingEntityId}`) ?? {};
    const life = { customerId, billingEntityId, externalIds: [...externalIds, externalId], ids: [...ids, id] };
    lives.set(`${customerId}/${billingEntityId}`, life);
  }
  return [...lives.values()];
}

/** What waits to be paid is given up. */
function endOf(running: readonly Running[], subscriptionId: string, at: number): TimelineStep {
  const waits = running.find(({ id }) => id === subscriptionId)?.status === 'incomplete';
  return waits
    ? { at, do: 'settle_activation', subscriptionId, outcome: 'canceled' }
    : { at, do: 'terminate', subscriptionId };
}

/** Of so many customers subscriptions end in the request that ends them. */
const AT_ONCE = 25;

/**
 * Ends the subscriptions that run, each with its last invoice and credit note as it says itself, gives up those that are to come, and makes
 * drafts final: nothing is added to them any more. Of very many customers most are marked as ending now: the next run of what is due ends
 * them so.
 */
export async function endSubscriptions(stage: Stage, where: SubscriptionWhereInput): Promise<Changed> {
  const { tx, actor } = stage;
  const found = await tx.subscription.findMany({
    where: { ...where, status: { in: ['active', 'incomplete', 'pending'] } },
    orderBy: { customerId: 'asc' },
    select: OF_LIFE,
  });
  const active = found.filter(({ status }) => status !== 'pending');
  const customers = [...new Set(active.map(({ customerId }) => customerId))];
  if (customers.length > 0) await lockCustomers(tx, actor, customers);
  const soon = customers.slice(0, AT_ONCE);
  const at = actor.now.getTime();
  const ended: Changed[] = [];
  for (const { ids, ...life } of livesOf(active.filter(({ customerId }) => soon.includes(customerId)))) {
    const ends = ids.map((subscriptionId) => endOf(active, subscriptionId, at));
    ended.push(await live(stage, life, { steps: [...ends, { at, do: 'finalize_drafts' }] }));
  }
  const later = active.filter(({ customerId }) => !soon.includes(customerId)).map(({ id }) => id);
  if (later.length > 0) {
    const data = { endingAt: actor.now, updatedAt: actor.now };
    await tx.subscription.updateMany({ where: { id: { in: later }, status: 'active' }, data });
    const waiting = { subscriptionId: { in: later }, status: 'pending' as const };
    await tx.activationRule.updateMany({ where: waiting, data: { expiresAt: actor.now, updatedAt: actor.now } });
  }
  // What ends starts no follower, which is given up with what was to come.
  const canceled = active.length < found.length ? await cancelPending(tx, actor, where) : {};
  return allChanged([...ended, { subscriptions: later }, canceled]);
}
