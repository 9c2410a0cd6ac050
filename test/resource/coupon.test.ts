import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createTestApp, type TestApp } from '../support.ts';

// What only coupons do: what goes together, expiry, targets, and what stays once a customer has had one.

const clock = { now: new Date('2026-06-15T12:00:00Z') };
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => clock.now });
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  const plan = { interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR' };
  const document = {
    organization: { name },
    billable_metrics: [{ code: 'calls' }, { code: 'seats' }],
    plans: [
      { code: 'basic', ...plan },
      { code: 'pro', ...plan },
    ],
    customers: [{ external_id: 'ada' }],
  };
  await importDocument(app.db, document, { organization: name, now: clock.now });
});
afterAll(() => app?.close());

const FIXED = { coupon_type: 'fixed_amount', amount_cents: 500, amount_currency: 'EUR' };
const SHARE = { coupon_type: 'percentage', percentage_rate: '12.50' };
const PLAIN = { frequency: 'once', expiration: 'no_expiration' };
const make = (code: string, more: object = {}) =>
  app.rest('POST', '/coupons', { coupon: { code, name: code, ...PLAIN, ...FIXED, ...more } });
const put = (code: string, coupon: object) => app.rest('PUT', `/coupons/${code}`, { coupon });
const find = async (code: string) => (await app.rest('GET', `/coupons/${code}`)).body.coupon;
const apply = (coupon_code: string) =>
  app.rest('POST', '/applied_coupons', { applied_coupon: { external_customer_id: 'ada', coupon_code } });

describe('what goes together', () => {
  it.each([
    [{ amount_cents: null }, { amount_cents: ['value_is_mandatory'] }],
    [{ amount_cents: 0 }, { amount_cents: ['value_is_out_of_range'] }],
    [{ amount_cents: -1 }, { amount_cents: ['value_is_out_of_range'] }],
    [{ amount_currency: null }, { amount_currency: ['value_is_mandatory'] }],
    [{ amount_currency: '' }, { amount_currency: ['value_is_mandatory'] }],
    [{ amount_currency: ' ' }, { amount_currency: ['value_is_mandatory'] }],
    [{ amount_currency: 'XYZ' }, { amount_currency: ['value_is_invalid'] }],
    [{ coupon_type: 'percentage' }, { percentage_rate: ['value_is_mandatory'] }],
    [{ coupon_type: 'gift' }, { coupon_type: ['value_is_invalid'] }],
    [{ coupon_type: null }, { coupon_type: ['value_is_invalid'] }],
    [{ frequency: 'recurring' }, { frequency_duration: ['value_is_mandatory'] }],
    [{ frequency: 'recurring', frequency_duration: 0 }, { frequency_duration: ['value_is_out_of_range'] }],
    [{ frequency: 'daily' }, { frequency: ['value_is_invalid'] }],
    [{ expiration: null }, { expiration: ['value_is_invalid'] }],
    [{ expiration_at: 'soon' }, { expiration_at: ['invalid_date'] }],
    [{ expiration_at: '2026-06-15T12:00:00Z' }, { expiration_at: ['invalid_date'] }],
    [
      { expiration_at: '2020-01-01', name: ' ', amount_cents: null },
      { expiration_at: ['invalid_date'], name: ['value_is_mandatory'], amount_cents: ['value_is_mandatory'] },
    ],
  ])('%j is refused', async (more, details) => {
    const { status, body } = await make('refused', more);
    expect([status, body.error_details]).toEqual([422, details]);
    expect((await app.rest('GET', '/coupons/refused')).body).toEqual(NOT_FOUND);
  });

  it('an amount of 0 and no currency are fine of a share', async () => {
    const { status, body } = await make('share', { ...SHARE, amount_cents: 0, amount_currency: null });
    expect([status, body.coupon.percentage_rate, body.coupon.reusable]).toEqual([200, '12.5', true]);
  });

  it('is held against what there is when it changes', async () => {
    await make('turned');
    const turned = await put('turned', { coupon_type: 'percentage' });
    expect(turned.body.error_details).toEqual({ percentage_rate: ['value_is_mandatory'] });
    expect((await put('turned', SHARE)).body.coupon).toMatchObject({ ...SHARE, percentage_rate: '12.5' });
  });

  it('is told by GraphQL with its place', async () => {
    const { errors } = await app.graphql(
      'mutation ($input: CreateCouponInput!) { createCoupon(input: $input) { code } }',
      {
        input: {
          ...{ code: 'g', name: 'G', couponType: 'fixed_amount', frequency: 'once', expiration: 'time_limit' },
          expirationAt: '2020-01-01T00:00:00Z',
        },
      },
    );
    const told = errors?.[0]?.extensions?.errors as { path: string[]; code: string; message: string }[];
    expect(told.map(({ path, code }) => [path, code])).toEqual([
      [['input', 'amountCents'], 'value_is_mandatory'],
      [['input', 'amountCurrency'], 'value_is_mandatory'],
      [['input', 'expirationAt'], 'invalid_date'],
    ]);
    expect(told[2]?.message).toContain('a moment that is to come');
  });
});

