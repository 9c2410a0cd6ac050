import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { billEvents } from '../../../src/engine/subscription/bill-events.ts';
import { createKey } from '../../../src/store/access/api-key.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { organizationsOwing } from '../../../src/store/usage/due/usage-due.ts';
import { takeUpHeld } from '../../../src/store/usage/due/waiting-due.ts';
import { createTestApp, type TestApp } from '../../support.ts';

interface Tenant {
  readonly id: string;
  readonly key: string;
}

let test: TestApp;
let clocked: Tenant;
let real: Tenant;

async function tenant(name: string, testClockAt: Date | null): Promise<Tenant> {
  const { id } = await test.db.prisma.organization.create({ data: { name, testClockAt } });
  const { key } = await createKey(test.db.prisma, { organizationId: id, kind: 'secret' });
  return { id, key };
}

async function post<T>({ key }: Tenant, path: string, body: unknown): Promise<T> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const request = new Request(`http://gateway.test${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const response = await test.app.fetch(request);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as T;
}

const rest = (of: Tenant, path: string, body: unknown) => post(of, `/api/v1${path}`, body);

async function ask(of: Tenant, query: string): Promise<Record<string, { nodes: Record<string, unknown>[] }>> {
  const { data } = await post<{ data: Record<string, { nodes: Record<string, unknown>[] }> }>(of, '/graphql', {
    query,
  });
  return data;
}

/** A plan with a charge of each kind in advance, one in arrears, and thresholds at 10.00 and every 20.00 more. */
async function sell(of: Tenant): Promise<void> {
  for (const code of ['invoiced', 'alone', 'arrears']) {
    await rest(of, '/billable_metrics', { billable_metric: { code, name: code, aggregation_type: 'count_agg' } });
  }
  const price = (code: string, terms: object) => ({
    ...{ code, billable_metric_code: code, charge_model: 'standard', properties: { amount: '2.5' } },
    ...terms,
  });
  await rest(of, '/plans', {
    plan: {
      ...{ code: 'mixed', name: 'Mixed', interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' },
      pay_in_advance: false,
      charges: [
        price('invoiced', { pay_in_advance: true, invoiceable: true }),
        price('alone', { pay_in_advance: true, invoiceable: false, regroup_paid_fees: 'invoice' }),
        price('arrears', {}),
      ],
      usage_thresholds: [{ amount_cents: 1000 }, { amount_cents: 2000, recurring: true }],
    },
  });
}

const subscribe = (of: Tenant, externalId: string) =>
  rest(of, '/subscriptions', {
    subscription: { external_customer_id: `of-${externalId}`, external_id: externalId, plan_code: 'mixed' },
  });

const events = (of: Tenant, externalId: string, code: string, ids: readonly string[]) =>
  rest(of, '/events/batch', {
    events: ids.map((id) => ({ transaction_id: id, code, external_subscription_id: externalId })),
  });

async function fees(of: Tenant, externalId: string) {
  const rows = await test.db.prisma.fee.findMany({
    where: { organizationId: of.id, subscription: { externalId }, eventTransactionId: { not: null } },
    include: { invoice: true },
    orderBy: { eventTransactionId: 'asc' },
  });
  return rows.map((fee) => [fee.eventTransactionId, fee.amountCents, fee.invoice?.status ?? null]);
}

const dues = (of: Tenant, waits = false) => test.db.prisma.usageDue.count({ where: { organizationId: of.id, waits } });

const seconds = (moment: string) => Date.parse(moment) / 1000;
const eventAt = (of: Tenant, externalId: string, id: string, moment: string) =>
  rest(of, '/events', {
    event: { transaction_id: id, code: 'invoiced', external_subscription_id: externalId, timestamp: seconds(moment) },
  });
const subscribeAt = (of: Tenant, externalId: string, moment: string) =>
  rest(of, '/subscriptions', {
    subscription: {
      ...{ external_customer_id: `of-${externalId}`, external_id: externalId, plan_code: 'mixed' },
      subscription_at: moment,
    },
  });
const once = (id: string) => [[id, 250n, 'finalized']];

beforeAll(async () => {
  test = await createTestApp();
  clocked = await tenant('Clocked', new Date('2026-01-10T09:30:00Z'));
  real = await tenant('Real', null);
  for (const of of [clocked, real]) await sell(of);
});
afterAll(() => test.close());

describe('with a test clock', () => {
  it('bills an event in advance with its answer: on an invoice, or as a fee of its own', async () => {
    await subscribe(clocked, 'sub');
    await events(clocked, 'sub', 'invoiced', ['a', 'b']);
    await events(clocked, 'sub', 'alone', ['c']);
    expect(await fees(clocked, 'sub')).toEqual([
      ['a', 250n, 'finalized'],
      ['b', 250n, 'finalized'],
      ['c', 250n, null],
    ]);
    const { invoices } = await ask(clocked, '{ invoices(first: 9) { nodes { totalAmountCents invoiceType } } }');
    expect(invoices?.nodes).toEqual(['a', 'b'].map(() => ({ totalAmountCents: '250', invoiceType: 'subscription' })));
    const { events: stored } = await ask(clocked, '{ events(first: 9) { nodes { transactionId fate } } }');
    const fates = stored?.nodes.map(({ transactionId, fate }) => [transactionId, fate]);
    expect(fates?.sort()).toEqual(['a', 'b', 'c'].map((transactionId) => [transactionId, 'billed']));
  });

  it('bills no event of before the start, and none of somebody who is not there', async () => {
    await subscribe(clocked, 'later');
    await rest(clocked, '/events', {
      event: {
        ...{ transaction_id: 'early', code: 'invoiced', external_subscription_id: 'later' },
        timestamp: Date.parse('2026-01-09T00:00:00Z') / 1000,
      },
    });
    await events(clocked, 'nobody', 'invoiced', ['lost']);
    expect(await fees(clocked, 'later')).toEqual([]);
  });

  it('bills what came before its subscription, once that is there, with its answer or when the clock comes to it', async () => {
    await eventAt(clocked, 'future', 'f-1', '2026-01-05T00:00:00Z');
    await eventAt(clocked, 'future', 'f-0', '2025-12-31T00:00:00Z');
    expect(await fees(clocked, 'future')).toEqual([]);
    await subscribeAt(clocked, 'future', '2026-01-01T00:00:00Z');
    expect(await fees(clocked, 'future')).toEqual(once('f-1'));
    await rest(clocked, '/subscriptions', {
      subscription: { external_customer_id: 'of-future', external_id: 'future', plan_code: 'mixed', name: 'Kept' },
    });
    expect(await fees(clocked, 'future')).toEqual(once('f-1'));

    await subscribeAt(clocked, 'pending', '2026-01-10T09:30:20Z');
    await eventAt(clocked, 'pending', 'p-1', '2026-01-10T09:30:25Z');
    expect(await fees(clocked, 'pending')).toEqual([]);
  });

  it('looks at thresholds when the clock goes on: what crosses several makes one invoice, credited at the end of the month', async () => {
    await subscribe(clocked, 'progress');
    // 15 x 2.50: past 10.00 and past 30.00.
    await events(
      clocked,
      'progress',
      'arrears',
      Array.from({ length: 15 }, (_, at) => `p-${at}`),
    );
    const progressive = async () => {
      const where = { organizationId: clocked.id, customer: { externalId: 'of-progress' } };
      const rows = await test.db.prisma.invoice.findMany({ where, orderBy: { createdAt: 'asc' } });
      return rows.map((row) => [
        row.invoiceType,
        row.feesAmountCents,
        row.totalAmountCents,
        row.createdAt.toISOString(),
      ]);
    };
    expect(await progressive()).toEqual([]);
    const advance = (to: string) => ask(clocked, `mutation { advanceClock(input: { to: "${to}" }) { testClockAt } }`);
    await advance('2026-01-10T09:31:00Z');
    expect(await fees(clocked, 'pending')).toEqual(once('p-1'));
    const { createdAt } = await test.db.prisma.fee.findFirstOrThrow({ where: { eventTransactionId: 'p-1' } });
    expect(createdAt.toISOString()).toBe('2026-01-10T09:30:20.000Z');
    const early = ['progressive_billing', 3750n, 3750n, '2026-01-10T09:30:00.000Z'];
    expect(await progressive()).toEqual([early]);
    await events(clocked, 'progress', 'arrears', ['p-16']);
    await advance('2026-02-01T00:00:00Z');
    expect(await progressive()).toEqual([early, ['subscription', 4000n, 250n, '2026-02-01T00:00:00.000Z']]);
    expect(await dues(clocked)).toBe(0);
  });
});

describe('with the real clock', () => {
  it('keeps what is due with the events, and bills each once whoever does it', async () => {
    await subscribe(real, 'sub');
    const ids = Array.from({ length: 6 }, (_, at) => `e-${at}`);
    await events(real, 'sub', 'invoiced', ids);
    expect(await fees(real, 'sub')).toEqual([]);
    // Each event, and a look at the thresholds.
    expect(await dues(real)).toBe(7);
    const db = forOrganization(test.db.prisma, real.id);
    const bill = () =>
      billEvents(db, { organizationId: real.id, now: new Date(), job: 'bill/1' }, { thresholds: true });
    await Promise.all([bill(), bill()]);
    const billed = ids.map((id) => [id, 250n, 'finalized']);
    expect(await fees(real, 'sub')).toEqual(billed);
    expect(await dues(real)).toBe(0);
    expect(await bill()).toEqual({});

    // As after a job that was killed before what it did was told of: asked for again, nothing is billed twice.
    await test.db.prisma.usageDue.create({
      data: {
        ...{ organizationId: real.id, externalSubscriptionId: 'sub' },
        event: { transactionId: 'e-0', code: 'invoiced', timestamp: new Date(), properties: {}, amount: null },
      },
    });
    await bill();
    expect(await fees(real, 'sub')).toEqual(billed);
    expect(await dues(real)).toBe(0);
  });

  it('lets what nobody has begun for wait without a look, and bills it once somebody has', async () => {
    const db = forOrganization(test.db.prisma, real.id);
    const bill = () =>
      billEvents(db, { organizationId: real.id, now: new Date(), job: 'bill/3' }, { thresholds: false });
    const moment = new Date(Date.now() - 3_600_000).toISOString();
    await eventAt(real, 'stranger', 's-1', moment);
    await eventAt(real, 'raced', 'r-1', moment);
    expect(await organizationsOwing(test.db.prisma)).toContain(real.id);
    await bill();
    expect([await dues(real), await dues(real, true)]).toEqual([0, 2]);
    expect(await organizationsOwing(test.db.prisma)).not.toContain(real.id);

    await subscribeAt(real, 'stranger', new Date(Date.now() - 7_200_000).toISOString());
    expect([await dues(real), await dues(real, true)]).toEqual([1, 1]);
    await bill();
    expect(await fees(real, 'stranger')).toEqual(once('s-1'));

    // The trigger that saw nothing, since who found nobody had not written that yet.
    await subscribeAt(real, 'raced', new Date(Date.now() - 7_200_000).toISOString());
    await test.db.prisma.usageDue.updateMany({ where: { organizationId: real.id }, data: { waits: true } });
    await takeUpHeld(test.db.prisma);
    await bill();
    expect(await fees(real, 'raced')).toEqual(once('r-1'));
    expect([await dues(real), await dues(real, true)]).toEqual([0, 0]);
  });

  it('bills what came between two subscriptions of one identifier to the second, where that began before', async () => {
    const db = forOrganization(test.db.prisma, real.id);
    const at = new Date();
    const bill = () => billEvents(db, { organizationId: real.id, now: at, job: 'bill/4' }, { thresholds: false });
    const ago = (hours: number) => new Date(at.getTime() - hours * 3_600_000).toISOString();
    await subscribeAt(real, 'twice', ago(9));
    const where = { organizationId: real.id, externalId: 'twice' };
    const ended = { status: 'terminated', terminatedAt: ago(6) } as const;
    await test.db.prisma.subscription.updateMany({ where, data: ended });
    await eventAt(real, 'twice', 't-1', ago(3));
    await bill();
    expect([await fees(real, 'twice'), await dues(real, true)]).toEqual([[], 1]);
    await subscribeAt(real, 'twice', ago(4));
    await bill();
    expect([await fees(real, 'twice'), await dues(real, true)]).toEqual([once('t-1'), 0]);
  });

  it('leaves due what cannot be billed, and bills the others', async () => {
    await subscribe(real, 'good');
    await subscribe(real, 'bad');
    await events(real, 'good', 'invoiced', ['g']);
    await events(real, 'bad', 'invoiced', ['b']);
    const where = { organizationId: real.id, externalId: 'of-bad' };
    await test.db.prisma.customer.updateMany({ where, data: { timezone: 'Nowhere/Else' } });
    const db = forOrganization(test.db.prisma, real.id);
    const bill = billEvents(db, { organizationId: real.id, now: new Date(), job: 'bill/2' }, { thresholds: true });
    await expect(bill).rejects.toThrow();
    expect(await fees(real, 'good')).toEqual([['g', 250n, 'finalized']]);
    expect(await fees(real, 'bad')).toEqual([]);
    // The event, and a look at the thresholds.
    expect(await dues(real)).toBe(2);
  });
});
