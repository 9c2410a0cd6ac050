import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { countStatements, createTestApp, type TestApp } from '../support.ts';

const clock = { now: new Date('2026-06-15T12:00:00Z') };
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => clock.now });
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  const plan = { interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR' };
  const charge = (code: string) => ({
    ...{ code, billable_metric_code: code, charge_model: 'standard', properties: { amount: '1' } },
  });
  const subscription = (of: string, more: object) => ({
    ...{ external_id: `sub-${of}`, external_customer_id: of, plan_code: 'plain', status: 'active', ...more },
    ...{ subscription_at: '2026-01-01T00:00:00Z', started_at: '2026-01-01T00:00:00Z' },
  });
  const document = {
    organization: { name },
    billable_metrics: ['calls', 'seats', 'mails'].map((code) => ({ code })),
    plans: [
      { code: 'basic', ...plan, charges: [charge('calls')] },
      { code: 'pro', ...plan, charges: [charge('seats')] },
      { code: 'plain', ...plan },
    ],
    customers: ['ada', 'billed', 'credited'].map((external_id) => ({ external_id })),
    subscriptions: [subscription('billed', {})],
  };
  await importDocument(app.db, document, { organization: name, now: clock.now });
});
afterAll(() => app?.close());

const FIXED = { coupon_type: 'fixed_amount', amount_cents: 500, amount_currency: 'EUR' };
const SHARE = { coupon_type: 'percentage', percentage_rate: '12.5' };
let made = 0;
/** A new coupon; its code. */
async function coupon(more: object = SHARE): Promise<string> {
  made += 1;
  const code = `coupon-${made}`;
  const body = { code, name: `Coupon ${made}`, frequency: 'once', expiration: 'no_expiration', ...more };
  expect((await app.rest('POST', '/coupons', { coupon: body })).status).toBe(200);
  return code;
}
async function customer(more: object = {}): Promise<string> {
  made += 1;
  const external_id = `customer-${made}`;
  expect((await app.rest('POST', '/customers', { customer: { external_id, ...more } })).status).toBe(200);
  return external_id;
}
const apply = (external_customer_id: unknown, coupon_code: unknown, more: object = {}) =>
  app.rest('POST', '/applied_coupons', { applied_coupon: { external_customer_id, coupon_code, ...more } });
const listOf = async (query: string) => (await app.rest('GET', `/applied_coupons?${query}`)).body.applied_coupons;

