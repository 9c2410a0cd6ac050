import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportError, importDocument } from '../../src/store/transfer/import/import.ts';
import { knownCases } from '../cases/known-case.ts';
import { AWKWARD, createReadApp, IDS } from '../rest/fixture.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createPricedApp, NOW } from '../rest/priced.ts';
import { type Answer, createTestApp, type TestApp } from '../support.ts';

// biome-ignore lint/suspicious/noExplicitAny: cases of any shape
type Any = any;

const bug = (id: string) => {
  const found = knownCases().find((one) => one.id === id);
  if (!found) throw new Error(`${id} is no case`);
  return { input: found.small_input, right: found.right_value };
};
const CALLS = '/plans/orchid/charges/api_calls';
const INVALID = { status: 422, error: 'Unprocessable entity', code: 'validation_errors' };

let app: Awaited<ReturnType<typeof createPricedApp>>;
beforeAll(async () => {
  app = await createPricedApp();
});
afterAll(() => app?.close());

async function load(document: object, organizationId = app.organizationId) {
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
  await importDocument(app.db, { organization: { name }, ...document }, { organization: name, now: NOW });
}

async function wallet(more: object = {}, organizationId?: string): Promise<string> {
  const svc_id = randomUUID();
  const own = { svc_id, code: svc_id, external_customer_id: 'cust_ada', currency: 'EUR', rate_amount: '1' };
  await load({ wallets: [{ ...own, ...more }] }, organizationId);
  return svc_id;
}

const row = (id: string) => app.db.prisma.wallet.findUniqueOrThrow({ where: { id } });
const merge = (id: string, metadata: unknown) => app.rest('PATCH', `/wallets/${id}/metadata`, { metadata });
const charge = (code: string, plan = 'orchid') =>
  app.db.prisma.charge.findFirstOrThrow({
    where: { code, plan: { code: plan, parentId: null }, organizationId: app.organizationId },
    include: { filters: true },
  });
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

/** Sends one after the other: the cases of a fault build on each other. */
async function each<T>(cases: readonly T[], send: (one: T) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const one of cases) answers.push(await send(one));
  return answers;
}

