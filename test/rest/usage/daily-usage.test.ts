import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { recordDailyUsage } from '../../../src/engine/job/daily-usage.ts';
import { createKey } from '../../../src/store/access/api-key.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { createTestApp, type TestApp } from '../../support.ts';

// What was used by the end of each day, in an organization with a clock of its own.

let app: TestApp;
let key: string;
let organizationId: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

const send = async (method: string, path: string, body?: object) => {
  const answer = await app.rest(method, path, body, { key });
  expect([path, answer.status, answer.body.error_details]).toEqual([path, 200, undefined]);
  return answer.body;
};
const post = (path: string, body: object) => send('POST', path, body);
const advance = (to: string) => post('/test_clock/advance', { to });
const subscribe = (members: object = {}) =>
  post('/subscriptions', {
    subscription: { external_customer_id: 'cust', external_id: 'sub', plan_code: 'plan', ...members },
  });
const use = (timestamp: string, n: number, region = 'eu') =>
  post('/events', {
    event: {
      ...{ transaction_id: `${timestamp}-${n}-${region}`, external_subscription_id: 'sub', code: 'sum' },
      ...{ timestamp: Date.parse(timestamp) / 1000, properties: { n, region } },
    },
  });

let clocks = 0;
beforeEach(async () => {
  clocks += 1;
  const data = { name: `Daily ${clocks}`, testClockAt: new Date('2026-05-10T12:00:00Z') };
  organizationId = (await app.db.prisma.organization.create({ data })).id;
  key = (await createKey(app.db.prisma, { organizationId, kind: 'secret' })).key;
  await post('/billable_metrics', {
    billable_metric: { code: 'sum', name: 'Sum', aggregation_type: 'sum_agg', field_name: 'n' },
  });
  const properties = { amount: '2', pricing_group_keys: ['region'] };
  const charges = [{ billable_metric_code: 'sum', charge_model: 'standard', properties }];
  const plan = { interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR', pay_in_advance: false, charges };
  await post('/plans', { plan: { ...plan, code: 'plan', name: 'Plan' } });
  await post('/plans', { plan: { ...plan, code: 'dearer', name: 'Dearer', amount_cents: 5000 } });
  await post('/customers', { customer: { external_id: 'cust', currency: 'EUR', timezone: 'America/Lima' } });
});

const LINES = 'groupValues { key value } units eventsCount amountCents addedUnits addedEventsCount addedAmountCents';
const QUERY = `query ($status: [SubscriptionStatus!]) {
  subscriptions(filter: { status: $status }, first: 9, orderBy: { field: created_at, direction: asc }) { nodes {
    dailyUsages(first: 50) { totalCount nodes {
      usageDate fromDatetime toDatetime currency amountCents addedAmountCents lines { chargeCode ${LINES} }
    } }
  } }
}`;

interface Record {
  readonly usageDate: string;
  readonly amountCents: string;
  readonly addedAmountCents: string;
  readonly [member: string]: unknown;
}

/** The records of each subscription, oldest first. */
async function records(): Promise<Record[][]> {
  const { data, errors } = await app.graphql(QUERY, { status: ['active', 'terminated'] }, key);
  expect(errors).toBeUndefined();
  const subscriptions: { dailyUsages: { nodes: Record[] } }[] = data.subscriptions.nodes;
  return subscriptions.map(({ dailyUsages: { nodes } }) =>
    [...nodes].sort((one, other) => one.usageDate.localeCompare(other.usageDate)),
  );
}
const shown = (of: readonly Record[] = []) =>
  of.map(({ usageDate, amountCents, addedAmountCents }) => [usageDate, amountCents, addedAmountCents]);

it('is recorded of each day on which it changed, with what came to it, by the days of the customer', async () => {
  await subscribe();
  await use('2026-05-10T13:00:00Z', 3);
  // Half past eleven in the evening in Lima.
  await use('2026-05-13T04:30:00Z', 4, 'us');
  await use('2026-05-13T05:30:00Z', 1);
  await advance('2026-05-20T00:00:00Z');
  const [all = []] = await records();
  expect(shown(all)).toEqual([
    ['2026-05-10', '600', '600'],
    ['2026-05-12', '1400', '800'],
    ['2026-05-13', '1600', '200'],
  ]);
  expect(all[1]).toMatchObject({
    ...{ fromDatetime: '2026-05-10T12:00:00Z', toDatetime: '2026-06-01T04:59:59Z', currency: 'EUR' },
    lines: expect.arrayContaining([
      {
        ...{
          chargeCode: 'sum',
          groupValues: [{ key: 'region', value: 'eu' }],
          units: '3.0',
          eventsCount: 1,
          amountCents: '600',
        },
        ...{ addedUnits: '0.0', addedEventsCount: 0, addedAmountCents: '0' },
      },
      {
        ...{
          chargeCode: 'sum',
          groupValues: [{ key: 'region', value: 'us' }],
          units: '4.0',
          eventsCount: 1,
          amountCents: '800',
        },
        ...{ addedUnits: '4.0', addedEventsCount: 1, addedAmountCents: '800' },
      },
    ]),
  });
  // What comes late is in the next record.
  await use('2026-05-11T12:00:00Z', 10);
  await advance('2026-05-21T12:00:00Z');
  expect(shown((await records())[0]).slice(3)).toEqual([['2026-05-19', '3600', '2000']]);
});

it('has no record of a day that comes to more than can be stored, and keeps no other waiting', async () => {
  await subscribe();
  await subscribe({ external_id: 'fair' });
  await use('2026-05-10T13:00:00Z', 3);
  await use('2026-05-12T13:00:00Z', 1e21);
  const fair = { transaction_id: 'fair', external_subscription_id: 'fair', code: 'sum', properties: { n: 2 } };
  await post('/events', { event: { ...fair, timestamp: Date.parse('2026-05-12T13:00:00Z') / 1000 } });
  await advance('2026-05-15T12:00:00Z');
  const [vast, other] = await records();
  expect([shown(vast), shown(other)]).toEqual([[['2026-05-10', '600', '600']], [['2026-05-12', '400', '400']]]);
  await use('2026-05-14T13:00:00Z', -1e21);
  await advance('2026-05-16T12:00:00Z');
  expect(shown((await records())[0]).slice(1)).toEqual([['2026-05-15', '600', '0']]);

  await use('2026-05-16T11:00:00Z', 1e21);
  const { status, body } = await app.rest('POST', '/test_clock/advance', { to: '2026-06-02T12:00:00Z' }, { key });
  expect([status, body.error_details]).toEqual([
    422,
    { customer: ['could_not_be_billed: cust'], amount_cents: ['value_is_out_of_range'] },
  ]);
});

it('is that of the invoice on the last day of a period, and begins anew', async () => {
  await subscribe();
  await use('2026-05-11T12:00:00Z', 5);
  await advance('2026-05-15T12:00:00Z');
  await use('2026-05-15T12:00:00Z', 6);
  await advance('2026-06-03T12:00:00Z');
  await use('2026-06-03T12:00:00Z', 7);
  await advance('2026-06-05T12:00:00Z');
  expect(shown((await records())[0])).toEqual([
    ['2026-05-11', '1000', '1000'],
    ['2026-05-15', '2200', '1200'],
    ['2026-05-31', '2200', '0'],
    ['2026-06-03', '1400', '1400'],
  ]);
  const { _sum } = await app.db.prisma.fee.aggregate({
    where: { organizationId, feeType: 'charge' },
    _sum: { amountCents: true },
  });
  expect(_sum.amountCents).toBe(2200n);
});

it('ends with the subscription, and another that follows it has its own', async () => {
  await subscribe();
  await use('2026-05-10T12:00:00Z', 5);
  await advance('2026-05-12T20:00:00Z');
  await use('2026-05-12T20:00:00Z', 6);
  await advance('2026-05-12T21:00:00Z');
  await subscribe({ plan_code: 'dearer' });
  await advance('2026-05-12T22:00:00Z');
  await use('2026-05-12T22:00:00Z', 1);
  await advance('2026-05-15T12:00:00Z');
  expect((await records()).map(shown)).toEqual([
    [
      ['2026-05-10', '1000', '1000'],
      ['2026-05-12', '2200', '1200'],
    ],
    [['2026-05-12', '200', '200']],
  ]);
});

it('is recorded of one that began and ended before anybody looked', async () => {
  await subscribe();
  await use('2026-05-10T12:00:00Z', 5);
  await send('DELETE', '/subscriptions/sub');
  await advance('2026-06-20T12:00:00Z');
  expect((await records()).map(shown)).toEqual([[['2026-05-10', '1000', '1000']]]);
});

it('is not recorded where it comes to nothing, nor before the day has been over for two minutes', async () => {
  await subscribe();
  await advance('2026-05-11T12:00:00Z');
  await use('2026-05-11T12:00:00Z', 0);
  await advance('2026-05-12T12:00:00Z');
  await use('2026-05-12T12:00:00Z', 1);
  await advance('2026-05-13T05:01:59Z');
  expect(await records()).toEqual([[]]);
  await advance('2026-05-13T05:02:01Z');
  expect(shown((await records())[0])).toEqual([['2026-05-12', '200', '200']]);
});

it('is recorded once by any number at one moment, and nothing is recorded again', async () => {
  await subscribe();
  await use('2026-05-10T12:00:00Z', 5);
  await app.db.prisma.organization.update({ where: { id: organizationId }, data: { testClockAt: null } });
  const db = forOrganization(app.db.prisma, organizationId);
  const record = (now: string) =>
    recordDailyUsage(
      db,
      { organizationId, now: new Date(now), job: 'daily_usage' },
      { since: new Date('2026-05-10T12:00:00Z'), hasClock: true },
    );
  const both = await Promise.all([record('2026-05-12T12:00:00Z'), record('2026-05-12T12:00:00Z')]);
  expect(both).toEqual([[], []]);
  const once = await records();
  expect(once.map(shown)).toEqual([[['2026-05-10', '1000', '1000']]]);
  await record('2026-05-12T12:00:00Z');
  await record('2026-05-13T12:00:00Z');
  expect(await records()).toEqual(once);
});
