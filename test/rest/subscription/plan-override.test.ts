import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything } from '../../graphql/write/snapshot.ts';
import { createTestApp, type TestApp } from '../../support.ts';
import { NOT_FOUND } from '../guarded.ts';

// A subscription whose plan is another for it alone. Lives with overrides are among the vectors; here is what they do not say.

const NOW = new Date('2026-06-15T12:00:00Z');

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
type Answered = any;

let app: TestApp;
let ids: { calls: string; seats: string };
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  await app.rest('POST', '/taxes', { tax: { code: 'vat', name: 'VAT', rate: 20 } });
  await app.rest('POST', '/taxes', { tax: { code: 'own', name: 'Own', rate: 5 } });
  const filters = [{ key: 'region', values: ['eu', 'us', 'asia'] }];
  const metric = { code: 'calls', name: 'Calls', aggregation_type: 'count_agg', filters };
  await app.rest('POST', '/billable_metrics', { billable_metric: metric });
  const add_on = { code: 'seat', name: 'Seat', amount_cents: 100, amount_currency: 'EUR' };
  await app.rest('POST', '/add_ons', { add_on });
  const plan = {
    ...{ code: 'plan', name: 'Plan', interval: 'monthly', amount_cents: 3000, amount_currency: 'EUR' },
    ...{ pay_in_advance: false, tax_codes: ['vat'], usage_thresholds: [{ amount_cents: 90_000 }] },
    minimum_commitment: { amount_cents: 5000, tax_codes: ['vat'] },
    charges: [
      {
        ...{ code: 'calls', billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '1' } },
        ...{ tax_codes: ['vat'], filters: [{ values: { region: ['eu'] }, properties: { amount: '2' } }] },
      },
    ],
    fixed_charges: [
      {
        ...{ code: 'seats', add_on_code: 'seat', charge_model: 'standard', units: '10', properties: { amount: '10' } },
        pay_in_advance: true,
      },
    ],
  };
  const made = (await app.rest('POST', '/plans', { plan })).body.plan;
  ids = { calls: made.charges[0].svc_id, seats: made.fixed_charges[0].svc_id };
});
afterAll(() => app?.close());

const subscribe = (external_id: string, members: object = {}) =>
  app.rest('POST', '/subscriptions', {
    subscription: { external_customer_id: `of ${external_id}`, external_id, plan_code: 'plan', ...members },
  });
const put = (path: string, body: object) => app.rest('PUT', `/subscriptions/${path}`, body);
const override = (id: string, plan_overrides: object) => put(id, { subscription: { plan_overrides } });
const read = async (path: string): Promise<Answered> => (await app.rest('GET', `/subscriptions/${path}`)).body;
const planOf = async (id: string): Promise<Answered> => (await read(id)).subscription.plan;
const logOf = (objectType: string, objectId: string) =>
  app.db.prisma.auditLog.findMany({ where: { objectType, objectId }, orderBy: { createdAt: 'asc' } });

