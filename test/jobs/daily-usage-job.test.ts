import { afterAll, beforeAll, expect, it } from 'vitest';
import { planDailyUsage } from '../../src/engine/job/daily-usage.ts';
import type { Worker } from '../../src/jobs/worker.ts';
import { forOrganization } from '../../src/store/database/tenant.ts';
import { createTestApp, type TestApp } from '../support.ts';
import { makePlan, startWorker, subscribe, until } from './fixture.ts';

// What was used by the end of each day, as workers record it in real time.

let at = new Date('2026-06-15T12:00:00Z');
const now = () => at;
let app: TestApp;
let worker: Worker | undefined;
beforeAll(async () => {
  app = await createTestApp({ now });
  const metric = { code: 'calls', name: 'Calls', aggregationType: 'count_agg' };
  const query = 'mutation ($input: CreateBillableMetricInput!) { createBillableMetric(input: $input) { code } }';
  expect((await app.graphql(query, { input: metric })).errors).toBeUndefined();
  const charge = { billableMetricCode: 'calls', chargeModel: 'standard', pricing: { standard: { amount: '2' } } };
  await makePlan(app, { code: 'used', charges: [charge] });
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
});

const use = async (name: string, id: string) => {
  const event = { transaction_id: id, external_subscription_id: name, code: 'calls' };
  expect((await app.rest('POST', '/events', { event })).status).toBe(200);
};
const recorded = async (externalId: string) => {
  const rows = await app.db.prisma.dailyUsage.findMany({
    where: { subscription: { externalId } },
    orderBy: { usageDate: 'asc' },
  });
  return rows.map(({ usageDate, amountCents }) => [usageDate.toISOString().slice(0, 10), Number(amountCents)]);
};
const days = () => app.db.prisma.dueCustomer.findMany({ where: { usageDay: { not: null } } });

it('is recorded a day after another, also what was missed, once nothing is due of a customer any more', async () => {
  for (const name of ['one', 'idle', 'lost']) await subscribe(app, name, { planCode: 'used' });
  await use('one', '1');
  // Nobody knows when its days end; it keeps nobody waiting.
  await app.db.prisma.customer.updateMany({ where: { externalId: 'cust-lost' }, data: { timezone: 'Nowhere/Never' } });
  at = new Date('2026-06-16T00:05:00Z');
  worker = await startWorker({ db: app.db, now });
  await until(async () => (await days()).length === 2);
  expect(await recorded('one')).toEqual([['2026-06-15', 200]]);
  await worker.stop();

  await use('one', '2');
  at = new Date('2026-06-18T09:00:00Z');
  await use('one', '3');
  at = new Date('2026-06-20T09:00:00Z');
  worker = await startWorker({ db: app.db, now });
  await until(async () => (await days()).every(({ usageDay }) => usageDay?.toISOString().startsWith('2026-06-19')));
  expect(await recorded('one')).toEqual([
    ['2026-06-15', 200],
    ['2026-06-16', 400],
    ['2026-06-18', 600],
  ]);
  expect(await recorded('idle')).toEqual([]);
  const { data } = await app.graphql('{ jobs(filter: { task: [daily_usage] }) { nodes { status customerIds } } }');
  await until(async () => (await app.db.prisma.job.count({ where: { task: 'daily_usage', status: 'running' } })) === 0);
  expect(data.jobs.nodes.length).toBeGreaterThan(1);
  await worker.stop();
});

it('is planned once, and not while something is due of a customer or a job has failed at it', async () => {
  at = new Date('2026-06-22T09:00:00Z');
  const db = forOrganization(app.db.prisma, app.organizationId);
  const plan = () => planDailyUsage(db, { organizationId: app.organizationId, now: at, job: 'plan' });
  await app.db.prisma.dueCustomer.updateMany({ data: { dueAt: at } });
  expect(await plan()).toBe(0);
  await app.db.prisma.dueCustomer.updateMany({ data: { dueAt: null } });
  expect([await plan(), await plan()]).toEqual([2, 0]);
  const task = { task: 'daily_usage' as const };
  await app.db.prisma.job.updateMany({ where: { ...task, status: 'waiting' }, data: { failure: 'it failed' } });
  expect(await plan()).toBe(0);
  await app.db.prisma.job.deleteMany({ where: task });
  expect(await plan()).toBe(2);
});

it('whose usage comes to more than can be billed has a job that says so, and the others are billed', async () => {
  at = new Date('2026-07-10T09:00:00Z');
  const metric = { code: 'volume', name: 'Volume', aggregationType: 'sum_agg', fieldName: 'n' };
  const query = 'mutation ($input: CreateBillableMetricInput!) { createBillableMetric(input: $input) { code } }';
  expect((await app.graphql(query, { input: metric })).errors).toBeUndefined();
  const charge = { billableMetricCode: 'volume', chargeModel: 'standard', pricing: { standard: { amount: '1' } } };
  await makePlan(app, { code: 'volume', charges: [charge] });
  for (const [name, n] of [
    ['vast', 1e21],
    ['fair', 2],
  ] as const) {
    await subscribe(app, name, { planCode: 'volume' });
    const event = { transaction_id: name, external_subscription_id: name, code: 'volume', properties: { n } };
    expect((await app.rest('POST', '/events', { event })).status).toBe(200);
  }
  // The database has another clock.
  await app.db.prisma.dueCustomer.updateMany({ data: { livedUntil: at, dueAt: at } });
  at = new Date('2026-08-01T09:00:00Z');
  worker = await startWorker({ db: app.db, now });
  const failures = async () => {
    const rows = await app.db.prisma.job.findMany({ where: { task: 'billing', status: 'failed' } });
    return rows.map(({ failure }) => failure);
  };
  await until(async () => (await failures()).some((failure) => failure?.includes('value_is_out_of_range')));
  const { id } = await app.db.prisma.customer.findFirstOrThrow({ where: { externalId: 'cust-vast' } });
  expect((await failures()).join('\n')).toContain(
    `customer ${id}: Validation failed: amount_cents: value_is_out_of_range, an invoice of at most ${2n ** 63n - 1n} minor units`,
  );
  const total = { customer: { externalId: 'cust-fair' } };
  await until(async () => (await app.db.prisma.invoice.count({ where: total })) === 1);
  await until(async () => (await recorded('fair')).length > 0);
  expect(await recorded('vast')).toEqual([]);
});