describe('an application', () => {
  it('has copies of what the coupon takes off', async () => {
    const [to, code] = [await customer(), await coupon({ ...FIXED, frequency: 'recurring', frequency_duration: 3 })];
    const { status, body } = await apply(to, code);
    expect(status).toBe(200);
    expect(body.applied_coupon).toMatchObject({
      ...{ coupon_code: code, coupon_status: 'active', coupon_deleted_at: null, external_customer_id: to },
      ...{ status: 'active', amount_cents: 500, amount_currency: 'EUR', percentage_rate: null },
      ...{ frequency: 'recurring', frequency_duration: 3, frequency_duration_remaining: 3 },
      ...{ amount_cents_remaining: null, created_at: '2026-06-15T12:00:00Z', terminated_at: null },
    });
    await app.rest('PUT', `/coupons/${code}`, { coupon: { name: 'Renamed', amount_cents: 1 } });
    expect(await listOf(`external_customer_id=${to}`)).toEqual([
      { ...body.applied_coupon, coupon_name: 'Renamed', credits: [] },
    ]);
  });

  it.each([
    [FIXED, { amount_cents: 7, percentage_rate: '5' }, { amount_cents: 7, percentage_rate: null }],
    [FIXED, { amount_cents: 0 }, { amount_cents: 0, amount_cents_remaining: 0 }],
    [FIXED, { amount_cents: null, frequency: null }, { amount_cents: 500, amount_cents_remaining: 500 }],
    [FIXED, { frequency: 'forever' }, { frequency: 'forever', amount_cents_remaining: null }],
    [SHARE, { percentage_rate: '20', amount_cents: 7 }, { percentage_rate: '20.0', amount_cents: null }],
    [SHARE, { frequency: 'recurring', frequency_duration: 2 }, { frequency_duration_remaining: 2 }],
    [SHARE, { frequency: 'once', frequency_duration: 2 }, { frequency_duration: null }],
  ])('of %j says %j', async (kind, said, shown) => {
    const { status, body } = await apply(await customer(), await coupon(kind), said);
    expect([status, body.applied_coupon]).toMatchObject([200, shown]);
  });

  it.each([
    [FIXED, { amount_cents: -1 }, { amount_cents: ['value_is_out_of_range'] }],
    [FIXED, { amount_currency: 'XYZ' }, { amount_currency: ['value_is_invalid'] }],
    [SHARE, { percentage_rate: '1001' }, { percentage_rate: ['value_is_out_of_range'] }],
    [SHARE, { frequency: 'daily' }, { frequency: ['value_is_invalid'] }],
    [SHARE, { frequency: 'recurring' }, { frequency_duration: ['value_is_mandatory'] }],
    [SHARE, { frequency: 'recurring', frequency_duration: 0 }, { frequency_duration: ['value_is_out_of_range'] }],
  ])('of %j is refused that says %j', async (kind, said, details) => {
    const [to, code] = [await customer(), await coupon(kind)];
    const { status, body } = await apply(to, code, said);
    expect([status, body.error_details]).toEqual([422, details]);
    expect(await listOf(`external_customer_id=${to}`)).toEqual([]);
  });

  it('needs a customer, and a coupon that is active', async () => {
    const [to, code] = [await customer(), await coupon()];
    for (const [whom, what, more] of [
      ['nobody', code, {}],
      [to, 'nothing', {}],
      [undefined, code, {}],
      [to, undefined, {}],
      ['nobody', code, { frequency: 'daily' }],
      [to, 'nothing', { amount_cents: 'x' }],
    ] as const) {
      expect((await apply(whom, what, more)).body).toEqual(NOT_FOUND);
    }
    await app.db.prisma.coupon.updateMany({ where: { code }, data: { status: 'terminated' } });
    expect((await apply(to, code)).body).toEqual(NOT_FOUND);
    expect((await app.rest('POST', '/applied_coupons', {})).status).toBe(400);
  });
});

describe('a coupon that is not reusable', () => {
  it('is had once, whatever became of it', async () => {
    const [to, code] = [await customer(), await coupon({ ...SHARE, reusable: false })];
    const { svc_id } = (await apply(to, code)).body.applied_coupon;
    for (const again of [1, 2]) {
      const { status, body } = await apply(to, code, { frequency: 'recurring' });
      expect([again, status, body.error_details]).toEqual([
        ...[again, 422],
        { coupon: ['coupon_is_not_reusable'], frequency_duration: ['value_is_mandatory'] },
      ]);
      await app.rest('DELETE', `/customers/${to}/applied_coupons/${svc_id}`);
    }
    expect((await apply(await customer(), code)).status).toBe(200);
  });

  it('is had once of six at one moment, and one that is reusable six times', async () => {
    const to = await customer();
    const [once, often] = [await coupon({ ...SHARE, reusable: false }), await coupon()];
    const six = async (code: string) =>
      (await Promise.all(Array.from({ length: 6 }, () => apply(to, code)))).map(({ status }) => status).sort();
    expect(await six(once)).toEqual([200, 422, 422, 422, 422, 422]);
    expect(await six(often)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await listOf(`external_customer_id=${to}&coupon_code[]=${once}`)).toHaveLength(1);
  });

  it('is told by GraphQL with its place', async () => {
    const [to, code] = [await customer(), await coupon({ ...SHARE, reusable: false })];
    const text = `mutation ($code: String!, $to: String!) {
      applyCoupon(input: { couponCode: $code, externalCustomerId: $to }) { coupon { code } customer { externalId } } }`;
    const { data } = await app.graphql(text, { code, to });
    expect(data.applyCoupon).toEqual({ coupon: { code }, customer: { externalId: to } });
    const { errors } = await app.graphql(text, { code, to });
    expect(errors?.[0]?.extensions?.errors).toMatchObject([
      { path: ['input', 'couponCode'], code: 'coupon_is_not_reusable' },
    ]);
  });
});

