import { afterAll, beforeAll, expect, it } from 'vitest';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const NOW = new Date('2026-11-28T13:00:00Z');
const STARTED = '2026-11-01T09:00:00Z';
const subscription = (external_id: string, plan_code: string, more: object = {}) => ({
  external_id,
  external_customer_id: 'c',
  plan_code,
  started_at: STARTED,
  ...more,
});

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ now: () => NOW });
  const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
  const plan = (code: string, trial_period: string) => ({
    ...{ code, name: code, interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR', trial_period },
  });
  const document = {
    organization: { name },
    billing_entities: [{ code: 'main', name: 'Main', is_default: true, timezone: 'Europe/Paris' }],
    plans: [plan('none', '0'), plan('ten', '10'), plan('sixty', '60')],
    customers: [{ external_id: 'c', currency: 'EUR' }],
    subscriptions: [
      subscription('none', 'none'),
      subscription('ten', 'ten'),
      subscription('sixty', 'sixty'),
      subscription('gone', 'ten', { terminated_at: '2026-11-05T00:00:00Z' }),
      subscription('told', 'ten', { activated_at: '2026-11-02T00:00:00Z', trial_ended_at: '2026-11-12T00:00:00Z' }),
      subscription('again', 'ten', { started_at: '2026-09-01T09:00:00Z', terminated_at: '2026-10-01T00:00:00Z' }),
      subscription('again', 'ten'),
      subscription('waits', 'ten', { status: 'pending', started_at: null, subscription_at: '2026-12-24T00:00:00Z' }),
    ],
  };
  await importDocument(test.db, document, { organization: name, now: NOW });
});
afterAll(() => test?.close());

it.each([
  ['none', 'active', STARTED, null],
  ['ten', 'active', STARTED, '2026-11-11T09:00:00Z'],
  ['sixty', 'active', STARTED, null],
  ['gone', 'terminated', STARTED, null],
  ['told', 'active', '2026-11-02T00:00:00Z', '2026-11-12T00:00:00Z'],
  ['again', 'active', STARTED, '2026-09-11T09:00:00Z'],
  ['waits', 'pending', null, null],
])('%s (%s) became active at %s, its trial ended at %s', async (externalId, status, activatedAt, trialEndedAt) => {
  const query = `query ($externalId: String!, $status: SubscriptionStatus) {
    subscription(externalId: $externalId, status: $status) { activatedAt trialEndedAt } }`;
  // The second time the query is compiled.
  const answers = [
    await test.graphql(query, { externalId, status }),
    await test.graphql(query, { externalId, status }),
  ];
  for (const { data } of answers) expect(data).toEqual({ subscription: { activatedAt, trialEndedAt } });
});

it('a preview shows the same', async () => {
  const body = { customer: { external_id: 'c' }, subscriptions: { external_ids: ['ten'] } };
  const { body: answer } = await test.rest('POST', '/invoices/preview', body);
  const [shown] = answer.invoice.subscriptions;
  expect([shown.activated_at, shown.trial_ended_at]).toEqual([STARTED, '2026-11-11T09:00:00Z']);
});
