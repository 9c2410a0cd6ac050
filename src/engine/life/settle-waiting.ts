import { settledChange } from '../../billing/subscription/succession.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import { allChanged, type Changed } from '../changed.ts';
import { cancelPending, livesOf, OF_LIFE } from './end-subscriptions.ts';
import { live, type Stage } from './live.ts';

const plan = { select: { id: true, interval: true, amountCents: true } } as const;

/**
 * Settles the changes of plan that wait, of which some plans have just got another amount: what is given up, and what takes effect at once, with its
 * invoices, is for `settledChange` to say.
 */
export async function settleWaiting(stage: Stage, planIds: readonly string[]): Promise<Changed> {
  const { tx, actor } = stage;
  const ofPlans = { planId: { in: [...planIds] } };
  const rows = await tx.subscription.findMany({
    where: {
      ...{ status: 'pending', previousSubscription: { status: 'active' } },
      OR: [ofPlans, { previousSubscription: ofPlans }],
    },
    select: { id: true, plan, previousSubscription: { select: { ...OF_LIFE, plan } } },
    orderBy: [{ customerId: 'asc' }, { id: 'asc' }],
  });
  const waiting = rows.flatMap(({ previousSubscription: running, ...next }) =>
    running ? [{ running, next, becomes: settledChange(running, next, planIds) }] : [],
  );
  const over = waiting.flatMap(({ next, becomes }) => (becomes === 'give_up' ? [next.id] : []));
  const changed = over.length > 0 ? [await cancelPending(tx, actor, { id: { in: over } })] : [];
  const followed = waiting.filter(({ becomes }) => becomes === 'follow');
  const lives = livesOf(followed.map(({ running }) => running));
  if (lives.length > 0) await lockCustomers(tx, actor, [...new Set(lives.map(({ customerId }) => customerId))]);
  const steps = [{ at: actor.now.getTime(), do: 'settle_waiting' as const, planIds }];
  for (const { ids: _, ...life } of lives) changed.push(await live(stage, life, { steps }));
  return allChanged([...changed, { subscriptions: followed.map(({ next }) => next.id) }]);
}
