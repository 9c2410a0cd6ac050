import { afterAll, beforeAll, expect, it } from 'vitest';
import { HANDLERS } from '../../src/jobs/handler.ts';
import type { Worker } from '../../src/jobs/worker.ts';
import { createKey } from '../../src/store/access/api-key.ts';
import { forOrganization } from '../../src/store/database/tenant.ts';
import { createTestApp, type TestApp } from '../support.ts';
import { DAY_MS, makePlan, startWorker, subscribe, until, untilDone } from './fixture.ts';

const begin = new Date();
const clock = { now: begin };
const now = () => clock.now;
let app: TestApp;
let other: TestApp;
let worker: Worker;

beforeAll(async () => {
  app = await createTestApp({ now, observability: { metrics: {} } });
  other = await createTestApp({ db: app.db });
  await makePlan(app);
  for (const name of ['good', 'bad']) await subscribe(app, name);
  worker = await startWorker({ db: app.db, now });
  await untilDone(app.db, now);
});
afterAll(async () => {
  await worker.stop();
  await other.close();
  await app.close();
});

const idOf = async (name: string) =>
  (await app.db.prisma.customer.findFirstOrThrow({ where: { externalId: `cust-${name}` } })).id;
const billed = async (name: string) => app.db.prisma.invoice.count({ where: { customerId: await idOf(name) } });
const setZone = async (name: string, timezone: string | null) =>
  app.db.prisma.customer.update({ where: { id: await idOf(name) }, data: { timezone } });

const FAILED =
  '{ jobs(filter: { status: [failed] }) { totalCount nodes { svcId task status failure attempts customerIds } } }';
const RETRY = 'mutation ($svcId: UUID!) { retryJob(svcId: $svcId) { status } }';

it('a job that fails tells why and is tried again; trouble with one customer keeps no other', async () => {
  await setZone('bad', 'Nowhere/Never');
  clock.now = new Date(begin.getTime() + 32 * DAY_MS);
  await until(async () => (await app.db.prisma.job.count({ where: { status: 'failed' } })) > 0);
  expect([await billed('good'), await billed('bad')]).toEqual([expect.any(Number), 0]);
  expect(await billed('good')).toBeGreaterThan(0);
  const { data } = await app.graphql(FAILED);
  const [job] = data.jobs.nodes;
  const id = await idOf('bad');
  expect(data.jobs.totalCount).toBe(1);
  expect(job).toMatchObject({ task: 'billing', attempts: 2, failure: expect.stringContaining(`customer ${id}: `) });
  expect(job.customerIds).toContain(id);

  const figures = await (await app.app.fetch(new Request('http://gateway.test/metrics'))).text();
  expect(figures).toContain('billing_jobs{task="billing",state="failed"} 1');
  expect(figures).toMatch(/billing_job_age_seconds\{task="billing",state="failed"\} \d/);
  expect(figures).toMatch(/billing_due_customers \d/);

  const { svcId } = job;
  expect((await other.graphql(FAILED)).data.jobs.totalCount).toBe(0);
  const foreign = await other.graphql(RETRY, { svcId });
  expect(foreign.errors?.[0]?.extensions?.code).toBe('object_not_found');
  const reader = await app.makeKey({ permissions: { job: ['read'] } });
  const refused = await app.graphql(RETRY, { svcId }, reader);
  expect(refused.errors?.[0]?.extensions?.code).toBe('forbidden');

  await setZone('bad', null);
  expect((await app.graphql(RETRY, { svcId })).data.retryJob).toEqual({ status: 'waiting' });
  const again = await app.graphql(RETRY, { svcId });
  expect(again.errors?.[0]?.extensions?.code).toBe('method_not_allowed');
  await until(async () => (await app.db.prisma.job.count({ where: { id: svcId, status: 'done' } })) > 0);
  expect(await billed('bad')).toBe(await billed('good'));
});

