import type { Actor, SystemActor } from '../../store/access/audit.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { addJobs, type BegunJob } from '../../store/job/job.ts';
import { billedLives, changedCustomers } from '../../store/subscription/billed-life.ts';
import { differenceText, verifyLife } from '../life/verify-life.ts';
import { inTransaction } from '../transaction.ts';
import { parted } from './plan-jobs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NIGHT_HOUR = 2;
const CUSTOMERS_OF_JOB = 20;

/** The last time before a moment that it was two o'clock at night, in UTC. */
export function nightOf(now: Date): Date {
  const shifted = now.getTime() - NIGHT_HOUR * HOUR_MS;
  return new Date(shifted - (shifted % DAY_MS) + NIGHT_HOUR * HOUR_MS);
}

/**
 * Since when what has changed is to be computed again by jobs of a moment: since the jobs of the night before, else for a day; and for an hour more,
 * for what was being written then.
 */
async function changedSince(db: Pick<TenantTransaction, 'job'>, before: Date): Promise<Date> {
  const last = await db.job.findFirst({
    where: { task: 'verify', createdAt: { lt: before } },
    orderBy: { createdAt: 'desc' },
    select: { createdAt: true },
  });
  return new Date((last?.createdAt.getTime() ?? before.getTime() - DAY_MS) - HOUR_MS);
}

/** Makes jobs that compute again what has changed of an organization since the night before, unless there are some of this night. Says for how many customers. */
export function planVerify(db: TenantClient, actor: SystemActor, night: Date): Promise<number> {
  return inTransaction(db, actor, async (tx) => {
    // Two processes that look at one time make them once.
    await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${actor.organizationId}::uuid FOR NO KEY UPDATE`;
    if ((await tx.job.count({ where: { task: 'verify', createdAt: { gte: night } }, take: 1 })) > 0) return 0;
    const since = await changedSince(tx, actor.now);
    const ids = await changedCustomers(tx, actor, since);
    await addJobs(tx, actor, 'verify', parted(ids, CUSTOMERS_OF_JOB));
    return ids.length;
  });
}

/** Computes again what has changed of some customers, and tells each figure that is another, and who cannot be computed. Once it is over, the others wait for the next night. */
export async function verifyChanged(
  db: TenantClient,
  actor: Actor,
  { customerIds, createdAt }: BegunJob,
  isOver: () => boolean,
): Promise<string[]> {
  const told: string[] = [];
  const lives = await billedLives(db, actor, { customerIds, since: await changedSince(db, createdAt) });
  for (const [place, life] of lives.entries()) {
    if (place > 0 && isOver()) throw new Error(`${lives.length - place} customers are left to be computed again`);
    try {
      told.push(...(await verifyLife(db, actor, life)).differences.map(differenceText));
    } catch (error) {
      told.push(`customer ${life.customerId} cannot be computed: ${error instanceof Error ? error.message : error}`);
    }
  }
  return told;
}