describe('a new subscription', () => {
  it('begins on a plan of its own, with all that the plan has and what is another', async () => {
    const overrides = {
      ...{ name: 'Own', amount_cents: 2500, invoice_display_name: 'Agreed', tax_codes: ['own'] },
      charges: [{ id: ids.calls, min_amount_cents: 700, properties: { amount: '0.5' } }],
      fixed_charges: [{ id: ids.seats, units: '4' }],
      usage_thresholds: [{ amount_cents: 70_000 }],
    };
    const { status, body } = await subscribe('begins', { plan_overrides: overrides });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.subscription).toMatchObject({ plan_code: 'plan', plan_amount_cents: 2500, status: 'active' });
    const plan = await planOf('begins');
    expect(plan).toMatchObject({
      ...{ code: 'plan', name: 'Own', amount_cents: 2500, invoice_display_name: 'Agreed' },
      ...{ taxes: [{ code: 'own' }], usage_thresholds: [{ amount_cents: 70_000 }] },
      minimum_commitment: { amount_cents: 5000, taxes: [{ code: 'vat' }] },
      charges: [
        {
          ...{ code: 'calls', min_amount_cents: 700, properties: { amount: '0.5' }, taxes: [{ code: 'vat' }] },
          filters: [{ values: { region: ['eu'] }, properties: { amount: '2' } }],
        },
      ],
      fixed_charges: [{ code: 'seats', units: 4 }],
    });
    expect(plan.charges[0].svc_id).not.toBe(ids.calls);
    const parent = (await app.rest('GET', '/plans/plan')).body.plan;
    expect(parent).toMatchObject({ name: 'Plan', amount_cents: 3000, charges: [{ properties: { amount: '1' } }] });
    const entries = await logOf('plan', plan.svc_id);
    expect(entries.map(({ action }) => action)).toEqual(['plan.created', 'plan.updated']);
    expect(entries[1]?.after).toMatchObject({ amountCents: '2500', charges: [{ minAmountCents: '700' }] });
    const invoices = (await app.rest('GET', '/invoices?external_customer_id=of%20begins')).body.invoices;
    expect(invoices).toMatchObject([{ fees_amount_cents: 4000 }]);
  });

  it('reads thresholds of its plan where it has none itself', async () => {
    await subscribe('thresholds', { plan_overrides: { amount_cents: 1 } });
    const { subscription } = await read('thresholds');
    expect(subscription.applicable_usage_thresholds).toMatchObject([{ amount_cents: 90_000 }]);
    expect(subscription.plan.usage_thresholds).toEqual([]);
  });

  it('is an upgrade or a downgrade by the amount that is asked for', async () => {
    await subscribe('moves', { plan_overrides: { amount_cents: 2000 } });
    const up = await subscribe('moves', { plan_overrides: { amount_cents: 2000, name: 'Same price' } });
    expect(up.body.subscription).toMatchObject({ status: 'active', next_plan_code: null, previous_plan_code: 'plan' });
    const down = await subscribe('moves', { plan_overrides: { amount_cents: 1000 } });
    expect(down.body.subscription).toMatchObject({ plan_amount_cents: 2000, next_plan_code: 'plan' });
    const kept = await subscribe('moves');
    expect(kept.body.subscription).toMatchObject({ svc_id: down.body.subscription.svc_id, plan_amount_cents: 2000 });
  });
});

