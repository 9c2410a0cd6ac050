import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../contract/operations.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createTestApp, type TestApp } from '../support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

const make = (code: string, more: object = {}) => app.rest('POST', '/features', { feature: { code, ...more } });
const put = (code: string, feature: object) => app.rest('PUT', `/features/${code}`, { feature });
const options = (...select_options: string[]) => ({ select_options });

const PRIVILEGES = [
  { code: ' seats ', name: 'Seats', value_type: 'integer' },
  { code: 'sso', value_type: 'boolean' },
  { code: 'note' },
  { code: 'region', value_type: 'select', config: options('us', 'eu', 'us') },
];

describe('a feature', () => {
  it('is made with its privileges, in their order, and shown so', async () => {
    const { status, body } = await make(' whole ', { name: 'Whole', privileges: PRIVILEGES });
    expect([status, answerFaults('createFeature', 200, body)]).toEqual([200, []]);
    expect(Object.keys(body.feature)).toEqual(['code', 'name', 'description', 'privileges', 'created_at']);
    expect(body.feature).toMatchObject({ code: 'whole', name: 'Whole', description: null });
    expect(body.feature.privileges).toEqual([
      { code: 'seats', name: 'Seats', value_type: 'integer', config: {} },
      { code: 'sso', name: null, value_type: 'boolean', config: {} },
      { code: 'note', name: null, value_type: 'string', config: {} },
      { code: 'region', name: null, value_type: 'select', config: options('us', 'eu') },
    ]);
    expect((await app.rest('GET', '/features/whole')).body).toEqual(body);
    const list = (await app.rest('GET', '/features')).body;
    expect(answerFaults('findAllFeatures', 200, list)).toEqual([]);
    expect(list.features).toContainEqual(body.feature);
  });

  it('takes more privileges, other names and more options; what is not named stays, and types never change', async () => {
    await make('grown', { privileges: PRIVILEGES });
    const sent = {
      code: 'other',
      privileges: [
        { code: 'region', config: options('jp', 'eu'), name: 'Region' },
        { code: 'seats', value_type: 'boolean', name: null },
        { code: 'api', value_type: 'boolean', config: null },
      ],
    };
    const { status, body } = await put('grown', sent);
    expect([status, answerFaults('updateFeature', 200, body), body.feature.code]).toEqual([200, [], 'grown']);
    expect(body.feature.privileges).toEqual([
      { code: 'seats', name: null, value_type: 'integer', config: {} },
      { code: 'sso', name: null, value_type: 'boolean', config: {} },
      { code: 'note', name: null, value_type: 'string', config: {} },
      { code: 'region', name: 'Region', value_type: 'select', config: options('us', 'eu', 'jp') },
      { code: 'api', name: null, value_type: 'boolean', config: {} },
    ]);
    expect((await put('grown', { privileges: [] })).body).toEqual(body);
    expect((await put('grown', { privileges: null })).body).toEqual(body);
    const entries = await app.db.prisma.auditLog.findMany({ where: { action: 'feature.updated' } });
    expect(entries).toHaveLength(1);
    expect(entries[0]?.after).toMatchObject({
      privileges: [{ code: 'seats', name: null }, {}, {}, {}, { code: 'api' }],
    });
  });

  it('GraphQL refuses another code and another type, each with its place', async () => {
    await make('typed', { privileges: PRIVILEGES });
    const text = `mutation ($input: UpdateFeatureInput!) { updateFeature(code: "typed", input: $input) { code } }`;
    const same = await app.graphql(text, {
      input: { code: 'typed', privileges: [{ code: 'sso', valueType: 'boolean' }] },
    });
    expect(same.errors).toBeUndefined();
    const type = await app.graphql(text, {
      input: { privileges: [{ code: 'x' }, { code: 'sso', valueType: 'string' }] },
    });
    expect(type.errors?.[0]?.extensions?.errors).toEqual([
      expect.objectContaining({ path: ['input', 'privileges', 1, 'valueType'], code: 'value_cannot_be_changed' }),
    ]);
    const code = await app.graphql(text, { input: { code: 'else' } });
    expect(code.errors?.[0]?.extensions?.errorDetails).toEqual({ code: ['value_cannot_be_changed'] });
  });
});

