import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPricedApp } from '../priced.ts';

let app: Awaited<ReturnType<typeof createPricedApp>>;
beforeAll(async () => {
  app = await createPricedApp();
});
afterAll(() => app.close());

const put = (charge: unknown, code = 'api_calls', plan = 'orchid') =>
  app.rest('PUT', `/plans/${plan}/charges/${code}`, { charge });

/** Everything of the organization's charges, to be compared. */
const rows = () =>
  app.db.prisma.charge.findMany({
    where: { organizationId: app.organizationId },
    include: { filters: { orderBy: { id: 'asc' } }, taxes: true },
    orderBy: { id: 'asc' },
  });

async function unchangedBy(run: () => Promise<unknown>) {
  const before = await rows();
  await run();
  expect(await rows()).toEqual(before);
}

describe('200', () => {
  test('prices keep the digits they are sent with', async () => {
    const { status, body } = await put({ properties: { amount: '0.10', rate: '1' } });
    expect([status, body.charge.properties]).toEqual([200, { amount: '0.10' }]);
    const huge = await put({ properties: { amount: '1e400' } });
    expect(huge.status).toBe(422);
  });

  test('absent members keep their values, null clears what can be empty', async () => {
    const properties = { amount: '0.05' };
    const first = await put({ properties, invoice_display_name: 'Calls' }, 'calls_advance');
    expect([first.status, first.body.charge]).toMatchObject([
      200,
      {
        code: 'calls_advance',
        billable_metric_code: 'api_calls',
        invoice_display_name: 'Calls',
        regroup_paid_fees: 'invoice',
        pay_in_advance: true,
        prorated: false,
        invoiceable: false,
        taxes: [{ code: 'vat20' }],
      },
    ]);
    const second = await put({ invoice_display_name: null }, 'calls_advance');
    expect(second.body.charge).toMatchObject({ invoice_display_name: null, regroup_paid_fees: 'invoice', properties });
    const third = await put({ regroup_paid_fees: null }, 'calls_advance');
    expect(third.body.charge.regroup_paid_fees).toBe(null);
    const nulls = { code: null, pay_in_advance: null, billable_metric_id: null, prorated: null, invoiceable: null };
    const fourth = await put(
      { ...nulls, properties: null, filters: null, tax_codes: null, charge_model: null, cascade_updates: null },
      'calls_advance',
    );
    expect([fourth.status, fourth.body.charge]).toEqual([200, third.body.charge]);
  });

  test('integers and bounds past 32 bits', async () => {
    const minimum = await put({ min_amount_cents: 5000000000 });
    expect([minimum.status, minimum.body.charge.min_amount_cents]).toEqual([200, 5000000000]);
    expect((await put({ min_amount_cents: null })).body.charge.min_amount_cents).toBe(0);
    const graduated_ranges = [
      { from_value: 0, to_value: 3000000000, per_unit_amount: '0.0000001', flat_amount: '0' },
      { from_value: 3000000001, to_value: null, per_unit_amount: '0.00000005', flat_amount: '0' },
    ];
    const ranges = await put({ properties: { graduated_ranges } }, 'grad');
    expect([ranges.status, ranges.body.charge.properties]).toEqual([200, { graduated_ranges }]);
    expect(ranges.text).toContain('"to_value":3000000000,');
  });

  test('the model changes with its properties, or to the defaults of the new one', async () => {
    const sent = await put(
      { charge_model: 'package', properties: { amount: '5', free_units: 2, package_size: 10 } },
      'c_two',
    );
    expect(sent.body.charge).toMatchObject({
      charge_model: 'package',
      properties: { amount: '5', free_units: 2, package_size: 10 },
    });
    const same = await put({ charge_model: 'package' }, 'c_two');
    expect(same.body.charge.properties).toEqual({ amount: '5', free_units: 2, package_size: 10 });
    const bare = await put({ charge_model: 'standard' }, 'c_two');
    expect([bare.status, bare.body.charge.properties]).toEqual([200, { amount: '0' }]);
  });

  test('a metric of the organization, a rate of the pricing unit, never its code', async () => {
    const metric = await app.db.prisma.billableMetric.findFirstOrThrow({
      where: { organizationId: app.organizationId, code: 'api_calls' },
    });
    const moved = await put({ billable_metric_id: metric.id }, 'c_two');
    expect(moved.body.charge).toMatchObject({ svc_billable_metric_id: metric.id, billable_metric_code: 'api_calls' });
    const rated = await put({ applied_pricing_unit: { code: 'other', conversion_rate: '2.50' } }, 'credits');
    expect(rated.body.charge.applied_pricing_unit).toEqual({ code: 'credits', conversion_rate: '2.5' });
    const none = await put({ applied_pricing_unit: { code: 'credits', conversion_rate: '2' } });
    expect([none.status, none.body.charge.applied_pricing_unit]).toEqual([200, null]);
  });

  test('group keys: the old name is read and shown, presentation keys are kept on a charge and go with an empty list', async () => {
    const keys = [{ value: 'team', options: { display_in_invoice: true } }, { value: 'site' }];
    const sent = await put({ properties: { amount: '1', grouped_by: ['cloud', ''], presentation_group_keys: keys } });
    expect(sent.body.charge.properties).toEqual({
      amount: '1',
      grouped_by: ['cloud'],
      pricing_group_keys: ['cloud'],
      presentation_group_keys: keys,
    });
    const emptied = await put({ properties: { amount: '1', presentation_group_keys: [], pricing_group_keys: [] } });
    expect(emptied.body.charge.properties).toEqual({ amount: '1' });
  });

  test('taxes as a set', async () => {
    const codes = async (tax_codes: string[]) =>
      (await put({ tax_codes })).body.charge.taxes.map((tax: { code: string }) => tax.code);
    expect(await codes(['vat20', 'city', 'vat20'])).toEqual(['city', 'vat20']);
    expect(await codes(['city'])).toEqual(['city']);
    expect(await codes([])).toEqual([]);
  });

  test('filters keep their identifiers by their values, in whatever order', async () => {
    const entry = (values: object, amount: string, name: string | null = null) => ({
      values,
      properties: { amount, presentation_group_keys: [{ value: 'x' }] },
      invoice_display_name: name,
    });
    const first = await put({
      filters: [entry({ region: ['eu', 'us'], tier: ['gold'] }, '1'), entry({ region: ['eu'] }, '2')],
    });
    const [wide, narrow] = first.body.charge.filters;
    expect(wide.properties).toEqual({ amount: '1' });
    const second = await put({
      filters: [
        entry({ region: ['us'] }, '3'),
        entry({ region: ['eu'] }, '2.5', 'Europe'),
        entry({ tier: ['gold'], region: ['us', 'eu'] }, '1'),
      ],
    });
    expect(second.body.charge.filters).toEqual([
      { ...narrow, properties: { amount: '2.5' }, invoice_display_name: 'Europe' },
      { ...wide, values: { tier: ['gold'], region: ['us', 'eu'] } },
      expect.objectContaining({ values: { region: ['us'] }, properties: { amount: '3' } }),
    ]);
    expect((await put({ invoice_display_name: 'A' })).body.charge.filters).toHaveLength(3);
    const emptied = await put({ filters: [] });
    expect([emptied.status, emptied.body.charge.filters]).toEqual([200, []]);
    expect((await app.rest('GET', `/plans/orchid/charges/api_calls/filters/${narrow.svc_id}`)).status).toBe(404);
  });

  test.each(['used', 'ended'])('on the plan %s the structural members are ignored', async (plan) => {
    const before = (await put({ invoice_display_name: 'x' }, 'api_calls', plan)).body.charge;
    const structure = {
      code: 'other',
      charge_model: 'volume',
      pay_in_advance: true,
      prorated: true,
      invoiceable: false,
      min_amount_cents: -7,
      billable_metric_id: app.organizationId,
      regroup_paid_fees: 'invoice',
    };
    const { status, body } = await put(
      { ...structure, properties: { amount: '9' }, invoice_display_name: 'New', tax_codes: ['vat20'] },
      'api_calls',
      plan,
    );
    expect([status, body.charge]).toEqual([
      200,
      {
        ...before,
        properties: { amount: '9' },
        invoice_display_name: 'New',
        taxes: [expect.objectContaining({ code: 'vat20' })],
      },
    ]);
  });

  test('overrides in use do not make the plan one in use', async () => {
    const { body } = await put({ min_amount_cents: 7 }, 'api_calls', 'family');
    expect(body.charge.min_amount_cents).toBe(7);
  });

  test('a code with a dot, and another code', async () => {
    expect((await put({ invoice_display_name: 'P' }, 'api_calls', 'pro.v2')).status).toBe(200);
    expect((await put({ code: 'new.code/x' }, 'api_calls', 'pro.v2')).body.charge.code).toBe('new.code/x');
    expect((await put({ code: '  ' }, 'new.code%2Fx', 'pro.v2')).body.charge.code).toBe('new.code/x');
  });

  test('every digit is stored and recorded, as it was and as it became', async () => {
    const raw = '{"charge":{"invoice_display_name":"Audited","min_amount_cents":9007199254740993}}';
    const { text } = await app.rest('PUT', '/plans/orchid/charges/c_one', undefined, { raw });
    expect(text).toContain('"min_amount_cents":9007199254740993,');
    const charge = await app.db.prisma.charge.findFirstOrThrow({
      where: { organizationId: app.organizationId, code: 'c_one' },
    });
    expect(await app.db.prisma.auditLog.findMany({ where: { objectId: charge.id } })).toMatchObject([
      {
        action: 'charge.updated',
        before: { invoiceDisplayName: null, minAmountCents: '0' },
        after: { invoiceDisplayName: 'Audited', minAmountCents: '9007199254740993' },
      },
    ]);
  });
});