describe('an expiry', () => {
  it('that is past may be sent along, and no other', async () => {
    const expiration_at = '2026-06-16T00:00:00Z';
    await make('expiring', { expiration: 'time_limit', expiration_at });
    clock.now = new Date('2026-06-20T12:00:00Z');
    const same = await put('expiring', { name: 'Over', expiration_at });
    expect([same.status, same.body.coupon.name]).toEqual([200, 'Over']);
    const other = await put('expiring', { expiration_at: '2026-06-17T00:00:00Z' });
    expect([other.status, other.body.error_details]).toEqual([422, { expiration_at: ['invalid_date'] }]);
    expect((await apply('expiring')).body).toEqual(NOT_FOUND);
    const later = await put('expiring', { expiration_at: '2026-06-21T00:00:00Z' });
    expect(later.status).toBe(200);
    clock.now = new Date('2026-06-15T12:00:00Z');
  });

  it('is none without a moment, and a moment alone limits nothing', async () => {
    await make('endless', { expiration: 'time_limit' });
    await make('unlimited', { expiration_at: '2026-06-16T00:00:00Z' });
    clock.now = new Date('2030-01-01T00:00:00Z');
    expect((await apply('endless')).status).toBe(200);
    expect((await apply('unlimited')).status).toBe(200);
    clock.now = new Date('2026-06-15T12:00:00Z');
  });
});

const targets = async (code: string) => {
  const { limited_plans, plan_codes, limited_billable_metrics, billable_metric_codes } = await find(code);
  return [limited_plans, plan_codes, limited_billable_metrics, billable_metric_codes];
};

describe('targets', () => {
  it('are plans or metrics', async () => {
    await make('of-plans', { applies_to: { plan_codes: ['pro', 'basic', 'pro'] } });
    expect(await targets('of-plans')).toEqual([true, ['basic', 'pro'], false, []]);
    await make('of-metrics', { applies_to: { billable_metric_codes: ['calls'], plan_codes: [] } });
    expect(await targets('of-metrics')).toEqual([false, [], true, ['calls']]);
    const both = await make('of-both', { applies_to: { plan_codes: ['pro'], billable_metric_codes: ['calls'] } });
    expect([both.status, both.body.code]).toEqual([405, 'only_one_limitation_type_per_coupon_allowed']);
    const unknown = await make('of-none', { applies_to: { plan_codes: ['pro', 'unknown'] } });
    expect(unknown.body).toEqual(NOT_FOUND);
    expect((await app.rest('GET', '/coupons/of-none')).status).toBe(404);
  });

  it('stay unless something is said of them, and are said as a whole', async () => {
    await make('kept', { applies_to: { plan_codes: ['pro'] } });
    for (const said of [{}, { applies_to: null }, { applies_to: {} }, { applies_to: { plan_codes: null } }]) {
      expect((await put('kept', { name: 'Kept', ...said })).status).toBe(200);
      expect(await targets('kept')).toEqual([true, ['pro'], false, []]);
    }
    await put('kept', { applies_to: { billable_metric_codes: ['seats', 'calls'] } });
    expect(await targets('kept')).toEqual([false, [], true, ['calls', 'seats']]);
    await put('kept', { applies_to: { billable_metric_codes: [] } });
    expect(await targets('kept')).toEqual([false, [], false, []]);
  });

  it('are those of the caller alone', async () => {
    const other = await createTestApp({ db: app.db, now: () => clock.now });
    const coupon = { code: 'other', name: 'Other', ...PLAIN, ...FIXED, applies_to: { plan_codes: ['pro'] } };
    expect((await other.rest('POST', '/coupons', { coupon })).body).toEqual(NOT_FOUND);
    await other.close();
  });
});

