import type { Actor } from '../access/audit.ts';
import type { TenantClient, TenantTransaction } from '../database/tenant.ts';
import { newId } from '../database/uuid.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { JobTask } from '../generated/prisma/enums.ts';

export type { JobTask } from '../generated/prisma/enums.ts';

export const TASKS: readonly JobTask[] = Object.values(JobTask);

/** What a queue carries of a job: where its row is. */
export interface JobPlace {
  readonly organizationId: string;
  readonly jobId: string;
}

/** A job that is to be handed to the queue. */
export interface NewJob extends JobPlace {
  readonly task: JobTask;
}

/** Makes jobs, each for some customers, in the transaction of what they follow from; they are handed to the queue a moment later. */
export async function addJobs(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  task: JobTask,
  parts: readonly (readonly string[])[],
): Promise<void> {
  const common = { organizationId, task, createdAt: now };
  await tx.job.createMany({ data: parts.map((ids) => ({ ...common, id: newId(now), customerIds: [...ids] })) });
}

/** Whether a job of a task waits or runs; one that has failed, and is tried again, need not count. */
export async function isAwaited(
  tx: TenantTransaction,
  task: JobTask,
  { counts = 'all' as 'all' | 'unfailed' } = {},
): Promise<boolean> {
  const where = {
    task,
    status: { in: ['waiting' as const, 'running' as const] },
    ...(counts === 'unfailed' && { failure: null }),
  };
  return (await tx.job.count({ where, take: 1 })) > 0;
}

/** Takes jobs that nobody has handed to the queue, in the transaction that does. */
export async function takeNewJobs(tx: Pick<PrismaClient, '$queryRaw'>, now: Date, most: number): Promise<NewJob[]> {
  return tx.$queryRaw<NewJob[]>`
    UPDATE jobs SET queued_at = ${now}
    WHERE id IN (
      SELECT id FROM jobs WHERE status = 'waiting' AND queued_at IS NULL
      ORDER BY organization_id, created_at LIMIT ${most} FOR UPDATE SKIP LOCKED)
    RETURNING id::text AS "jobId", organization_id::text AS "organizationId", task::text AS task`;
}

/** A job that has begun: the customers it is for, and when it was made. */
export interface BegunJob {
  readonly customerIds: readonly string[];
  readonly createdAt: Date;
}

/** Notes that a job begins; answers what it is for, or undefined where there is nothing left to do. */
export async function beginJob(db: TenantClient, id: string, now: Date): Promise<BegunJob | undefined> {
  const [row] = await db.job.updateManyAndReturn({
    where: { id, status: { in: ['waiting', 'running'] } },
    data: { status: 'running', startedAt: now, attempts: { increment: 1 } },
    select: { customerIds: true, createdAt: true },
  });
  return row;
}

export async function finishJob(db: TenantClient, id: string, now: Date): Promise<void> {
  await db.job.updateMany({ where: { id, status: 'running' }, data: { status: 'done', finishedAt: now } });
}

const LONGEST_REASON = 2000;

/** Notes why a job failed; it waits to be tried again. */
export async function postponeJob(db: TenantClient, id: string, reason: string): Promise<void> {
  await db.job.updateMany({
    where: { id, status: 'running' },
    data: { status: 'waiting', failure: reason.slice(0, LONGEST_REASON) },
  });
}

/** Notes that a job is not tried again by itself; answers what it was to do, and for which customers; undefined where it is over. What was known of the reason stays unless there is another. */
export async function giveUpJob(
  db: TenantClient,
  id: string,
  now: Date,
  reason: string | undefined,
): Promise<{ readonly task: JobTask; readonly customerIds: readonly string[] } | undefined> {
  const [row] = await db.job.updateManyAndReturn({
    where: { id, status: { in: ['waiting', 'running'] } },
    data: {
      status: 'failed',
      finishedAt: now,
      ...(reason !== undefined && { failure: reason.slice(0, LONGEST_REASON) }),
    },
    select: { task: true, customerIds: true },
  });
  return row;
}

const DAY_MS = 86_400_000;
const [DAYS_DONE, DAYS_FAILED] = [7, 90];
const MOST_FORGOTTEN = 1000;

/** Forgets jobs that were done a week ago or failed 90 days ago, some at a time; says how many. */
export function forgetJobs(prisma: PrismaClient, now: Date): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  return prisma.$executeRaw`
    DELETE FROM jobs WHERE id IN (
      SELECT id FROM jobs
      WHERE status = 'done' AND finished_at < ${before(DAYS_DONE)} OR status = 'failed' AND finished_at < ${before(DAYS_FAILED)}
      LIMIT ${MOST_FORGOTTEN} FOR UPDATE SKIP LOCKED)`;
}