describe('coupons that are limited', () => {
  const plans = (...plan_codes: string[]) => ({ ...SHARE, applies_to: { plan_codes } });
  const metrics = (...billable_metric_codes: string[]) => ({ ...SHARE, applies_to: { billable_metric_codes } });

  it.each([
    [plans('basic'), plans('pro', 'basic'), true],
    [plans('basic'), plans('pro'), false],
    [metrics('calls'), metrics('mails', 'calls'), true],
    [metrics('calls'), metrics('mails'), false],
    [plans('basic'), metrics('calls'), true],
    [metrics('calls'), plans('basic'), true],
    [plans('basic'), metrics('seats'), false],
    [metrics('mails'), plans('basic', 'pro', 'plain'), false],
    [SHARE, plans('basic'), false],
    [plans('basic'), SHARE, false],
  ])('%j then %j: %s', async (first, second, isRefused) => {
    const [to, one, other] = [await customer(), await coupon(first), await coupon(second)];
    const { svc_id } = (await apply(to, one)).body.applied_coupon;
    const { status, body } = await apply(to, other);
    expect([status, body.code]).toEqual(isRefused ? [405, 'plan_overlapping'] : [200, undefined]);
    expect((await apply(await customer(), other)).status).toBe(200);
    await app.rest('DELETE', `/customers/${to}/applied_coupons/${svc_id}`);
    expect((await apply(to, other)).status).toBe(isRefused || second === SHARE ? 200 : 405);
  });
});

describe('the currency of an amount', () => {
  it('becomes that of a customer who has none, in the log and the answer too', async () => {
    const [to, code] = [await customer(), await coupon(FIXED)];
    const { data } = await app.graphql(
      `mutation ($code: String!, $to: String!) {
        applyCoupon(input: { couponCode: $code, externalCustomerId: $to, amountCurrency: "USD" }) {
          amountCurrency changes { customers { nodes { externalId currency } } auditLogs { nodes { action before after } } }
        } }`,
      { code, to },
    );
    expect(data.applyCoupon).toMatchObject({
      amountCurrency: 'USD',
      changes: {
        customers: { nodes: [{ externalId: to, currency: 'USD' }] },
        auditLogs: {
          nodes: expect.arrayContaining([
            { action: 'customer.updated', before: { currency: null }, after: { currency: 'USD' } },
            expect.objectContaining({ action: 'applied_coupon.created', before: null }),
          ]),
        },
      },
    });
    const other = await apply(to, await coupon(FIXED));
    expect([other.status, other.body.error_details]).toEqual([422, { currency: ['currencies_does_not_match'] }]);
    expect((await apply(to, await coupon(FIXED), { amount_currency: 'USD' })).status).toBe(200);
    expect((await apply(to, await coupon(SHARE))).status).toBe(200);
  });

  it('is no currency of one who was billed without any, nor of a share', async () => {
    await app.db.prisma.customer.updateMany({ where: { externalId: 'billed' }, data: { currency: null } });
    const refused = await apply('billed', await coupon(FIXED));
    expect([refused.status, refused.body.error_details]).toEqual([422, { currency: ['currencies_does_not_match'] }]);
    expect((await apply('billed', await coupon({ ...SHARE, amount_cents: 1, amount_currency: 'EUR' }))).status).toBe(
      200,
    );
    expect((await app.rest('GET', '/customers/billed')).body.customer.currency).toBeNull();
  });
});

