import type { TimelineStep } from '../../billing/timeline/timeline-type.ts';
import type { Actor } from '../../store/access/audit.ts';
import { lockCustomers } from '../../store/customer/customer-lock.ts';
import type { TenantClient } from '../../store/database/tenant.ts';
import type { DueLife } from '../../store/subscription/due-life.ts';
import {
  type DueAsked,
  dropDues,
  dueUsageLives,
  MOST_DUES,
  readDues,
  type UsageDues,
} from '../../store/usage/due/usage-due.ts';
import { allChanged, type Changed } from '../changed.ts';
import { live } from '../life/live.ts';
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
 * What fails of one customer stays due, and is thrown when the others are done.
 */
export async function billEvents(db: TenantClient, actor: Actor, asked: DueAsked): Promise<Changed> {
  const changed: Changed[] = [];
  const failures: unknown[] = [];
  for (const life of await dueUsageLives(db, actor, asked)) {
    try {
      changed.push(await billLife(db, actor, life, asked));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return allChanged(changed);
}
