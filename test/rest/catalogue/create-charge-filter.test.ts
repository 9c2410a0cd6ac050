import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPricedApp } from '../priced.ts';

let app: Awaited<ReturnType<typeof createPricedApp>>;
beforeAll(async () => {
  app = await createPricedApp();
});
afterAll(() => app.close());

const path = '/plans/orchid/charges/api_calls/filters';
const filter = (values: unknown, more: object = {}) => ({
  filter: { invoice_display_name: 'F', properties: { amount: '0.02' }, values, ...more },
});
const create = (body: unknown, at = path) => app.rest('POST', at, body);
const stored = async () =>
  app.db.prisma.chargeFilter.findMany({
    where: { charge: { code: 'api_calls', plan: { code: 'orchid' }, organizationId: app.organizationId } },
    orderBy: [{ position: 'asc' }],
  });

describe('200', () => {
  test('the filter as it is stored: members of the model alone, values in the order given', async () => {
    const { status, body } = await create(
      filter(
        { region: ['us', 'eu'] },
        {
          properties: {
            amount: '0.020',
            rate: '5',
            pricing_group_keys: ['cloud'],
            presentation_group_keys: [{ value: 'team' }],
          },
        },
      ),
    );
    expect(status).toBe(200);
    expect(body.filter).toEqual({
      svc_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      charge_code: 'api_calls',
      invoice_display_name: 'F',
      properties: { amount: '0.020', pricing_group_keys: ['cloud'], grouped_by: ['cloud'] },
      values: { region: ['us', 'eu'] },
    });
    const found = await app.rest('GET', `${path}/${body.filter.svc_id}`);
    expect(found.body).toEqual(body);
  });

  test('any value of a key, numbers as text, a filter that refines another, no display name', async () => {
    const all = await create(filter({ region: ['__ALL_FILTER_VALUES__'] }, { invoice_display_name: null }));
    expect([all.status, all.body.filter.invoice_display_name]).toEqual([200, null]);
    const number = await create(filter({ region: [1] }));
    expect([number.status, number.body.filter.values]).toEqual([200, { region: ['1'] }]);
    const refined = await create(filter({ tier: ['gold'], region: ['eu'] }));
    expect([refined.status, refined.body.filter.values]).toEqual([200, { tier: ['gold'], region: ['eu'] }]);
  });

  test('amounts keep their digits; one that is not written plainly becomes plain', async () => {
    const exponent = await create(filter({ region: ['us'] }, { properties: { amount: ' 5e-7' } }));
    expect(exponent.body.filter.properties).toEqual({ amount: '0.0000005' });
  });

  test('on a plan in use, and recorded', async () => {
    const { status, body } = await create(filter({ region: ['eu'] }), '/plans/used/charges/api_calls/filters');
    expect(status).toBe(200);
    const entries = await app.db.prisma.auditLog.findMany({ where: { objectId: body.filter.svc_id } });
    expect(entries).toMatchObject([
      { action: 'charge_filter.created', before: null, organizationId: app.organizationId },
    ]);
  });
});

describe('400', () => {
  test.each(['[]', 'null', '{}', '{"filter":"x"}', '{"filter":null}', '{"filter":{}}', '{"filter":'])(
    '%s',
    async (raw) => {
      expect((await app.rest('POST', path, undefined, { raw })).status).toBe(400);
    },
  );
});

test('401 without a key', async () => {
  expect((await app.rest('POST', path, filter({}), { key: null })).status).toBe(401);
});

describe('403', () => {
  test('a publishable key, before anything is looked up', async () => {
    const key = await app.makeKey({ kind: 'publishable' });
    const { status, body } = await app.rest('POST', '/plans/nope/charges/x/filters', {}, { key });
    expect([status, body.code]).toEqual([403, 'publishable_key_not_allowed']);
  });
  test('a key that may only read', async () => {
    const key = await app.makeKey({ permissions: { plan: ['read'] } } as never);
    const { status, body } = await app.rest('POST', path, filter({}), { key });
    expect([status, body.code]).toEqual([403, 'write_action_not_allowed_for_plan']);
  });
});

describe('404', () => {
  test.each([
    '/plans/nope/charges/api_calls/filters',
    '/plans/orchid/charges/nope/filters',
    '/plans/ORCHID/charges/api_calls/filters',
  ])('%s, whatever the body', async (at) => {
    for (const raw of [
      JSON.stringify(filter({ region: ['eu'] })),
      '{}',
      '{"filter":{"values":5}}',
      '{"filter":{"cascade_updates":"x"}}',
    ]) {
      const { status, body } = await app.rest('POST', at, undefined, { raw });
      expect([status, body.code]).toEqual([404, 'object_not_found']);
    }
  });
});

describe('422', () => {
  const mandatory = { values: ['value_is_mandatory'] };
  const unknown = { values: ['value_is_invalid'] };
  test.each<[string, unknown, object, object?]>([
    ['no values', undefined, mandatory],
    ['null', null, mandatory],
    ['a text', 'x', mandatory],
    ['a list', ['x'], mandatory],
    ['an empty object', {}, mandatory],
    ['no values before bad properties', {}, mandatory, { properties: {} }],
    ['an unknown key', { planet: ['mars'] }, { ...unknown, billable_metric_filter: ['relation_must_exist'] }],
    ['an unknown value', { region: ['apac'] }, unknown],
    ['one unknown value', { region: ['eu', 'apac'] }, unknown],
    ['an object as a value', { region: [{}] }, unknown],
    ['an empty list', { region: [] }, mandatory],
    ['null for a key', { region: null }, { values: ['value_is_mandatory', 'value_is_invalid'] }],
    ['a text for a key', { region: 'eu' }, mandatory],
    ['the wildcard beside a value', { region: ['__ALL_FILTER_VALUES__', 'eu'] }, unknown],
    ['no properties', { region: ['eu'] }, { properties: ['invalid_amount'] }, { properties: undefined }],
    ['a number for an amount', { region: ['eu'] }, { properties: ['invalid_amount'] }, { properties: { amount: 0.1 } }],
    [
      'bad properties before bad values',
      { planet: ['x'] },
      { properties: ['invalid_amount'] },
      { properties: { amount: '-1' } },
    ],
    ['a list of properties', { region: ['eu'] }, { properties: ['value_is_invalid'] }, { properties: [] }],
    [
      'a flag that is a text',
      { region: ['eu'] },
      { cascade_updates: ['value_is_invalid'] },
      { cascade_updates: 'false' },
    ],
  ])('%s', async (_name, values, details, more = {}) => {
    const before = await stored();
    const { status, body } = await create(filter(values, more));
    expect([status, body.error_details]).toEqual([422, details]);
    expect(await stored()).toEqual(before);
  });

  test('the same values again, in whatever order', async () => {
    const at = '/plans/pro.v2/charges/api_calls/filters';
    expect((await create(filter({ region: ['eu', 'us'], tier: ['gold'] }), at)).status).toBe(200);
    const again = await create(filter({ tier: ['gold'], region: ['us', 'eu', 'us'] }), at);
    expect([again.status, again.body.error_details]).toEqual([422, { values: ['value_already_exist'] }]);
  });
});

describe('two organizations with the same codes', () => {
  test('each writes to its own', async () => {
    const before = await stored();
    const { status } = await app.rest('POST', path, filter({ region: ['eu'] }), { key: app.other });
    expect(status).toBe(200);
    expect(await stored()).toEqual(before);
  });
});
