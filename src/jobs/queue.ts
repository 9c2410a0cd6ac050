import PgBoss from 'pg-boss';
import { repeated } from '../store/database/attempt.ts';
import type { Database } from '../store/database/database.ts';
import { executeWithin } from '../store/database/script.ts';
import { type JobPlace, type JobTask, TASKS, takeNewJobs } from '../store/job/job.ts';

/** What decides how soon a job is tried again. */
export interface QueueTiming {
  /** Seconds after which a job that has not ended is taken for dead, with the process that had it. Longer than any job runs. */
  readonly expireSeconds: number;
  /** Seconds before the first time that a failed job is tried again. */
  readonly retrySeconds: number;
  /** Whether it waits about twice as long each time. */
  readonly backsOff: boolean;
  readonly retries: number;
  /** Seconds between looks for dead jobs. */
  readonly superviseSeconds: number;
}

export const TIMING: QueueTiming = {
  expireSeconds: 180,
  retrySeconds: 15,
  backsOff: true,
  retries: 6,
  superviseSeconds: 10,
};

/** A job as the queue hands it to a worker. */
export interface CarriedJob extends JobPlace {
  readonly task: JobTask;
  /** What the queue calls it. */
  readonly carriedId: string;
}

/** A job that the queue has given up, and why as far as the queue knows. */
export interface LostJob extends JobPlace {
  readonly carriedId: string;
  readonly reason: string | undefined;
}

// Jobs that are given up, of all kinds: pg-boss moves their data there.
const LOST = 'lost';
const MOST_SENT = 1000;
const HOUR_SECONDS = 3600;

const messageOf = (output: object | null): string | undefined => {
  const { message, value } = (output ?? {}) as { message?: unknown; value?: { message?: unknown } };
  return [message, value?.message].find((text) => typeof text === 'string');
};

const TAKEN = '23505';

/** Starts pg-boss, which makes its tables where there are none. Where another process makes them at this moment, they are there the next time. */
async function startBoss(
  options: PgBoss.ConstructorOptions,
  onError: (error: unknown) => void,
  tries = 3,
): Promise<PgBoss> {
  const boss = new PgBoss(options);
  boss.on('error', onError);
  try {
    await boss.start();
    return boss;
  } catch (error) {
    if ((error as { code?: unknown }).code !== TAKEN || tries === 1) throw error;
    return startBoss(options, onError, tries - 1);
  }
}

/** The queue: nothing else knows pg-boss. It carries where the row of a job is; what the job is for stands in the row. */
export class JobQueue {
  private constructor(
    private readonly boss: PgBoss,
    private readonly db: Database,
  ) {}

  /** Opens the queue; the first time it makes its tables, in a schema of its own. */
  static async open(db: Database, timing: QueueTiming, onError: (error: unknown) => void): Promise<JobQueue> {
    const options = {
      db: { executeSql: async (text, values) => db.executeSql(text, values) },
      schedule: false, // what is due stands in the rows of the data; pg-boss's clock works its own queues without catching errors
      maintenanceIntervalSeconds: timing.superviseSeconds,
      archiveCompletedAfterSeconds: HOUR_SECONDS,
      deleteAfterHours: 1,
    } satisfies PgBoss.ConstructorOptions;
    const boss = await startBoss(options, onError);
    const queue = new JobQueue(boss, db);
    try {
      await queue.makeAll(timing);
      return queue;
    } catch (error) {
      // Its clock would go on, and keep the process from ending.
      await queue.close();
      throw error;
    }
  }

  /** Hands over the jobs that have been made since the last time, in one transaction with the note that they are. Says how many. */
  send(now: Date): Promise<number> {
    return this.db.prisma.$transaction(async (tx) => {
      const jobs = await takeNewJobs(tx, now, MOST_SENT);
      const carried = jobs.map(({ task, organizationId, jobId }) => ({ name: task, data: { organizationId, jobId } }));
      if (jobs.length > 0) await this.boss.insert(carried, { db: { executeSql: executeWithin(tx) } });
      return jobs.length;
    });
  }

  /** The next job of a task, which nobody else gets until it is ended here or taken for dead. */
  async take(task: JobTask): Promise<CarriedJob | undefined> {
    const [job] = await this.boss.fetch<JobPlace>(task);
    return job && { task, carriedId: job.id, ...job.data };
  }

  done({ task, carriedId }: CarriedJob): Promise<void> {
    return this.boss.complete(task, carriedId);
  }

  /** It is tried again later, or given up. */
  failed({ task, carriedId }: CarriedJob, reason: string): Promise<void> {
    return this.boss.fail(task, carriedId, { message: reason });
  }

  /** The next job that was given up. */
  async takeLost(): Promise<LostJob | undefined> {
    const [job] = await this.boss.fetch<JobPlace>(LOST, { includeMetadata: true });
    return job && { carriedId: job.id, ...job.data, reason: messageOf(job.output) };
  }

  buried({ carriedId }: LostJob): Promise<void> {
    return this.boss.complete(LOST, carriedId);
  }

  close(): Promise<void> {
    return this.boss.stop({ graceful: false });
  }

  private async makeAll(timing: QueueTiming): Promise<void> {
    await this.make(LOST, { retryLimit: 1000, retryDelay: 5 });
    const { retries: retryLimit, retrySeconds: retryDelay, backsOff: retryBackoff, expireSeconds } = timing;
    for (const task of TASKS) {
      const options = { retryLimit, retryDelay, retryBackoff, expireInSeconds: expireSeconds, deadLetter: LOST };
      await this.make(task, options);
    }
  }

  // The settings of a queue that is there already are those of today's program. Processes that start together are in each other's way.
  private async make(name: string, options: Omit<PgBoss.Queue, 'name'>): Promise<void> {
    await repeated(() => this.boss.createQueue(name, { name, ...options }));
    await repeated(() => this.boss.updateQueue(name, { name, ...options }));
  }
}
