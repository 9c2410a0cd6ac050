import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support.ts';

// Prices, units and rates that are each allowed, and come to more than can be stored.

const MOST = '9223372036854775807';
const app = { now: new Date('2026-06-01T12:00:00Z') } as { now: Date; on?: TestApp };
const on = () => app.on as TestApp;
beforeAll(async () => {
  app.on = await createTestApp({ now: () => app.now });
  const post = async (path: string, body: object) => expect((await on().rest('POST', path, body)).status).toBe(200);
  await post('/billing_entities', { billing_entity: { code: 'main', name: 'Main' } });
  await post('/taxes', { tax: { code: 'vat', name: 'VAT', rate: 20, applied_to_organization: true } });
  await post('/add_ons', { add_on: { code: 'desk', name: 'Desk', amount_cents: 100, amount_currency: 'EUR' } });
  const plan = { name: 'Plan', interval: 'monthly', amount_currency: 'EUR', pay_in_advance: true };
  await post('/plans', { plan: { ...plan, code: 'taxed', amount_cents: MOST } });
  const desk = { add_on_code: 'desk', charge_model: 'standard', pay_in_advance: true, units: '999999999999999' };
  await post('/plans', {
    plan: {
      ...plan,
      code: 'many',
      amount_cents: 0,
      fixed_charges: [{ ...desk, properties: { amount: '999999999999999' } }],
    },
  });
  await post('/customers', { customer: { external_id: 'ada', currency: 'EUR' } });
});
afterAll(() => app.on?.close());

it.each(['taxed', 'many'])('a first invoice of too much is refused, as is its preview: %s', async (plan_code) => {
  const subscription = { external_customer_id: 'ada', external_id: `sub-${plan_code}`, plan_code };
  const details = { amount_cents: ['value_is_out_of_range'] };
  for (const [path, body] of [
    ['/subscriptions', { subscription }],
    ['/invoices/preview', { customer: { external_id: 'ada' }, plan_code }],
  ] as const) {
    const refused = await on().rest('POST', path, body);
    expect([path, refused.status, refused.body.error_details]).toEqual([path, 422, details]);
  }
  expect(await on().db.prisma.subscription.count({ where: { externalId: subscription.external_id } })).toBe(0);
});
