import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { type Answer, countStatements, createTestApp, statementsOf, type TestApp } from '../../support.ts';
import { NOT_FOUND } from '../guarded.ts';
import { previewCases } from '../preview-case.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const PATH = '/invoices/preview';
const BAD_REQUEST = { status: 400, error: 'Bad request' };
// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ now: () => NOW });
});
afterAll(() => test.close());

/** A key of another organization, which has what the document says. */
async function keyOver(name: string, document: unknown): Promise<string> {
  await importDocument(test.db, document, { organization: name, now: NOW });
  const { id: organizationId } = await test.db.prisma.organization.findUniqueOrThrow({ where: { name } });
  return test.makeKey({ organizationId });
}

/** "33.333... (the sum is 100)" begins with its digits; "1935 (not 19.35)" is a number. */
function expectNumber(actual: unknown, said: unknown, what: string) {
  const [digits = '', more] = String(said).split(/(\.\.\.| )/);
  if (more === '...') expect(String(actual).startsWith(digits), `${what}: ${actual}`).toBe(true);
  else expect(Number(actual), what).toBe(Number(digits));
}

const member = (of: Any, path: string) => path.split('.').reduce((value, name) => value?.[name], of);

function expectMembers(actual: Any, expected: Any, what: string) {
  for (const [name, value] of Object.entries(expected ?? {})) {
    const found = member(actual, name);
    if (typeof value === 'string' && /^\d+(\.\d+)?(\.\.\.| |$)/.test(value))
      expectNumber(found, value, `${what}.${name}`);
    else expect(found, `${what}.${name}`).toEqual(value);
  }
}

const PERIOD = /^subscription_(from|to)_datetime$/;
const KNOWN = ['status', 'invoice', 'note', 'code', 'body_404', 'status_by_case', 'cases', 'status_one_of'];

function expectInvoice(invoice: Any, right: Any) {
  const fees = (type: string) => invoice.fees.filter((fee: Any) => fee.item.type === type);
  expectMembers(invoice, right.invoice, 'invoice');
  for (const [name, value] of Object.entries<Any>(right)) {
    if (KNOWN.includes(name)) continue;
    if (PERIOD.test(name)) expect(invoice.billing_periods[0][name]).toBe(value);
    else if (name === 'billing_period') expectMembers(invoice.billing_periods[0], value, name);
    else if (name === 'subscription_fee') expectMembers(fees('subscription')[0], value, name);
    else if (name === 'fixed_charge_fee') expectMembers(fees('fixed_charge')[0], value, name);
    else if (name === 'each_fixed_charge_fee') for (const fee of fees('fixed_charge')) expectMembers(fee, value, name);
    else if (name === 'fees_taxes_amount_cents') {
      for (const fee of fees('fixed_charge')) expect(fee.taxes_amount_cents).toBe(value[fee.item.code]);
    } else if (name === 'credits_amount_cents') {
      expect(invoice.credits.map((credit: Any) => credit.amount_cents)).toEqual(value);
    } else if (name === 'credits_each') for (const credit of invoice.credits) expectMembers(credit, value, name);
    else if (name === 'every_numeric_field') expectFinite(invoice);
    else expectMembers(invoice, { [name]: value }, 'invoice');
  }
}

function expectFinite(invoice: Any) {
  const amounts = [invoice, ...invoice.fees].flatMap((one) => Object.entries(one));
  const numeric = amounts.filter(
    ([name]) => /_cents$|_amount$|_rate$|^units$/.test(name) && !/granted|purchased/.test(name),
  );
  expect(numeric.length).toBeGreaterThan(30);
  for (const [name, value] of numeric)
    expect(Number.isFinite(Number(value ?? Number.NaN)), `${name}: ${value}`).toBe(true);
}

