import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { createTestApp, type TestApp } from '../../support.ts';

/** Plans, subscriptions and events as an import has them; the organization is the test's. */
export async function appWith(document: object, now: Date): Promise<TestApp> {
  const gateway = await createTestApp({ now: () => now });
  const { name } = await gateway.db.prisma.organization.findUniqueOrThrow({ where: { id: gateway.organizationId } });
  await importDocument(gateway.db, document, { organization: name, now });
  return gateway;
}

export const metric = (code: string, aggregation_type: string, more: object = {}) => ({
  ...{ code, name: code, aggregation_type, field_name: 'value', ...more },
});

export const charge = (code: string, metricCode: string, properties: object, more: object = {}) => ({
  ...{ code, billable_metric_code: metricCode, charge_model: 'standard', properties, ...more },
});

export const plan = (code: string, charges: readonly object[], more: object = {}) => ({
  ...{ code, name: code, interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR', charges, ...more },
});

export const subscription = (external_id: string, plan_code: string, start: string, more: object = {}) => ({
  ...{ external_id, external_customer_id: 'cust', plan_code, status: 'active' },
  ...{ subscription_at: start, started_at: start, created_at: start, ...more },
});

let count = 0;
export const event = (external_subscription_id: string, code: string, timestamp: string, properties: object = {}) => {
  count += 1;
  return { transaction_id: `fixture-${count}`, external_subscription_id, code, timestamp, properties };
};
