import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../contract/operations.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createFullApp } from '../robust/full-app.ts';
import { countStatements, type TestApp } from '../support.ts';

let app: TestApp;
let [metricId, addOnId] = ['', ''];
beforeAll(async () => {
  app = await createFullApp();
  metricId = (await app.rest('GET', '/billable_metrics/api_calls')).body.billable_metric.svc_id;
  addOnId = (await app.rest('GET', '/add_ons/desk')).body.add_on.svc_id;
});
afterAll(() => app?.close());

const LEAST = { name: 'Plan', interval: 'monthly', amount_cents: 100, amount_currency: 'EUR', pay_in_advance: false };
const make = (code: string, more: object) => app.rest('POST', '/plans', { plan: { ...LEAST, code, ...more } });
const put = (code: string, plan: object) => app.rest('PUT', `/plans/${code}`, { plan });
const charge = (more: object = {}) => ({ billable_metric_id: metricId, charge_model: 'standard', ...more });
const fixed = (more: object = {}) => ({ add_on_id: addOnId, charge_model: 'standard', ...more });
const codesOf = (list: readonly { code: string }[]) => list.map(({ code }) => code);

const RANGES = [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '2' }];

const whole = () => ({
  ...{ description: 'All of it', invoice_display_name: 'Printed', trial_period: 3.5, tax_codes: ['vat20'] },
  metadata: { team: 'growth', owner: null },
  minimum_commitment: { amount_cents: 900, invoice_display_name: 'At least', tax_codes: ['kept'] },
  usage_thresholds: [
    { amount_cents: 7000, threshold_display_name: 'High', recurring: true },
    { amount_cents: 5000 },
    { amount_cents: 7000 },
  ],
  charges: [
    charge({
      ...{ code: 'requests', invoice_display_name: 'Requests', min_amount_cents: 40, tax_codes: ['vat20', 'kept'] },
      ...{ properties: { amount: '0.10', rate: '5' }, accepts_target_wallet: true },
      applied_pricing_unit: { code: 'credits', conversion_rate: '1.50' },
      filters: [
        { invoice_display_name: 'Europe', values: { region: ['eu'] }, properties: { amount: '0.2' } },
        { values: { region: ['us'] }, properties: { amount: '0.3' } },
      ],
    }),
    charge({ charge_model: 'graduated', properties: { graduated_ranges: RANGES } }),
    charge({ charge_model: 'package' }),
    charge({ pay_in_advance: true, invoiceable: false, regroup_paid_fees: 'invoice' }),
  ],
  fixed_charges: [
    fixed({ units: 2.5, properties: { amount: '10' }, tax_codes: ['kept'], pay_in_advance: true, prorated: true }),
    fixed({ code: 'seats', charge_model: 'graduated', properties: { graduated_ranges: RANGES } }),
    { add_on_code: 'desk', charge_model: 'standard' },
  ],
});

