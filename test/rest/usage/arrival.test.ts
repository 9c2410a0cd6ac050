import { afterAll, beforeAll, expect, test } from 'vitest';
import { billEvents } from '../../../src/engine/subscription/bill-events.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import type { TestApp } from '../../support.ts';
import { appWith, charge, metric, plan, subscription } from './usage-fixture.ts';

const AT = '2026-03-10T12:00:00Z';
let gateway: TestApp;
beforeAll(async () => {
  const document = {
    billable_metrics: [metric('level', 'latest_agg'), metric('seats', 'unique_count_agg')],
    plans: [
      plan('used', [charge('level', 'level', { amount: '1' }), charge('seats', 'seats', { amount: '1' })]),
      plan('at_once', [charge('seats', 'seats', { amount: '1' }, { pay_in_advance: true })]),
    ],
    customers: [{ external_id: 'cust', currency: 'EUR' }],
    subscriptions: ['used', 'at_once'].map((code) => subscription(code, code, '2026-03-01T00:00:00Z')),
  };
  gateway = await appWith(document, new Date(AT)); // one moment: all is received at it
});
afterAll(() => gateway.close());

const send = async (code: string, sent: readonly (readonly [id: string, properties: object])[], to = 'used') => {
  const events = sent.map(([transaction_id, properties]) => ({
    ...{ transaction_id, code, properties, external_subscription_id: to, timestamp: Date.parse(AT) / 1000 },
  }));
  const { status, body } = await gateway.rest('POST', '/events/batch', { events });
  expect(status, JSON.stringify(body)).toBe(200);
};

const unitsOf = async (code: string) => {
  const { body } = await gateway.rest('GET', '/customers/cust/current_usage?external_subscription_id=used');
  const usage: readonly { readonly units: string; readonly billable_metric: { readonly code: string } }[] =
    body.customer_usage.charges_usage;
  return usage.find(({ billable_metric }) => billable_metric.code === code)?.units;
};

// Identifiers of the application that sort against the order in which they come.
test('of events of one timestamp the one that came last is the latest, whatever it is called', async () => {
  await send('level', [
    ['c', { value: '7' }],
    ['b', { value: '5' }],
    ['a', { value: '3' }],
  ]);
  expect(await unitsOf('level')).toBe('3.0');
  await send('level', [['0', { value: '9' }]]);
  expect(await unitsOf('level')).toBe('9.0');
});

test('what is added and taken away at one timestamp is counted in the order of arrival', async () => {
  const add = { value: 'anna' };
  const remove = { value: 'anna', operation_type: 'remove' };
  await send('seats', [
    ['z', add],
    ['y', remove],
  ]);
  expect(await unitsOf('seats')).toBe('0.0');
  await send('seats', [
    ['x', remove],
    ['w', add],
  ]);
  expect(await unitsOf('seats')).toBe('1.0');
});

test('events that are billed at once are billed in the order of arrival', async () => {
  const names = ['one', 'two', 'one', 'three'];
  await send(
    'seats',
    names.map((value, at) => [`m${9 - at}`, { value }]),
    'at_once',
  );
  const { db, organizationId } = gateway;
  const actor = { organizationId, now: new Date(AT), job: 'test' };
  await billEvents(forOrganization(db.prisma, organizationId), actor, { thresholds: false });
  const { body } = await gateway.rest('GET', '/fees?external_subscription_id=at_once&fee_type=charge&per_page=10');
  const fees: readonly { readonly units: string; readonly event_transaction_id: string }[] = body.fees;
  const billed = fees.map(({ event_transaction_id: id, units }) => [id, units]).sort();
  expect(billed).toEqual([
    ['m6', '1.0'],
    ['m7', '0.0'],
    ['m8', '1.0'],
    ['m9', '1.0'],
  ]);
});
