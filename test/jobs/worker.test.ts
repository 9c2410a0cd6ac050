import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Worker } from '../../src/jobs/worker.ts';
import { createTestApp, type TestApp } from '../support.ts';
import { DAY_MS, makePlan, startWorker, subscribe, until, untilDone } from './fixture.ts';

const begin = new Date();
const clock = { now: begin };
const now = () => clock.now;
let app: TestApp;
let worker: Worker | undefined;

beforeAll(async () => {
  app = await createTestApp({ now });
  await makePlan(app);
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});
afterAll(() => app.close());

const later = (days: number) => {
  clock.now = new Date(begin.getTime() + days * DAY_MS);
};

/** A client with which the work on usage of one organization fails. */
const failingFor = (prisma: TestApp['db']['prisma'], organizationId: string) =>
  prisma.$extends({
    query: {
      $executeRaw({ args, query }) {
        if (JSON.stringify(args).includes(organizationId)) throw new Error('broken');
        return query(args);
      },
    },
  }) as unknown as TestApp['db']['prisma'];

async function work(): Promise<void> {
  worker ??= await startWorker({ db: app.db, now });
  await untilDone(app.db, now);
}

const invoices = () =>
  app.db.prisma.invoice.findMany({
    include: { customer: { select: { externalId: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

it('bills what is due and what was missed, in order and once, by several workers', async () => {
  for (const name of ['a', 'b', 'c']) await subscribe(app, name);
  await work();
  expect(await invoices()).toEqual([]);
  later(70);
  const others = await Promise.all([startWorker({ db: app.db, now }), startWorker({ db: app.db, now })]);
  await work();
  for (const other of others) await other.stop();
  const made = await invoices();
  for (const name of ['cust-a', 'cust-b', 'cust-c']) {
    const dates = made
      .filter(({ customer }) => customer.externalId === name)
      .map(({ issuingDate }) => issuingDate?.toISOString() ?? '');
    expect(dates.length).toBeGreaterThanOrEqual(2);
    expect([...new Set(dates)].sort()).toEqual(dates);
  }
  const numbers = made.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  await app.db.prisma.dueCustomer.updateMany({ data: { dueAt: begin, livedUntil: begin } });
  await work();
  expect((await invoices()).map(({ number }) => number)).toEqual(numbers);
});

it('bills usage of an organization while that of another fails', async () => {
  const told: object[] = [];
  const { id: broken } = await app.db.prisma.organization.create({
    data: { id: '00000000-0000-7000-8000-000000000001', name: 'First in order' },
  });
  const due = { externalSubscriptionId: 'none', event: { code: 'calls' } };
  await app.db.prisma.usageDue.create({ data: { organizationId: broken, ...due } });
  await app.db.prisma.usageDue.create({ data: { organizationId: app.organizationId, ...due } });
  const failing = { ...app.db, prisma: failingFor(app.db.prisma, broken) };
  const logger = { warn: () => undefined, error: (facts: object) => told.push(facts) };
  const other = await startWorker({ db: failing, now, logger });
  // Of an identifier that no subscription has begun with it waits for one.
  await until(
    async () =>
      (await app.db.prisma.usageDue.count({ where: { organizationId: app.organizationId, waits: true } })) === 1,
  );
  await other.stop();
  expect(await app.db.prisma.usageDue.count({ where: { organizationId: broken, waits: false } })).toBe(1);
  expect(told).toContainEqual(expect.objectContaining({ organizationId: broken }));
  await app.db.prisma.organization.delete({ where: { id: broken } });
});

it('bills an event of a charge in advance at once, and no more than once by several workers', async () => {
  const ask = async (query: string, input: object) =>
    expect((await app.graphql(query, { input })).errors).toBeUndefined();
  await ask('mutation ($input: CreateBillableMetricInput!) { createBillableMetric(input: $input) { code } }', {
    ...{ code: 'calls', name: 'Calls', aggregationType: 'count_agg' },
  });
  const charge = { billableMetricCode: 'calls', chargeModel: 'standard', payInAdvance: true };
  await makePlan(app, { code: 'instant', charges: [{ ...charge, pricing: { standard: { amount: '2' } } }] });
  await subscribe(app, 'instant', { planCode: 'instant' });
  const others = [await startWorker({ db: app.db, now }), await startWorker({ db: app.db, now })];
  const events = Array.from({ length: 5 }, (_, at) => ({
    ...{ transaction_id: `once-${at}`, external_subscription_id: 'instant', code: 'calls' },
  }));
  for (const event of events) expect((await app.rest('POST', '/events', { event })).status).toBe(200);
  await until(async () => (await app.db.prisma.usageDue.count({ where: { waits: false } })) === 0);
  for (const other of others) await other.stop();
  const fees = await app.db.prisma.fee.findMany({ where: { eventTransactionId: { startsWith: 'once-' } } });
  expect(fees.map(({ eventTransactionId }) => eventTransactionId).sort()).toEqual(
    events.map((one) => one.transaction_id),
  );
  expect(fees.map(({ amountCents }) => amountCents)).toEqual(events.map(() => 200n));
  expect(new Set(fees.map(({ invoiceId }) => invoiceId)).size).toBe(events.length);
});