it('the log tells which job wrote, and who had it tried again', async () => {
  const { data } = await app.graphql(
    '{ auditLog(first: 100) { nodes { action requestId key { name } job { svcId task } } } }',
  );
  const entries: { action: string; requestId: string; key: unknown; job: { svcId: string; task: string } | null }[] =
    data.auditLog.nodes;
  const made = entries.filter(({ action }) => action.startsWith('invoice.'));
  expect(made.length).toBeGreaterThan(1);
  for (const { key, job, requestId } of made) {
    expect([key, job?.task, requestId]).toEqual([null, 'billing', `system:billing/${job?.svcId}`]);
  }
  const retried = entries.filter(({ action }) => action === 'job.retried');
  expect(retried).toMatchObject([{ job: null }]);
});

it('a job that must end does one customer and gives back those that it has not begun', async () => {
  const { organizationId } = app;
  for (const name of ['first', 'second']) await subscribe(app, name);
  await worker.stop();
  const [first, second] = [await idOf('first'), await idOf('second')].sort();
  const ids = [first ?? '', second ?? ''];
  clock.now = new Date(clock.now.getTime() + 40 * DAY_MS);
  const data = { takenUntil: clock.now, dueAt: begin, livedUntil: begin };
  await app.db.prisma.dueCustomer.updateMany({ where: { customerId: { in: ids } }, data });
  const work = { db: forOrganization(app.db.prisma, organizationId), customerIds: ids, createdAt: begin };
  const actor = { organizationId, now: clock.now, job: 'billing/test' };
  const stand = () =>
    app.db.prisma.dueCustomer.findMany({
      where: { customerId: { in: ids } },
      select: { livedUntil: true, takenUntil: true },
      orderBy: { customerId: 'asc' },
    });
  const [done, left] = [clock.now, begin].map((livedUntil) => ({ livedUntil, takenUntil: null }));
  await HANDLERS.billing({ ...work, actor, isOver: () => true });
  expect(await stand()).toEqual([done, left]);
  await HANDLERS.billing({ ...work, actor, isOver: () => false });
  expect(await stand()).toEqual([done, done]);
  expect([await billed('first'), await billed('second')]).not.toContain(0);
  worker = await startWorker({ db: app.db, now });
});

it('an organization with a clock of its own is never touched by real time', async () => {
  const data = { name: 'Clockwork', testClockAt: new Date(begin.getTime() - 90 * DAY_MS) };
  const { id: organizationId } = await app.db.prisma.organization.create({ data });
  const { key } = await createKey(app.db.prisma, { organizationId, kind: 'secret' });
  const clocked: TestApp = { ...app, graphql: (query, variables) => app.graphql(query, variables, key) };
  await makePlan(clocked);
  await subscribe(clocked, 'still');
  await app.db.prisma.dueCustomer.updateMany({ where: { organizationId }, data: { dueAt: begin } });
  await subscribe(app, 'beside');
  await untilDone(app.db, now);
  expect(await app.db.prisma.job.count({ where: { organizationId } })).toBe(0);
  expect(await app.db.prisma.invoice.count({ where: { organizationId } })).toBe(0);
});

it('a start whose external identifier another has fails for its customer alone, and says so', async () => {
  await worker.stop();
  const { organizationId } = app;
  const subscriptionAt = new Date(clock.now.getTime() + DAY_MS).toISOString();
  for (const name of ['one', 'two']) await subscribe(app, name, { subscriptionAt });
  // As it was left by those who were not asked whether others have it.
  await app.db.prisma.subscription.updateMany({ where: { externalId: 'two' }, data: { externalId: 'one' } });
  clock.now = new Date(clock.now.getTime() + 2 * DAY_MS);
  const customerIds = [await idOf('one'), await idOf('two')];
  const data = { takenUntil: clock.now, dueAt: begin, livedUntil: begin };
  await app.db.prisma.dueCustomer.updateMany({ where: { customerId: { in: customerIds } }, data });
  const db = forOrganization(app.db.prisma, organizationId);
  const actor = { organizationId, now: clock.now, job: 'billing/test' };
  const billing = HANDLERS.billing({ db, actor, customerIds, createdAt: begin, isOver: () => false });
  await expect(billing).rejects.toThrow(/^customer [0-9a-f-]{36}: Validation failed: external_id: value_already_exist/);
  const rows = await app.db.prisma.subscription.findMany({ where: { externalId: 'one' }, select: { status: true } });
  expect(rows.map(({ status }) => status).sort()).toEqual(['active', 'pending']);
  worker = await startWorker({ db: app.db, now });
});