describe('what is wrong', () => {
  const long = 'x'.repeat(256);
  it.each([
    [{ privileges: [{ code: 'a' }, { code: ' a ' }] }, { 'privilege.code': ['value_is_duplicated'] }],
    [{ privileges: [{ name: 'a' }] }, { 'privilege.code': ['value_is_mandatory'] }],
    [{ privileges: [{ code: ' ' }] }, { 'privilege.code': ['value_is_mandatory'] }],
    [{ privileges: [{ code: 'a', value_type: 'number' }] }, { 'privilege.value_type': ['value_is_invalid'] }],
    [{ privileges: [{ code: 'a', value_type: 'select' }] }, { 'privilege.config': ['invalid_format'] }],
    [
      { privileges: [{ code: 'a', value_type: 'select', config: options() }] },
      { 'privilege.config': ['invalid_format'] },
    ],
    [{ privileges: [{ code: 'a', value_type: 'select', config: [] }] }, { 'privilege.config': ['invalid_format'] }],
    [
      { privileges: [{ code: 'a', value_type: 'select', config: { select_options: [{}] } }] },
      { 'privilege.config': ['invalid_format'] },
    ],
    [{ privileges: [{ code: 'a', config: options('b') }] }, { 'privilege.config': ['invalid_format'] }],
    ...[options('b', ' '), options('')].map((config): [object, object] => [
      { privileges: [{ code: 'a', value_type: 'select', config }] },
      { 'privilege.config': ['invalid_format'] },
    ]),
    [
      { code: 'x'.repeat(5000), name: long, privileges: [{ name: long, config: options('b', ' ') }] },
      {
        code: ['value_is_too_long'],
        name: ['value_is_too_long'],
        'privilege.code': ['value_is_mandatory'],
        'privilege.name': ['value_is_too_long'],
        'privilege.config': ['invalid_format'],
      },
    ],
    [{ privileges: [{ code: 'a', name: long }] }, { 'privilege.name': ['value_is_too_long'] }],
    [{ privileges: {} }, { privileges: ['value_is_invalid'] }],
    [{ description: 'x'.repeat(601) }, { description: ['value_is_too_long'] }],
    [
      { name: long, privileges: [{ code: 'a', config: options('b') }] },
      { name: ['value_is_too_long'], 'privilege.config': ['invalid_format'] },
    ],
  ])('%j is told, and nothing is stored', async (more, details) => {
    const before = await everything(app.db);
    const { status, body } = await make('refused', more);
    expect([status, body.error_details]).toEqual([422, details]);
    expect(await everything(app.db)).toEqual(before);
  });

  it('GraphQL tells all of it with its place', async () => {
    const { errors } = await app.graphql(
      'mutation ($input: CreateFeatureInput!) { createFeature(input: $input) { code } }',
      {
        input: { code: 'g', privileges: [{ code: 'a' }, { code: 'b', valueType: 'select' }, { code: 'a' }] },
      },
    );
    expect(errors?.[0]?.extensions?.errors).toEqual([
      expect.objectContaining({ path: ['input', 'privileges', 2, 'code'], code: 'value_is_duplicated' }),
      expect.objectContaining({ path: ['input', 'privileges', 1, 'config'], code: 'invalid_format' }),
    ]);
  });
});

describe('a privilege', () => {
  it('is deleted by its code, which is free again', async () => {
    await make('cut', { privileges: PRIVILEGES });
    const { status, body } = await app.rest('DELETE', '/features/cut/privileges/region');
    expect([status, answerFaults('deleteFeaturePrivilege', 200, body)]).toEqual([200, []]);
    expect(body.feature.privileges.map(({ code }: { code: string }) => code)).toEqual(['seats', 'sso', 'note']);
    for (const path of ['/features/cut/privileges/region', '/features/none/privileges/seats']) {
      expect((await app.rest('DELETE', path)).body).toEqual(NOT_FOUND);
    }
    const again = await put('cut', { privileges: [{ code: 'region', value_type: 'boolean' }] });
    expect(again.body.feature.privileges.at(-1)).toMatchObject({ code: 'region', value_type: 'boolean', config: {} });
  });

  it('a deleted feature answers with its privileges, and one that takes its code has none', async () => {
    await make('gone', { privileges: PRIVILEGES });
    expect((await app.rest('DELETE', '/features/gone')).body.feature.privileges).toHaveLength(4);
    expect((await make('gone')).body.feature.privileges).toEqual([]);
  });
});

it('features are found by words in their code, name or description', async () => {
  await make('kestrel.one', { name: 'Osprey', description: 'A heron' });
  for (const [term, count] of Object.entries({ kestrel: 1, osp: 1, heron: 1, bittern: 0 })) {
    const { body } = await app.rest('GET', `/features?search_term=${term}`);
    expect([term, body.features.length, body.meta.total_count]).toEqual([term, count, count]);
  }
  const all = (await app.rest('GET', '/features')).body.meta.total_count;
  expect((await app.rest('GET', '/features?search_term=')).body.meta.total_count).toBe(all);
});