describe('prices', () => {
  it('GB-009: are texts of plain digits, kept as sent; a number, an exponent, a negative and NaN are refused', async () => {
    const { input, right } = bug('GB-009');
    const [plain, ...others] = await each(input.cases, ({ request }: Any) =>
      app.rest(request.method, request.path, request.body),
    );
    expect(plain?.text).toContain('"amount":"0.10"');
    // An exponent is no plain digits: no number of the file is kept in another form than it was sent.
    expect(others.map(({ body }) => body)).toEqual(
      others.map(() => ({ ...INVALID, error_details: { properties: ['invalid_amount'] } })),
    );
    expect(others).toHaveLength(right.cases.length - 1);
    expect((await charge('api_calls')).properties).toMatchObject({ amount: '0.10' });
  });

  it('GB-041: of a wrong shape are refused with the member, and the charge stays', async () => {
    const { input, right } = bug('GB-041');
    const before = [await charge('grad'), await charge('api_calls', 'pro.v2')];
    const answers = await each(input.cases, ({ path, body }: Any) =>
      app.rest('PUT', path.replace(/^PUT /, '').replace('/orchid/charges/std', '/pro.v2/charges/api_calls'), body),
    );
    expect(statusesOf(answers)).toEqual(right.status_by_case);
    for (const { body } of answers) expect(Object.keys(body.error_details).length).toBeGreaterThan(0);
    expect([await charge('grad'), await charge('api_calls', 'pro.v2')]).toEqual(before);
  });

  it('GB-031: a member that is absent stays, null clears what may be null and no more', async () => {
    const path = '/plans/orchid/charges/calls_advance';
    const before = (await app.rest('PUT', path, { charge: { invoice_display_name: 'API calls' } })).body.charge;
    const { input } = bug('GB-031');
    const bodies = input.cases.map(({ charge: sent }: Any) => ({ charge: sent.code === null ? { ...sent } : sent }));
    const [renamed, cleared, regrouped, nulled] = await each(bodies, (body) => app.rest('PUT', path, body));
    const { invoice_display_name: _, ...rest } = before;
    expect(renamed?.body.charge).toMatchObject({ ...rest, invoice_display_name: 'Calls' });
    expect(cleared?.body.charge).toMatchObject({ ...rest, invoice_display_name: null });
    expect(regrouped?.body.charge).toMatchObject({ invoice_display_name: null, regroup_paid_fees: null });
    expect(nulled?.status).toBe(200);
    expect(await charge('calls_advance')).toMatchObject({ code: 'calls_advance', payInAdvance: true });
  });

  it('GB-048: two charges that ask for one code at once: one has it, one is told', async () => {
    const body = { charge: { code: 'seat_v2', properties: { amount: '1' } } };
    const answers = await Promise.all(
      ['c_one', 'c_two'].map((code) => app.rest('PUT', `/plans/orchid/charges/${code}`, body)),
    );
    expect(statusesOf(answers).sort()).toEqual([200, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body).toMatchObject({ ...INVALID, error_details: { code: expect.any(Array) } });
    const where = { code: 'seat_v2', plan: { code: 'orchid' }, organizationId: app.organizationId };
    expect(await app.db.prisma.charge.count({ where })).toBe(1);
  });

  it('GB-069: a fixed charge of a plan in use changes now or later, with its taxes or not at all', async () => {
    const { input, right } = bug('GB-069');
    const seen: Any[] = [];
    const answers = await each(input.cases, async (body: Any) => {
      const answer = await app.rest('PUT', '/plans/cedar/fixed_charges/desk', body);
      const query = '{ plan(code: "cedar") { fixedCharge(code: "desk") { units taxes { code } } } }';
      seen.push((await app.graphql(query)).data.plan.fixedCharge);
      return answer;
    });
    expect(statusesOf(answers).slice(0, 4)).toEqual(right.status_by_case.slice(0, 4));
    expect(answers[4]).toMatchObject({ status: 404, body: NOT_FOUND });
    expect(seen.map(({ units }) => Number(units))).toEqual(right.units_after);
    expect(seen.map(({ taxes }) => taxes.map(({ code }: Any) => code))).toEqual(right.taxes_after);
  });
});

describe('filters', () => {
  it('GB-027: know the keys and values of the metric, or leave nothing behind', async () => {
    const { input, right } = bug('GB-027');
    const before = (await charge('api_calls')).filters.length;
    const answers = await each(input.cases, ({ values }: Any) =>
      app.rest('POST', `${CALLS}/filters`, { filter: { ...input.request.body_template.filter, values } }),
    );
    expect(statusesOf(answers)).toEqual(right.status_by_case);
    for (const { status, body } of answers) if (status === 422) expect(body.code).toBe('validation_errors');
    expect((await charge('api_calls')).filters).toHaveLength(before + 2);
  });

  it('GB-029: reach overrides only when asked to inside the object, and never twice', async () => {
    const values = { region: ['eu'] };
    const own = {
      code: 'api_calls',
      properties: { amount: '0.05' },
      filters: [{ values, properties: { amount: '1' } }],
    };
    const priced = { ...own, billable_metric_code: 'api_calls', charge_model: 'standard', filters: [] };
    await load({
      plans: [{ code: 'mother', interval: 'monthly', amount_cents: 0, amount_currency: 'EUR', charges: [priced] }],
      subscriptions: [
        {
          external_id: 'sub_child',
          external_customer_id: 'cust_ada',
          plan_code: 'mother',
          status: 'active',
          subscription_at: '2026-01-01T00:00:00Z',
          started_at: '2026-01-01T00:00:00Z',
          plan_overrides: { charges: [own] },
        },
      ],
    });
    const path = '/plans/mother/charges/api_calls';
    const effective = async () => (await app.rest('GET', '/subscriptions/sub_child/charges/api_calls')).body.charge;
    expect((await effective()).properties).toEqual({ amount: '0.05' });
    const { input, right } = bug('GB-029');
    const amounts: string[] = [];
    await each(input.cases.slice(0, 4), async (body: Any) => {
      const answer = await app.rest('PUT', path, body);
      amounts.push((await effective()).properties.amount);
      return answer;
    });
    const filter = { values, properties: { amount: '0.02' }, cascade_updates: true };
    expect((await app.rest('POST', `${path}/filters`, { filter })).status).toBe(200);
    const { properties, filters } = await effective();
    expect([...amounts, properties.amount]).toEqual(right.effective_amount_after_each_case);
    expect(filters.map((one: Any) => one.values)).toEqual([values]);
  });
});

describe('bodies', () => {
  it('GB-039: that are no object are refused with the body of the API', async () => {
    const { input } = bug('GB-039');
    const id = await wallet();
    for (const { path, raw_body: raw } of input.cases) {
      const [method, place] = path.replace('{id}', id).split(' ');
      const { status, body, headers } = await app.rest(method, place, undefined, { raw });
      expect({ status, body }).toEqual({ status: 400, body: { status: 400, error: 'Bad request' } });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  it('GB-046: with NUL, names of the language and half characters: what is no text is refused, the rest kept whole', async () => {
    const id = await wallet();
    const [nul, names, lone] = await each(bug('GB-046').input.cases, (raw: Any) =>
      app.rest('PATCH', `/wallets/${id}/metadata`, undefined, { raw }),
    );
    expect(nul?.body).toMatchObject(INVALID);
    for (const part of bug('GB-046').right.cases[1].raw_body_contains) expect(names?.text).toContain(part);
    expect(lone?.body).toEqual({ ...INVALID, error_details: { lone: ['value_is_invalid'] } });
  });

  it('GB-043: what is expected has its code on both doors', async () => {
    const create = `mutation { createChargeFilter(planCode: "orchid", chargeCode: "api_calls",
      input: { values: { planet: ["mars"] }, properties: { amount: "1" } }) { svcId } }`;
    const refused = await app.graphql(create);
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'validation_errors',
      errorDetails: expect.any(Object),
    });
    const filter = { values: { planet: ['mars'] }, properties: { amount: '1' } };
    const twin = await app.rest('POST', `${CALLS}/filters`, { filter });
    expect(twin.body.error_details).toEqual(refused.errors?.[0]?.extensions?.errorDetails);
    const missing = await app.graphql(`mutation { terminateWallet(svcId: "${randomUUID()}") { svcId } }`);
    expect(missing.errors?.[0]?.extensions?.code).toBe('object_not_found');
    expect((await app.rest('DELETE', `/wallets/${randomUUID()}`)).body).toEqual(NOT_FOUND);
    const nobody = await app.graphql('{ __typename }', undefined, null);
    expect([nobody.data, nobody.errors?.[0]?.extensions?.code]).toEqual([undefined, 'unauthorized']);
    expect((await app.graphql('{ nothing }')).errors?.[0]?.extensions?.code).toBe('bad_request');
  });
});

describe('wallets', () => {
  it('GB-033: of another organization are not found by either write', async () => {
    const id = await wallet({ metadata: { k: 'v' } }, app.otherId);
    const answers = [await app.rest('DELETE', `/wallets/${id}`), await merge(id, { k: 'x' })];
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 404, body: NOT_FOUND });
    const graph = await app.graphql(`mutation { terminateWallet(svcId: "${id}") { svcId } }`);
    expect(graph.errors?.[0]?.extensions?.code).toBe('object_not_found');
    expect(await row(id)).toMatchObject({ status: 'active', terminatedAt: null, metadata: { k: 'v' } });
  });

  it('GB-044: metadata that is falsy and no text is refused, all of it or nothing', async () => {
    const { input, right } = bug('GB-044');
    const id = await wallet({ metadata: { keep: '1' } });
    const answers = await each(input.cases, (metadata) => merge(id, metadata));
    expect(statusesOf(answers)).toEqual(right.status_by_case);
    const { metadata } = await row(id);
    expect(Object.keys(metadata as object).sort()).toEqual(['a', 'keep', 'k'.repeat(100)].sort());
    expect(answers[4]?.body.metadata).toEqual({ keep: '1', a: null });
  });

  it('GB-047: twenty merges at once are all kept', async () => {
    const id = await wallet({ metadata: { base: '0' } });
    const pairs = Array.from({ length: 20 }, (_, index) => [`k${index + 1}`, String(index + 1)]);
    const answers = await Promise.all(pairs.map(([key = '', value]) => merge(id, { [key]: value })));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    expect((await merge(id, {})).body.metadata).toEqual({ base: '0', ...Object.fromEntries(pairs) });
  });

  it('GB-049: end once, however often and at once they are asked to', async () => {
    const rule = { trigger: 'interval', interval: 'weekly', method: 'fixed', paid_credits: '10', granted_credits: '0' };
    const ids = [await wallet({ recurring_transaction_rules: [rule] }), await wallet()];
    const end = (id = '') => app.rest('DELETE', `/wallets/${id}`);
    const answers = [await end(ids[0]), await end(ids[0]), ...(await Promise.all([end(ids[1]), end(ids[1])]))];
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    expect(answers[0]?.body.wallet.terminated_at).toMatch(/Z$/);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(answers[3]?.body).toEqual(answers[2]?.body);
    const rules = await app.db.prisma.recurringTransactionRule.findMany({ where: { walletId: ids[0] ?? '' } });
    expect(rules.map(({ status }) => status)).toEqual(['terminated']);
    const log = await app.db.prisma.auditLog.count({ where: { objectId: ids[1] ?? '', action: 'wallet.terminated' } });
    expect(log).toBe(1);
  });

  it('GB-050: that have ended keep their metadata', async () => {
    const id = await wallet({ status: 'terminated', terminated_at: '2026-02-01T00:00:00Z', metadata: { k: 'v' } });
    const { body } = await merge(id, { k: 'new' });
    expect(body).toEqual({ ...INVALID, error_details: bug('GB-050').right.error_details });
    expect((await row(id)).metadata).toEqual({ k: 'v' });
  });

  it('GB-037: every route knows its permission, and a key that is over opens none', async () => {
    const publishable = await app.makeKey({ kind: 'publishable' });
    const expired = await app.makeKey({ expiresAt: new Date(NOW.getTime() - 60_000) });
    const id = await wallet();
    const get = (path: string, key: string) => app.rest('GET', path, undefined, { key });
    const answers = [
      await get('/billing_entities/main', app.key),
      await get('/billing_entities/main', expired),
      await get(`/fees/${randomUUID()}`, publishable),
      await get('/customers/cust_ada/payment_requests', publishable),
      await app.rest('DELETE', `/wallets/${id}`, undefined, { key: publishable }),
    ];
    expect(statusesOf(answers)).toEqual(bug('GB-037').right.status_by_case);
    expect((await row(id)).status).toBe('active');
  });
});

