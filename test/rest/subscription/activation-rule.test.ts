import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLife } from '../../../src/engine/life/verify-life.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { billedLives } from '../../../src/store/subscription/billed-life.ts';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { everything } from '../../graphql/write/snapshot.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const METHOD = '01980000-0000-7000-8000-0000000000b1';

let app: TestApp;
let now = NOW;
beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  const document = {
    organization: { name },
    customers: [
      {
        ...{ external_id: 'cust', currency: 'EUR' },
        billing_configuration: { payment_provider: 'stripe', payment_provider_code: 'main' },
      },
      { external_id: 'manual', currency: 'EUR' },
    ],
    add_ons: [{ code: 'desk', name: 'Desk', amount_cents: 1200, amount_currency: 'EUR' }],
    plans: [
      {
        ...{ code: 'trial', interval: 'monthly', amount_cents: 3000, amount_currency: 'EUR', pay_in_advance: true },
        trial_period: 5,
        fixed_charges: [
          {
            ...{ add_on_code: 'desk', charge_model: 'standard', units: 1, pay_in_advance: true, prorated: true },
            properties: { amount: '12' },
          },
        ],
      },
      { code: 'plan', interval: 'monthly', amount_cents: 3000, amount_currency: 'EUR', pay_in_advance: true },
      { code: 'arrears', interval: 'monthly', amount_cents: 3000, amount_currency: 'EUR', pay_in_advance: false },
    ],
  };
  await importDocument(app.db, document, { organization: name, now: NOW });
});
afterAll(() => app?.close());

const rules = (...activation_rules: unknown[]) => ({ activation_rules });
const PAID_FIRST = rules({ type: 'payment', timeout_hours: 48 });
const post = (external_id: string, members: object = PAID_FIRST) =>
  app.rest('POST', '/subscriptions', {
    subscription: { external_customer_id: 'cust', plan_code: 'plan', external_id, ...members },
  });
const put = (path: string, subscription: object) => app.rest('PUT', `/subscriptions/${path}`, { subscription });
const pay = (svcId: string, payment_status: string) =>
  app.rest('PUT', `/invoices/${svcId}`, { invoice: { payment_status } });
const shown = async (externalId: string, status: string) => {
  const { data } = await app.graphql(
    `query ($externalId: String!, $status: SubscriptionStatus!) {
      subscription(externalId: $externalId, status: $status) {
        status cancellationReason activatedAt activationRules { status expiresAt }
        activationInvoice { svcId status number totalAmountCents }
      }
    }`,
    { externalId, status },
  );
  return data.subscription;
};
const refused = (error_details: object) => ({
  ...{ status: 422, error: 'Unprocessable entity', code: 'validation_errors', error_details },
});

it.each([
  ['another kind', rules({ type: 'signature' }), { activation_rules: ['invalid_type'] }],
  ['no kind', rules({ timeout_hours: 1 }), { activation_rules: ['invalid_type'] }],
  ['one twice', rules({ type: 'payment' }, { type: 'payment' }), { activation_rules: ['duplicated_type'] }],
  ['what is no list', { activation_rules: 'payment' }, { activation_rules: ['invalid_format'] }],
  [
    'a negative time',
    rules({ type: 'payment', timeout_hours: -1 }),
    { timeout_hours: ['value_must_be_positive_or_zero'] },
  ],
  [
    'a customer without a provider',
    { ...PAID_FIRST, external_customer_id: 'manual' },
    { customer: ['no_linked_payment_provider'] },
  ],
  [
    'payment by hand',
    { ...PAID_FIRST, payment_method: { payment_method_type: 'manual' } },
    { customer: ['manual_payment_method_invalid_for_payment_activation_rules'] },
  ],
  [
    'a method of nobody',
    { ...PAID_FIRST, payment_method: { payment_method_type: 'provider', payment_method_id: METHOD } },
    { payment_method: ['invalid_payment_method'], customer: ['payment_method_not_found'] },
  ],
])('422 for %s, and nothing is written', async (_name, members, details) => {
  const before = await everything(app.db);
  expect((await post('refused', members)).body).toEqual(refused(details));
  expect(await everything(app.db)).toEqual(before);
});

