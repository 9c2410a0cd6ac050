import { pino } from 'pino';
import { Worker, type WorkerOptions } from '../../src/jobs/worker.ts';
import type { Database } from '../../src/store/database/database.ts';
import type { GraphQLAnswer, TestApp } from '../support.ts';

export const DAY_MS = 86_400_000;

/** Looks often, and takes a job for dead soon. */
const QUICK = {
  ...{ planEvery: 50, pollEvery: 20, logger: pino({ level: 'silent' }) },
  timing: { expireSeconds: 20, retrySeconds: 1, backsOff: true, retries: 1, superviseSeconds: 1 },
};

export const startWorker = (options: Partial<WorkerOptions> & { readonly db: Database }): Promise<Worker> =>
  Worker.start({ ...QUICK, ...options });

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 25));
}

/** Waits until nothing is due any more by a clock, and no job waits. */
export const untilDone = (db: Database, now: () => Date): Promise<void> =>
  until(async () => {
    const due = await db.prisma.dueCustomer.count({
      where: { dueAt: { lte: now() }, organization: { testClockAt: null } },
    });
    return due + (await db.prisma.job.count({ where: { status: { in: ['waiting', 'running'] } } })) === 0;
  });

const wanted = ({ data, errors }: GraphQLAnswer) => {
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
};

/** A plan of 30.00 a month in arrears. */
export async function makePlan({ graphql }: TestApp, over: object = {}): Promise<void> {
  const input = { code: 'small', name: 'Small', interval: 'monthly', amountCents: '3000', amountCurrency: 'EUR' };
  wanted(
    await graphql('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }', {
      input: { ...input, payInAdvance: false, ...over },
    }),
  );
}

export async function subscribe({ graphql }: TestApp, externalId: string, over: object = {}) {
  const input = { externalCustomerId: `cust-${externalId}`, externalId, planCode: 'small', ...over };
  const query = 'mutation ($input: CreateSubscriptionInput!) { createSubscription(input: $input) { status planCode } }';
  return wanted(await graphql(query, { input })).createSubscription;
}