describe('cases that went wrong elsewhere', () => {
  it.each(previewCases())('$id', async ({ id, document, body, right }) => {
    const key = await keyOver(id, document);
    const { status, body: answer } = await test.rest('POST', PATH, body, { key });
    // Of two statuses that would do, a list that is none is a body that cannot be read.
    expect(status).toBe(right.status_one_of ? 400 : (right.status ?? 200));
    if (right.status_one_of) expect([right.status_one_of, answer]).toEqual([[400, 422], BAD_REQUEST]);
    if (status === 200) expectInvoice(answer.invoice, right);
    if (status === 404) expect(answer).toEqual(NOT_FOUND);
    if (right.code && status === 422) expect(answer.code).toBe(right.code);
  });

  it('GB-004: the shares of a coupon add up to it', async () => {
    const found = previewCases().find(({ id }) => id === 'GB-004 1');
    const key = await keyOver('GB-004 shares', found?.document);
    const { body } = await test.rest('POST', PATH, found?.body, { key });
    const shares = body.invoice.fees.map((fee: Any) => Number(fee.precise_coupons_amount_cents));
    expect(Math.abs(shares.reduce((sum: number, share: number) => sum + share, 0) - 100)).toBeLessThan(1e-6);
  });
});

const ADA = {
  ...{ external_id: 'cust_ada', name: 'Ada Stores', currency: 'EUR', country: 'DE', timezone: 'UTC' },
  shipping_address: { city: 'Berlin', country: 'DE' },
  integration_customers: [{ type: 'anrok', integration_code: 'rates', external_customer_id: 'a1' }],
};
const starts = '2026-05-01T00:00:00Z';
const running = (external_id: string, more: object = {}) => ({
  ...{ external_id, external_customer_id: 'cust_ada', plan_code: 'orchid', status: 'active', name: external_id },
  ...{ subscription_at: starts, started_at: starts, created_at: starts, ...more },
});
const HOUSE = {
  taxes: [{ code: 'vat20', name: 'VAT', rate: 20 }],
  billing_entities: [
    { code: 'main', name: 'Main', is_default: true, tax_codes: ['vat20'] },
    { code: 'second', name: 'Second', timezone: 'Asia/Tokyo' },
    { code: 'gone', name: 'Gone', archived_at: '2026-01-01T00:00:00Z' },
  ],
  billable_metrics: [
    { code: 'calls', name: 'Calls', aggregation_type: 'count_agg' },
    { code: 'bytes', name: 'Bytes', aggregation_type: 'sum_agg', field_name: 'size' },
  ],
  plans: [
    {
      ...{ code: 'orchid', name: 'Orchid', interval: 'monthly', amount_cents: 5000, amount_currency: 'EUR' },
      charges: [
        { code: 'calls', billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '0.10' } },
        {
          ...{ code: 'bytes', billable_metric_code: 'bytes', charge_model: 'graduated' },
          properties: {
            graduated_ranges: [
              { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '2' },
              { from_value: 11, to_value: null, per_unit_amount: '0.5', flat_amount: '0' },
            ],
          },
        },
      ],
    },
    {
      code: 'dear',
      name: 'Dear',
      interval: 'monthly',
      amount_cents: 9000,
      amount_currency: 'EUR',
      pay_in_advance: true,
    },
    { code: 'dollars', name: 'Dollars', interval: 'monthly', amount_cents: 100, amount_currency: 'USD' },
  ],
  coupons: [{ code: 'ten', name: 'Ten', coupon_type: 'percentage', percentage_rate: '10', frequency: 'once' }],
  customers: [
    ADA,
    { external_id: 'cust_many', currency: 'EUR' },
    { external_id: 'cust_old', currency: 'EUR', billing_entity_code: 'gone' },
  ],
  subscriptions: [
    running('sub_ada', { plan_overrides: { amount_cents: 100 } }),
    running('sub_dollars', { plan_code: 'dollars' }),
    running('sub_second', { billing_entity_code: 'second' }),
    running('sub_old', { external_customer_id: 'cust_old' }),
  ],
  wallets: [
    {
      ...{ external_customer_id: 'cust_ada', code: 'purse', name: 'Purse', currency: 'EUR', rate_amount: '1' },
      ...{ balance_cents: 700, status: 'active' },
    },
  ],
  invoices: [{ external_customer_id: 'cust_ada', number: 'ADA-1', status: 'finalized', currency: 'EUR' }],
  credit_notes: [
    {
      ...{ external_customer_id: 'cust_ada', invoice_number: 'ADA-1', number: 'ADA-CN1', status: 'finalized' },
      ...{ currency: 'EUR', credit_status: 'available', balance_amount_cents: 300, credit_amount_cents: 300 },
      total_amount_cents: 300,
    },
  ],
  events: [1, 2, 3].map((day) => ({
    ...{ transaction_id: `t${day}`, external_subscription_id: 'sub_ada', code: 'calls' },
    timestamp: `2026-06-01T0${day}:00:00Z`,
  })),
};
const proposal = { plan_code: 'orchid', billing_time: 'anniversary', subscription_at: '2026-06-10T09:00:00Z' };
const made = { ...proposal, customer: { name: 'Tamsin Works', currency: 'EUR' } };
const known = { ...proposal, customer: { external_id: 'cust_ada' } };
const existing = (members: object) => ({ customer: { external_id: 'cust_ada' }, subscriptions: members });

