import type { PrismaClient } from '../generated/prisma/client.ts';
import type { JobTask } from './job.ts';

/** Jobs of a task in a state: `waiting` for their first turn, `retrying` where they wait for another, `running` or `failed` for good. */
export interface JobCount {
  readonly task: JobTask;
  readonly state: 'waiting' | 'retrying' | 'running' | 'failed';
  readonly count: number;
  /** Seconds since the oldest of them was made. */
  readonly age: number;
}

/** How the work of all organizations stands. */
export interface JobCounts {
  readonly jobs: readonly JobCount[];
  /** Customers of whom something is due and that no job has, and for how many seconds already. */
  readonly due: { readonly count: number; readonly age: number };
}

export async function countJobs(prisma: PrismaClient, now: Date): Promise<JobCounts> {
  const jobs = await prisma.$queryRaw<JobCount[]>`
    SELECT task::text, CASE WHEN status = 'waiting' AND attempts > 0 THEN 'retrying' ELSE status::text END AS state,
      count(*)::int AS count, extract(epoch FROM ${now}::timestamptz - min(created_at))::float8 AS age
    FROM jobs WHERE status <> 'done' GROUP BY 1, 2`;
  const [due] = await prisma.$queryRaw<JobCounts['due'][]>`
    SELECT count(*)::int AS count, coalesce(extract(epoch FROM ${now}::timestamptz - min(due_at)), 0)::float8 AS age
    FROM due_customers d JOIN organizations o ON o.id = d.organization_id AND o.test_clock_at IS NULL
    WHERE due_at <= ${now} AND (taken_until IS NULL OR taken_until <= ${now})`;
  return { jobs, due: due ?? { count: 0, age: 0 } };
}
