import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../contract/operations.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createFullApp } from '../robust/full-app.ts';
import { countStatements, type TestApp } from '../support.ts';
import { exportedTwice } from '../transfer.ts';
import { type Shown, valuesOf } from './entitlement-values.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
  await feature('storage', [
    { code: 'gigabytes', value_type: 'integer', name: 'GB' },
    { code: 'encrypted', value_type: 'boolean' },
    { code: 'label' },
    { code: 'region', value_type: 'select', config: { select_options: ['eu', 'us'] } },
  ]);
  await feature('support', [{ code: 'hours', value_type: 'integer' }]);
  await feature('export', []);
});
afterAll(() => app?.close());

const feature = (code: string, privileges: object[]) =>
  app.rest('POST', '/features', { feature: { code, name: code.toUpperCase(), privileges } });
const at = (code: string) => `/plans/${code}/entitlements`;
const replace = (code: string, entitlements?: unknown) => app.rest('POST', at(code), { entitlements });
const merge = (code: string, entitlements?: unknown) => app.rest('PATCH', at(code), { entitlements });

const stored = async (code: string) => valuesOf((await app.rest('GET', at(code))).body.entitlements);

const ALL = { storage: { gigabytes: '12', encrypted: 'true', label: '7', region: 'eu' }, export: null };

describe('the features of a plan', () => {
  it('are given as a whole, each value by the type of its privilege', async () => {
    const { status, body } = await replace('clover', ALL);
    expect([status, answerFaults('createEntitlement', 200, body)]).toEqual([200, []]);
    expect(body.entitlements).toEqual([
      {
        ...{ code: 'storage', name: 'STORAGE', description: null },
        privileges: [
          { code: 'gigabytes', name: 'GB', value_type: 'integer', config: {}, value: 12 },
          { code: 'encrypted', name: null, value_type: 'boolean', config: {}, value: true },
          { code: 'label', name: null, value_type: 'string', config: {}, value: '7' },
          { code: 'region', name: null, value_type: 'select', config: { select_options: ['eu', 'us'] }, value: 'eu' },
        ],
      },
      { code: 'export', name: 'EXPORT', description: null, privileges: [] },
    ]);
    expect((await app.rest('GET', at('clover'))).body).toEqual(body);
    const one = await app.rest('GET', `${at('clover')}/storage`);
    expect(one.body).toEqual({ entitlement: body.entitlements[0] });
    expect(answerFaults('findEntitlement', 200, one.body)).toEqual([]);
  });

  it('stand in the plan, and in its list', async () => {
    await replace('clover', ALL);
    const { entitlements } = (await app.rest('GET', at('clover'))).body;
    const wrapped = entitlements.map((entitlement: unknown) => ({ entitlement }));
    const { body } = await app.rest('GET', '/plans/clover');
    expect([body.plan.entitlements, answerFaults('findPlan', 200, body)]).toEqual([wrapped, []]);
    const { plans } = (await app.rest('GET', '/plans')).body;
    expect(plans.find(({ code }: Shown) => code === 'clover').entitlements).toEqual(wrapped);
  });

  it('that are not named go, and values that are not; a feature without values keeps them', async () => {
    await replace('clover', { ...ALL, support: { hours: 8 } });
    await replace('clover', { storage: { gigabytes: 5 }, support: {} });
    expect(await stored('clover')).toEqual({ storage: { gigabytes: 5 }, support: { hours: 8 } });
    await replace('clover', { storage: null });
    expect(await stored('clover')).toEqual({ storage: { gigabytes: 5 } });
    for (const nothing of [undefined, null, {}]) {
      await replace('clover', { storage: { gigabytes: 5 } });
      expect((await replace('clover', nothing)).body).toEqual({ entitlements: [] });
    }
    await replace('clover', { storage: { gigabytes: 5 } });
    expect((await app.rest('POST', at('clover'))).body).toEqual({ entitlements: [] });
  });

  it('are merged, and nothing else changes', async () => {
    await replace('clover', { storage: { gigabytes: 5, label: 'a' } });
    const { status, body } = await merge('clover', { storage: { label: 'b', region: 'us' }, support: {} });
    expect([status, answerFaults('updateEntitlement', 200, body)]).toEqual([200, []]);
    expect(valuesOf(body.entitlements)).toEqual({
      ...{ storage: { gigabytes: 5, label: 'b', region: 'us' }, support: {} },
    });
    for (const nothing of [undefined, null, {}, { storage: {} }]) {
      expect((await merge('clover', nothing)).body).toEqual(body);
    }
  });

  it('are taken away, a value or a feature at a time', async () => {
    await replace('clover', { storage: { gigabytes: 5, label: 'a' }, export: {} });
    const value = await app.rest('DELETE', `${at('clover')}/storage/privileges/label`);
    expect([value.status, answerFaults('removeEntitlementPrivilege', 200, value.body)]).toEqual([200, []]);
    expect(valuesOf([value.body.entitlement])).toEqual({ storage: { gigabytes: 5 } });
    const { status, body } = await app.rest('DELETE', `${at('clover')}/storage`);
    expect([status, answerFaults('destroyEntitlement', 200, body)]).toEqual([200, []]);
    expect(body).toEqual(value.body);
    expect(await stored('clover')).toEqual({ export: {} });
    await replace('clover', { storage: {} });
    expect(await stored('clover')).toEqual({ storage: {} });
  });

  it('are in the log and mark the plan as changed, where they change', async () => {
    const { id } = await app.db.prisma.plan.findFirstOrThrow({
      where: { code: 'clover', parentId: null, deletedAt: null },
    });
    const log = () => app.db.prisma.auditLog.findMany({ where: { objectId: id, action: 'plan.updated' } });
    await replace('clover', { storage: { gigabytes: 1 } });
    const before = (await log()).length;
    await replace('clover', { storage: { gigabytes: 1 } });
    expect(await log()).toHaveLength(before);
    await merge('clover', { storage: { gigabytes: 2 } });
    const entry = (await log()).find(({ after }) => JSON.stringify(after).includes('"gigabytes":2'));
    expect(entry).toMatchObject({
      before: { entitlements: { storage: { gigabytes: 1 } } },
      after: { entitlements: { storage: { gigabytes: 2 } } },
    });
  });
});

