import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { JobTask } from '../generated/prisma/enums.ts';

const HOUR_MS = 3_600_000;

/** Hours in which nobody takes up by itself what a job failed at: what is wrong is likely still wrong. */
export const HOURS_LEFT_ALONE = 6;

/** As a condition: whether a customer is one of a job of a task that is to be tried, or that was given up lately. */
export function isLeftToJob(task: JobTask, organizationId: string, customer: Prisma.Sql, now: Date): Prisma.Sql {
  const since = new Date(now.getTime() - HOURS_LEFT_ALONE * HOUR_MS);
  return Prisma.sql`EXISTS (
    SELECT FROM jobs job WHERE job.organization_id = ${organizationId}::uuid AND job.task = ${task}::"JobTask"
      AND (job.status IN ('waiting', 'running') OR job.status = 'failed' AND job.finished_at > ${since})
      AND ${customer} = ANY(job.customer_ids))`;
}

/** Those of some customers that are left to no job of a task. */
export async function notLeftToJob(
  tx: TenantTransaction,
  { organizationId, now }: Actor,
  task: JobTask,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT c.id::text AS id FROM customers c
    WHERE c.organization_id = ${organizationId}::uuid AND c.id = ANY(${[...ids]}::uuid[])
      AND NOT ${isLeftToJob(task, organizationId, Prisma.sql`c.id`, now)}
    ORDER BY c.id`;
  return rows.map(({ id }) => id);
}