describe('reads', () => {
  let reads: TestApp;
  beforeAll(async () => {
    reads = await createReadApp();
  });
  afterAll(() => reads?.close());

  it('GB-053: a list filtered by entities has each request once', async () => {
    const list = async (query: string) => {
      const { body } = await reads.rest('GET', `/customers/cust_ada/payment_requests?${query}`);
      return [body.payment_requests.map(({ svc_id }: Any) => svc_id).sort(), body.meta.total_count];
    };
    const [first, second, third] = IDS.requests;
    const french = 'billing_entity_codes[]=acme.fr';
    expect(await list(french)).toEqual([[first, second], 2]);
    expect(await list(`${french}&${french}`)).toEqual([[first, second], 2]);
    expect(await list(`${french}&billing_entity_codes[]=acme_de`)).toEqual([[first, second, third], 3]);
    expect(await list('billing_entity_codes%5B%5D=acme_de')).toEqual([[second, third], 2]);
    const path = '/customers/cust_ada/payment_requests';
    expect((await reads.rest('GET', `${path}?billing_entity_codes[]=nope`)).body).toEqual(NOT_FOUND);
    expect((await reads.rest('GET', `${path}?billing_entity_codes=acme.fr`)).status).toBe(200);
  });

  it.each(AWKWARD.filter((id) => id !== '..'))('GB-065: %s is decoded once', async (externalId) => {
    const path = `/subscriptions/${encodeURIComponent(externalId)}/charges/api_calls`;
    expect((await reads.rest('GET', path)).status).toBe(200);
  });

  it('GB-065: codes with dots, and what cannot be decoded', async () => {
    expect((await reads.rest('GET', '/billing_entities/acme.fr')).status).toBe(200);
    const body = { charge: { invoice_display_name: 'P' } };
    expect((await app.rest('PUT', '/plans/pro.v2/charges/api_calls', body)).status).toBe(200);
    expect((await reads.rest('GET', '/subscriptions/%ZZ/charges/api_calls')).status).toBe(404);
  });

  it('GB-066: the subscription of the status asked for has its own charge', async () => {
    const ask = (query: string) => reads.rest('GET', `/subscriptions/sub_ada/charges/api_calls${query}`);
    const found = await each(['', '?status=active', '?status=pending', '?status=terminated'], ask);
    expect(found.map(({ body }) => body.charge.properties.amount)).toEqual(['0.03', '0.03', '0.04', '0.02']);
    expect(found[0]?.body.charge.svc_parent_id).toBe(IDS.parentCharge);
    expect(found[0]?.body.charge.svc_id).not.toBe(IDS.parentCharge);
    const [none, unknown] = await each(['?status=canceled', '?status=bogus'], ask);
    expect(none?.status).toBe(404);
    expect(unknown?.body).toEqual({ ...INVALID, error_details: { status: ['value_is_invalid'] } });
  });
});