describe('once a customer has had it', () => {
  const FROZEN = {
    ...{ code: 'renamed', coupon_type: 'percentage', amount_cents: 1, amount_currency: 'USD', percentage_rate: '5' },
    ...{ frequency: 'forever', frequency_duration: 4, reusable: false, applies_to: { plan_codes: ['basic'] } },
  };

  it('keeps its terms: REST says nothing, GraphQL refuses', async () => {
    await make('used', { applies_to: { plan_codes: ['pro'] } });
    const { svc_id } = (await apply('used')).body.applied_coupon;
    const before = await find('used');
    const changed = { name: 'Used', description: 'In use', expiration: 'time_limit' };
    const { status, body } = await put('used', { ...FROZEN, ...changed, expiration_at: '2027-01-01T00:00:00Z' });
    expect(status).toBe(200);
    expect(body.coupon).toEqual({ ...before, ...changed, expiration_at: '2027-01-01T00:00:00Z' });
    const text = `mutation ($input: UpdateCouponInput!) { updateCoupon(code: "used", input: $input) { code } }`;
    const refused = await app.graphql(text, { input: { appliesTo: { planCodes: ['basic'] }, amountCents: '1' } });
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      errorDetails: { amount_cents: ['value_cannot_be_changed'], plan_codes: ['value_cannot_be_changed'] },
      errors: [
        { path: ['input', 'amountCents'], message: expect.stringContaining('allowed: 500') },
        { path: ['input', 'appliesTo', 'planCodes'], message: expect.stringContaining('allowed: pro') },
      ],
    });
    const same = await app.graphql(text, { input: { appliesTo: { planCodes: ['pro'] }, amountCents: '500' } });
    expect(same.errors).toBeUndefined();
    await app.rest('DELETE', `/customers/ada/applied_coupons/${svc_id}`);
    expect((await put('used', { amount_cents: 2 })).body.coupon.amount_cents).toBe(500);
  });

  it('is taken from everybody when it is deleted, and is told so', async () => {
    await make('doomed', { applies_to: { billable_metric_codes: ['seats'] } });
    const { svc_id } = (await apply('doomed')).body.applied_coupon;
    const { data } = await app.graphql(`mutation { destroyCoupon(code: "doomed") {
      code limitedBillableMetrics billableMetricCodes changes { appliedCoupons { nodes { svcId status terminatedAt } } } } }`);
    expect(data.destroyCoupon).toEqual({
      ...{ code: 'doomed', limitedBillableMetrics: true, billableMetricCodes: [] },
      changes: {
        appliedCoupons: { nodes: [{ svcId: svc_id, status: 'terminated', terminatedAt: '2026-06-15T12:00:00Z' }] },
      },
    });
    const { body } = await app.rest('GET', '/applied_coupons?coupon_code[]=doomed');
    expect(body.applied_coupons).toMatchObject([
      { svc_id, status: 'terminated', coupon_code: 'doomed', coupon_deleted_at: '2026-06-15T12:00:00Z' },
    ]);
    expect((await apply('doomed')).body).toEqual(NOT_FOUND);
    expect((await make('doomed')).status).toBe(200);
    expect((await apply('doomed')).status).toBe(200);
  });
});

it('nothing of a refused change stays', async () => {
  await make('whole', { applies_to: { plan_codes: ['pro'] } });
  const before = await everything(app.db);
  for (const refused of [
    { name: 'New', applies_to: { plan_codes: ['basic', 'unknown'] } },
    { name: 'New', applies_to: { plan_codes: ['basic'], billable_metric_codes: ['calls'] } },
    { name: 'New', amount_cents: null },
  ]) {
    expect((await put('whole', refused)).status).toBeGreaterThan(400);
  }
  expect(await everything(app.db)).toEqual(before);
});