describe('400', () => {
  test.each(['{"charge":', '[]', '{}', '{"charge":null}', '{"charge":[]}', ''])('%s', async (raw) => {
    expect((await app.rest('PUT', '/plans/orchid/charges/api_calls', undefined, { raw })).status).toBe(400);
  });
});

test('401 without a key', async () => {
  expect((await app.rest('PUT', '/plans/orchid/charges/api_calls', {}, { key: null })).status).toBe(401);
});

describe('403', () => {
  test('a publishable key, and one that may only read', async () => {
    const publishable = await app.makeKey({ kind: 'publishable' });
    const first = await app.rest('PUT', '/plans/x/charges/y', {}, { key: publishable });
    expect([first.status, first.body.code]).toEqual([403, 'publishable_key_not_allowed']);
    const reader = await app.makeKey({ permissions: { plan: ['read'] } } as never);
    const second = await app.rest('PUT', '/plans/x/charges/y', {}, { key: reader });
    expect([second.status, second.body.code]).toEqual([403, 'write_action_not_allowed_for_plan']);
  });
});

describe('404', () => {
  test.each([
    ['nope', 'api_calls'],
    ['orchid', 'nope'],
  ])('plan %s, charge %s, whatever the body', async (plan, code) => {
    for (const charge of [{ properties: { amount: '1' } }, {}, { min_amount_cents: 'x' }, { properties: {} }]) {
      const { status, body } = await put(charge, code, plan);
      expect([status, body.code]).toEqual([404, 'object_not_found']);
    }
  });

  test('an unknown tax, and nothing is changed', async () => {
    await unchangedBy(async () => {
      const { status, body } = await put({ invoice_display_name: 'No', tax_codes: ['vat20', 'ghost'], filters: [] });
      expect([status, body.code]).toEqual([404, 'object_not_found']);
    });
  });
});

