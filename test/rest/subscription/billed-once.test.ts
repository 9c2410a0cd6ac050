import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyLife } from '../../../src/engine/life/verify-life.ts';
import { createKey } from '../../../src/store/access/api-key.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { billedLives } from '../../../src/store/subscription/billed-life.ts';
import { createTestApp, type TestApp } from '../../support.ts';

// Each day and each event is billed once, whatever changes around it: the zone, the plan, who follows whom.

const START = '2026-05-10T12:00:00Z';
let test: TestApp;
let key: string;
let organizationId: string;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test?.close());

const send = async (method: string, path: string, body?: object) => {
  const answer = await test.rest(method, path, body, { key });
  expect([path, answer.status, answer.body.error_details]).toEqual([path, 200, undefined]);
  return answer.body;
};
const post = (path: string, body: object) => send('POST', path, body);
const advance = (to: string) => post('/test_clock/advance', { to });
const subscribe = (plan_code: string, members: object = {}) =>
  post('/subscriptions', { subscription: { external_customer_id: 'cust', external_id: 'sub', plan_code, ...members } });
const use = (timestamp: string, n: number) =>
  post('/events', {
    event: {
      ...{ transaction_id: `${timestamp}-${n}`, external_subscription_id: 'sub', code: 'sum' },
      ...{ timestamp: Date.parse(timestamp) / 1000, properties: { n } },
    },
  });
const move = (timezone: string) => post('/customers', { customer: { external_id: 'cust', timezone } });

let clocks = 0;
beforeEach(async () => {
  clocks += 1;
  const data = { name: `Once ${clocks}`, testClockAt: new Date(START) };
  organizationId = (await test.db.prisma.organization.create({ data })).id;
  key = (await createKey(test.db.prisma, { organizationId, kind: 'secret' })).key;
  const metric = { code: 'sum', name: 'Sum', aggregation_type: 'sum_agg', field_name: 'n' };
  await post('/billable_metrics', { billable_metric: metric });
  const charges = [{ billable_metric_code: 'sum', charge_model: 'standard', properties: { amount: '1' } }];
  const plan = (code: string, amount_cents: number, members: object = {}) =>
    post('/plans', {
      plan: {
        ...{ code, name: code, interval: 'monthly', amount_currency: 'EUR', pay_in_advance: false },
        ...{ charges, amount_cents, ...members },
      },
    });
  await plan('month', 31_000);
  await plan('advance', 31_000, { pay_in_advance: true });
  await plan('dearer', 62_000, { pay_in_advance: true });
  await plan('small', 1000, { pay_in_advance: true });
  const year = { interval: 'yearly', bill_charges_monthly: true };
  await plan('year', 365_000, { ...year, pay_in_advance: true });
  await plan('year_arrears', 365_000, year);
  await plan('cheap', 15_500);
  const advance = { ...charges[0], pay_in_advance: true, properties: { amount: '2' } };
  await plan('instant', 31_000, { charges: [advance] });
  await plan('loose', 31_000, { charges: [{ ...advance, invoiceable: false, regroup_paid_fees: 'invoice' }] });
  await plan('half', 184_000, { ...year, interval: 'semiannual', pay_in_advance: true });
  await post('/customers', { customer: { external_id: 'cust', currency: 'EUR' } });
});