describe('what is wrong', () => {
  const refused = (details: object) => ({ status: 422, code: 'validation_errors', error_details: details });
  it.each([
    [{ storage: { gigabytes: 1.5 } }, { gigabytes_privilege_value: ['value_is_invalid'] }],
    [{ storage: { gigabytes: '01' } }, { gigabytes_privilege_value: ['value_is_invalid'] }],
    [{ storage: { gigabytes: true } }, { gigabytes_privilege_value: ['value_is_invalid'] }],
    [{ storage: { encrypted: 1 } }, { encrypted_privilege_value: ['value_is_invalid'] }],
    [{ storage: { label: 7 } }, { label_privilege_value: ['value_is_invalid'] }],
    [{ storage: { label: { a: 1 } } }, { label_privilege_value: ['value_is_invalid'] }],
    [{ storage: { region: 'jp' } }, { region_privilege_value: ['value_not_in_select_options'] }],
    [{ storage: { region: true } }, { region_privilege_value: ['value_is_invalid'] }],
    [{ storage: { region: null } }, { 'privilege.value': ['value_is_mandatory'] }],
    [
      { storage: { gigabytes: 'x', region: 'jp' }, support: { hours: null } },
      {
        gigabytes_privilege_value: ['value_is_invalid'],
        region_privilege_value: ['value_not_in_select_options'],
        'privilege.value': ['value_is_mandatory'],
      },
    ],
    [{ storage: [] }, { entitlements: ['value_is_invalid'] }],
    [{ storage: 5 }, { entitlements: ['value_is_invalid'] }],
    ['all', { entitlements: ['value_is_invalid'] }],
  ])('%j is told, and nothing is stored', async (entitlements, details) => {
    await replace('clover', { storage: { gigabytes: 5 } });
    const before = await everything(app.db);
    for (const write of [replace, merge])
      expect((await write('clover', entitlements)).body).toMatchObject(refused(details));
    expect(await everything(app.db)).toEqual(before);
  });

  it('a list for an object is no request, an unknown name is not there', async () => {
    const before = await everything(app.db);
    for (const write of [replace, merge]) {
      expect((await write('clover', [])).status).toBe(400);
      expect((await write('none', [])).body).toEqual(NOT_FOUND);
      expect((await write('none', { storage: 5 })).body).toEqual(NOT_FOUND);
      expect((await write('clover', { none: {} })).body).toEqual(NOT_FOUND);
      expect((await write('clover', { storage: { none: 1, gigabytes: 'x' } })).body).toEqual(NOT_FOUND);
    }
    for (const path of [
      '/none',
      '/support',
      '/storage/privileges/none',
      '/storage/privileges/label',
      '/support/privileges/hours',
    ]) {
      expect([path, (await app.rest('DELETE', `${at('clover')}${path}`)).body]).toEqual([path, NOT_FOUND]);
    }
    expect((await app.rest('GET', `${at('clover')}/support`)).body).toEqual(NOT_FOUND);
    expect((await app.rest('GET', at('none'))).body).toEqual(NOT_FOUND);
    expect(await everything(app.db)).toEqual(before);
  });

  it('GraphQL tells it with its place', async () => {
    const { data, errors } = await app.graphql(
      `mutation ($entitlements: [EntitlementInput!]) {
        mergePlanEntitlements(planCode: "clover", entitlements: $entitlements) { code } }`,
      {
        entitlements: [
          { featureCode: 'export' },
          {
            featureCode: 'storage',
            privileges: [
              { privilegeCode: 'label', value: 'a' },
              { privilegeCode: 'region', value: 'jp' },
            ],
          },
        ],
      },
    );
    expect(data).toEqual({ mergePlanEntitlements: null });
    expect(errors?.[0]?.extensions?.errors).toEqual([
      expect.objectContaining({
        path: ['entitlements', 1, 'privileges', 1, 'value'],
        code: 'value_not_in_select_options',
        message: expect.stringContaining('eu, us'),
      }),
    ]);
  });
});

