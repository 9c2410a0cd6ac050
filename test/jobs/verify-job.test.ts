import { afterAll, beforeAll, expect, it } from 'vitest';
import { nightOf, planVerify } from '../../src/engine/job/verify-changed.ts';
import type { Worker } from '../../src/jobs/worker.ts';
import { forOrganization } from '../../src/store/database/tenant.ts';
import { createTestApp, type TestApp } from '../support.ts';
import { DAY_MS, makePlan, startWorker, subscribe, until, untilDone } from './fixture.ts';

// What the service does by itself is told: what it bills to who listens and in the log, and each night whether it is still right.

const begin = new Date();
const clock = { now: begin };
const now = () => clock.now;
let app: TestApp;
let worker: Worker;
beforeAll(async () => {
  app = await createTestApp({ now });
  await makePlan(app, { code: 'ahead', payInAdvance: true });
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
});

/** What is told to a key from now on, and how to stop listening. */
async function listen(key: string) {
  const told: string[] = [];
  const headers = {
    ...{ 'Content-Type': 'application/json', Accept: 'text/event-stream', Authorization: `Bearer ${key}` },
  };
  const query = 'subscription { invoiceChanged { svcId status totalAmountCents } }';
  const request = { method: 'POST', headers, body: JSON.stringify({ query }) };
  const response = await app.app.fetch(new Request('http://gateway.test/graphql', request));
  const reader = response.body?.getReader();
  const reading = (async () => {
    for (;;) {
      const read = await reader?.read();
      if (!read || read.done) return;
      told.push(new TextDecoder().decode(read.value));
    }
  })().catch(() => undefined);
  const close = async () => {
    await reader?.cancel().catch(() => undefined);
    await reading;
  };
  return { said: () => told.join(''), close };
}

it('an invoice that a job makes is told to who listens for its organization only, and the log names the job', async () => {
  const other = await app.db.prisma.organization.create({ data: { name: 'Other' } });
  const [own, foreign] = [await listen(app.key), await listen(await app.makeKey({ organizationId: other.id }))];
  await subscribe(app, 'told', { planCode: 'ahead' });
  clock.now = new Date(begin.getTime() + 40 * DAY_MS);
  const before = await app.db.prisma.invoice.findMany({ select: { id: true } });
  worker = await startWorker({ db: app.db, now });
  await untilDone(app.db, now);
  const id = { notIn: before.map((invoice) => invoice.id) };
  const made = await app.db.prisma.invoice.findFirstOrThrow({ where: { id } });
  await until(async () => own.said().includes(made.id));
  expect(foreign.said()).not.toContain('data: {');
  await Promise.all([own.close(), foreign.close()]);

  const job = await app.db.prisma.job.findFirstOrThrow({ where: { task: 'billing' } });
  const query = `query ($id: [String!]) { auditLog(filter: { objectId: $id }) {
    nodes { action key { svcId } requestId job { svcId task status } } } }`;
  const { data, errors } = await app.graphql(query, { id: [made.id] });
  expect(errors).toBeUndefined();
  expect(data.auditLog.nodes.length).toBeGreaterThan(0);
  for (const entry of data.auditLog.nodes) {
    expect(entry).toMatchObject({
      ...{ key: null, requestId: `system:billing/${job.id}` },
      job: { svcId: job.id, task: 'billing', status: 'done' },
    });
  }
});

it('what has changed is computed again each night: a job fails for good with each figure that is another, once', async () => {
  const invoice = await app.db.prisma.invoice.findFirstOrThrow({ where: { totalAmountCents: { gt: 0n } } });
  const setTotal = (totalAmountCents: bigint) =>
    app.db.prisma.invoice.update({ where: { id: invoice.id }, data: { totalAmountCents, updatedAt: clock.now } });
  await setTotal(invoice.totalAmountCents + 1n);
  await worker.stop();
  await app.db.prisma.job.deleteMany({ where: { task: 'verify' } });
  clock.now = new Date(clock.now.getTime() + DAY_MS);
  const db = forOrganization(app.db.prisma, app.organizationId);
  const actor = { organizationId: app.organizationId, now: clock.now, job: 'plan' };
  const plan = () => planVerify(db, actor, nightOf(clock.now));
  expect((await Promise.all([plan(), plan()])).toSorted()).toEqual([0, 1]);
  worker = await startWorker({ db: app.db, now });
  const failed = { task: 'verify', status: 'failed' } as const;
  await until(async () => (await app.db.prisma.job.count({ where: failed })) === 1);

  const query = '{ jobs(filter: { task: [verify] }) { totalCount nodes { svcId status failure attempts } } }';
  const { jobs } = (await app.graphql(query)).data;
  expect(jobs).toMatchObject({ totalCount: 1, nodes: [{ status: 'failed', attempts: 1 }] });
  const total = String(invoice.totalAmountCents);
  expect(jobs.nodes[0].failure).toContain(
    `${invoice.number} totalAmountCents: ${invoice.totalAmountCents + 1n}, not ${total}: it does not follow`,
  );

  await setTotal(invoice.totalAmountCents);
  const retry = 'mutation ($svcId: UUID!) { retryJob(svcId: $svcId) { status } }';
  expect((await app.graphql(retry, { svcId: jobs.nodes[0].svcId })).data.retryJob).toEqual({ status: 'waiting' });
  await until(async () => (await app.graphql(query)).data.jobs.nodes[0].status === 'done');
});

it('a night begins at two in the morning, by UTC', () => {
  const nights = ['2026-03-01T01:59:59.999Z', '2026-03-01T02:00:00.000Z', '2026-03-01T23:00:00.000Z'];
  expect(nights.map((moment) => nightOf(new Date(moment)).toISOString())).toEqual([
    '2026-02-28T02:00:00.000Z',
    '2026-03-01T02:00:00.000Z',
    '2026-03-01T02:00:00.000Z',
  ]);
});
