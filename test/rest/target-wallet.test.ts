import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../support.ts';

const NOW = new Date('2026-06-20T12:00:00Z');
const starts = '2026-06-01T00:00:00Z';
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
});
afterAll(() => app?.close());

const event = (rank: number, wallet?: string) => ({
  ...{ transaction_id: `t${rank}`, external_subscription_id: 'sub', code: 'calls' },
  ...{ timestamp: `2026-06-0${rank}T00:00:00Z`, properties: wallet ? { target_wallet_code: wallet } : {} },
});
const wallet = (code: string, priority: number, balance_cents: number) => ({
  ...{ svc_id: randomUUID(), code, priority, balance_cents, external_customer_id: 'cust' },
  ...{ currency: 'EUR', rate_amount: '1', status: 'active' },
});

it.each([
  // Gold takes its 3 events before any other fee, and `any`, which ranks first, may take the 2 free ones only.
  [true, 400, 100],
  [false, 500, 0],
])('a charge that accepts target wallets (%s) is paid by those its events name', async (accepts, prepaid, total) => {
  const name = `target ${accepts}`;
  const document = {
    organization: { name },
    billing_entities: [{ code: 'main', name: 'Main', is_default: true }],
    billable_metrics: [{ code: 'calls', name: 'Calls', aggregation_type: 'count_agg' }],
    plans: [
      {
        ...{ code: 'usage', name: 'Usage', interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' },
        charges: [
          {
            ...{ code: 'calls', billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '1' } },
            accepts_target_wallet: accepts,
          },
        ],
      },
    ],
    customers: [{ external_id: 'cust', name: 'Cust', currency: 'EUR', timezone: 'UTC' }],
    subscriptions: [
      {
        ...{ external_id: 'sub', external_customer_id: 'cust', plan_code: 'usage', status: 'active' },
        ...{ subscription_at: starts, started_at: starts, created_at: starts },
      },
    ],
    wallets: [wallet('any', 1, 900), wallet('gold', 2, 200)],
    events: [event(1, 'gold'), event(2, 'gold'), event(3, 'gold'), event(4), event(5)],
  };
  await importDocument(app.db, document, { organization: name, now: NOW });
  const { id: organizationId } = await app.db.prisma.organization.findUniqueOrThrow({ where: { name } });
  const key = await app.makeKey({ organizationId });
  const body = { customer: { external_id: 'cust' }, subscriptions: { external_ids: ['sub'] } };
  const { body: answer } = await app.rest('POST', '/invoices/preview', body, { key });
  const { fees_amount_cents, prepaid_credit_amount_cents, total_amount_cents } = answer.invoice;
  expect([fees_amount_cents, prepaid_credit_amount_cents, total_amount_cents]).toEqual([500, prepaid, total]);
});