describe('a plan', () => {
  it('is made with everything in it, and shown so', async () => {
    const sent = { plan: { ...LEAST, code: 'whole', ...whole() } };
    const { status, body } = await app.rest('POST', '/plans', sent);
    expect([status, answerFaults('createPlan', 200, body)]).toEqual([200, []]);
    const { plan } = body;
    expect(plan).toMatchObject({
      ...{
        ...LEAST,
        code: 'whole',
        description: 'All of it',
        trial_period: 3.5,
        metadata: { team: 'growth', owner: null },
      },
      minimum_commitment: {
        amount_cents: 900,
        invoice_display_name: 'At least',
        plan_code: 'whole',
        interval: 'monthly',
      },
      usage_thresholds: [
        { amount_cents: 5000, recurring: false, threshold_display_name: null },
        { amount_cents: 7000 },
        { amount_cents: 7000 },
      ],
    });
    expect([codesOf(plan.taxes), codesOf(plan.minimum_commitment.taxes)]).toEqual([['vat20'], ['kept']]);
    expect(codesOf(plan.charges)).toEqual(['requests', 'api_calls', 'api_calls_2', 'api_calls_3']);
    expect(codesOf(plan.fixed_charges)).toEqual(['desk', 'seats', 'desk_2']);
    const [first, second, third, fourth] = plan.charges;
    expect(first).toMatchObject({
      ...{ min_amount_cents: 40, properties: { amount: '0.10' }, accepts_target_wallet: true, invoiceable: true },
      ...{ svc_billable_metric_id: metricId, billable_metric_code: 'api_calls', svc_parent_id: null },
      applied_pricing_unit: { code: 'credits', conversion_rate: '1.5' },
    });
    expect(codesOf(first.taxes)).toEqual(['kept', 'vat20']);
    expect(first.filters).toMatchObject([
      { invoice_display_name: 'Europe', values: { region: ['eu'] }, properties: { amount: '0.2' } },
      { invoice_display_name: null, values: { region: ['us'] }, properties: { amount: '0.3' } },
    ]);
    expect(second.properties.graduated_ranges).toEqual(RANGES);
    expect(third.properties).toEqual({ package_size: 1, amount: '0', free_units: 0 });
    expect(fourth).toMatchObject({ pay_in_advance: true, invoiceable: false, regroup_paid_fees: 'invoice' });
    const [desk, seats, other] = plan.fixed_charges;
    expect(desk).toMatchObject({ units: 2.5, properties: { amount: '10' }, pay_in_advance: true, prorated: true });
    expect(codesOf(desk.taxes)).toEqual(['kept']);
    expect([seats.units, other.properties, other.add_on_code]).toEqual([0, { amount: '0' }, 'desk']);
    expect((await app.rest('GET', '/plans/whole')).body).toEqual(body);
    const { plans } = (await app.rest('GET', '/plans')).body;
    expect(plans.find(({ code }: { code: string }) => code === 'whole')).toEqual(plan);
    expect(answerFaults('findAllPlans', 200, (await app.rest('GET', '/plans')).body)).toEqual([]);
  });

  it('bills what it says', async () => {
    const { body } = await app.rest('POST', '/invoices/preview', {
      ...{ plan_code: 'whole', customer: { name: 'Otterbank', currency: 'EUR' }, billing_time: 'anniversary' },
      usage: [{ metric_code: 'api_calls', units: '3', subscription_external_id: '' }],
    });
    const desk = body.invoice.fees.find(({ item }: { item: { type: string } }) => item.type === 'fixed_charge');
    expect(desk.amount_cents).toBe(2500); // 2.5 units at 10
  });

  it('is in the log as it was made', async () => {
    const { before, after } = await app.db.prisma.auditLog.findFirstOrThrow({
      where: { action: 'plan.created', after: { path: ['code'], equals: 'whole' } },
    });
    expect(before).toBeNull();
    expect(after).toMatchObject({
      ...{
        code: 'whole',
        amountCents: '100',
        taxCodes: ['vat20'],
        minimumCommitment: { amountCents: '900', taxCodes: ['kept'] },
      },
      charges: [{ code: 'requests', taxCodes: ['kept', 'vat20'] }, {}, {}, {}],
      fixedCharges: [{ code: 'desk', units: '2.5', addOnId }, {}, {}],
    });
  });

  it('costs as many statements with many prices as with few', async () => {
    const filters = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        values: { region: ['eu', 'us'].slice(at % 2), ...(at > 1 && {}) },
        properties: { amount: `${at}` },
      }));
    const few = [charge({ filters: filters(1), tax_codes: ['vat20'] })];
    const many = Array.from({ length: 40 }, () => charge({ filters: filters(2), tax_codes: ['vat20', 'kept'] }));
    const fixes = Array.from({ length: 30 }, () => fixed({ tax_codes: ['kept'] }));
    const [one, all] = [
      await countStatements(app.db, () =>
        make('few', { charges: few, fixed_charges: [fixed({ tax_codes: ['kept'] })] }),
      ),
      await countStatements(app.db, () => make('many', { charges: many, fixed_charges: fixes })),
    ];
    expect((await app.rest('GET', '/plans/many')).body.plan.charges).toHaveLength(40);
    expect(all).toBe(one);
    expect(all).toBeLessThanOrEqual(16);
  });
});