describe('422 and nothing is changed', () => {
  const ranges = (graduated_ranges: unknown) => ({ properties: { graduated_ranges } });
  const range = (from_value: unknown, to_value: unknown) => ({
    from_value,
    to_value,
    per_unit_amount: '1',
    flat_amount: '0',
  });
  test.each<[string, unknown, string, object]>([
    ['a number for an amount', { properties: { amount: 0.1 } }, 'api_calls', { properties: ['invalid_amount'] }],
    ['a negative amount', { properties: { amount: '-5' } }, 'api_calls', { properties: ['invalid_amount'] }],
    ['no number', { properties: { amount: 'NaN' } }, 'api_calls', { properties: ['invalid_amount'] }],
    ['empty properties', { properties: {} }, 'api_calls', { properties: ['invalid_amount'] }],
    ['a list of properties', { properties: [{ amount: '2' }] }, 'api_calls', { properties: ['value_is_invalid'] }],
    ['ranges of null', ranges(null), 'grad', { properties: ['missing_graduated_ranges'] }],
    ['a range below 0', ranges([range(-1, 10)]), 'grad', { properties: ['invalid_graduated_ranges'] }],
    ['a gap', ranges([range(0, 10), range(15, null)]), 'grad', { properties: ['invalid_graduated_ranges'] }],
    [
      'a bound past 2^53',
      ranges([range(0, 2 ** 53), range(2 ** 53, null)]),
      'grad',
      { properties: ['value_is_out_of_range'] },
    ],
    [
      'an unknown regrouping',
      { regroup_paid_fees: 'weekly' },
      'api_calls',
      { regroup_paid_fees: ['value_is_invalid'] },
    ],
    [
      'regrouping of what is invoiced',
      { regroup_paid_fees: 'invoice' },
      'api_calls',
      { regroup_paid_fees: ['only_compatible_with_pay_in_advance_and_non_invoiceable'] },
    ],
    [
      'arrears that are not invoiced',
      { properties: { amount: '2' }, pay_in_advance: false, invoiceable: false },
      'api_calls',
      { invoiceable: ['must_be_true_unless_pay_in_advance'] },
    ],
    ['an unknown model', { charge_model: 'free' }, 'api_calls', { charge_model: ['value_is_invalid'] }],
    [
      'dynamic prices of a count',
      { charge_model: 'dynamic' },
      'api_calls',
      { charge_model: ['invalid_aggregation_type_or_charge_model'] },
    ],
    [
      'volume in advance',
      { charge_model: 'volume', pay_in_advance: true },
      'api_calls',
      { pay_in_advance: ['invalid_aggregation_type_or_charge_model'] },
    ],
    [
      'proration of a count',
      { prorated: true },
      'api_calls',
      { prorated: ['invalid_billable_metric_or_charge_model'] },
    ],
    ['a negative minimum', { min_amount_cents: -1 }, 'api_calls', { min_amount_cents: ['value_is_out_of_range'] }],
    [
      'a minimum in advance',
      { min_amount_cents: 1 },
      'calls_advance',
      { min_amount_cents: ['not_compatible_with_pay_in_advance'] },
    ],
    ['a fraction of a cent', { min_amount_cents: 1.5 }, 'api_calls', { min_amount_cents: ['value_is_invalid'] }],
    ['a minimum past 64 bits', { min_amount_cents: 1e30 }, 'api_calls', { min_amount_cents: ['value_is_invalid'] }],
    [
      'an unknown metric',
      { billable_metric_id: '7d0f5a34-1b1e-4c57-9a52-000000000000' },
      'api_calls',
      { billable_metric: ['relation_must_exist'] },
    ],
    ['no metric at all', { billable_metric_id: 'x' }, 'api_calls', { billable_metric: ['relation_must_exist'] }],
    ['a taken code', { code: 'grad' }, 'api_calls', { code: ['value_already_exist'] }],
    ['a long code', { code: 'x'.repeat(5000) }, 'api_calls', { code: ['value_is_too_long'] }],
    [
      'a rate of 0',
      { applied_pricing_unit: { conversion_rate: '0' } },
      'credits',
      { conversion_rate: ['value_is_out_of_range'] },
    ],
    [
      'no rate',
      { applied_pricing_unit: { conversion_rate: 'x' } },
      'credits',
      { conversion_rate: ['value_is_invalid'] },
    ],
    ['a flag that is a text', { cascade_updates: 'false' }, 'api_calls', { cascade_updates: ['value_is_invalid'] }],
    ['filters that are none', { filters: ['x'] }, 'api_calls', { filters: ['value_is_invalid'] }],
    [
      'a filter without values',
      { filters: [{ properties: { amount: '1' } }] },
      'api_calls',
      { values: ['value_is_mandatory'] },
    ],
    [
      'a filter without prices',
      { filters: [{ values: { region: ['eu'] } }] },
      'api_calls',
      { properties: ['invalid_amount'] },
    ],
    [
      'a filter twice',
      {
        filters: [
          { values: { region: ['eu', 'us'] }, properties: { amount: '1' } },
          { values: { region: ['us', 'eu'] }, properties: { amount: '2' } },
        ],
      },
      'api_calls',
      { values: ['value_already_exist'] },
    ],
    [
      'several at once',
      { properties: { amount: 1 }, min_amount_cents: -1, code: 'grad' },
      'api_calls',
      { properties: ['invalid_amount'], min_amount_cents: ['value_is_out_of_range'], code: ['value_already_exist'] },
    ],
  ])('%s', async (_name, charge, code, details) => {
    await unchangedBy(async () => {
      const { status, body } = await put(charge, code);
      expect([status, body.error_details]).toEqual([422, details]);
    });
  });

  test('a bound with more digits than a number has', async () => {
    const raw = `{"charge":{"properties":{"graduated_ranges":[{"from_value":0,"to_value":9007199254740993,"per_unit_amount":"1","flat_amount":"0"},{"from_value":9007199254740994,"to_value":null,"per_unit_amount":"1","flat_amount":"0"}]}}}`;
    const { status, body } = await app.rest('PUT', '/plans/orchid/charges/grad', undefined, { raw });
    expect([status, body.error_details]).toEqual([422, { properties: ['value_is_out_of_range'] }]);
  });
});

describe('two organizations with the same codes', () => {
  test('each changes its own, and a metric of the other one does not exist', async () => {
    await unchangedBy(async () => {
      const { status } = await app.rest(
        'PUT',
        '/plans/orchid/charges/api_calls',
        { charge: { properties: { amount: '77' } } },
        { key: app.other },
      );
      expect(status).toBe(200);
      const foreign = await app.db.prisma.billableMetric.findFirstOrThrow({
        where: { organizationId: app.otherId, code: 'seats' },
      });
      const { body } = await put({ billable_metric_id: foreign.id });
      expect(body.error_details).toEqual({ billable_metric: ['relation_must_exist'] });
    });
  });
});
