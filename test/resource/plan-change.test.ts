import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { answerFaults } from '../contract/operations.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { NOW, PRICED } from '../rest/priced.ts';
import { countStatements, createTestApp, type TestApp } from '../support.ts';

// A plan with the whole list of its prices, and overrides that follow it.

let app: TestApp;
let organization = '';
const clock = { now: NOW };
beforeAll(async () => {
  app = await createTestApp({ now: () => clock.now });
  ({ name: organization } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } }));
  await importDocument(app.db, PRICED, { organization, now: NOW });
});
afterAll(() => app?.close());

interface Price {
  readonly svc_id: string;
  readonly code: string;
  readonly properties: object;
  readonly units: number;
  readonly filters: readonly { svc_id: string; values: object; properties: object }[];
  readonly taxes: readonly { code: string }[];
}

const put = async (code: string, plan: object) => app.rest('PUT', `/plans/${code}`, { plan });
const find = async (code: string) => (await app.rest('GET', `/plans/${code}`)).body.plan;
const LEAST = { name: 'Plan', interval: 'monthly', amount_cents: 100, amount_currency: 'EUR', pay_in_advance: false };
const make = async (code: string, more: object) =>
  (await app.rest('POST', '/plans', { plan: { ...LEAST, code, ...more } })).body.plan;
const per = (amount: string, more: object = {}) => ({ charge_model: 'standard', properties: { amount }, ...more });
const call = (amount: string, more: object = {}) => ({ billable_metric_code: 'api_calls', ...per(amount, more) });
const desk = (amount: string, more: object = {}) => ({ add_on_code: 'desk', ...per(amount, more) });
const region = (value: string, amount: string) => ({ values: { region: [value] }, properties: { amount } });
const brief = ({ code, properties }: Price) => [code, properties];
const briefs = (list: readonly Price[]) => list.map(brief);

/** Subscriptions with overrides of a plan, each with its own prices. */
const override = (plan_code: string, overrides: Readonly<Record<string, object>>, more: object = {}) =>
  importDocument(
    app.db,
    {
      organization: { name: organization },
      subscriptions: Object.entries(overrides).map(([external_id, plan_overrides]) => ({
        ...{ external_id, external_customer_id: 'cust_ada', plan_code, status: 'active', plan_overrides },
        ...{ subscription_at: '2026-01-01T00:00:00Z', started_at: '2026-01-01T00:00:00Z', ...more },
      })),
    },
    { organization, now: NOW },
  );
const overrideOf = (externalId: string) =>
  app.db.prisma.plan.findFirstOrThrow({
    where: { organizationId: app.organizationId, subscriptions: { some: { externalId } } },
    include: {
      charges: {
        where: { deletedAt: null },
        orderBy: [{ code: 'asc' }],
        include: { filters: { where: { deletedAt: null }, orderBy: { position: 'asc' } }, taxes: true },
      },
      fixedCharges: { where: { deletedAt: null }, orderBy: [{ code: 'asc' }], include: { unitsEvents: true } },
    },
  });