describe('a subscription that runs', () => {
  it('gets a plan of its own once, and changes it by either identifier', async () => {
    const made = (await subscribe('runs')).body.subscription;
    expect((await planOf('runs')).charges[0].svc_id).toBe(ids.calls);
    const charge = { id: ids.calls, properties: { amount: '3' } };
    expect((await override('runs', { amount_cents: 100, charges: [charge] })).status).toBe(200);
    const own = await planOf('runs');
    expect(own).toMatchObject({ amount_cents: 100, charges: [{ properties: { amount: '3' } }] });
    const again = { ...charge, invoice_display_name: 'Ours' };
    const ownId = { id: own.charges[0].svc_id, min_amount_cents: 5 };
    expect((await override('runs', { charges: [again] })).status).toBe(200);
    expect((await override('runs', { charges: [ownId] })).status).toBe(200);
    expect(await planOf('runs')).toMatchObject({
      ...{ svc_id: own.svc_id, amount_cents: 100 },
      charges: [{ invoice_display_name: 'Ours', min_amount_cents: 5, properties: { amount: '3' } }],
      fixed_charges: [{ units: 10 }],
    });
    const moved = (await logOf('subscription', made.svc_id)).filter(({ action }) => action === 'subscription.updated');
    expect(moved.map(({ after }) => after)).toEqual([{ planId: own.svc_id }]);
  });

  it('is billed at once for units that count at once, beyond those that it paid on its plan', async () => {
    await subscribe('grows');
    const overrides = { fixed_charges: [{ id: ids.seats, units: '13', apply_units_immediately: true }] };
    expect((await override('grows', overrides)).status).toBe(200);
    const { invoices } = (await app.rest('GET', '/invoices?external_customer_id=of%20grows')).body;
    expect(invoices.map((one: Answered) => one.fees_amount_cents).sort()).toEqual([10_000, 3000]);
    const events = await app.db.prisma.fixedChargeUnitsEvent.findMany({
      where: { subscription: { externalId: 'grows' } },
      include: { fixedCharge: { select: { plan: { select: { parentId: true } } } } },
      orderBy: { createdAt: 'asc' },
    });
    expect(events.map(({ units }) => units.toFixed())).toEqual(['10', '13']);
    expect(events.every(({ fixedCharge }) => fixedCharge.plan.parentId !== null)).toBe(true);
  });

  it('has prices of its own by their codes', async () => {
    await subscribe('priced');
    const listed = await read('priced/charges?per_page=1');
    expect(listed).toMatchObject({ charges: [{ svc_id: ids.calls }], meta: { total_count: 1 } });
    expect(await read('priced/fixed_charges')).toMatchObject({ fixed_charges: [{ svc_id: ids.seats, units: 10 }] });
    const units = await put('priced/fixed_charges/seats', { fixed_charge: { units: '11', tax_codes: ['own'] } });
    expect(units.body.fixed_charge).toMatchObject({ code: 'seats', units: 11, taxes: [{ code: 'own' }] });
    expect((await read('priced/fixed_charges/seats')).fixed_charge.svc_id).toBe(units.body.fixed_charge.svc_id);
    const filter = { values: { region: ['us'] }, properties: { amount: '9' } };
    const charge = { properties: { amount: '4' }, filters: [filter] };
    const changed = (await put('priced/charges/calls', { charge })).body.charge;
    expect(changed).toMatchObject({ code: 'calls', properties: { amount: '4' }, filters: [filter] });
    const entries = await logOf('charge', changed.svc_id);
    expect(entries.map(({ action }) => action)).toEqual(['charge.updated']);
    expect((await app.rest('GET', '/plans/plan/charges/calls')).body.charge.properties).toEqual({ amount: '1' });
  });

  it('has filters of its own, also by the identifier of the one that was copied', async () => {
    await subscribe('filtered');
    const [known] = (await read('filtered/charges/calls/filters')).filters;
    const path = 'filtered/charges/calls/filters';
    const one = `${path}/${known.svc_id}`;
    const changed = (await put(one, { filter: { invoice_display_name: 'Europe' } })).body.filter;
    expect(changed).toMatchObject({ invoice_display_name: 'Europe', properties: { amount: '2' } });
    expect(changed.svc_id).not.toBe(known.svc_id);
    expect((await put(one, { filter: { properties: { amount: '8' } } })).body.filter.svc_id).toBe(changed.svc_id);
    const asia = { values: { region: ['asia'] }, properties: { amount: '7' } };
    const made = (await app.rest('POST', `/subscriptions/${path}`, { filter: asia })).body.filter;
    expect((await read(`${path}/${made.svc_id}`)).filter).toMatchObject(asia);
    const twice = await app.rest('POST', `/subscriptions/${path}`, { filter: asia });
    expect(twice.body.error_details).toEqual({ values: ['value_already_exist'] });
    expect((await app.rest('DELETE', `/subscriptions/${path}/${made.svc_id}`)).status).toBe(200);
    expect((await read(path)).filters.map((filter: Answered) => filter.svc_id)).toEqual([changed.svc_id]);
    const parent = (await app.rest('GET', '/plans/plan/charges/calls/filters')).body.filters;
    expect(parent).toMatchObject([{ svc_id: known.svc_id, invoice_display_name: null, properties: { amount: '2' } }]);
  });
});