describe('what is wrong', () => {
  it('is told at once, of the plan and of all in it, and nothing is stored', async () => {
    const before = await everything(app.db);
    const { status, body } = await app.rest('POST', '/plans', {
      plan: {
        ...{
          code: 'whole',
          name: ' ',
          interval: 'monthly',
          amount_cents: -1,
          amount_currency: 'EUR',
          pay_in_advance: false,
        },
        metadata: { a: 'x'.repeat(256) },
        minimum_commitment: { amount_cents: 0 },
        usage_thresholds: [
          { amount_cents: 5, recurring: true },
          { amount_cents: 5, recurring: true },
        ],
        charges: [
          charge({ properties: { amount: '-1' }, filters: [{ values: { planet: ['mars'] }, properties: {} }] }),
          charge({ charge_model: 'volume', pay_in_advance: true, code: 'x' }),
          charge({ code: 'x', invoiceable: false, applied_pricing_unit: { code: 'gold', conversion_rate: '0' } }),
          charge({ charge_model: null }),
          { charge_model: 'standard' },
        ],
        fixed_charges: [
          fixed({ units: '-1', charge_model: 'volume', pay_in_advance: true }),
          { charge_model: 'standard' },
        ],
      },
    });
    expect([status, answerFaults('createPlan', 422, body)]).toEqual([422, []]);
    expect(body.error_details).toEqual({
      code: ['value_already_exist', 'value_already_exist'],
      name: ['value_is_mandatory'],
      amount_cents: ['value_is_out_of_range', 'value_is_out_of_range'],
      'metadata.a': ['value_is_too_long'],
      usage_thresholds: ['duplicated_values', 'multiple_recurring_thresholds'],
      properties: ['invalid_amount', 'invalid_amount'],
      pay_in_advance: ['invalid_aggregation_type_or_charge_model', 'invalid_charge_model'],
      invoiceable: ['must_be_true_unless_pay_in_advance'],
      pricing_unit: ['relation_must_exist'],
      conversion_rate: ['value_is_out_of_range'],
      charge_model: ['value_is_invalid', 'value_is_mandatory'],
      billable_metric: ['relation_must_exist'],
      add_on: ['relation_must_exist'],
      units: ['value_is_out_of_range'],
    });
    expect(await everything(app.db)).toEqual(before);
  });

  it('has its place in GraphQL, in the form in which it was given', async () => {
    const { data, errors } = await app.graphql(
      'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }',
      {
        input: {
          ...{
            code: 'placed',
            name: 'P',
            interval: 'monthly',
            amountCents: 0,
            amountCurrency: 'EUR',
            payInAdvance: false,
          },
          minimumCommitment: { amountCents: 0 },
          charges: [
            { billableMetricCode: 'api_calls', pricing: { standard: { amount: '1' } } },
            {
              billableMetricCode: 'api_calls',
              pricing: { graduated: { ranges: [{ fromValue: 5, perUnitAmount: '1' }] } },
              filters: [
                {
                  filterValues: [{ key: 'region', values: ['eu'] }],
                  pricing: { graduated: { ranges: [{ fromValue: 0, perUnitAmount: '1' }] } },
                },
                {
                  filterValues: [{ key: 'region', values: ['mars'] }],
                  pricing: { graduated: { ranges: [{ fromValue: 0, perUnitAmount: '1' }] } },
                },
              ],
            },
          ],
          fixedCharges: [{ addOnCode: 'desk', pricing: { standard: { amount: '1' } }, units: '-1' }],
        },
      },
    );
    expect(data).toEqual({ createPlan: null });
    const told = errors?.[0]?.extensions?.errors as { path: unknown[]; code: string }[];
    expect(told.map(({ path, code }) => [path.join('.'), code])).toEqual(
      expect.arrayContaining([
        ['input.minimumCommitment.amountCents', 'value_is_out_of_range'],
        [expect.stringMatching(/^input\.charges\.1\.pricing\.graduated\.ranges/), 'invalid_graduated_ranges'],
        ['input.charges.1.filters.1.filterValues.0.values', 'value_is_invalid'],
        ['input.fixedCharges.0.units', 'value_is_out_of_range'],
      ]),
    );
  });

  it('is a 404 where a metric, an add-on or a tax is not there, also of another organization', async () => {
    const before = await everything(app.db);
    const none = '6f2b7c1e-0000-4000-8000-000000000000';
    for (const more of [
      { charges: [charge({ billable_metric_id: none })] },
      { charges: [charge({ billable_metric_id: 'none' })] },
      { charges: [{ billable_metric_code: 'none', charge_model: 'standard' }] },
      { fixed_charges: [fixed({ add_on_id: none })] },
      { tax_codes: ['none'] },
      { charges: [charge({ tax_codes: ['none'] })] },
      { fixed_charges: [fixed({ tax_codes: ['none'] })] },
      { minimum_commitment: { amount_cents: 5, tax_codes: ['none'] } },
    ]) {
      expect((await make('lost', more)).body, JSON.stringify(more)).toEqual(NOT_FOUND);
    }
    expect(await everything(app.db)).toEqual(before);
  });
});