describe('one that has to be paid first', () => {
  it('is shown to nobody but by its subscription, changes in nothing, and is active once that is told to be paid', async () => {
    const { body } = await post('paid');
    expect(body.subscription).toMatchObject({ status: 'incomplete', activated_at: null });
    const { activationInvoice, ...waiting } = await shown('paid', 'incomplete');
    expect(waiting.activationRules).toEqual([{ status: 'pending', expiresAt: '2026-06-17T12:00:00Z' }]);
    expect(activationInvoice).toMatchObject({
      status: 'open',
      number: expect.stringMatching(/DRAFT$/),
      totalAmountCents: '1600',
    });
    const { svcId } = activationInvoice;
    expect((await app.rest('GET', `/invoices/${svcId}`)).status).toBe(404);
    const incomplete = refused({ base: ['subscription_incomplete'] });
    expect((await put('paid', { name: 'N' })).body).toEqual(incomplete);
    expect((await put('paid?status=incomplete', { name: 'N' })).body).toEqual(incomplete);
    expect((await app.rest('DELETE', '/subscriptions/paid?status=incomplete')).body).toEqual(incomplete);
    expect((await app.rest('DELETE', '/subscriptions/paid')).body).toEqual(incomplete);
    expect((await post('paid', {})).body).toEqual(refused({ subscription: ['subscription_incomplete'] }));
    expect((await pay(svcId, 'succeeded')).body.invoice).toMatchObject({
      ...{ svc_id: svcId, status: 'finalized', payment_status: 'succeeded', number: expect.stringMatching(/-001$/) },
    });
    expect(await shown('paid', 'active')).toMatchObject({
      ...{ status: 'active', activatedAt: '2026-06-15T12:00:00Z', activationInvoice: null },
      activationRules: [{ status: 'satisfied' }],
    });
  });

  it('is given up where the payment fails: its invoice is closed, and the name is free', async () => {
    await post('failed');
    const { activationInvoice } = await shown('failed', 'incomplete');
    const { errors } = await app.graphql(
      'mutation ($svcId: UUID!) { updateInvoice(svcId: $svcId, input: { paymentStatus: failed }) { status } }',
      { svcId: activationInvoice.svcId },
    );
    expect(errors).toBeUndefined();
    expect(await shown('failed', 'canceled')).toMatchObject({
      ...{ cancellationReason: 'payment_failed', activatedAt: null, activationInvoice: null },
      activationRules: [{ status: 'failed' }],
    });
    expect((await pay(activationInvoice.svcId, 'succeeded')).status).toBe(404);
    expect((await post('failed')).body.subscription).toMatchObject({ status: 'incomplete' });
  });

  it('keeps the one that it follows until then', async () => {
    await post('followed', { plan_code: 'arrears' });
    const { body } = await post('followed');
    expect(body.subscription).toMatchObject({ status: 'incomplete', previous_plan_code: 'arrears' });
    const next = refused({ base: ['next_subscription_incomplete'] });
    expect((await app.rest('DELETE', '/subscriptions/followed')).body).toEqual(next);
    const { activationInvoice } = await shown('followed', 'incomplete');
    expect((await pay(activationInvoice.svcId, 'succeeded')).status).toBe(200);
    const { body: now } = await app.rest('GET', '/subscriptions/followed');
    expect(now.subscription).toMatchObject({ status: 'active', plan_code: 'plan' });
    expect(await shown('followed', 'terminated')).toMatchObject({ status: 'terminated' });
  });

  it('needs no payment where nothing is billed at its start, and no rule where that is past', async () => {
    expect((await post('free', { ...PAID_FIRST, plan_code: 'arrears' })).body.subscription).toMatchObject({
      ...{ status: 'active', activation_rules: [{ type: 'payment', status: 'not_applicable' }] },
    });
    const past = { ...PAID_FIRST, subscription_at: '2026-06-10T00:00:00Z' };
    expect((await post('past', past)).body.subscription).toMatchObject({ status: 'active', activation_rules: [] });
  });
});

describe('a coupon that one used which is given up', () => {
  const FIXED = { coupon_type: 'fixed_amount', amount_cents: 500, amount_currency: 'EUR' };
  const PART = { coupon_type: 'percentage', percentage_rate: '10', frequency: 'recurring', frequency_duration: 1 };
  const stateOf = async (code: string) => {
    const { data } = await app.graphql(
      '{ appliedCoupons(first: 9) { nodes { couponCode status remainingAmountCents frequencyDurationRemaining } } }',
    );
    return data.appliedCoupons.nodes.find(({ couponCode }: { couponCode: string }) => couponCode === code);
  };
  const failed = async ({ svcId }: { svcId: string }) => {
    const { errors } = await app.graphql(
      'mutation ($svcId: UUID!) { updateInvoice(svcId: $svcId, input: { paymentStatus: failed }) { svcId } }',
      { svcId },
    );
    expect(errors).toBeUndefined();
  };

  it.each([
    ['of an amount', { ...FIXED, frequency: 'once' }, { status: 'active', remainingAmountCents: '500' }, 500],
    ['of a share for a time', PART, { status: 'active', frequencyDurationRemaining: 1 }, 160],
  ])('%s is as it was, and taken off when it is paid in the end', async (code, coupon, whole, amountCents) => {
    const named = { code, name: code, expiration: 'no_expiration', ...coupon };
    expect((await app.rest('POST', '/coupons', { coupon: named })).status).toBe(200);
    const applied = { external_customer_id: 'cust', coupon_code: code };
    expect((await app.rest('POST', '/applied_coupons', { applied_coupon: applied })).status).toBe(200);
    for (const _ of [1, 2]) {
      expect((await post(code)).body.subscription.status).toBe('incomplete');
      expect((await stateOf(code)).status).toBe('terminated');
      await failed((await shown(code, 'incomplete')).activationInvoice);
      expect(await stateOf(code)).toMatchObject(whole);
    }
    await post(code);
    const { activationInvoice } = await shown(code, 'incomplete');
    const { body } = await pay(activationInvoice.svcId, 'succeeded');
    expect(body.invoice.coupons_amount_cents).toBe(amountCents);
    expect((await stateOf(code)).status).toBe('terminated');
  });
});