describe('what is refused', () => {
  const NONE = '01890000-0000-7000-8000-000000000000';
  const WRONG = {
    amount_cents: -1,
    charges: [{ id: '', properties: { amount: 'x' } }],
    fixed_charges: [{ id: '', units: '-1' }],
    usage_thresholds: [{ amount_cents: 5 }, { amount_cents: 5 }],
  };
  const wrong = () => ({
    ...WRONG,
    charges: [{ ...WRONG.charges[0], id: ids.calls }],
    fixed_charges: [{ ...WRONG.fixed_charges[0], id: ids.seats }],
  });
  const TOLD = {
    amount_cents: ['value_is_out_of_range'],
    properties: ['invalid_amount'],
    units: ['value_is_out_of_range'],
    usage_thresholds: ['duplicated_values'],
  };

  beforeAll(async () => {
    await subscribe('stays');
  });

  it.each([
    ['of a new one', () => subscribe('no', { plan_overrides: wrong(), ending_at: '2026-06-15T13:00:00Z' })],
    [
      'of a change',
      () => put('stays', { subscription: { plan_overrides: wrong(), ending_at: '2026-06-15T13:00:00Z' } }),
    ],
  ])('%s, all together, and nothing is written', async (_name, call) => {
    const before = await everything(app.db);
    const { status, body } = await call();
    expect([status, body.error_details]).toEqual([422, { ...TOLD, ending_at: ['invalid_date'] }]);
    expect(await everything(app.db)).toEqual(before);
  });

  it.each([
    ['a charge that the plan does not have', () => override('stays', { charges: [{ id: NONE }] })],
    ['a fixed charge that it does not have', () => override('stays', { fixed_charges: [{ id: NONE }] })],
    ['a tax that is not there', () => override('stays', { tax_codes: ['none'] })],
    ['a code that no charge has', () => put('stays/charges/none', { charge: { min_amount_cents: 1 } })],
    ['a code that no fixed charge has', () => put('stays/fixed_charges/none', { fixed_charge: { units: '1' } })],
    ['a filter that is not there', () => put(`stays/charges/calls/filters/${NONE}`, { filter: { properties: {} } })],
    [
      'the end of a filter that is not there',
      () => app.rest('DELETE', `/subscriptions/stays/charges/calls/filters/${NONE}`),
    ],
    [
      'another state',
      () => put('stays/charges/calls?subscription_status=pending', { charge: { min_amount_cents: 1 } }),
    ],
  ])('%s is a 404, and nothing is written', async (_name, call) => {
    const before = await everything(app.db);
    expect((await call()).body).toEqual(NOT_FOUND);
    expect(await everything(app.db)).toEqual(before);
  });

  it('another model is a 403, a price twice and another currency a 422', async () => {
    const before = await everything(app.db);
    const model = await put('stays/charges/calls', { charge: { charge_model: 'package', properties: {} } });
    expect([model.status, model.body.code]).toEqual([403, 'cannot_override_charge_model']);
    const twice = await override('stays', { charges: [{ id: ids.calls }, { id: ids.calls.toUpperCase() }] });
    expect(twice.body.error_details).toEqual({ id: ['value_is_duplicated'] });
    const currency = await override('stays', { amount_currency: 'USD' });
    expect(currency.body.error_details).toEqual({ currency: ['currencies_does_not_match'] });
    expect(await everything(app.db)).toEqual(before);
  });

  it('GraphQL says where: in the overrides, in which of the prices', async () => {
    const query = `mutation ($input: UpdateSubscriptionInput!) {
      updateSubscription(externalId: "stays", input: $input) { id }
    }`;
    const charges = [{ id: ids.calls, pricing: { standard: { amount: 'x' } } }];
    const { errors } = await app.graphql(query, { input: { planOverrides: { charges } } });
    expect(JSON.stringify(errors)).toContain('"planOverrides","charges",0,"pricing","standard","amount"');
  });
});
