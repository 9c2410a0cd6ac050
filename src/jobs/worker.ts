import { setTimeout as pause } from 'node:timers/promises';
import type { VatChecker } from '../engine/customer/vat-check.ts';
import { planDailyUsage } from '../engine/job/daily-usage.ts';
import { expireCoupons } from '../engine/job/expire.ts';
import { planBilling, planDraftRefresh, planUsage, planVatChecks } from '../engine/job/plan-jobs.ts';
import { billUsage } from '../engine/subscription/bill-events.ts';
import type { SystemActor } from '../store/access/audit.ts';
import { purgeNamedRequests } from '../store/access/idempotency.ts';
import { HOURS_LEFT_ALONE } from '../store/customer/left-to-job.ts';
import { organizationsAsking } from '../store/customer/vat-due.ts';
import type { Database } from '../store/database/database.ts';
import { forOrganization, type TenantClient } from '../store/database/tenant.ts';
import { organizationsWithStale } from '../store/invoice/stale-draft.ts';
import { organizationsUnrecorded } from '../store/job/daily-usage.ts';
import { organizationsDue, releaseCustomers } from '../store/job/due-customer.ts';
import { organizationsWithExpired } from '../store/job/expiry.ts';
import { beginJob, finishJob, forgetJobs, giveUpJob, postponeJob, TASKS } from '../store/job/job.ts';
import { organizationsOwing } from '../store/usage/due/usage-due.ts';
import { FinalFailure, HANDLERS } from './handler.ts';
import { nightly } from './nightly.ts';
import { type CarriedJob, JobQueue, type LostJob, type QueueTiming, TIMING } from './queue.ts';

/** Where what goes wrong is told. */
export interface JobLog {
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface WorkerOptions {
  readonly db: Database;
  readonly logger: JobLog;
  readonly now?: () => Date;
  readonly checkVat?: VatChecker | undefined;
  /** Jobs that run beside each other in this process. */
  readonly concurrency?: number;
  /** Milliseconds between looks at what is due. */
  readonly planEvery?: number;
  /** Milliseconds between looks into the queue while it is empty. */
  readonly pollEvery?: number;
  readonly timing?: QueueTiming;
  /** Customers of one billing job at most. */
  readonly customersOfJob?: number;
}

const [PLAN_EVERY, POLL_EVERY, HOUR_MS] = [15_000, 1000, 3_600_000];
/** Looks at thresholds and at drafts that are not up to date, counted in looks at what is due: five minutes. */
const LOOK_EVERY = 20;

/** Looks for what is due, and works at the queue: any number of processes may, each customer is taken by one of them. */
export class Worker {
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[];

  private constructor(
    private readonly queue: JobQueue,
    private readonly options: WorkerOptions,
  ) {
    const { planEvery = PLAN_EVERY, pollEvery = POLL_EVERY, concurrency = 1 } = options;
    this.loops = [
      this.repeat(planEvery, () => this.plan()),
      this.repeat(5 * pollEvery, () => this.billUsage({ thresholds: false })),
      this.repeat(LOOK_EVERY * planEvery, () => this.billUsage({ thresholds: true })),
      this.repeat(LOOK_EVERY * planEvery, () => this.planIn(organizationsWithStale, planDraftRefresh)),
      this.repeat(LOOK_EVERY * planEvery, () => this.planIn(organizationsUnrecorded, planDailyUsage)),
      this.repeat(LOOK_EVERY * planEvery, nightly(options.db, this.now)),
      this.repeat(pollEvery, async () => (await queue.send(this.now())) > 0),
      this.repeat(5 * pollEvery, () => this.bury()),
      this.repeat(HOUR_MS, () => this.forget()),
      ...Array.from({ length: concurrency }, () => this.repeat(pollEvery, () => this.work())),
    ];
  }

  static async start(options: WorkerOptions): Promise<Worker> {
    const { db, logger, timing = TIMING } = options;
    const queue = await JobQueue.open(db, timing, (err) => logger.warn({ err }, 'the queue of jobs'));
    return new Worker(queue, options);
  }