describe('what has expired', () => {
  it('GB-111: pay nothing past their expiration, and are in no balance', async () => {
    const { right } = bug('GB-111');
    const MOMENT = new Date('2026-11-28T13:00:00Z');
    const test = await createTestApp({ now: () => MOMENT });
    try {
      const { name } = await test.db.prisma.organization.findUniqueOrThrow({ where: { id: test.organizationId } });
      const own = {
        external_customer_id: 'c',
        currency: 'EUR',
        rate_amount: '1',
        balance_cents: 500,
        credits_balance: '5',
      };
      const document = {
        billing_entities: [{ code: 'main', name: 'Main', is_default: true }],
        plans: [{ code: 'p', name: 'P', interval: 'monthly', amount_cents: 1000, amount_currency: 'EUR' }],
        customers: [{ external_id: 'c', currency: 'EUR' }],
        subscriptions: [
          { external_id: 's', external_customer_id: 'c', plan_code: 'p', started_at: '2026-11-01T00:00:00Z' },
        ],
        wallets: [{ ...own, code: 'expired', expiration_at: '2026-11-05T00:00:00Z' }],
      };
      const load = (more: object) =>
        importDocument(test.db, { organization: { name }, ...more }, { organization: name, now: MOMENT });
      const preview = async () => {
        const body = { customer: { external_id: 'c' }, subscriptions: { external_ids: ['s'] } };
        const { body: answer } = await test.rest('POST', '/invoices/preview', body);
        const { prepaid_credit_amount_cents, total_amount_cents } = answer.invoice;
        return { prepaid_credit_amount_cents, total_amount_cents };
      };
      const balances = async () =>
        (await test.graphql('{ analytics { walletBalances { walletsCount balanceCents } } }')).data;
      await load(document);
      const { also: _also, ...amounts } = right;
      expect(await preview()).toEqual(amounts);
      expect(await balances()).toEqual({ analytics: { walletBalances: [] } });
      await load({ wallets: [{ ...own, code: 'living', expiration_at: '2026-11-28T13:00:01Z' }] });
      expect(await preview()).toEqual({ prepaid_credit_amount_cents: 500, total_amount_cents: 500 });
      expect((await balances()).analytics.walletBalances).toMatchObject([{ walletsCount: 1 }]);
    } finally {
      await test.close();
    }
  });
});