describe('a change', () => {
  it('of commitment, thresholds, taxes and metadata sets what is sent and keeps the rest', async () => {
    const before = (await make('parts', { ...whole(), charges: [], fixed_charges: [] })).body.plan;
    const named = (await put('parts', { minimum_commitment: { invoice_display_name: 'Least' } })).body.plan;
    expect(named.minimum_commitment).toMatchObject({ amount_cents: 900, invoice_display_name: 'Least' });
    expect(codesOf(named.minimum_commitment.taxes)).toEqual(['kept']);
    expect(named.usage_thresholds).toEqual(before.usage_thresholds);
    const next = (
      await put('parts', {
        ...{ minimum_commitment: { amount_cents: 5, tax_codes: [] }, usage_thresholds: [{ amount_cents: 1 }] },
        ...{ tax_codes: ['kept'], metadata: { other: 'x' } },
      })
    ).body.plan;
    expect(next.minimum_commitment).toMatchObject({ amount_cents: 5, taxes: [] });
    expect(next.usage_thresholds).toMatchObject([{ amount_cents: 1, recurring: false }]);
    expect([codesOf(next.taxes), next.metadata]).toEqual([['kept'], { other: 'x' }]);
    const bare = (await put('parts', { minimum_commitment: {}, usage_thresholds: [], metadata: {} })).body.plan;
    expect([bare.minimum_commitment, bare.usage_thresholds, bare.metadata]).toEqual([null, [], {}]);
    expect((await put('parts', { minimum_commitment: { invoice_display_name: 'x' } })).body.error_details).toEqual({
      amount_cents: ['value_is_mandatory'],
    });
    const log = await app.db.prisma.auditLog.findMany({
      where: { objectId: before.svc_id },
      orderBy: { id: 'asc' },
      select: { action: true, after: true },
    });
    expect(log.map(({ action }) => action)).toEqual(['plan.created', ...Array(3).fill('plan.updated')]);
    expect(log[1]?.after).toEqual({
      minimumCommitment: { amountCents: '900', invoiceDisplayName: 'Least', taxCodes: ['kept'] },
    });
  });

  it('of what was agreed is left aside once somebody has subscribed; GraphQL refuses it', async () => {
    const before = (await app.rest('GET', '/plans/at_once')).body.plan;
    const terms = {
      ...{ code: 'other', interval: 'yearly', pay_in_advance: true, amount_currency: 'USD', trial_period: 9 },
      ...{ bill_charges_monthly: true, bill_fixed_charges_monthly: true },
    };
    const { status, body } = await put('at_once', { ...terms, name: 'Fuzzed', amount_cents: 7 });
    expect([status, body.plan]).toEqual([200, { ...before, name: 'Fuzzed', amount_cents: 7 }]);
    const { errors } = await app.graphql(
      'mutation { updatePlan(code: "at_once", input: { interval: yearly, name: "Y" }) { code } }',
    );
    expect(errors?.[0]?.extensions?.errorDetails).toEqual({ interval: ['value_cannot_be_changed'] });
  });

  it('of the period takes months from what has none', async () => {
    const long = { interval: 'yearly', bill_charges_monthly: true, bill_fixed_charges_monthly: true };
    expect((await make('short', { ...long, interval: 'quarterly' })).body.plan.bill_charges_monthly).toBe(false);
    expect((await make('long', long)).body.plan).toMatchObject(long);
    expect((await put('long', { name: 'Long' })).body.plan).toMatchObject(long);
    const { plan } = (await put('long', { interval: 'monthly' })).body;
    expect([plan.bill_charges_monthly, plan.bill_fixed_charges_monthly]).toEqual([false, false]);
  });
});

describe('a plan that is deleted', () => {
  it('ends its subscriptions and overrides, and leaves what was billed', async () => {
    const owner = { organizationId: app.organizationId };
    const fees = await app.db.prisma.fee.findMany({ where: owner, select: { id: true, amountCents: true } });
    const invoices = await app.db.prisma.invoice.count({ where: owner });
    const { id } = await app.db.prisma.plan.findFirstOrThrow({ where: { ...owner, code: 'fuzzed', parentId: null } });
    const override = await app.db.prisma.plan.findFirstOrThrow({ where: { parentId: id } });
    const { data, errors } = await app.graphql(`mutation { destroyPlan(code: "fuzzed") { code charges { code }
      changes { subscriptions { nodes { externalId status } } plans { totalCount } } } }`);
    expect(errors).toBeUndefined();
    expect(data.destroyPlan).toMatchObject({
      ...{ code: 'fuzzed', charges: [{ code: 'calls' }] },
      changes: {
        subscriptions: { nodes: [{ externalId: 'sub_fuzzed', status: 'terminated' }] },
        plans: { totalCount: 1 },
      },
    });
    expect((await app.rest('GET', '/plans/fuzzed')).body).toEqual(NOT_FOUND);
    expect((await app.rest('PUT', '/plans/fuzzed/charges/calls', { charge: { code: 'c' } })).body).toEqual(NOT_FOUND);
    const gone = await app.db.prisma.plan.findUniqueOrThrow({ where: { id: override.id } });
    expect(gone.deletedAt).not.toBeNull();
    const ids = fees.map((fee) => fee.id);
    const kept = await app.db.prisma.fee.findMany({
      where: { id: { in: ids } },
      select: { id: true, amountCents: true },
    });
    expect(new Set(kept.map((fee) => `${fee.id} ${fee.amountCents}`))).toEqual(
      new Set(fees.map((fee) => `${fee.id} ${fee.amountCents}`)),
    );
    expect(await app.db.prisma.invoice.count({ where: owner })).toBe(invoices + 1);
    expect((await app.rest('GET', '/fees?per_page=1')).status).not.toBe(500);
    expect((await make('fuzzed', {})).status).toBe(200);
  });
});
