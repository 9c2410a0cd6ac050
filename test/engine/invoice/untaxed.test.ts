import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { VatAnswer } from '../../../src/engine/customer/vat-check.ts';
import { billEvents } from '../../../src/engine/subscription/bill-events.ts';
import { runBetween } from '../../../src/engine/subscription/run-due.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { createTestApp, type TestApp } from '../../support.ts';

// Invoices of customers whose VAT number is being checked: they wait without taxes and number.

const START = new Date('2026-05-02T10:00:00Z');
const NUMBER = 'IT12345678901';
const clock = { now: START };
const register = { answer: 'unavailable' as VatAnswer };
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ now: () => clock.now, checkVat: async () => register.answer });
  const post = async (path: string, body: object) => {
    const answer = await test.rest('POST', path, body);
    expect([answer.status, answer.body.error_details]).toEqual([200, undefined]);
  };
  await post('/billing_entities', {
    billing_entity: { code: 'home', name: 'Home', country: 'FR', eu_tax_management: true },
  });
  await post('/taxes', { tax: { code: 'own', name: 'Own', rate: '10' } });
  await post('/add_ons', { add_on: { code: 'setup', name: 'Setup', amount_cents: 1000, amount_currency: 'EUR' } });
  await post('/coupons', {
    coupon: {
      ...{ code: 'less', name: 'Less', coupon_type: 'fixed_amount', amount_cents: 1000, amount_currency: 'EUR' },
      ...{ frequency: 'once', expiration: 'no_expiration' },
    },
  });
  const metric = { code: 'calls', name: 'Calls', aggregation_type: 'count_agg' };
  await post('/billable_metrics', { billable_metric: metric });
  const { body } = await test.rest('GET', '/billable_metrics/calls');
  const call = (code: string) => ({
    ...{ code, billable_metric_id: body.billable_metric.svc_id, charge_model: 'standard', pay_in_advance: true },
    properties: { amount: '1' },
  });
  const terms = { interval: 'monthly', amount_currency: 'EUR' };
  const charges = [{ ...call('taxed'), tax_codes: ['own'] }, call('plain')];
  await post('/plans', { plan: { ...terms, code: 'paid', name: 'Paid', amount_cents: 10_000, pay_in_advance: true } });
  await post('/plans', {
    plan: { ...terms, code: 'used', name: 'Used', amount_cents: 0, pay_in_advance: false, charges },
  });
});
afterAll(() => test?.close());
beforeEach(() => {
  clock.now = START;
  register.answer = 'unavailable';
});

const later = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

/** A customer of Italy whose number nobody has confirmed yet. */
async function waiting(external_id: string, members: object = {}): Promise<void> {
  const customer = { external_id, country: 'IT', currency: 'EUR', tax_identification_number: NUMBER, ...members };
  expect((await test.rest('POST', '/customers', { customer })).status).toBe(200);
}
/** The register's answer, five minutes on, when it is asked again. */
async function answered(external_id: string, answer: VatAnswer): Promise<void> {
  register.answer = answer;
  clock.now = later(6);
  expect((await test.rest('POST', '/customers', { customer: { external_id } })).status).toBe(200);
}
async function subscribe(external_customer_id: string, plan_code: string): Promise<void> {
  const subscription = { external_customer_id, external_id: external_customer_id, plan_code, billing_time: 'calendar' };
  expect((await test.rest('POST', '/subscriptions', { subscription })).status).toBe(200);
}

const INVOICES = `query ($who: String!) { customer(externalId: $who) { invoices(first: 20, orderBy: { field: created_at, direction: asc }) { nodes {
  svcId number status taxStatus issuingDate taxesAmountCents totalAmountCents couponsAmountCents appliedTaxes { taxCode }
  fees(first: 5) { nodes { amountCents taxesAmountCents appliedTaxes { taxCode amountCents } } } } } } }`;
// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
const invoicesOf = async (who: string): Promise<any[]> => {
  const { data } = await test.graphql(INVOICES, { who });
  return data.customer.invoices.nodes;
};
/** State, whether it has a number, its taxes in cents and by code, and its total. */
const seen = async (who: string) =>
  (await invoicesOf(who)).map((one) => [
    ...[one.status, one.taxStatus, !one.number.endsWith('-DRAFT'), Number(one.taxesAmountCents)],
    ...[one.appliedTaxes.map(({ taxCode }: { taxCode: string }) => taxCode).join(), Number(one.totalAmountCents)],
  ]);

it('a plan in advance waits without taxes, number and coupon, and becomes final with them', async () => {
  await waiting('acme');
  const applied = { applied_coupon: { external_customer_id: 'acme', coupon_code: 'less' } };
  expect((await test.rest('POST', '/applied_coupons', applied)).status).toBe(200);
  await subscribe('acme', 'paid');
  const [{ svcId }] = await invoicesOf('acme');
  expect(await seen('acme')).toEqual([['pending', 'pending', false, 0, '', 9677]]);
  const coupon = () => test.db.prisma.appliedCoupon.findFirstOrThrow({ where: { customer: { externalId: 'acme' } } });
  expect((await coupon()).status).toBe('active');
  const shown = await test.rest('GET', `/invoices/${svcId}`);
  expect([shown.status, shown.body.invoice.status]).toEqual([200, 'pending']);

  const put = (body: object) => test.rest('PUT', `/invoices/${svcId}`, { invoice: body });
  const refused = [
    await put({ payment_status: 'succeeded' }),
    await test.rest('POST', `/invoices/${svcId}/void`),
    await test.rest('DELETE', '/subscriptions/acme'),
  ];
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
    [405, 'payment_status_update_on_draft_invoice'],
    [405, 'not_voidable'],
    [405, 'cannot_terminate_with_pending_taxes'],
  ]);
  await answered('acme', 'invalid');
  expect(await seen('acme')).toEqual([['finalized', 'succeeded', true, 1909, 'svc_eu_it_standard', 10_586]]);
  expect((await coupon()).status).toBe('terminated');
  const log = await test.db.prisma.auditLog.findFirstOrThrow({
    where: { objectId: svcId, action: 'invoice.finalized' },
  });
  expect(log.before).toEqual({ status: 'pending' });
  expect((await test.rest('DELETE', '/subscriptions/acme')).status).toBe(200);
});

it('taxes of their own stay theirs, others follow from the answer', async () => {
  await waiting('beta');
  await subscribe('beta', 'used');
  await test.rest('POST', '/events', {
    event: { transaction_id: 'b1', external_subscription_id: 'beta', code: 'calls' },
  });
  const { organizationId } = test;
  await billEvents(
    forOrganization(test.db.prisma, organizationId),
    { organizationId, now: later(1), job: 'test' },
    { thresholds: false },
  );
  const sale = (members: object) => ({
    invoice: { external_customer_id: 'beta', currency: 'EUR', fees: [{ add_on_code: 'setup', ...members }] },
  });
  expect((await test.rest('POST', '/invoices', sale({ tax_codes: ['own'] }))).status).toBe(200);
  expect((await test.rest('POST', '/invoices', sale({}))).status).toBe(200);
  const untaxed = ['pending', 'pending', false, 0, ''];
  const sorted = async () => (await seen('beta')).map((one) => one.join(' ')).sort();
  const expected = [100, 100, 1000, 1000].map((total) => [...untaxed, total].join(' ')).sort();
  expect(await sorted()).toEqual(expected);
  await answered('beta', 'valid');
  expect(await sorted()).toEqual(
    [
      'finalized succeeded true 0 svc_eu_reverse_charge 100',
      'finalized succeeded true 10 own 110',
      'finalized succeeded true 0 svc_eu_reverse_charge 1000',
      'finalized succeeded true 100 own 1100',
    ].sort(),
  );
  const numbers = (await invoicesOf('beta')).map(({ number }) => number);
  expect(new Set(numbers).size).toBe(4);
});