/** What was billed, oldest first: of each invoice its date, the plan's fee and the units of usage, where there are any. */
async function billed() {
  const invoices = await test.db.prisma.invoice.findMany({
    where: { organizationId },
    include: { fees: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return invoices.map(({ issuingDate, fees }) => {
    const of = (type: string) => fees.filter(({ feeType }) => feeType === type);
    const units = of('charge').reduce((sum, fee) => sum + Number(fee.units), 0);
    const amount = of('subscription').reduce((sum, fee) => sum + Number(fee.amountCents), 0);
    return [issuingDate.toISOString().slice(5, 10), amount, units];
  });
}

async function differences() {
  const db = forOrganization(test.db.prisma, organizationId);
  const actor = { organizationId, now: new Date(START), job: 'verify' };
  const found = [];
  for (const life of await billedLives(db, actor)) found.push(...(await verifyLife(db, actor, life)).differences);
  return found;
}

describe('a cheaper plan after one whose usage is billed by the month', () => {
  it.each([
    ['year', '2027-01-01', 236_000, [['01-01', 1000, 2]]],
    ['year_arrears', '2027-01-01', 0, [['01-01', 237_000, 2]]],
    ['half', '2026-07-01', 52_862, []],
  ])('%s waits for the end of the whole period', async (code, day, first, last) => {
    await subscribe(code);
    const { subscription } = await subscribe('small');
    expect(subscription.downgrade_plan_date).toBe(day);
    await advance('2026-06-02T00:00:00Z');
    await use('2026-06-01T12:00:00Z', 3);
    await advance('2026-06-30T00:00:00Z');
    const { subscription: still } = await send('GET', '/subscriptions/sub');
    expect([still.plan_code, still.status]).toEqual([code, 'active']);
    expect((await billed()).reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(first);
    await advance('2026-07-02T00:00:00Z');
    const july = (await billed()).at(-1);
    if (last.length === 0) return expect(july).toEqual(['07-01', 1000, 3]);
    expect(july).toEqual(['07-01', 0, 3]);
    await use('2026-12-20T12:00:00Z', 2);
    await advance('2027-01-02T00:00:00Z');
    expect((await billed()).slice(-1)).toEqual(last);
    expect((await send('GET', '/subscriptions/sub')).subscription.plan_code).toBe('small');
    expect(await differences()).toEqual([]);
  });
});

describe('a customer who moves', () => {
  // By the clocks of where it is billed it began on the eleventh.
  it.each([
    [
      'month',
      [
        ['06-01', 21_000, 3],
        ['07-01', 31_000, 4],
      ],
    ],
    [
      'advance',
      [
        ['05-10', 22_000, 0],
        ['06-01', 31_000, 3],
        ['07-01', 31_000, 4],
      ],
    ],
  ])('east over the end of a period is billed for it: %s', async (code, invoices) => {
    await move('America/New_York');
    await subscribe(code);
    await use('2026-05-20T12:00:00Z', 1);
    await use('2026-05-31T08:00:00Z', 2);
    await use('2026-06-01T02:00:00Z', 4);
    await advance('2026-05-31T22:30:00Z');
    await move('Pacific/Auckland');
    await advance('2026-07-02T00:00:00Z');
    expect(await billed()).toEqual(invoices);
    expect(await differences()).toEqual([]);
  });

  it.each([
    [
      'month',
      [
        ['06-01', 22_000, 3],
        ['07-01', 31_000, 4],
      ],
    ],
    [
      'advance',
      [
        ['05-10', 22_000, 0],
        ['06-01', 31_000, 3],
        ['07-01', 31_000, 4],
      ],
    ],
  ])('west just after it is not billed for it again: %s', async (code, invoices) => {
    await move('Europe/Paris');
    await subscribe(code);
    await use('2026-05-20T12:00:00Z', 3);
    await use('2026-05-31T22:15:00Z', 4);
    await advance('2026-05-31T22:30:00Z');
    await move('America/New_York');
    await advance('2026-07-02T12:00:00Z');
    expect(await billed()).toEqual(invoices);
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['that began today', '2026-06-10T16:00:00Z'],
    ['of the month before', '2026-05-20T16:00:00Z'],
  ])('ends a subscription %s at its end, and with what it used until then', async (_, begin) => {
    await move('America/Los_Angeles');
    await advance(begin);
    await subscribe('month', { ending_at: '2026-06-11T09:00:00Z' });
    await advance('2026-06-10T18:00:00Z');
    // The day of the end began there at 15:00.
    await move('Asia/Tokyo');
    await advance('2026-06-10T19:00:00Z');
    await use('2026-06-10T19:00:00Z', 7);
    await advance('2026-06-12T00:00:00Z');
    const { subscription } = await send('GET', '/subscriptions/sub?status=terminated');
    expect([subscription.status, subscription.terminated_at]).toEqual(['terminated', '2026-06-11T09:00:00Z']);
    expect((await billed()).reduce((sum, [, , used]) => sum + Number(used), 0)).toBe(7);
    expect(await differences()).toEqual([]);
  });

  it('may do so as often as it likes, also with its entity', async () => {
    await subscribe('month');
    for (const [at, zone] of [
      ['2026-05-31T11:00:00Z', 'Pacific/Tongatapu'],
      ['2026-05-31T12:00:00Z', 'Pacific/Midway'],
      ['2026-06-01T03:00:00Z', 'Asia/Kolkata'],
      ['2026-06-01T12:30:00Z', 'Pacific/Auckland'],
      ['2026-06-30T13:00:00Z', 'America/Los_Angeles'],
    ] as const) {
      await advance(at);
      await move(zone);
    }
    await post('/billing_entities', { billing_entity: { code: 'far', name: 'Far', timezone: 'Pacific/Auckland' } });
    await post('/customers', { customer: { external_id: 'cust', timezone: null, billing_entity_code: 'far' } });
    await advance('2026-08-02T00:00:00Z');
    expect((await billed()).map(([, amount]) => amount)).toEqual([21_000, 31_000, 31_000]);
    expect(await differences()).toEqual([]);
  });
});

describe('an event at the very moment', () => {
  it.each([
    ['of a change of plan', () => subscribe('dearer')],
    [
      'of an end and a new beginning',
      async () => {
        await send('DELETE', '/subscriptions/sub');
        await subscribe('month');
      },
    ],
  ])('%s is billed once', async (_, change) => {
    await subscribe('month');
    await advance('2026-05-15T12:00:00Z');
    await use('2026-05-15T11:59:59Z', 1);
    await use('2026-05-15T12:00:00Z', 7);
    await change();
    await advance('2026-06-02T00:00:00Z');
    const units = (await billed()).reduce((sum, [, , used]) => sum + Number(used), 0);
    expect(units).toBe(8);
    expect(await differences()).toEqual([]);
  });
});

describe('an event that comes after the change at the same moment', () => {
  it.each([
    ['month', 'instant', 14],
    ['instant', 'dearer', 7],
    ['instant', 'instant_too', 14],
  ])('is billed by the new plan, once: from %s to %s', async (from, to, amount) => {
    const { plan } = await send('GET', '/plans/instant');
    if (to === 'instant_too') {
      const charges = plan.charges.map(({ svc_id: _, ...charge }: { svc_id: string }) => charge);
      await post('/plans', { plan: { ...plan, code: to, name: to, amount_cents: 31_001, charges } });
    }
    await subscribe(from);
    await advance('2026-05-15T12:00:00Z');
    await subscribe(to);
    const event = { transaction_id: 'now', external_subscription_id: 'sub', code: 'sum', properties: { n: 7 } };
    await post('/events', { event });
    await advance('2026-06-02T00:00:00Z');
    const fees = await test.db.prisma.fee.findMany({ where: { organizationId, feeType: 'charge' } });
    expect(fees.map(({ amountCents }) => Number(amountCents))).toEqual([amount * 100]);
    expect(await differences()).toEqual([]);
  });
});

describe('an end without a last invoice', () => {
  it.each([
    ['said at the end', () => send('DELETE', '/subscriptions/sub?on_termination_invoice=skip')],
    [
      'said before it',
      async () => {
        const terms = { on_termination_invoice: 'skip', ending_at: '2026-05-20T12:00:00Z' };
        await send('PUT', '/subscriptions/sub', { subscription: terms });
        await advance('2026-05-20T13:00:00Z');
      },
    ],
  ])('gathers the fees that were paid: %s', async (_, end) => {
    await subscribe('loose');
    await use(START, 3);
    const [fee] = (await send('GET', '/fees')).fees;
    await send('PUT', `/fees/${fee.svc_id}`, { fee: { payment_status: 'succeeded' } });
    await end();
    const invoices = await test.db.prisma.invoice.findMany({ where: { organizationId } });
    expect(invoices).toMatchObject([
      { invoiceType: 'advance_charges', totalAmountCents: 600n, paymentStatus: 'succeeded' },
    ]);
  });
});

describe('a cheaper plan that waits', () => {
  const repriced = (code: string, amount_cents: number) => send('PUT', `/plans/${code}`, { plan: { amount_cents } });
  const statuses = async () => {
    const { subscriptions } = await send('GET', '/subscriptions?status[]=active&status[]=terminated&status[]=pending');
    return subscriptions.map((one: { plan_code: string; status: string }) => `${one.plan_code} ${one.status}`).sort();
  };
  beforeEach(async () => {
    await subscribe('month');
    await subscribe('cheap');
    await use('2026-05-10T12:00:00Z', 3);
    await advance('2026-05-21T10:00:00Z');
  });

  it.each([
    ['REST', () => repriced('cheap', 62_000)],
    [
      'GraphQL',
      () =>
        test.graphql(
          'mutation { updatePlan(code: "cheap", input: { amountCents: 62000 }) { changes { invoices { totalCount } } } }',
          {},
          key,
        ),
    ],
    [
      'its own amount',
      () =>
        send('PUT', '/subscriptions/sub?status=pending', {
          subscription: { plan_overrides: { amount_cents: 62_000 } },
        }),
    ],
  ])('follows at once where it becomes the dearer one: by %s', async (_, reprice) => {
    await reprice();
    expect(await statuses()).toEqual(['cheap active', 'month terminated']);
    expect(await billed()).toEqual([['05-21', 11_000, 3]]);
    await use('2026-05-25T12:00:00Z', 4);
    await advance('2026-06-02T00:00:00Z');
    expect((await billed()).slice(1)).toEqual([['06-01', 22_000, 4]]);
    expect(await differences()).toEqual([]);
  });

  it('is given up where the running one becomes the cheaper one', async () => {
    await repriced('month', 12_400);
    expect(await statuses()).toEqual(['month active']);
    await advance('2026-06-02T00:00:00Z');
    expect(await billed()).toEqual([['06-01', 8800, 3]]);
  });

  it('takes its turn for the whole period where both cost the same by then', async () => {
    await repriced('month', 15_500);
    expect(await statuses()).toEqual(['cheap pending', 'month active']);
    await advance('2026-06-02T00:00:00Z');
    expect(await statuses()).toEqual(['cheap active', 'month terminated']);
    expect(await billed()).toEqual([['06-01', 11_000, 3]]);
    expect(await differences()).toEqual([]);
  });
});