describe('the endpoint', () => {
  let key: string;
  let strange: string;
  const send = (body: unknown, sending = {}) => test.rest('POST', PATH, body, { key, ...sending });
  const counts = async () => {
    const rows: { table: string }[] = await test.db.prisma.$queryRaw`
      SELECT table_name::text AS table FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`;
    const found: [string, string][] = [];
    for (const { table } of rows.filter(({ table: name }) => name !== 'api_keys')) {
      const [row]: { of: string }[] = await test.db.prisma.$queryRawUnsafe(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '') AS of FROM "${table}" t`,
      );
      found.push([table, String(row?.of)]);
    }
    return Object.fromEntries(found);
  };

  beforeAll(async () => {
    key = await keyOver('House', HOUSE);
    strange = await keyOver('Stranger', { plans: [{ ...HOUSE.plans[2], code: 'foreign' }] });
  });

  describe('200', () => {
    it('GB-067: a stored customer is overlaid for one answer, and the parent plan is priced', async () => {
      const customer = {
        external_id: 'cust_ada',
        name: 'Changed',
        currency: 'EUR',
        country: 'FR',
        timezone: 'Asia/Tokyo',
      };
      const body = { ...known, customer: { ...customer, shipping_address: { city: 'Lyon' } } };
      const before = await counts();
      const { status, body: answer } = await send(body);
      expect(status).toBe(200);
      expect(answer.invoice).toMatchObject({
        fees_amount_cents: 5000,
        customer: {
          name: 'Changed',
          country: 'FR',
          timezone: 'Asia/Tokyo',
          shipping_address: { city: 'Lyon', country: null },
        },
      });
      expect(await counts()).toEqual(before);
    });

    it.each([
      ['nothing but a plan', { plan_code: 'orchid' }],
      ['no customer', proposal],
      ['a customer that is null', { ...proposal, customer: null }],
      ['an entity that is blank', { ...made, billing_entity_code: '' }],
      ['coupons and subscriptions that are null', { ...made, coupons: null, subscriptions: null }],
      ['an empty list of subscriptions to name', { ...made, subscriptions: { external_ids: [] } }],
      ['a start that is a date', { ...made, subscription_at: '2026-06-10' }],
    ])('%s', async (_name, body) => {
      const { status, body: answer } = await send(body);
      expect(status).toBe(200);
      expect(answer.invoice).toMatchObject({ billing_entity_code: 'main', number: '', sequential_id: null });
    });

    it('identifiers agree with each other, and every call has its own', async () => {
      const [one, two] = [(await send(made)).body.invoice, (await send(made)).body.invoice];
      expect(one.svc_id).not.toBe(two.svc_id);
      for (const fee of one.fees) {
        expect(fee.svc_invoice_id).toBe(one.svc_id);
        expect(fee.svc_subscription_id).toBe(one.subscriptions[0].svc_id);
      }
      expect(one.billing_periods[0].svc_subscription_id).toBe(one.subscriptions[0].svc_id);
      expect(one.applied_taxes[0].svc_invoice_id).toBe(one.svc_id);
      expect(one.customer.name).toBe('Tamsin Works');
    });

    it('a stored customer pays with notes and wallets, one made up does not', async () => {
      const { invoice } = (await send(known)).body;
      expect(invoice).toMatchObject({
        ...{ fees_amount_cents: 5000, taxes_amount_cents: 1000, sub_total_including_taxes_amount_cents: 6000 },
        ...{ credit_notes_amount_cents: 300, prepaid_credit_amount_cents: 700, total_amount_cents: 5000 },
      });
      expect((await send(made)).body.invoice.total_amount_cents).toBe(6000);
    });

    it('a stored coupon is found by its code, whatever else is said of it', async () => {
      const coupons = [{ code: 'ten', coupon_type: 'fixed_amount', amount_cents: 1, amount_currency: 'EUR' }];
      const { invoice } = (await send({ ...made, coupons })).body;
      expect(invoice).toMatchObject({ coupons_amount_cents: 500, sub_total_excluding_taxes_amount_cents: 4500 });
      expect(invoice.credits[0].item).toMatchObject({ type: 'coupon', code: 'ten', name: 'Ten' });
    });

    it('a subscription that runs, with its own plan and its usage so far', async () => {
      const { invoice } = (await send(existing({ external_ids: ['sub_ada', 'nobody'] }))).body;
      expect(invoice.fees.map((fee: Any) => [fee.item.type, fee.units, fee.amount_cents])).toEqual([
        ['subscription', '1.0', 100],
        ['charge', '3.0', 30],
        ['charge', '0.0', 200], // the flat amount of its first range
      ]);
      expect(invoice.issuing_date).toBe('2026-07-01');
      expect(invoice.subscriptions[0]).toMatchObject({ external_id: 'sub_ada', status: 'active', plan_code: 'orchid' });
    });

    it('a subscription that ends', async () => {
      const { invoice } = (await send(existing({ external_ids: ['sub_ada'], terminated_at: '2026-06-15T12:00:00Z' })))
        .body;
      expect(invoice.fees[0].amount_cents).toBe(50);
      expect(invoice.issuing_date).toBe('2026-06-15');
      expect(invoice.billing_periods[0].invoicing_reason).toBe('subscription_terminating');
    });

    it('a subscription that changes to a dearer plan in advance', async () => {
      const { invoice } = (await send(existing({ external_ids: ['sub_ada'], plan_code: 'dear' }))).body;
      expect(invoice.subscriptions.map((one: Any) => [one.plan_code, one.status])).toEqual([
        ['orchid', 'terminated'],
        ['dear', 'active'],
      ]);
      expect(invoice.fees.find((fee: Any) => fee.amount_cents === 9000)).toBeDefined();
    });

    it('another entity bills in its own time zone, with its own taxes', async () => {
      const { invoice } = (await send({ ...made, billing_entity_code: 'second' })).body;
      expect(invoice).toMatchObject({ billing_entity_code: 'second', taxes_amount_cents: 0 });
      expect(invoice.billing_periods[0].subscription_from_datetime).toBe('2026-06-09T15:00:00Z');
    });

    it('a subscription is billed by its own entity, at the time of its customer', async () => {
      const { invoice } = (await send(existing({ external_ids: ['sub_second'] }))).body;
      expect(invoice).toMatchObject({
        ...{ billing_entity_code: 'second', taxes_amount_cents: 0 },
        customer: { billing_entity_code: 'main', applicable_timezone: 'UTC' },
        subscriptions: [{ billing_entity_code: 'second' }],
      });
      expect(invoice.billing_periods[0].subscription_from_datetime).toBe('2026-06-01T00:00:00Z');
    });

    it('a stored customer stays of its own entity, whichever is asked to bill', async () => {
      const { invoice } = (await send({ ...known, billing_entity_code: 'second' })).body;
      expect(invoice).toMatchObject({
        ...{ billing_entity_code: 'second', taxes_amount_cents: 0 },
        customer: { billing_entity_code: 'main', applicable_timezone: 'UTC' },
      });
    });

    it('an archived entity goes on billing its customers', async () => {
      const customer = { external_id: 'cust_old' };
      const { invoice } = (await send({ customer, subscriptions: { external_ids: ['sub_old'] } })).body;
      expect(invoice).toMatchObject({
        ...{ billing_entity_code: 'gone', taxes_amount_cents: 0 },
        customer: { billing_entity_code: 'gone' },
      });
      expect((await send({ ...known, billing_entity_code: 'gone' })).status).toBe(404);
    });

    it('an empty code of an entity is none', async () => {
      const { invoice } = (await send({ ...made, billing_entity_code: '' })).body;
      expect([invoice.billing_entity_code, invoice.subscriptions[0].billing_entity_code]).toEqual(['main', 'main']);
    });

    it('the last dates of four digits, and years of one', async () => {
      const of = async (subscription_at: string) =>
        (await send({ ...made, billing_time: 'calendar', subscription_at })).body.invoice;
      expect((await of('9996-12-31')).issuing_date).toBe('9997-01-01');
      const early = await of('0099-01-05');
      expect([early.issuing_date, early.fees[0].from_date]).toEqual([
        '0099-02-01',
        expect.stringMatching(/^0099-01-05/),
      ]);
    });

    it('the zone that is documented under a name of its own', async () => {
      const customer = { ...made.customer, timezone: 'GMT+12' };
      const { status, body } = await send({ ...made, customer });
      expect([status, body.invoice.customer.applicable_timezone]).toEqual([200, 'GMT+12']);
      expect(body.invoice.billing_periods[0].subscription_from_datetime).toMatch(/T12:00:00Z$/);
    });

    it('an integration that exists', async () => {
      const integration_customers = [{ integration_type: 'anrok', integration_code: 'rates' }];
      const { status, body } = await send({ ...made, customer: { name: 'X', integration_customers } });
      expect(status).toBe(200);
      expect(body.invoice.customer.integration_customers[0]).toMatchObject({
        type: 'anrok',
        integration_code: 'rates',
      });
    });
  });

  describe('400', () => {
    const BAD = { status: 400, error: 'Bad request' };
    it.each([
      ['a body that is no JSON', '{"plan_code": '],
      ['a list', '[]'],
      ['a text', '"orchid"'],
    ])('%s', async (_name, raw) => {
      const { status, body } = await send(undefined, { raw });
      expect([status, body]).toEqual([400, BAD]);
    });
    it.each([
      ['coupons that are an object', { ...made, coupons: { code: 'ten' } }],
      ['subscriptions that are a list', { ...made, subscriptions: [] }],
      ['subscriptions that are a list of names', { ...known, subscriptions: ['sub_ada'] }],
    ])('%s', async (_name, sent) => {
      const { status, body } = await send(sent);
      expect([status, body]).toEqual([400, BAD]);
    });
  });

  describe('401 and 403', () => {
    it.each([null, 'sk_svc_unknown'])('%s', async (other) => {
      const { status, body } = await send(made, { key: other });
      expect([status, body]).toEqual([401, { status: 401, error: 'Unauthorized' }]);
    });
    it('a publishable key', async () => {
      const { status, body } = await send(made, { key: await test.makeKey({ kind: 'publishable' }) });
      expect([status, body.code]).toEqual([403, 'publishable_key_not_allowed']);
    });
    it('a key that may only read invoices', async () => {
      const reader = await test.makeKey({ permissions: { invoice: ['read'] } });
      const { status, body } = await send(made, { key: reader });
      expect([status, body.code]).toEqual([403, 'write_action_not_allowed_for_invoice']);
    });
    it('not a key that may just write invoices', async () => {
      const { id: organizationId } = await test.db.prisma.organization.findUniqueOrThrow({ where: { name: 'House' } });
      const writer = await test.makeKey({ organizationId, permissions: { invoice: ['write'] } });
      const { status, body } = await send({ ...known, coupons: [{ code: 'ten' }] }, { key: writer });
      expect([status, body.invoice?.coupons_amount_cents]).toEqual([200, 500]);
      expect((await send(existing({ external_ids: ['sub_ada'] }), { key: writer })).status).toBe(200);
    });
  });

  describe('404', () => {
    it.each([
      ['nothing', {}],
      ['a plan that is null', { customer: { currency: 'EUR' }, plan_code: null }],
      ['an unknown plan', { ...made, plan_code: 'ghost' }],
      ['a plan of another organization', { ...made, plan_code: 'foreign' }],
      ['an unknown customer', { ...proposal, customer: { external_id: 'ghost' } }],
      ['a customer that is null', { ...proposal, customer: { external_id: null } }],
      ['an unknown entity', { ...made, billing_entity_code: 'nope' }],
      ['an archived entity', { ...made, billing_entity_code: 'gone' }],
      [
        'an unknown integration',
        {
          ...made,
          customer: { name: 'X', integration_customers: [{ integration_type: 'anrok', integration_code: 'other' }] },
        },
      ],
      ['an unknown subscription', existing({ external_ids: ['ghost'] })],
      [
        'a subscription of another customer',
        {
          customer: { external_id: 'cust_many' },
          subscriptions: { external_ids: ['sub_ada'] },
        },
      ],
      ['an unknown plan to change to', existing({ external_ids: ['sub_ada'], plan_code: 'ghost' })],
    ])('%s', async (_name, sent) => {
      const { status, body } = await send(sent);
      expect([status, body]).toEqual([404, NOT_FOUND]);
    });

    it.each([
      ['plan', made],
      ['customer', { ...known, plan_code: 'foreign' }],
      ['entity', { ...made, plan_code: 'foreign', billing_entity_code: 'second' }],
      [
        'integration',
        {
          plan_code: 'foreign',
          customer: { name: 'X', integration_customers: [{ integration_type: 'anrok', integration_code: 'rates' }] },
        },
      ],
    ])('another organization has no such %s', async (_name, sent) => {
      const { status, body } = await send(sent, { key: strange });
      expect([status, body]).toEqual([404, NOT_FOUND]);
    });

    it('another organization does not use this one’s coupons', async () => {
      const sent = { plan_code: 'foreign', coupons: [{ code: 'ten' }] };
      expect((await send(sent, { key: strange })).status).toBe(422);
    });
  });

  type Refusal = [string, object, object];
  describe('422', () => {
    it.each<Refusal>([
      ['a start that is no moment', { ...made, subscription_at: 'soon' }, { subscription_at: ['invalid_date'] }],
      ['a day that does not exist', { ...made, subscription_at: '2026-02-30' }, { subscription_at: ['invalid_date'] }],
      ['a start in no year', { ...made, subscription_at: '0000-01-01' }, { subscription_at: ['invalid_date'] }],
      ['a start too late', { ...made, subscription_at: '9997-01-01' }, { subscription_at: ['invalid_date'] }],
      ['the last start', { ...made, subscription_at: '9999-12-31T00:00:00Z' }, { subscription_at: ['invalid_date'] }],
      [
        'an end without a date for its invoice',
        existing({ external_ids: ['sub_ada'], terminated_at: '9999-12-31T00:00:00Z' }),
        { terminated_at: ['invalid_timestamp'] },
      ],
      [
        'an end that is no moment',
        existing({ external_ids: ['sub_ada'], terminated_at: '2026' }),
        {
          terminated_at: ['invalid_timestamp'],
        },
      ],
      [
        'an end in the past',
        existing({ external_ids: ['sub_ada'], terminated_at: starts }),
        {
          terminated_at: ['cannot_be_in_past'],
        },
      ],
      [
        'an end of two',
        existing({ external_ids: ['sub_ada', 'sub_dollars'], terminated_at: '2026-07-01T00:00:00Z' }),
        {
          subscriptions: ['only_one_subscription_allowed_for_termination'],
        },
      ],
      [
        'a change of two',
        existing({ external_ids: ['sub_ada', 'sub_dollars'], plan_code: 'dear' }),
        {
          subscriptions: ['only_one_subscription_allowed_for_plan_change'],
        },
      ],
      [
        'two currencies',
        existing({ external_ids: ['sub_ada', 'sub_dollars'] }),
        {
          base: ['subscription_currencies_does_not_match'],
        },
      ],
      [
        'the plan it has',
        existing({ external_ids: ['sub_ada'], plan_code: 'orchid' }),
        {
          base: ['new_plan_should_be_different_from_existing_plan'],
        },
      ],
      [
        'subscriptions of a customer that is made up',
        { ...made, subscriptions: { external_ids: ['sub_ada'] } },
        {
          customer: ['must_be_persisted'],
        },
      ],
      ...['Infinity', 'eur', 'XXX', 'E', 'BTC'].map(
        (currency): Refusal => [
          `the currency ${currency}`,
          { ...made, customer: { currency } },
          { currency: ['value_is_invalid'] },
        ],
      ),
      ...['Infinity', 'de', 'DEU', 'ZZ'].flatMap((country): Refusal[] => [
        [`the country ${country}`, { ...made, customer: { country } }, { country: ['not_a_valid_country_code'] }],
        [
          `the country ${country} to send goods to`,
          { ...made, customer: { shipping_address: { country } } },
          { country: ['not_a_valid_country_code'] },
        ],
      ]),
      [
        'codes of a stored customer, all told at once',
        { ...known, customer: { ...known.customer, currency: 'NaN', country: 'X', timezone: 'Mars/Olympus' } },
        { currency: ['value_is_invalid'], country: ['not_a_valid_country_code'], timezone: ['invalid_timezone'] },
      ],
      ...['Infinity', 'NaN', '-Infinity', '1e9999', '0x10', '1,5'].flatMap((rate): Refusal[] => [
        [
          `a share of ${rate}`,
          { ...made, coupons: [{ code: 'new', coupon_type: 'percentage', percentage_rate: rate }] },
          { percentage_rate: ['value_is_invalid'] },
        ],
        [
          `an amount of ${rate}`,
          { ...made, coupons: [{ code: 'new', amount_cents: rate, amount_currency: 'EUR' }] },
          { amount_cents: ['value_is_invalid'] },
        ],
      ]),
      [
        'a coupon below 0 in no currency',
        { ...made, coupons: [{ code: 'new', amount_cents: -1, amount_currency: 'Infinity' }] },
        { amount_cents: ['value_is_out_of_range'], amount_currency: ['value_is_invalid'] },
      ],
      ...['-1', '100.01'].map(
        (percentage_rate): Refusal => [
          `a share of ${percentage_rate}`,
          { ...made, coupons: [{ code: 'new', coupon_type: 'percentage', percentage_rate }] },
          { percentage_rate: ['value_is_out_of_range'] },
        ],
      ),
      ['an unknown time zone', { ...made, customer: { timezone: 'Mars/Olympus' } }, { timezone: ['invalid_timezone'] }],
      [
        'a coupon without its amount',
        { ...made, coupons: [{ code: 'new' }] },
        { amount_cents: ['value_is_mandatory'] },
      ],
      [
        'a coupon without its rate',
        { ...made, coupons: [{ code: 'new', coupon_type: 'percentage' }] },
        {
          percentage_rate: ['value_is_mandatory'],
        },
      ],
    ])('%s', async (_name, sent, details) => {
      const { status, body } = await send(sent);
      expect([status, body.code, body.error_details]).toEqual([422, 'validation_errors', details]);
    });

    it('a number beyond all numbers', async () => {
      for (const raw of ['{"plan_code":"orchid","coupons":[{"amount_cents":1e9999}]}', '{"plan_code":1e9999}']) {
        const { status, body } = await test.rest('POST', '/invoices/preview', undefined, { raw });
        const [codes] = Object.values(body.error_details);
        expect([status, codes]).toEqual([422, ['value_is_out_of_range']]);
      }
    });
  });

  it('stores nothing, whatever is previewed', async () => {
    const before = await counts();
    const coupons = [{ code: 'ten' }, { code: 'new', amount_cents: 5, amount_currency: 'EUR' }];
    const all: unknown[] = [
      ...[made, known, { ...known, coupons }, existing({ external_ids: ['sub_ada'] })],
      existing({ external_ids: ['sub_ada'], terminated_at: '2026-06-15T12:00:00Z' }),
      existing({ external_ids: ['sub_ada'], plan_code: 'dear' }),
    ];
    for (const sent of all) expect((await send(sent)).status).toBe(200);
    expect(await counts()).toEqual(before);
  });

  it('reads in a transaction that cannot write', async () => {
    const sql = await statementsOf(test.db, () => send(existing({ external_ids: ['sub_ada'] })));
    expect(sql[0]).toMatch(/SET TRANSACTION .*READ ONLY/);
    expect(sql.slice(1).filter((one) => !/^\s*SELECT|COMMIT/i.test(one))).toEqual([]);
  });

  it('asks no more of a customer with many rows', async () => {
    const ask = async (count: number) => {
      const many = await keyOver(`Many ${count}`, manyRows(count));
      const sent = { customer: { external_id: 'c' }, subscriptions: { external_ids: ['s'] } };
      let answer: Answer | undefined;
      const statements = await countStatements(test.db, async () => {
        answer = await send(sent, { key: many });
      });
      expect([answer?.status, answer?.body.invoice.fees[1].units]).toEqual([200, `${count}.0`]);
      return statements;
    };
    const few = await ask(2);
    expect(few).toBeLessThan(50);
    expect(await ask(200)).toBe(few);
  });
});

function manyRows(count: number) {
  const of = <T>(make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
  const subscription = { ...running('s'), external_customer_id: 'c', subscription_at: '2026-05-15T00:00:00Z' };
  return {
    ...{ taxes: HOUSE.taxes, billing_entities: HOUSE.billing_entities, billable_metrics: HOUSE.billable_metrics },
    plans: [HOUSE.plans[0]],
    customers: [{ external_id: 'c', currency: 'EUR', metadata: of((i) => ({ key: `k${i}`, value: 'v' })).slice(0, 5) }],
    subscriptions: [subscription],
    coupons: of((i) => ({
      code: `c${i}`,
      name: `C${i}`,
      amount_cents: 1,
      amount_currency: 'EUR',
      frequency: 'forever',
    })),
    applied_coupons: of((i) => ({
      ...{ coupon_code: `c${i}`, external_customer_id: 'c', amount_cents: 1, amount_currency: 'EUR' },
      ...{ frequency: 'forever', status: 'active' },
    })),
    invoices: of((i) => ({
      ...{ external_customer_id: 'c', number: `n${i}`, status: 'finalized', currency: 'EUR' },
      fees: [{ external_subscription_id: 's', fee_type: 'subscription', amount_cents: 1, amount_currency: 'EUR' }],
      billing_periods: [
        {
          ...{ external_subscription_id: 's', invoicing_reason: 'subscription_periodic' },
          ...{ subscription_from_datetime: '2026-04-01T00:00:00Z', subscription_to_datetime: '2026-04-30T23:59:59Z' },
          ...{ charges_from_datetime: '2026-04-01T00:00:00Z', charges_to_datetime: '2026-04-30T23:59:59Z' },
        },
      ],
    })),
    events: of((i) => ({
      ...{ transaction_id: `e${i}`, external_subscription_id: 's', code: 'calls', timestamp: '2026-06-01T01:00:00Z' },
    })),
  };
}