describe('the lists', () => {
  it('are narrowed, hold credits, and leave deleted customers out', async () => {
    const [to, gone] = [await customer(), await customer()];
    const codes = [await coupon(), await coupon(), await coupon()];
    const ids: string[] = [];
    for (const code of codes) ids.push((await apply(to, code)).body.applied_coupon.svc_id);
    await apply(gone, codes[0]);
    await app.rest('DELETE', `/customers/${gone}`);
    await app.rest('DELETE', `/customers/${to}/applied_coupons/${ids[1]}`);
    const idsOf = (rows: { svc_id: string }[]) => rows.map(({ svc_id }) => svc_id).sort();
    const found = async (query: string) => idsOf(await listOf(query));
    expect(await found(`external_customer_id=${to}`)).toEqual([...ids].sort());
    expect(await found(`external_customer_id=${to}&status=active`)).toEqual([ids[0], ids[2]].sort());
    expect(await found(`external_customer_id=${to}&status=terminated`)).toEqual([ids[1]]);
    expect(await found(`external_customer_id=${to}&status=`)).toEqual([...ids].sort());
    expect(await found(`coupon_code[]=${codes[0]}&coupon_code[]=${codes[1]}`)).toEqual([ids[0], ids[1]].sort());
    expect(await found(`external_customer_id=${gone}`)).toEqual([]);
    expect(await found('external_customer_id=nobody')).toEqual([]);
    expect((await app.rest('GET', '/applied_coupons?status=used')).body.error_details).toEqual({
      status: ['value_is_invalid'],
    });
    const own = (await app.rest('GET', `/customers/${to}/applied_coupons?status=active&per_page=1`)).body;
    expect([own.applied_coupons.length, own.meta.total_count]).toEqual([1, 2]);
    const coded = await app.rest('GET', `/customers/${to}/applied_coupons?coupon_code[]=${codes[2]}`);
    expect(idsOf(coded.body.applied_coupons)).toEqual([ids[2]]);
    for (const name of [gone, 'nobody'])
      expect((await app.rest('GET', `/customers/${name}/applied_coupons`)).body).toEqual(NOT_FOUND);
    const { data } = await app.graphql(
      `query ($code: [String!]) { appliedCoupons(filter: { couponCode: $code, ofDeletedCustomers: true }) {
        nodes { externalCustomerId status } } }`,
      { code: [codes[0]] },
    );
    expect(data.appliedCoupons.nodes).toEqual([{ externalCustomerId: gone, status: 'terminated' }]);
  });

  it('tell what is left of an amount that is taken off once', async () => {
    const { svc_id } = (await apply('credited', await coupon(FIXED))).body.applied_coupon;
    const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
    const invoice = (number: string, amount_cents: number, status: string) => ({
      ...{ number, status, external_customer_id: 'credited', currency: 'EUR', issuing_date: '2026-06-01' },
      ...{ svc_id: randomUUID(), payment_due_date: '2026-06-01', fees_amount_cents: 1000 },
      ...{ coupons_amount_cents: amount_cents, sub_total_excluding_taxes_amount_cents: 1000 - amount_cents },
      ...{ sub_total_including_taxes_amount_cents: 1000 - amount_cents, total_amount_cents: 1000 - amount_cents },
      credits: [{ svc_applied_coupon_id: svc_id, item_type: 'coupon', amount_cents, before_taxes: true }],
    });
    const invoices = [invoice('C-1', 120, 'finalized'), invoice('C-2', 300, 'voided')];
    await importDocument(app.db, { organization: { name }, invoices }, { organization: name, now: clock.now });
    const [one] = await listOf('external_customer_id=credited');
    expect([one.amount_cents, one.amount_cents_remaining]).toEqual([500, 380]);
    expect(one.credits.map((credit: { amount_cents: number }) => credit.amount_cents).sort()).toEqual([120, 300]);
    expect(one.credits[0].item).toMatchObject({ type: 'coupon', code: one.coupon_code });
  });

  it('cost the same for two rows and for forty', async () => {
    const [few, many] = [await customer(), await customer()];
    for (const [to, times] of [
      [few, 2],
      [many, 40],
    ] as const) {
      const code = await coupon();
      for (let time = 0; time < times; time++) await apply(to, code);
    }
    // The customer of a path is looked up first: nobody's list is a 404.
    for (const [path, most] of [
      [(to: string) => `/applied_coupons?external_customer_id=${to}`, 3],
      [(to: string) => `/customers/${to}/applied_coupons`, 4],
    ] as const) {
      await app.rest('GET', path(few));
      await app.rest('GET', path(many));
      const cost = (to: string) => countStatements(app.db, () => app.rest('GET', path(to)));
      const costs = [await cost(few), await cost(many)];
      expect([path(''), ...costs]).toEqual([path(''), costs[0], costs[0]]);
      expect(costs[0]).toBeLessThanOrEqual(most);
    }
  });
});