describe('features and their plans', () => {
  it('an override shows the features of its plan', async () => {
    await replace('fuzzed', { storage: { gigabytes: 3 }, export: {} });
    const { data } = await app.graphql(`{ subscription(externalId: "sub_fuzzed") { plan { parent { code }
      entitlements { featureCode privileges { code valueText } } entitlement(featureCode: "storage") { featureCode }
    } } }`);
    expect(data.subscription.plan).toEqual({
      parent: { code: 'fuzzed' },
      entitlements: [
        { featureCode: 'storage', privileges: [{ code: 'gigabytes', valueText: '3' }] },
        { featureCode: 'export', privileges: [] },
      ],
      entitlement: { featureCode: 'storage' },
    });
  });

  it('a privilege that goes takes its values along, a feature its place in every plan', async () => {
    await feature('going', [{ code: 'one' }, { code: 'two' }]);
    for (const code of ['clover', 'fuzzed']) await replace(code, { going: { one: 'a', two: 'b' }, export: {} });
    const text = `mutation { destroyFeaturePrivilege(featureCode: "going", privilegeCode: "one") {
      changes { plans { nodes { code } } } } }`;
    const { data } = await app.graphql(text);
    const changed = data.destroyFeaturePrivilege.changes.plans.nodes.map(({ code }: Shown) => code);
    expect(changed.sort()).toEqual(['clover', 'fuzzed']);
    expect(await stored('clover')).toEqual({ going: { two: 'b' }, export: {} });
    await app.rest('DELETE', '/features/going');
    expect([await stored('clover'), await stored('fuzzed')]).toEqual([{ export: {} }, { export: {} }]);
    await feature('going', [{ code: 'one' }]);
    expect(await stored('clover')).toEqual({ export: {} });
  });

  it('of two that change at once none is lost', async () => {
    await replace('clover', {});
    await Promise.all([
      merge('clover', { storage: { gigabytes: 1 } }),
      merge('clover', { storage: { label: 'x' } }),
      merge('clover', { support: { hours: 2 } }),
      app.rest('DELETE', '/features/export'),
    ]);
    expect(await stored('clover')).toEqual({ storage: { gigabytes: 1, label: 'x' }, support: { hours: 2 } });
    await feature('export', []);
  });

  it('cost as many statements for many as for one', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `many_${index}`);
    for (const code of many) await feature(code, [{ code: 'p' }]);
    const given = (codes: string[], value: string) => Object.fromEntries(codes.map((code) => [code, { p: value }]));
    const count = (codes: string[], value: string) =>
      countStatements(app.db, () => merge('orchid', given(codes, value)));
    const [one, all] = [await count(['many_0'], 'a'), await count(many, 'a')];
    const [oneChanged, allChanged] = [await count(['many_0'], 'b'), await count(many, 'c')];
    expect([all, allChanged]).toEqual([one, oneChanged]);
    expect(await countStatements(app.db, () => app.rest('GET', at('orchid')))).toBe(1);
    // One after the other: each counts what is sent meanwhile.
    const listed = (size: number) => countStatements(app.db, () => app.rest('GET', `/plans?per_page=${size}`));
    expect(await listed(2)).toBe(await listed(100));
  });
});

it('is imported again as it was exported, and the export of that is the same', async () => {
  await replace('clover', ALL);
  await replace('fuzzed', { storage: { gigabytes: 3 } });
  await app.rest('DELETE', `${at('fuzzed')}/storage`);
  const { features, plans } = JSON.parse(await exportedTwice(app));
  expect(features.find(({ code }: Shown) => code === 'storage').privileges).toHaveLength(4);
  const given = plans.find(({ code }: Shown) => code === 'clover').entitlements;
  expect(given.filter((one: { deleted_at: unknown }) => one.deleted_at === null)).toMatchObject([
    { feature_code: 'storage', privileges: { gigabytes: 12, encrypted: true, label: '7', region: 'eu' } },
    { feature_code: 'export', privileges: {} },
  ]);
});