describe('the whole list of prices', () => {
  it('changes what it names, makes what is new and ends what it does not name', async () => {
    const before = await make('listed', {
      charges: [call('1', { code: 'a', filters: [region('eu', '2'), region('us', '3')] }), call('1', { code: 'b' })],
      fixed_charges: [desk('5', { code: 'x', units: 2 }), desk('6', { code: 'y' })],
    });
    const [a, b] = before.charges;
    const [x] = before.fixed_charges;
    const { status, body } = await put('listed', {
      charges: [
        { id: a.svc_id.toUpperCase(), properties: { amount: '9' }, filters: [region('us', '4'), region('1', '5')] },
        call('7', { code: 'c', tax_codes: ['vat20'] }),
        call('8', { id: '6f2b7c1e-0000-4000-8000-000000000000' }),
      ],
      fixed_charges: [{ id: x.svc_id, units: '4', invoice_display_name: 'Seat' }, desk('1')],
    });
    expect([status, answerFaults('updatePlan', 200, body)]).toEqual([200, []]);
    const { charges, fixed_charges: fixed } = body.plan;
    expect(briefs(charges)).toEqual([
      ['a', { amount: '9' }],
      ['c', { amount: '7' }],
      ['api_calls', { amount: '8' }],
    ]);
    expect(charges[0]).toMatchObject({ svc_id: a.svc_id, charge_model: 'standard', created_at: a.created_at });
    expect(charges[0].filters).toMatchObject([region('us', '4'), region('1', '5')]);
    expect(charges[0].filters[0].svc_id).toBe(a.filters[1].svc_id);
    expect(charges[1].taxes).toMatchObject([{ code: 'vat20' }]);
    expect(fixed).toMatchObject([
      { svc_id: x.svc_id, code: 'x', units: 4, invoice_display_name: 'Seat', properties: { amount: '5' } },
      { code: 'desk', units: 0 },
    ]);
    const gone = await app.db.prisma.charge.findUniqueOrThrow({ where: { id: b.svc_id } });
    expect(gone.deletedAt).toEqual(NOW);
    const log = await app.db.prisma.auditLog.findFirstOrThrow({
      where: { objectId: before.svc_id, action: 'plan.updated' },
    });
    expect(log.before).toMatchObject({
      charges: [{ code: 'b' }, { code: 'a' }],
      fixedCharges: [{ code: 'y' }, { code: 'x' }],
    });
    expect(log.after).toMatchObject({ charges: [{ code: 'a' }, { code: 'c' }, { code: 'api_calls' }] });
  });

  it('is left alone where it is absent, and empty ends all; what says nothing else changes nothing', async () => {
    const before = await make('emptied', { charges: [call('1')], fixed_charges: [desk('1', { units: 3 })] });
    expect((await put('emptied', { name: 'Same' })).body.plan.charges).toEqual(before.charges);
    const [{ svc_id: id }] = before.charges;
    const [{ svc_id: fixedId }] = before.fixed_charges;
    const same = { name: 'Same', charges: [{ id, properties: { amount: '1' } }], fixed_charges: [{ id: fixedId }] };
    const stored = await everything(app.db);
    expect((await put('emptied', same)).body.plan.charges).toEqual(before.charges);
    expect(await everything(app.db)).toEqual(stored);
    const { plan } = (await put('emptied', { charges: [] })).body;
    expect([plan.charges, plan.fixed_charges]).toEqual([[], before.fixed_charges]);
    expect((await put('emptied', { fixed_charges: [] })).body.plan.fixed_charges).toEqual([]);
    expect((await put('emptied', { charges: [call('2')] })).body.plan.charges).toMatchObject([{ code: 'api_calls' }]);
  });

  it('lets prices take the codes of each other, and of those that go', async () => {
    const { charges } = await make('swapped', { charges: ['a', 'b', 'c'].map((code) => call('1', { code })) });
    const [a, b] = charges.map(({ svc_id: id }: Price) => id);
    const { body } = await put('swapped', {
      charges: [{ id: a, code: 'b' }, { id: b, code: 'c' }, call('1', { code: 'a' })],
    });
    expect(body.plan.charges.map(({ svc_id, code }: Price) => [code, svc_id])).toEqual([
      ['b', a],
      ['c', b],
      ['a', expect.any(String)],
    ]);
  });

  it('tells all that is wrong at once, in its places, and stores nothing', async () => {
    const { charges, fixed_charges: fixed } = await make('wrong', {
      charges: [call('1', { code: 'a' }), call('1', { code: 'b' })],
      fixed_charges: [desk('1')],
    });
    const [a, b] = charges.map(({ svc_id }: Price) => svc_id);
    const before = await everything(app.db);
    const sent = {
      name: '',
      charges: [
        { id: a, code: 'b', properties: { amount: '-1' } },
        { id: b, filters: [{ values: { planet: ['mars'] }, properties: { amount: '1' } }] },
        { id: b },
        { billable_metric_code: 'api_calls', charge_model: 'volume', code: 'b', pay_in_advance: true },
        { charge_model: 'standard' },
      ],
      fixed_charges: [{ id: fixed[0].svc_id, units: '-1' }, { charge_model: 'standard' }],
    };
    const { status, body } = await put('wrong', sent);
    expect([status, answerFaults('updatePlan', 422, body)]).toEqual([422, []]);
    expect(body.error_details).toEqual({
      ...{ name: ['value_is_mandatory'], id: ['value_is_duplicated'], properties: ['invalid_amount'] },
      ...{ code: ['value_already_exist', 'value_already_exist'], add_on: ['relation_must_exist'] },
      ...{ billable_metric_filter: ['relation_must_exist'], values: ['value_is_invalid'] },
      ...{ pay_in_advance: ['invalid_aggregation_type_or_charge_model'], billable_metric: ['relation_must_exist'] },
      units: ['value_is_out_of_range'],
    });
    const { errors } = await app.graphql(
      `mutation ($input: UpdatePlanInput!) { updatePlan(code: "wrong", input: $input) { code } }`,
      {
        input: {
          charges: [
            { id: a, pricing: { standard: { amount: '-1' } } },
            {
              id: b,
              filters: [
                { filterValues: [{ key: 'region', values: ['mars'] }], pricing: { standard: { amount: '1' } } },
              ],
            },
            { id: b },
          ],
          fixedCharges: [{ id: fixed[0].svc_id, units: '-1' }],
        },
      },
    );
    const told = errors?.[0]?.extensions?.errors as { path: string[]; code: string }[];
    expect(told.map(({ path, code }) => `${path.join('.')} ${code}`).sort()).toEqual([
      'input.charges.0.pricing.standard.amount invalid_amount',
      'input.charges.1.filters.0.filterValues.0.values value_is_invalid',
      'input.charges.2.id value_is_duplicated',
      'input.fixedCharges.0.units value_is_out_of_range',
    ]);
    for (const more of [
      { charges: [{ id: a, billable_metric_id: '6f2b7c1e-0000-4000-8000-000000000000' }] },
      { charges: [{ id: a, tax_codes: ['none'] }] },
      { fixed_charges: [desk('1', { add_on_code: 'none' })] },
    ]) {
      expect((await put('wrong', more)).body, JSON.stringify(more)).toEqual(NOT_FOUND);
    }
    expect(await everything(app.db)).toEqual(before);
  });

  it('leaves aside what was agreed once somebody has subscribed; GraphQL refuses it', async () => {
    const { charges, fixed_charges: fixed } = await find('used');
    const [first, second] = charges;
    const agreed = {
      code: 'other',
      charge_model: 'volume',
      pay_in_advance: true,
      min_amount_cents: 7,
      invoiceable: false,
    };
    const { body } = await put('used', {
      charges: [{ id: first.svc_id, ...agreed, properties: { amount: '3' } }, { id: second.svc_id }],
    });
    expect(body.plan.charges).toEqual([{ ...first, properties: { amount: '3' } }, second]);
    expect(body.plan.fixed_charges).toEqual(fixed);
    const { errors } = await app.graphql(
      `mutation ($input: UpdatePlanInput!) { updatePlan(code: "used", input: $input) { code } }`,
      { input: { charges: [{ id: first.svc_id, code: 'other', prorated: true }, { id: second.svc_id }] } },
    );
    expect(errors?.[0]?.extensions?.errorDetails).toEqual({
      code: ['value_cannot_be_changed'],
      prorated: ['value_cannot_be_changed'],
    });
  });

  it('bills new units of a plan in use from the next period, or at once', async () => {
    const { fixed_charges: fixed } = await find('ahead');
    const [whole, part] = fixed.map(({ svc_id: id }: Price) => ({ id }));
    const count = () => app.db.prisma.invoice.count({ where: { organizationId: app.organizationId } });
    const invoices = await count();
    const later = await put('ahead', {
      fixed_charges: [whole, part, desk('1', { code: 'later', units: 2, pay_in_advance: true })],
    });
    const made = later.body.plan.fixed_charges.find(({ code }: Price) => code === 'later');
    const events = await app.db.prisma.fixedChargeUnitsEvent.findMany({
      where: { fixedChargeId: made.svc_id },
      orderBy: { effectiveAt: 'asc' },
    });
    expect(events.map(({ units, effectiveAt }) => [Number(units), effectiveAt.toISOString()])).toEqual([
      [0, '2026-01-01T00:00:00.000Z'],
      [2, '2026-07-01T00:00:00.000Z'],
    ]);
    expect(await count()).toBe(invoices);
    const { data, errors } = await app.graphql(
      `mutation ($input: UpdatePlanInput!) { updatePlan(code: "ahead", input: $input) {
        changes { invoices { nodes { fees { nodes { units } } } } fixedCharges { totalCount } } } }`,
      {
        input: {
          fixedCharges: [
            { ...whole, units: '5', applyUnitsImmediately: true },
            ...[part, { id: made.svc_id }].map((one) => one),
            {
              addOnCode: 'desk',
              code: 'now',
              pricing: { standard: { amount: '2' } },
              units: '3',
              payInAdvance: true,
              applyUnitsImmediately: true,
            },
          ],
        },
      },
    );
    expect(errors).toBeUndefined();
    // All that one subscription is billed at once stands on one invoice.
    expect(await count()).toBe(invoices + 1);
    expect(data.updatePlan.changes.invoices.nodes).toMatchObject([{ fees: { nodes: [{}, {}] } }]);
    expect(data.updatePlan.changes.fixedCharges.totalCount).toBe(2);
  });
});

