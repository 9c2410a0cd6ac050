import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Worker } from '../../src/jobs/worker.ts';
import { createKey } from '../../src/store/access/api-key.ts';
import { createTestApp, type TestApp } from '../support.ts';
import { DAY_MS, startWorker, until, untilDone } from './fixture.ts';

// What ends by itself: the time to pay an invoice, wallets and their rules, coupons. By jobs in real time, and where a clock is moved.

const begin = new Date();
const clock = { now: begin };
const now = () => clock.now;
const at = (days: number) => new Date(begin.getTime() + days * DAY_MS).toISOString();
let app: TestApp;
let worker: Worker;
beforeAll(async () => {
  app = await createTestApp({ now });
  worker = await startWorker({ db: app.db, now });
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
});

async function sent(path: string, body: object, key?: string) {
  const answer = await app.rest('POST', path, body, key === undefined ? {} : { key });
  expect([answer.status, answer.body.error_details]).toEqual([200, undefined]);
}

/** An invoice that nobody pays, a wallet that ends, one that stays while its rule ends, and two coupons of which the one ends that the customer has. */
async function makeWhatEnds(organizationId: string, key?: string): Promise<void> {
  const money = { amount_cents: 1000, amount_currency: 'EUR' };
  await sent('/add_ons', { add_on: { code: 'setup', name: 'Setup', ...money } }, key);
  const customer = { external_id: 'cust', currency: 'EUR', timezone: 'America/Los_Angeles', net_payment_term: 2 };
  await sent('/customers', { customer }, key);
  const invoice = { external_customer_id: 'cust', currency: 'EUR', fees: [{ add_on_code: 'setup' }] };
  await sent('/invoices', { invoice }, key);
  const { id: customerId } = await app.db.prisma.customer.findFirstOrThrow({
    where: { organizationId, externalId: 'cust' },
    select: { id: true },
  });
  const wallet = { organizationId, customerId, currency: 'EUR', rateAmount: 1 };
  await app.db.prisma.wallet.create({ data: { ...wallet, name: 'Ends', expirationAt: at(5) } });
  const stays = await app.db.prisma.wallet.create({ data: { ...wallet, name: 'Stays' } });
  await app.db.prisma.recurringTransactionRule.create({
    data: { organizationId, walletId: stays.id, trigger: 'interval', interval: 'monthly', expirationAt: at(3) },
  });
  const coupon = { name: 'Less', coupon_type: 'fixed_amount', ...money, frequency: 'forever' };
  const ends = { expiration: 'time_limit', expiration_at: at(4) };
  await sent('/coupons', { coupon: { ...coupon, code: 'ends', ...ends } }, key);
  await sent('/coupons', { coupon: { ...coupon, code: 'stays', expiration: 'no_expiration' } }, key);
  await sent('/applied_coupons', { applied_coupon: { external_customer_id: 'cust', coupon_code: 'ends' } }, key);
}

/** How everything stands of an organization. */
async function stand(organizationId: string) {
  const where = { organizationId };
  const invoices = await app.db.prisma.invoice.findMany({ where });
  const wallets = await app.db.prisma.wallet.findMany({ where, orderBy: { name: 'asc' } });
  const rules = await app.db.prisma.recurringTransactionRule.findMany({ where });
  const coupons = await app.db.prisma.coupon.findMany({ where, orderBy: { code: 'asc' } });
  const applied = await app.db.prisma.appliedCoupon.findMany({ where });
  return {
    overdue: invoices.map(({ paymentOverdue }) => paymentOverdue),
    wallets: wallets.map(({ status, terminatedAt }) => [status, terminatedAt?.toISOString() ?? null]),
    rules: rules.map(({ status, terminatedAt }) => [status, terminatedAt?.toISOString() ?? null]),
    coupons: coupons.map(({ status, terminatedAt }) => [status, terminatedAt?.toISOString() ?? null]),
    applied: applied.map(({ status }) => status),
  };
}

const OPEN = {
  overdue: [false],
  ...{ wallets: [1, 2].map(() => ['active', null]), rules: [['active', null]] },
  ...{ coupons: [1, 2].map(() => ['active', null]), applied: ['active'] },
};
const OVER = {
  overdue: [true],
  wallets: [
    ['terminated', at(5)],
    ['active', null],
  ],
  rules: [['terminated', at(3)]],
  coupons: [
    ['terminated', at(4)],
    ['active', null],
  ],
  applied: ['active'],
};

it('by jobs, each as of its own moment, once', async () => {
  const { organizationId } = app;
  await makeWhatEnds(organizationId);
  await untilDone(app.db, now);
  // A day before the last day to pay, in every zone.
  clock.now = new Date(at(1));
  await untilDone(app.db, now);
  expect(await stand(organizationId)).toEqual(OPEN);
  clock.now = new Date(at(6));
  await until(async () => (await app.db.prisma.coupon.count({ where: { organizationId, status: 'active' } })) === 1);
  await untilDone(app.db, now);
  expect(await stand(organizationId)).toEqual(OVER);

  const actions = ['invoice.payment_overdue', 'wallet.terminated', 'wallet.updated', 'coupon.terminated'];
  const told = async () => {
    const entries = await app.db.prisma.auditLog.findMany({
      where: { organizationId, requestId: { startsWith: 'system:' }, action: { in: actions } },
    });
    return entries.map(({ action, createdAt }) => [action, createdAt.toISOString()]).sort();
  };
  const [invoice] = await app.db.prisma.invoice.findMany({ where: { organizationId } });
  const entries = await told();
  expect(entries).toEqual([
    ['coupon.terminated', at(4)],
    ['invoice.payment_overdue', invoice?.updatedAt.toISOString()],
    ['wallet.terminated', at(5)],
    ['wallet.updated', at(3)],
  ]);
  // The first moment of the day after the due date, where the customer is.
  const local = new Intl.DateTimeFormat('sv', {
    timeZone: 'America/Los_Angeles',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const dayAfter = new Date((invoice?.paymentDueDate.getTime() ?? 0) + DAY_MS).toISOString().slice(0, 10);
  expect(local.format(invoice?.updatedAt)).toBe(`${dayAfter} 00:00`);

  await app.db.prisma.dueCustomer.updateMany({ where: { organizationId }, data: { dueAt: begin } });
  await untilDone(app.db, now);
  expect([await stand(organizationId), await told()]).toEqual([OVER, entries]);
});

it('where a clock is moved past it', async () => {
  const data = { name: 'Ends by its clock', testClockAt: begin };
  const { id: organizationId } = await app.db.prisma.organization.create({ data });
  const { key } = await createKey(app.db.prisma, { organizationId, kind: 'secret' });
  await makeWhatEnds(organizationId, key);
  const advance = (to: string) =>
    app.graphql('mutation ($to: DateTime!) { advanceClock(input: { to: $to }) { testClockAt } }', { to }, key);
  expect((await advance(at(1))).errors).toBeUndefined();
  expect(await stand(organizationId)).toEqual(OPEN);
  expect((await advance(at(6))).errors).toBeUndefined();
  expect(await stand(organizationId)).toEqual(OVER);
});
