import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBetween } from '../../../src/engine/subscription/run-due.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const DAY_MS = 86_400_000;
const now = new Date('2026-03-10T12:00:00Z');
const CUSTOMERS = 27;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => now });
});
afterAll(() => app.close());

it('a plan of many customers ends with all its subscriptions: most at once, the others by the next run, each billed once', async () => {
  const plan = { code: 'crowd', name: 'Crowd', interval: 'monthly', amount_cents: 3100, amount_currency: 'EUR' };
  expect((await app.rest('POST', '/plans', { plan: { ...plan, pay_in_advance: false } })).status).toBe(200);
  for (let at = 0; at < CUSTOMERS; at++) {
    const subscription = { external_customer_id: `c-${at}`, external_id: `s-${at}`, plan_code: 'crowd' };
    expect((await app.rest('POST', '/subscriptions', { subscription })).status).toBe(200);
  }
  expect((await app.rest('DELETE', '/plans/crowd')).status).toBe(200);
  const count = (where: object) => app.db.prisma.subscription.count({ where });
  expect([await count({ status: 'terminated' }), await count({ status: 'active', endingAt: now })]).toEqual([25, 2]);
  const { organizationId } = app;
  const later = new Date(now.getTime() + DAY_MS);
  const run = () =>
    runBetween(forOrganization(app.db.prisma, organizationId), { organizationId, now: later, job: 'test' }, now, later);
  for (const _again of [1, 2]) await run();
  expect(await count({ status: 'terminated' })).toBe(CUSTOMERS);
  const invoices = await app.db.prisma.invoice.findMany({ select: { customerId: true, status: true } });
  expect(new Set(invoices.map(({ customerId }) => customerId)).size).toBe(CUSTOMERS);
  expect(invoices.map(({ status }) => status)).toEqual(invoices.map(() => 'finalized'));
  expect(invoices).toHaveLength(CUSTOMERS);
});