describe('numbers that come in', () => {
  const priced = (members: object) => ({ plans: [{ code: 'range', interval: 'monthly', ...members }] });
  const documents: readonly [string, object][] = [
    ['taxes[0].rate', { taxes: [{ code: 'range', rate: -20 }] }],
    [
      'plans[0].fixed_charges[0].units',
      { add_ons: [{ code: 'range' }], ...priced({ fixed_charges: [{ add_on_code: 'range', units: '-2' }] }) },
    ],
    ['plans[0].trial_period', priced({ trial_period: 1_000_000_000 })],
    ['customers[0].net_payment_term', { customers: [{ external_id: 'range', net_payment_term: 2_000_000_000 }] }],
    [
      'customers[0].billing_configuration.invoice_grace_period',
      { customers: [{ external_id: 'range', billing_configuration: { invoice_grace_period: 2_000_000_000 } }] },
    ],
    ['billing_entities[0].net_payment_term', { billing_entities: [{ code: 'range', net_payment_term: -30 }] }],
  ];

  it('GB-116: are refused where they would break an invoice later, in an import as in a preview', async () => {
    expect(documents).toHaveLength(bug('GB-116').input.given.files.length);
    for (const [place, document] of documents) {
      const error = await load(document).catch((caught: unknown) => caught);
      expect(error instanceof ImportError && error.faults).toEqual([{ place, codes: ['value_is_out_of_range'] }]);
    }
    const coupon = { code: 'made_up', coupon_type: 'percentage', percentage_rate: '-10' };
    const answers = await each(
      [
        { coupons: [coupon] },
        { coupons: [{ ...coupon, coupon_type: 'fixed_amount', amount_cents: -1, amount_currency: 'EUR' }] },
        { coupons: [{ ...coupon, percentage_rate: '10', frequency: 'recurring', frequency_duration: 0 }] },
      ],
      (more) => app.rest('POST', '/invoices/preview', { plan_code: 'orchid', ...more }),
    );
    expect(answers.map(({ body }) => body.error_details)).toEqual(
      [['percentage_rate'], ['amount_cents', 'percentage_rate'], ['frequency_duration']].map((members) =>
        Object.fromEntries(members.map((member) => [member, ['value_is_out_of_range']])),
      ),
    );
  });

  it('terms that lead beyond year 9999 are a 422, not a due date that nobody can read', async () => {
    await load({ customers: [{ external_id: 'patient', currency: 'EUR', net_payment_term: 3650 }] });
    const of = (subscription_at: string) =>
      app.rest('POST', '/invoices/preview', {
        ...{ customer: { external_id: 'patient' }, plan_code: 'orchid', subscription_at },
      });
    expect((await of('9980-01-01')).status).toBe(200);
    const late = await of('9995-01-01');
    expect(late.body).toMatchObject({ ...INVALID, error_details: { subscription_at: ['invalid_date'] } });
  });
});