describe('overrides', () => {
  const charges = [
    call('1', { code: 'a', filters: [region('eu', '2'), region('us', '3')] }),
    call('1', { code: 'b' }),
    call('1', { code: 'c' }),
  ];
  const fixed_charges = [desk('5', { code: 'x', units: 2 }), desk('6', { code: 'y', units: 1 })];
  const change = (plan: { charges: Price[]; fixed_charges: Price[] }) => ({
    amount_cents: 300,
    charges: [
      { id: plan.charges[0]?.svc_id, properties: { amount: '9' }, filters: [region('eu', '8'), region('1', '7')] },
      { id: plan.charges[1]?.svc_id, code: 'd', properties: { amount: '4' } },
      call('6', {
        ...{ code: 'fresh', tax_codes: ['vat20'], filters: [region('eu', '1')] },
        ...{ invoice_display_name: 'Fresh', min_amount_cents: 5 },
      }),
    ],
    fixed_charges: [
      { id: plan.fixed_charges[0]?.svc_id, units: '3' },
      desk('2', { code: 'z', units: 4, invoice_display_name: 'Z' }),
    ],
  });
  /** What a price and the copy of it on an override have in each column that a copy takes over. */
  const alike = (rows: readonly { id: string; planId: string; parentId: string | null }[]) =>
    rows.map(({ id: _id, planId: _plan, parentId: _parent, ...columns }) => columns);

  it('follow where they still are as the plan was, with what came and went', async () => {
    const plan = await make('followed', { charges, fixed_charges });
    await override('followed', {
      follows: {},
      differs: {
        ...{ amount_cents: 90, charges: [{ code: 'a', properties: { amount: '5' } }] },
        fixed_charges: [{ code: 'x', units: '9' }],
      },
    });
    await override('followed', { over: {} }, { status: 'terminated', terminated_at: '2026-02-01T00:00:00Z' });
    const untouched = await overrideOf('over');
    const alone = await put('followed', { description: 'No override follows' });
    expect(alone.status).toBe(200);
    const { status, body } = await put('followed', { ...change(plan), cascade_updates: true });
    expect([status, body.plan.amount_cents]).toEqual([200, 300]);
    const follows = await overrideOf('follows');
    expect(follows.amountCents).toBe(300n);
    expect(follows.charges.map(({ code, properties }) => [code, properties])).toEqual([
      ['a', { amount: '9' }],
      ['d', { amount: '4' }],
      ['fresh', { amount: '6' }],
    ]);
    const parents = new Map(body.plan.charges.map(({ code, svc_id }: Price) => [code, svc_id]));
    for (const { code, parentId } of follows.charges) expect(parentId, code).toBe(parents.get(code));
    const [a, , fresh] = follows.charges;
    expect(a?.filters.map(({ values, properties }) => ({ values, properties }))).toEqual([
      region('eu', '8'),
      region('1', '7'),
    ]);
    expect(fresh?.filters.map(({ values, properties }) => ({ values, properties }))).toEqual([region('eu', '1')]);
    expect(fresh?.taxes.map(({ code }) => code)).toEqual(['vat20']);
    const copied = { planId: { in: [body.plan.svc_id, follows.id] } };
    for (const [one, other] of [
      alike(await app.db.prisma.charge.findMany({ where: { ...copied, code: 'fresh' } })),
      alike(await app.db.prisma.fixedCharge.findMany({ where: { ...copied, code: 'z' } })),
    ]) {
      expect(one).toBeDefined();
      expect(other).toEqual(one);
    }
    expect(follows.fixedCharges.map(({ code, units }) => [code, Number(units)])).toEqual([
      ['x', 3],
      ['z', 4],
    ]);
    for (const one of follows.fixedCharges) {
      const last = one.unitsEvents.toSorted((b, c) => Number(b.effectiveAt) - Number(c.effectiveAt)).at(-1);
      expect([last?.units.toFixed(), last?.effectiveAt.toISOString()]).toEqual([
        one.units.toFixed(),
        '2026-07-01T00:00:00.000Z',
      ]);
    }
    const differs = await overrideOf('differs');
    expect(differs.amountCents).toBe(90n);
    expect(differs.charges.map(({ code, properties }) => [code, properties])).toEqual([
      ['a', { amount: '5' }],
      ['d', { amount: '4' }],
      ['fresh', { amount: '6' }],
    ]);
    expect(differs.fixedCharges.map(({ code, units }) => [code, Number(units)])).toEqual([
      ['x', 9],
      ['z', 4],
    ]);
    expect(await overrideOf('over')).toEqual(untouched);
    const stored = await everything(app.db);
    const again = {
      charges: body.plan.charges.map(({ svc_id: id }: Price) => ({ id })),
      fixed_charges: body.plan.fixed_charges.map(({ svc_id: id }: Price) => ({ id })),
    };
    await put('followed', { ...again, cascade_updates: true });
    expect(await everything(app.db)).toEqual(stored);
  });

  it('stay as they are where nobody asks for it', async () => {
    const plan = await make('unfollowed', { charges, fixed_charges });
    await override('unfollowed', { stays: {} });
    const before = await overrideOf('stays');
    expect((await put('unfollowed', change(plan))).status).toBe(200);
    expect(await overrideOf('stays')).toEqual(before);
  });

  it('keep their codes where they have prices of their own by the new ones', async () => {
    const plan = await make('coded', { charges: [call('1', { code: 'a' }), call('1', { code: 'b' })] });
    await override('coded', { own_codes: {} });
    const child = await overrideOf('own_codes');
    await app.db.prisma.charge.updateMany({ where: { planId: child.id, code: 'b' }, data: { code: 'taken' } });
    const [a, b] = plan.charges.map(({ svc_id: id }: Price) => ({ id }));
    const { status } = await put('coded', {
      charges: [{ ...a, code: 'taken' }, { ...b, properties: { amount: '2' } }, call('3', { code: 'a' })],
      cascade_updates: true,
    });
    expect(status).toBe(200);
    const { charges: now } = await overrideOf('own_codes');
    expect(now.map(({ code, properties }) => [code, properties])).toEqual([
      ['a', { amount: '1' }],
      ['a_2', { amount: '3' }],
      ['taken', { amount: '2' }],
    ]);
  });

  it('cost no more statements where there are more of them, nor more charges or filters', async () => {
    const counts: number[] = [];
    for (const [overrides, filters, charges] of [
      [2, 2, 2],
      [101, 2, 2],
      [2, 20, 2],
      [2, 2, 20],
    ] as const) {
      const code = `counted-${overrides}-${filters}-${charges}`;
      const { svc_id: metric } = (
        await app.rest('POST', '/billable_metrics', {
          billable_metric: {
            ...{ code, name: code, aggregation_type: 'count_agg' },
            filters: [{ key: 'n', values: Array.from({ length: 20 }, (_, at) => `${at}`) }],
          },
        })
      ).body.billable_metric;
      const priced = (amount: (at: number) => string) =>
        Array.from({ length: filters }, (_, at) => ({ values: { n: [`${at}`] }, properties: { amount: amount(at) } }));
      const one = { billable_metric_id: metric, ...per('1'), filters: priced((at) => `${at}`) };
      const plan = await make(code, { charges: Array(charges).fill(one), fixed_charges: [desk('1', { units: 1 })] });
      await override(code, Object.fromEntries(Array.from({ length: overrides }, (_, at) => [`${code}-${at}`, {}])));
      const sent = {
        ...{ amount_cents: 700, cascade_updates: true },
        charges: [
          ...plan.charges.slice(1).map(({ svc_id: id }: Price) => {
            return { id, properties: { amount: '2' }, filters: priced((at) => `${at + 1}`) };
          }),
          { ...one, code: 'new' },
        ],
        fixed_charges: [{ id: plan.fixed_charges[0].svc_id, units: '2' }],
      };
      counts.push(
        await countStatements(app.db, async () => {
          const { status, text } = await put(code, sent);
          expect(status, text).toBe(200);
        }),
      );
      const { charges: followed, amountCents } = await overrideOf(`${code}-${overrides - 1}`);
      expect([amountCents, followed.length]).toEqual([700n, charges]);
      for (const { code: own, properties, filters: of } of followed) {
        const [amount, first] = own === 'new' ? ['1', '0'] : ['2', '1'];
        expect([properties, of.length, of[0]?.properties]).toEqual([{ amount }, filters, { amount: first }]);
      }
    }
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeLessThanOrEqual(45);
  });
});

