import { randomUUID } from 'node:crypto';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { createReadApp, NOW } from '../rest/fixture.ts';
import type { TestApp } from '../support.ts';

/** Wallets of the customer `cust_ada`, empty and active. */
export const WALLETS = Array.from({ length: 4 }, () => randomUUID());

const MORE = {
  plans: [
    {
      code: 'fuzzed',
      interval: 'monthly',
      amount_cents: 5000,
      amount_currency: 'EUR',
      charges: [
        { code: 'calls', billable_metric_code: 'api_calls', charge_model: 'standard', properties: { amount: '1' } },
      ],
      fixed_charges: [{ code: 'desk', add_on_code: 'desk', units: '3', properties: { amount: '10' } }],
    },
  ],
  subscriptions: [
    {
      external_id: 'sub_fuzzed',
      external_customer_id: 'cust_ada',
      plan_code: 'fuzzed',
      status: 'active',
      subscription_at: '2026-01-01T00:00:00Z',
      started_at: '2026-01-01T00:00:00Z',
      plan_overrides: { charges: [{ code: 'calls', properties: { amount: '2' } }] },
    },
  ],
  wallets: WALLETS.map((svc_id) => ({
    svc_id,
    code: svc_id,
    external_customer_id: 'cust_ada',
    currency: 'EUR',
    rate_amount: '1',
  })),
};

/** The app of the reads, with what the writes need: a plan in use with an override, and wallets. */
export async function createFullApp(): Promise<TestApp> {
  const app = await createReadApp();
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  await importDocument(app.db, { organization: { name }, ...MORE }, { organization: name, now: NOW });
  return app;
}