describe('a trial that ends while it is not paid for', () => {
  // 30 a month in advance after a trial of five days, and a desk at 12: what has to be paid is the desk's share of the month, 16 of 30 days.
  it.each([
    ['before it ends', '2026-06-18T12:00:00Z', []],
    ['on its last day, before it ends', '2026-06-20T11:00:00Z', []],
    ['on the day it ends', '2026-06-20T13:00:00Z', [['subscription', '1100', '2026-06-15T00:00:00Z']]],
    ['later', '2026-06-22T09:00:00Z', [['subscription', '1100', '2026-06-15T00:00:00Z']]],
    [
      'when the next month has begun',
      '2026-07-02T09:00:00Z',
      [
        ['subscription', '3000', '2026-07-01T00:00:00Z'],
        ['fixed_charge', '1200', '2026-07-01T00:00:00Z'],
      ],
    ],
  ])('is billed with the payment %s', async (when, paidAt, expected) => {
    now = NOW;
    const trial = { plan_code: 'trial', activation_rules: [{ type: 'payment', timeout_hours: 0 }] };
    await post(when, trial);
    const { activationInvoice } = await shown(when, 'incomplete');
    expect(activationInvoice.totalAmountCents).toBe('640');
    now = new Date(paidAt);
    expect((await pay(activationInvoice.svcId, 'succeeded')).status).toBe(200);
    const { data } = await app.graphql(
      `query ($externalSubscriptionId: String) {
        invoices(filter: { externalSubscriptionId: $externalSubscriptionId }, first: 9) {
          nodes { svcId allFees { feeType amountCents fromDate } }
        }
      }`,
      { externalSubscriptionId: when },
    );
    const others = data.invoices.nodes.filter(({ svcId }: { svcId: string }) => svcId !== activationInvoice.svcId);
    const fees = others.flatMap(({ allFees }: { allFees: Record<string, string>[] }) => allFees);
    expect(fees.map((fee: Record<string, string>) => [fee.feeType, fee.amountCents, fee.fromDate])).toEqual(expected);
  });
});

it('what was paid first, given up and followed is computed again as it was billed', async () => {
  const { db, organizationId } = app;
  now = NOW;
  const tenant = forOrganization(db.prisma, organizationId);
  const actor = { organizationId, now: NOW, job: 'verify' };
  const lives = await billedLives(tenant, actor);
  const billed = new Set(lives.flatMap(({ invoiceIds }) => invoiceIds));
  const verified = [];
  for (const life of lives) verified.push(...(await verifyLife(tenant, actor, life)).differences);
  expect(verified).toEqual([]);
  const final = await db.prisma.invoice.findMany({
    where: { organizationId, status: 'finalized' },
    select: { id: true },
  });
  expect(final.filter(({ id }) => billed.has(id)).length).toBeGreaterThan(2);
  const { id = '' } = final[0] ?? {};
  await db.prisma.fee.updateMany({ where: { invoiceId: id }, data: { amountCents: 1n } });
  const [life] = lives.filter(({ invoiceIds }) => invoiceIds.includes(id));
  const found = life && (await verifyLife(tenant, actor, life)).differences;
  expect(found?.length).toBeGreaterThan(0);
});

it('rules change while it waits for its date, not later', async () => {
  await post('dated', { subscription_at: '2026-09-01T00:00:00Z' });
  const given = (await put('dated?status=pending', PAID_FIRST)).body.subscription;
  expect(given.activation_rules).toMatchObject([{ type: 'payment', timeout_hours: 48, status: 'inactive' }]);
  expect((await put('dated?status=pending', rules())).body.subscription.activation_rules).toEqual([]);
  await post('runs', {});
  expect((await put('runs', PAID_FIRST)).body).toEqual(refused({ activation_rules: ['subscription_not_pending'] }));
});