describe('another amount', () => {
  it('gives up changes to a plan that is the dearer one now', async () => {
    await make('high', { amount_cents: 1000 });
    for (const [code, amount_cents] of Object.entries({ low: 500, lower: 300 })) await make(code, { amount_cents });
    const running = { status: 'active', subscription_at: '2026-01-01T00:00:00Z', started_at: '2026-01-01T00:00:00Z' };
    const ids = ['019f0000-0000-7000-8000-000000000001', '019f0000-0000-7000-8000-000000000002'];
    await importDocument(
      app.db,
      {
        organization: { name: organization },
        subscriptions: ['low', 'lower'].flatMap((next_plan_code, at) => [
          {
            ...running,
            svc_id: ids[at],
            external_id: `to_${next_plan_code}`,
            external_customer_id: 'cust_ada',
            plan_code: 'high',
            next_plan_code,
            downgrade_plan_date: '2026-07-01',
          },
          {
            ...{ external_id: `to_${next_plan_code}`, external_customer_id: 'cust_ada', plan_code: next_plan_code },
            ...{ status: 'pending', subscription_at: '2026-01-01T00:00:00Z', svc_previous_subscription_id: ids[at] },
          },
        ]),
      },
      { organization, now: NOW },
    );
    const { data, errors } = await app.graphql(`mutation { updatePlan(code: "high", input: { amountCents: 400 }) {
      changes { subscriptions { nodes { externalId status nextPlanCode downgradePlanDate } } } } }`);
    expect(errors).toBeUndefined();
    const told = data.updatePlan.changes.subscriptions.nodes;
    expect(told).toHaveLength(2);
    expect(told).toEqual(
      expect.arrayContaining([
        { externalId: 'to_low', status: 'canceled', nextPlanCode: null, downgradePlanDate: null },
        { externalId: 'to_low', status: 'active', nextPlanCode: null, downgradePlanDate: null },
      ]),
    );
    const left = await app.db.prisma.subscription.findMany({
      where: { externalId: 'to_lower' },
      orderBy: { status: 'asc' },
    });
    expect(left.map(({ status }) => status).sort()).toEqual(['active', 'pending']);
  });
});
