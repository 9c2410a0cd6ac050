import type { TimelineStep } from '../../billing/timeline/timeline-type.ts';
import { type Actor, signatureOf } from '../../store/access/audit.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import type { DueLife } from '../../store/subscription/due-life.ts';
import { type DueAsked, dueUsageLives, MOST_DUES, readDues, type UsageDues } from '../../store/usage/due/usage-due.ts';
import { dropDues } from '../../store/usage/due/waiting-due.ts';
import { allChanged, type Changed } from '../changed.ts';
import { live } from '../life/live.ts';
import type { Trouble } from '../life/trouble.ts';
import { inTransaction } from '../transaction.ts';

const stepsOf = ({ events, hasThresholds }: UsageDues, at: number): TimelineStep[] => [
  ...events.map((due) => ({ at, do: 'event' as const, ...due, deferThresholds: true })),
  ...(hasThresholds ? [{ at, do: 'update_usage' as const }] : []),
];

/** Bills a batch of what is due of a customer, in a transaction of its own with what asked for it. */
function billBatch(db: TenantClient, actor: Actor, life: DueLife, asked: DueAsked) {
  return inTransaction(db, actor, async (tx) => {
    await lockCustomers(tx, actor, [life.customerId]);
    const dues = await readDues(tx, actor, life, asked);
    if (dues.ids.length === 0) return { count: 0, changed: {} };
    const changed = await live({ db, tx, actor }, life, { steps: stepsOf(dues, actor.now.getTime()) });
    await dropDues(tx, actor, dues.ids);
    return { count: dues.ids.length, changed };
  });
}

async function billLife(db: TenantClient, actor: Actor, life: DueLife, asked: DueAsked): Promise<Changed> {
  const changed: Changed[] = [];
  for (let isMore = true; isMore; ) {
    const batch = await billBatch(db, actor, life, asked);
    changed.push(batch.changed);
    isMore = batch.count === MOST_DUES;
  }
  return allChanged(changed);
}

/**
 * Bills what usage asks for, a customer after the other: events of charges in advance, each once, and with `thresholds` what crossed one.
 * What fails of one customer stays due, and keeps no other waiting; once `isOver`, so does what is left.
 */
export async function billUsage(
  db: TenantClient,
  actor: Actor,
  asked: DueAsked,
  isOver = () => false,
): Promise<{ readonly changed: Changed; readonly troubles: readonly Trouble[] }> {
  const changed: Changed[] = [];
  const troubles: Trouble[] = [];
  for (const [place, life] of (await dueUsageLives(db, actor, asked)).entries()) {
    if (place > 0 && isOver()) break;
    try {
      changed.push(await billLife(db, actor, life, asked));
    } catch (error) {
      troubles.push({ customerId: life.customerId, error });
    }
  }
  return { changed: allChanged(changed), troubles };
}

/** The same; what failed of a customer is thrown when the others are done. */
export async function billEvents(db: TenantClient, actor: Actor, asked: DueAsked): Promise<Changed> {
  const { changed, troubles } = await billUsage(db, actor, asked);
  const [first] = troubles;
  if (first) throw first.error;
  return changed;
}

/**
 * Where time is a test's, bills events in advance of some subscriptions with the answer to what was written. Done once that is stored: what cannot
 * be billed now stays due.
 */
export async function billAtOnce(db: TenantClient, actor: Actor, externalIds: readonly string[]): Promise<Changed> {
  const isDry = 'dryRun' in actor && actor.dryRun === true;
  if (!('hasClock' in actor && actor.hasClock) || isDry) return {};
  const job = { organizationId: actor.organizationId, now: actor.now, job: `events/${signatureOf(actor).requestId}` };
  return billEvents(db, job, { externalIds, thresholds: false }).catch(() => ({}));
}
