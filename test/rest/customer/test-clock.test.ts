import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support.ts';

const START = '2026-01-10T09:30:00Z';
let test: TestApp;
let key: string;
let reader: string;
beforeAll(async () => {
  test = await createTestApp();
  const data = { name: 'Pendulum', testClockAt: new Date(START) };
  const { id: organizationId } = await test.db.prisma.organization.create({ data });
  key = await test.makeKey({ organizationId });
  reader = await test.makeKey({ organizationId, permissions: { organization: ['read'] } });
});
afterAll(() => test?.close());

const advance = (body?: unknown, bearer = key, headers = {}) =>
  test.rest('POST', '/test_clock/advance', body, { key: bearer, headers });
const post = (path: string, body: object) => test.rest('POST', path, body, { key });

it('moves the clock on, and all is done that happens until then', async () => {
  const terms = { interval: 'monthly', amount_cents: 3000, amount_currency: 'EUR', pay_in_advance: false };
  await post('/plans', { plan: { code: 'small', name: 'Small', ...terms } });
  await post('/customers', { customer: { external_id: 'ada', currency: 'EUR' } });
  const subscription = { external_customer_id: 'ada', external_id: 'sub', plan_code: 'small' };
  expect((await post('/subscriptions', { subscription })).status).toBe(200);
  const moved = await advance({ to: '2026-02-02T00:00:00Z' }, key, { 'Idempotency-Key': 'february' });
  expect([moved.status, moved.body]).toEqual([200, { test_clock: { now: '2026-02-02T00:00:00Z' } }]);
  const { invoices } = (await test.rest('GET', '/invoices', undefined, { key })).body;
  expect(invoices).toMatchObject([{ issuing_date: '2026-02-01', status: 'finalized' }]);
  // The same write, sent again, is answered and not done again.
  const again = await advance({ to: '2026-02-02T00:00:00Z' }, key, { 'Idempotency-Key': 'february' });
  expect([again.status, again.body]).toEqual([200, moved.body]);
});

it.each([
  ['a time that is past', { to: '2026-01-01T00:00:00Z' }, { to: ['value_is_out_of_range'] }],
  ['the time that it is', { to: '2026-02-02T00:00:00Z' }, { to: ['value_is_out_of_range'] }],
  ['more than 800 days', { to: '2028-04-13T00:00:00Z' }, { to: ['value_is_out_of_range'] }],
  ['no time', {}, { to: ['value_is_mandatory'] }],
  ['null', { to: null }, { to: ['value_is_mandatory'] }],
  ['a day that is none', { to: '2026-02-30T00:00:00Z' }, { to: ['value_is_invalid'] }],
  ['a number', { to: 7 }, { to: ['value_is_invalid'] }],
])('%s is refused, and the clock stays', async (_, body, details) => {
  const { status, body: said } = await advance(body);
  expect([status, said.error_details]).toEqual([422, details]);
  const { data } = await test.graphql('{ organization { testClockAt } }', {}, key);
  expect(data.organization.testClockAt).toBe('2026-02-02T00:00:00Z');
});

it('is for organizations that have one, and for keys that may write them', async () => {
  const there = await advance({ to: '2026-03-01T00:00:00Z' }, test.key);
  expect(there).toMatchObject({ status: 405, body: { code: 'organization_has_no_test_clock' } });
  const refused = await advance({ to: '2026-03-01T00:00:00Z' }, reader);
  expect(refused).toMatchObject({ status: 403, body: { code: 'write_action_not_allowed_for_organization' } });
});

it('is moved by one of several at one moment; the others are told at once', async () => {
  const { data } = await test.graphql('{ organization { testClockAt } }', {}, key);
  const to = new Date(Date.parse(data.organization.testClockAt) + 86_400_000).toISOString();
  const answers = await Promise.all([1, 2, 3].map(() => advance({ to })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 405, 405]);
  const told = answers.filter(({ status }) => status === 405).map(({ body }) => body.code);
  expect(told).toEqual(['test_clock_was_moved', 'test_clock_was_moved']);
});

it('does a named write once, also where several are sent at one moment and the clock is far behind', async () => {
  await post('/add_ons', { add_on: { code: 'setup', name: 'Setup', amount_cents: 100, amount_currency: 'EUR' } });
  await post('/customers', { customer: { external_id: 'once', currency: 'EUR' } });
  const invoice = { external_customer_id: 'once', currency: 'EUR', fees: [{ add_on_code: 'setup' }] };
  for (const name of ['first', 'second', 'third']) {
    const headers = { 'Idempotency-Key': name };
    const send = () => test.rest('POST', '/invoices', { invoice }, { key, headers });
    const statuses = (await Promise.all(Array.from({ length: 6 }, send))).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(statuses).toContain(200);
    expect((await send()).status).toBe(200);
  }
  expect(await test.db.prisma.invoice.count({ where: { customer: { externalId: 'once' } } })).toBe(3);
});