it('a draft has no taxes, cannot be made final, and stays a draft as it gets them', async () => {
  await waiting('gamma', { billing_configuration: { invoice_grace_period: 3 } });
  await subscribe('gamma', 'paid');
  expect(await seen('gamma')).toEqual([['draft', 'pending', false, 0, '', 9677]]);
  const [{ svcId }] = await invoicesOf('gamma');
  const refused = await test.rest('PUT', `/invoices/${svcId}/finalize`);
  expect([refused.status, refused.body.code]).toEqual([403, 'cannot_finalize_with_pending_taxes']);
  await answered('gamma', 'invalid');
  expect(await seen('gamma')).toEqual([['draft', 'succeeded', false, 2129, 'svc_eu_it_standard', 11_806]]);
});

it('a draft whose days are over waits on, and is issued on the day of the answer', async () => {
  await waiting('delta', { billing_configuration: { invoice_grace_period: 3 } });
  await subscribe('delta', 'paid');
  const db = forOrganization(test.db.prisma, test.organizationId);
  const until = (now: Date) => runBetween(db, { organizationId: test.organizationId, now, job: 'test' }, START, now);
  await until(later(6 * 24 * 60));
  const of = async () => (await invoicesOf('delta')).map(({ status, issuingDate }) => [status, issuingDate]);
  expect(await of()).toEqual([['pending', '2026-05-05']]);
  register.answer = 'valid';
  clock.now = later(7 * 24 * 60);
  await test.rest('POST', '/customers', { customer: { external_id: 'delta' } });
  expect(await of()).toEqual([['finalized', '2026-05-09']]);
});

it('without a number, or without the customer, nothing is waited for', async () => {
  for (const who of ['dropped', 'gone']) {
    await waiting(who);
    await subscribe(who, 'paid');
  }
  await test.rest('POST', '/customers', { customer: { external_id: 'dropped', tax_identification_number: null } });
  expect(await seen('dropped')).toEqual([['finalized', 'succeeded', true, 2129, 'svc_eu_it_standard', 11_806]]);
  const { id } = await test.db.prisma.customer.findFirstOrThrow({ where: { externalId: 'gone' } });
  expect((await test.rest('DELETE', '/customers/gone')).status).toBe(200);
  const left = await test.db.prisma.invoice.findMany({ where: { customerId: id }, orderBy: { createdAt: 'asc' } });
  expect(left.length).toBeGreaterThan(0);
  expect(left.every(({ taxStatus, status }) => taxStatus === 'succeeded' && status === 'finalized')).toBe(true);
  const notes = await test.db.prisma.creditNote.findMany({ where: { customerId: id } });
  expect(notes.map(({ status, invoiceId }) => [status, left.some((one) => one.id === invoiceId)])).toEqual([
    ['finalized', true],
  ]);
});

it('where VAT is managed no longer, the next run of what is due ends the waiting', async () => {
  await waiting('epsilon');
  await subscribe('epsilon', 'paid');
  const manage = (eu_tax_management: boolean) =>
    test.rest('PUT', '/billing_entities/home', { billing_entity: { eu_tax_management } });
  expect((await manage(false)).status).toBe(200);
  const db = forOrganization(test.db.prisma, test.organizationId);
  const { organizationId } = test;
  await runBetween(db, { organizationId, now: later(2), job: 'test' }, later(1), later(2));
  expect(await seen('epsilon')).toEqual([['finalized', 'succeeded', true, 2129, 'svc_eu_it_standard', 11_806]]);
  await manage(true);
});

it('without a register nothing waits', async () => {
  const alone = await createTestApp({ now: () => START });
  try {
    await alone.rest('POST', '/billing_entities', {
      billing_entity: { code: 'home', name: 'Home', country: 'FR', eu_tax_management: true },
    });
    await alone.rest('POST', '/add_ons', {
      add_on: { code: 'setup', name: 'Setup', amount_cents: 1000, amount_currency: 'EUR' },
    });
    const customer = { external_id: 'solo', country: 'IT', currency: 'EUR', tax_identification_number: NUMBER };
    await alone.rest('POST', '/customers', { customer });
    const invoice = { external_customer_id: 'solo', currency: 'EUR', fees: [{ add_on_code: 'setup' }] };
    const { status, body } = await alone.rest('POST', '/invoices', { invoice });
    expect([status, body.invoice.status, body.invoice.taxes_amount_cents]).toEqual([200, 'finalized', 220]);
  } finally {
    await alone.close();
  }
});
