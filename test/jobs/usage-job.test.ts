import { afterAll, beforeAll, expect, it } from 'vitest';
import { planUsage } from '../../src/engine/job/plan-jobs.ts';
import type { Worker } from '../../src/jobs/worker.ts';
import { forOrganization } from '../../src/store/database/tenant.ts';
import { createTestApp, type TestApp } from '../support.ts';
import { makePlan, startWorker, subscribe, until } from './fixture.ts';

// Usage that cannot be billed of one customer, and drafts that are not up to date: both are jobs that everybody sees.

const begin = new Date();
const now = () => begin;
let app: TestApp;
let worker: Worker;
beforeAll(async () => {
  app = await createTestApp({ now });
  const metric = { code: 'calls', name: 'Calls', aggregationType: 'count_agg' };
  const query = 'mutation ($input: CreateBillableMetricInput!) { createBillableMetric(input: $input) { code } }';
  expect((await app.graphql(query, { input: metric })).errors).toBeUndefined();
  const charge = { billableMetricCode: 'calls', chargeModel: 'standard', payInAdvance: true };
  await makePlan(app, { code: 'instant', charges: [{ ...charge, pricing: { standard: { amount: '2' } } }] });
  await makePlan(app, { code: 'ahead', payInAdvance: true });
  worker = await startWorker({ db: app.db, now });
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
});

const JOBS = `query ($task: JobTask!) { jobs(filter: { task: [$task] }) {
  totalCount nodes { svcId status failure attempts customerIds } } }`;
const jobsOf = async (task: string) => (await app.graphql(JOBS, { task })).data.jobs;
const setZone = (externalId: string, timezone: string | null) =>
  app.db.prisma.customer.updateMany({ where: { externalId }, data: { timezone } });
const billed = (externalId: string) => app.db.prisma.invoice.count({ where: { customer: { externalId } } });
const use = async (name: string, id: string) => {
  const event = { transaction_id: id, external_subscription_id: name, code: 'calls' };
  expect((await app.rest('POST', '/events', { event })).status).toBe(200);
};

it('what fails of one customer is a job that tells why, keeps no other waiting, and can be tried again', async () => {
  for (const name of ['bad', 'good']) await subscribe(app, name, { planCode: 'instant' });
  await setZone('cust-bad', 'Nowhere/Never');
  for (const name of ['bad', 'good']) await use(name, `${name}-1`);
  const isFailed = async () => (await app.db.prisma.job.count({ where: { task: 'usage', status: 'failed' } })) > 0;
  await until(isFailed);
  await until(async () => (await billed('cust-good')) === 1);
  // Neither a further event nor the loop makes another job of it.
  await use('bad', 'bad-2');
  await use('good', 'good-2');
  await until(async () => (await billed('cust-good')) === 2);
  const { id } = await app.db.prisma.customer.findFirstOrThrow({ where: { externalId: 'cust-bad' } });
  const { totalCount, nodes } = await jobsOf('usage');
  expect(totalCount).toBe(1);
  expect(nodes[0]).toMatchObject({ status: 'failed', attempts: 2, customerIds: [id] });
  expect(nodes[0].failure).toContain(`customer ${id}: `);
  expect(await billed('cust-bad')).toBe(0);

  await setZone('cust-bad', null);
  const retry = 'mutation ($svcId: UUID!) { retryJob(svcId: $svcId) { status } }';
  expect((await app.graphql(retry, { svcId: nodes[0].svcId })).data.retryJob).toEqual({ status: 'waiting' });
  await until(async () => (await billed('cust-bad')) === 2);
  await until(async () => (await jobsOf('usage')).nodes[0].status === 'done');
});

it('a draft of which something has changed is computed anew', async () => {
  const customer = { external_id: 'cust-late', billing_configuration: { invoice_grace_period: 3 } };
  expect((await app.rest('POST', '/customers', { customer })).status).toBe(200);
  await subscribe(app, 'late', { planCode: 'ahead' });
  const draft = () => app.db.prisma.invoice.findFirstOrThrow({ where: { customer: { externalId: 'cust-late' } } });
  const before = await draft();
  expect([before.status, before.taxesAmountCents]).toEqual(['draft', 0n]);
  expect((await app.rest('POST', '/taxes', { tax: { code: 'vat', name: 'VAT', rate: '20' } })).status).toBe(200);
  const taxed = { external_id: 'cust-late', tax_codes: ['vat'] };
  expect((await app.rest('POST', '/customers', { customer: taxed })).status).toBe(200);
  expect((await draft()).readyToBeRefreshed).toBe(true);
  await until(async () => !(await draft()).readyToBeRefreshed);
  const after = await draft();
  expect([after.id, after.status, after.feesAmountCents]).toEqual([before.id, 'draft', before.feesAmountCents]);
  expect(Number(after.taxesAmountCents)).toBe(Math.round(Number(before.feesAmountCents) * 0.2));
  await until(async () =>
    (await jobsOf('draft_refresh')).nodes.every(({ status }: { status: string }) => status === 'done'),
  );
  expect((await jobsOf('draft_refresh')).totalCount).toBe(1);
});

it('two who fail of the same customer at one moment make one job', async () => {
  const { customerId } = await app.db.prisma.subscription.findFirstOrThrow({ where: { externalId: 'good' } });
  const db = forOrganization(app.db.prisma, app.organizationId);
  const actor = { organizationId: app.organizationId, now: begin, job: 'test' };
  const troubles = [{ customerId, error: new Error('down') }];
  await Promise.all(Array.from({ length: 4 }, () => planUsage(db, actor, troubles)));
  expect(await app.db.prisma.job.count({ where: { task: 'usage', customerIds: { has: customerId } } })).toBe(1);
});