  /** Takes no more jobs; those that run hand back what they have not begun, and are waited for. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.loops);
    await this.queue.close();
  }

  private now = (): Date => this.options.now?.() ?? new Date();

  // Again at once while there is something to do.
  private async repeat(every: number, step: () => Promise<boolean>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const more = await step().catch((err: unknown) => {
        this.options.logger.error({ err }, 'jobs could not be looked after');
        return false;
      });
      if (!more) await pause(every, undefined, { signal }).catch(() => undefined);
    }
  }

  private async plan(): Promise<boolean> {
    const { checkVat, customersOfJob } = this.options;
    await this.planIn(organizationsDue, (db, actor) => planBilling(db, actor, customersOfJob));
    if (checkVat) await this.planIn(organizationsAsking, planVatChecks);
    return this.planIn(organizationsWithExpired, (db, actor) => expireCoupons(db, { ...actor, job: 'expire-coupons' }));
  }

  // Each customer under its lock: processes beside each other bill an event once.
  private async billUsage(asked: { readonly thresholds: boolean }): Promise<boolean> {
    const { prisma } = this.options.db;
    for (const organizationId of await organizationsOwing(prisma)) {
      const db = forOrganization(prisma, organizationId);
      const actor = { organizationId, now: this.now(), job: 'usage' };
      try {
        const { troubles } = await billUsage(db, actor, { ...asked, leavesJobs: true });
        // What fails of one customer stays due, is tried again by a job, and keeps no other waiting.
        await planUsage(db, actor, troubles);
        for (const { customerId, error: err } of troubles) {
          this.options.logger.warn({ err, organizationId, customerId }, 'usage could not be billed');
        }
      } catch (err) {
        this.options.logger.error({ err, organizationId }, 'usage could not be looked at');
      }
    }
    return false;
  }

  private async planIn(
    organizations: (prisma: Database['prisma'], now: Date) => Promise<string[]>,
    plan: (db: TenantClient, actor: SystemActor) => Promise<unknown>,
  ): Promise<boolean> {
    const { prisma } = this.options.db;
    for (const organizationId of await organizations(prisma, this.now())) {
      await plan(forOrganization(prisma, organizationId), { organizationId, now: this.now(), job: 'plan' });
    }
    return false;
  }

  private async forget(): Promise<boolean> {
    const { prisma } = this.options.db;
    const [jobs, requests] = [await forgetJobs(prisma, this.now()), await purgeNamedRequests(prisma, this.now())];
    return jobs + requests > 0;
  }

  private async work(): Promise<boolean> {
    for (const task of TASKS) {
      const job = await this.queue.take(task);
      if (!job) continue;
      await this.run(job);
      return true;
    }
    return false;
  }

  private async run(carried: CarriedJob): Promise<void> {
    const { db: database, checkVat, timing = TIMING } = this.options;
    const { organizationId, jobId, task } = carried;
    const db = forOrganization(database.prisma, organizationId);
    const actor = { organizationId, now: this.now(), job: `${task}/${jobId}` };
    // Half of the time after which it is taken for dead.
    const end = performance.now() + timing.expireSeconds * 500;
    const isOver = () => this.stopping.signal.aborted || performance.now() > end;
    try {
      const begun = await beginJob(db, jobId, actor.now);
      if (begun) await HANDLERS[task]({ db, actor, ...begun, isOver, checkVat });
      await finishJob(db, jobId, this.now());
      await this.queue.done(carried);
    } catch (err) {
      this.options.logger.warn({ err, job: actor.job, organizationId }, 'a job failed');
      const reason = err instanceof Error ? err.message : String(err);
      if (err instanceof FinalFailure) {
        await giveUpJob(db, jobId, this.now(), reason);
        await this.queue.done(carried);
        return;
      }
      await postponeJob(db, jobId, reason);
      await this.queue.failed(carried, reason);
    }
  }

  private async bury(): Promise<boolean> {
    const lost = await this.queue.takeLost();
    if (!lost) return false;
    await this.giveUp(lost);
    await this.queue.buried(lost);
    return true;
  }

  // Its customers are not looked at for some hours, unless somebody has the job tried again: what is wrong is likely still wrong.
  private async giveUp({ organizationId, jobId, reason }: LostJob): Promise<void> {
    const db = forOrganization(this.options.db.prisma, organizationId);
    const now = this.now();
    const job = await giveUpJob(db, jobId, now, reason);
    const actor = { organizationId, now, job: `lost/${jobId}` };
    const until = new Date(now.getTime() + HOURS_LEFT_ALONE * HOUR_MS);
    if (job?.task === 'billing') await releaseCustomers(db, actor, job.customerIds, until);
    this.options.logger.error({ job: jobId, organizationId, reason }, 'a job is given up');
  }
}