describe('a termination', () => {
  it('is done once, and what is not the customer’s is not found', async () => {
    const [to, other] = [await customer(), await customer()];
    const { svc_id } = (await apply(to, await coupon())).body.applied_coupon;
    const path = (whom: string, id: string) => `/customers/${whom}/applied_coupons/${id}`;
    for (const [whom, id] of [
      ...[[other, svc_id] as const, ['nobody', svc_id] as const, [to, randomUUID()] as const],
      ...[[to, 'no-uuid'] as const],
    ]) {
      expect((await app.rest('DELETE', path(whom, id))).body).toEqual(NOT_FOUND);
    }
    const first = await app.rest('DELETE', path(to, svc_id));
    expect(first.body.applied_coupon).toMatchObject({ status: 'terminated', terminated_at: '2026-06-15T12:00:00Z' });
    const before = await everything(app.db);
    clock.now = new Date('2026-06-16T12:00:00Z');
    expect((await app.rest('DELETE', path(to, svc_id.toUpperCase()))).body).toEqual(first.body);
    clock.now = new Date('2026-06-15T12:00:00Z');
    expect(await everything(app.db)).toEqual(before);
    const log = await app.db.prisma.auditLog.findMany({ where: { objectId: svc_id }, orderBy: { id: 'asc' } });
    expect(log.map(({ action, objectType }) => [action, objectType])).toEqual([
      ['applied_coupon.created', 'applied_coupon'],
      ['applied_coupon.terminated', 'applied_coupon'],
    ]);
  });

  it('by GraphQL needs no customer', async () => {
    const { svc_id } = (await apply(await customer(), await coupon())).body.applied_coupon;
    const { data, errors } = await app.graphql(
      `mutation ($id: UUID!) { terminateAppliedCoupon(svcId: $id) { svcId status } }`,
      { id: svc_id },
    );
    expect(errors).toBeUndefined();
    expect(data.terminateAppliedCoupon).toEqual({ svcId: svc_id, status: 'terminated' });
  });

  it('and the deletion of its coupon at one moment leave one end of it', async () => {
    const code = await coupon();
    const whom = await Promise.all([1, 2, 3, 4].map(() => customer()));
    const applied = await Promise.all(whom.map(async (to) => [to, (await apply(to, code)).body.applied_coupon.svc_id]));
    const answers = await Promise.all([
      ...applied.map(([to, id]) => app.rest('DELETE', `/customers/${to}/applied_coupons/${id}`)),
      app.rest('DELETE', `/coupons/${code}`),
      ...whom.map((to) => apply(to, code)),
    ]);
    expect(answers.slice(0, 5).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { status } of answers.slice(5)) expect([200, 404]).toContain(status);
    const rows = await listOf(`coupon_code[]=${code}`);
    expect(new Set(rows.map(({ status }: { status: string }) => status))).toEqual(new Set(['terminated']));
  });
});
