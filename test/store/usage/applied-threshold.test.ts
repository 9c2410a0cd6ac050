import { afterAll, beforeAll, expect, it } from 'vitest';
import { crossedThresholds } from '../../../src/billing/invoice/progressive-billing.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import { running } from '../../../src/billing/subscription/invoice-request.ts';
import { lifetimeUsage } from '../../../src/billing/subscription/lifetime-usage.ts';
import { loadAccount } from '../../../src/store/account/load-account.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const NOW = new Date('2026-05-20T12:00:00Z');
const STARTED = '2026-04-01T00:00:00Z';
const APRIL_ENDS = '2026-04-30T23:59:59.999Z';
const THRESHOLD = '018f0000-0000-7000-8000-000000000200';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ now: () => NOW });
});
afterAll(() => test.close());

function invoice(number: string, invoice_type: string, cents: number, created_at: string, reason: string) {
  return {
    ...{ external_customer_id: 'customer', number, invoice_type, status: 'finalized', currency: 'EUR', created_at },
    ...{ fees_amount_cents: cents, sub_total_including_taxes_amount_cents: cents, total_amount_cents: cents },
    fees: [
      {
        ...{ external_subscription_id: 'sub', item: { type: 'charge', code: 'calls' }, amount_cents: cents },
        ...{ amount_currency: 'EUR', from_date: STARTED, to_date: APRIL_ENDS },
      },
    ],
    billing_periods: [
      {
        ...{ external_subscription_id: 'sub', invoicing_reason: reason },
        ...{ subscription_from_datetime: STARTED, subscription_to_datetime: APRIL_ENDS },
        ...{ charges_from_datetime: STARTED, charges_to_datetime: APRIL_ENDS },
      },
    ],
  };
}

/** 200.00 were passed in April, when usage was 205.00; at its end it was 190.00. */
const DOCUMENT = {
  billing_entities: [{ code: 'main', is_default: true }],
  billable_metrics: [{ code: 'calls', aggregation_type: 'count_agg' }],
  plans: [
    {
      ...{ code: 'plan', interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' },
      charges: [{ billable_metric_code: 'calls', properties: { amount: '1' } }],
      usage_thresholds: [{ svc_id: THRESHOLD, amount_cents: 20_000 }, { amount_cents: 50_000 }],
    },
  ],
  customers: [{ external_id: 'customer', currency: 'EUR' }],
  subscriptions: [
    {
      ...{ external_id: 'sub', external_customer_id: 'customer', plan_code: 'plan', status: 'active' },
      ...{ subscription_at: STARTED, started_at: STARTED, created_at: STARTED },
    },
  ],
  invoices: [
    {
      ...invoice('INV-1', 'progressive_billing', 20_500, '2026-04-20T00:00:00Z', 'progressive_billing'),
      applied_usage_thresholds: [{ svc_usage_threshold_id: THRESHOLD, lifetime_usage_amount_cents: 20_500 }],
    },
    invoice('INV-2', 'subscription', 19_000, '2026-05-01T00:00:00Z', 'subscription_periodic'),
  ],
};

it('a threshold that a stored invoice was for does not fire again when usage rises above it once more', async () => {
  await importDocument(test.db, DOCUMENT, { organization: 'thresholds', now: NOW });
  const { id } = await test.db.prisma.organization.findUniqueOrThrow({ where: { name: 'thresholds' } });
  const client = forOrganization(test.db.prisma, id);
  const customer = await client.customer.findFirstOrThrow({ where: { externalId: 'customer' } });
  const account = await loadAccount(client, customer.id, ['sub'], NOW);
  const [subscription] = account?.subscriptions ?? [];
  if (!account || !subscription) throw new Error('not stored');
  const billed = billedSubscription(account, subscription, NOW.getTime(), 'progressive_billing');
  const { chargesFrom } = running(billed).dates;
  const usage = lifetimeUsage(account, billed, { current: [], chargesFrom, loose: [] });
  expect(usage).toMatchObject({ invoicedCents: 19_000n, passedCents: 20_500n });
  const fired = crossedThresholds(subscription.plan.usageThresholds, usage.passedCents, 50_000n);
  expect(fired.map(({ amountCents }) => amountCents)).toEqual([50_000n]);
});
