import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support.ts';

// Drafts whose days or dates change, by their customer's settings and by their entity's.

const START = new Date('2026-05-02T10:00:00Z');
const clock = { now: START };
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ now: () => clock.now });
  const billing_configuration = { invoice_grace_period: 5 };
  await sent('POST', '/billing_entities', { billing_entity: { code: 'home', name: 'Home', billing_configuration } });
  const plan = { code: 'paid', name: 'Paid', interval: 'monthly', amount_cents: 10_000, amount_currency: 'EUR' };
  await sent('POST', '/plans', { plan: { ...plan, pay_in_advance: true } });
});
afterAll(() => test?.close());
beforeEach(() => {
  clock.now = START;
});

async function sent(method: string, path: string, body: object) {
  const answer = await test.rest(method, path, body);
  expect([answer.status, answer.body.error_details]).toEqual([200, undefined]);
}
const on = (day: string) => {
  clock.now = new Date(`${day}T10:00:00Z`);
};
const setEntity = (billing_configuration: object, members: object = {}) =>
  sent('PUT', '/billing_entities/home', { billing_entity: { ...members, billing_configuration } });
const setCustomer = (external_id: string, billing_configuration: object, members: object = {}) =>
  sent('POST', '/customers', { customer: { external_id, ...members, billing_configuration } });

/** A customer with a draft of 2 May. */
async function drafted(external_id: string, billing_configuration: object = {}): Promise<void> {
  await setCustomer(external_id, billing_configuration, { currency: 'EUR' });
  const subscription = { external_customer_id: external_id, external_id, plan_code: 'paid' };
  await sent('POST', '/subscriptions', { subscription });
}
/** State, issuing day, day on which it becomes final, day on which it is due. */
async function seen(externalId: string) {
  const [row] = await test.db.prisma.invoice.findMany({ where: { customer: { externalId } } });
  const days = [row?.issuingDate, row?.expectedFinalizationDate, row?.paymentDueDate];
  return [row?.status, ...days.map((day) => day?.toISOString().slice(5, 10))];
}

it("a customer's days of grace move its draft, and make it final once they are over", async () => {
  await drafted('one', { invoice_grace_period: 4 });
  expect(await seen('one')).toEqual(['draft', '05-06', '05-06', '05-06']);
  on('2026-05-04');
  await setCustomer('one', { invoice_grace_period: 9 });
  expect(await seen('one')).toEqual(['draft', '05-11', '05-11', '05-11']);
  await setCustomer('one', {}, { net_payment_term: 10 });
  expect(await seen('one')).toEqual(['draft', '05-11', '05-11', '05-21']);
  // What the entity says is taken over: 5 days.
  await setCustomer('one', { invoice_grace_period: null });
  expect(await seen('one')).toEqual(['draft', '05-07', '05-07', '05-17']);
  await setCustomer('one', { invoice_grace_period: 1 });
  expect(await seen('one')).toEqual(['finalized', '05-04', '05-03', '05-14']);
  const { number } = await test.db.prisma.invoice.findFirstOrThrow({ where: { customer: { externalId: 'one' } } });
  expect(number).not.toContain('DRAFT');
  on('2026-05-05');
  await setCustomer('one', { invoice_grace_period: 20 });
  expect((await seen('one'))[0]).toBe('finalized');
});

it("an entity's days of grace move the drafts of customers without their own, and make due ones final", async () => {
  await drafted('own', { invoice_grace_period: 6 });
  for (const who of ['plain', 'other']) await drafted(who);
  on('2026-05-04');
  await setEntity({ invoice_grace_period: 7 }, { net_payment_term: 3 });
  expect(await seen('plain')).toEqual(['draft', '05-09', '05-09', '05-12']);
  expect(await seen('own')).toEqual(['draft', '05-08', '05-08', '05-11']);
  await setEntity({ invoice_grace_period: 2 });
  for (const who of ['plain', 'other']) expect(await seen(who)).toEqual(['finalized', '05-04', '05-04', '05-07']);
  expect(await seen('own')).toEqual(['draft', '05-08', '05-08', '05-11']);
});
