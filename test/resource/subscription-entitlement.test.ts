import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { answerFaults } from '../contract/operations.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { countStatements, createTestApp, type TestApp } from '../support.ts';
import { exportedTwice } from '../transfer.ts';
import { valuesOf } from './entitlement-values.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const START = '2026-01-01T00:00:00Z';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  const on = (external_id: string, plan_code: string, more: object = {}) => ({
    ...{
      external_id,
      plan_code,
      external_customer_id: 'cust',
      status: 'active',
      subscription_at: START,
      started_at: START,
    },
    ...more,
  });
  const plan = (code: string) => ({ code, interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' });
  const document = {
    organization: { name },
    customers: [{ external_id: 'cust' }],
    plans: [plan('base'), plan('bare')],
    subscriptions: [
      on('sub', 'base'),
      on('sub', 'base', { status: 'pending', started_at: null, subscription_at: '2026-12-01T00:00:00Z' }),
      on('own', 'base', { plan_overrides: { amount_cents: 5 } }),
      on('bare', 'bare'),
    ],
  };
  await importDocument(app.db, document, { organization: name, now: NOW });
  const made = async (code: string, privileges: object[]) =>
    app.rest('POST', '/features', { feature: { code, name: code.toUpperCase(), privileges } });
  await made('storage', [
    { code: 'gigabytes', value_type: 'integer' },
    { code: 'encrypted', value_type: 'boolean' },
    { code: 'label' },
  ]);
  await made('support', [{ code: 'hours', value_type: 'integer' }]);
  await made('export', []);
});
afterAll(() => app?.close());

beforeEach(async () => {
  await app.db.prisma.subscriptionEntitlement.deleteMany();
  const entitlements = { storage: { gigabytes: 10, encrypted: true }, export: {} };
  await app.rest('POST', '/plans/base/entitlements', { entitlements });
});

const at = (subscription: string) => `/subscriptions/${subscription}/entitlements`;
const merge = (entitlements?: unknown, subscription = 'sub') => app.rest('PATCH', at(subscription), { entitlements });
const remove = (path: string, subscription = 'sub') => app.rest('DELETE', `${at(subscription)}/${path}`);

const stored = async (subscription = 'sub') => valuesOf((await app.rest('GET', at(subscription))).body.entitlements);
const rows = () => app.db.prisma.subscriptionEntitlement.count();

const OF_PLAN = { storage: { gigabytes: 10, encrypted: true }, export: {} };

describe('the features of a subscription', () => {
  it('are those of its plan, also where it has an override of it', async () => {
    for (const subscription of ['sub', 'own']) expect(await stored(subscription)).toEqual(OF_PLAN);
    expect(await stored('bare')).toEqual({});
    const { body } = await app.rest('GET', at('sub'));
    expect(answerFaults('findAllSubscriptionEntitlements', 200, body)).toEqual([]);
    expect(body.entitlements[0]).toEqual({
      ...{ code: 'storage', name: 'STORAGE', description: null },
      privileges: [
        {
          ...{ code: 'gigabytes', name: null, value_type: 'integer', config: {} },
          ...{ value: 10, plan_value: 10, override_value: null },
        },
        {
          ...{ code: 'encrypted', name: null, value_type: 'boolean', config: {} },
          ...{ value: true, plan_value: true, override_value: null },
        },
      ],
      overrides: {},
    });
  });

  it('take values of their own, and follow the plan in all else', async () => {
    const { status, body } = await merge({ storage: { gigabytes: '50', label: 'x' }, support: { hours: 3 } });
    expect([status, valuesOf(body.entitlements)]).toEqual([
      200,
      { storage: { gigabytes: 50, encrypted: true, label: 'x' }, export: {}, support: { hours: 3 } },
    ]);
    const [storage, , support] = body.entitlements;
    expect(storage.overrides).toEqual({ gigabytes: 50, label: 'x' });
    expect(storage.privileges[0]).toMatchObject({ value: 50, plan_value: 10, override_value: 50 });
    expect(support.privileges).toMatchObject([{ code: 'hours', value: 3, plan_value: null, override_value: 3 }]);
    await app.rest('PATCH', '/plans/base/entitlements', {
      entitlements: { storage: { gigabytes: 20, encrypted: false } },
    });
    expect((await stored()).storage).toEqual({ gigabytes: 50, encrypted: false, label: 'x' });
    expect((await stored('own')).storage).toEqual({ gigabytes: 20, encrypted: false });
  });

  it('values of the plan are none of its own', async () => {
    await merge({ storage: { gigabytes: 50, encrypted: false } });
    await merge({ storage: { gigabytes: 10 } });
    expect((await app.rest('GET', at('sub'))).body.entitlements[0].overrides).toEqual({ encrypted: false });
    await merge({ storage: { encrypted: true, gigabytes: 10 } });
    expect([await stored(), await rows()]).toEqual([OF_PLAN, 0]);
    await merge({ export: {} });
    expect(await rows()).toBe(0);
    for (const nothing of [undefined, null, {}]) expect((await merge(nothing)).status).toBe(200);
    expect(await rows()).toBe(0);
  });

  it('of its own stay when the plan loses them; those that it has of the plan go', async () => {
    await merge({ storage: { gigabytes: 50 }, support: {} });
    await app.rest('POST', '/plans/base/entitlements', { entitlements: {} });
    expect(await stored()).toEqual({ storage: { gigabytes: 50 }, support: {} });
    expect(await stored('own')).toEqual({});
  });

  it('are of the state that is asked for, the active one where nothing is', async () => {
    for (const name of ['subscription_status', 'status']) {
      const { body } = await app.rest('PATCH', `${at('sub')}?${name}=pending`, {
        entitlements: { support: { hours: 1 } },
      });
      expect(valuesOf(body.entitlements)).toEqual({ ...OF_PLAN, support: { hours: 1 } });
    }
    expect(await stored()).toEqual(OF_PLAN);
    expect((await app.rest('GET', `${at('sub')}?subscription_status=terminated`)).body).toEqual(NOT_FOUND);
    expect((await app.rest('GET', `${at('sub')}?subscription_status=`)).body).toEqual(NOT_FOUND);
    expect((await app.rest('GET', `${at('sub')}?subscription_status=asleep`)).status).toBe(422);
  });
});

describe('what is taken from a subscription', () => {
  it('a feature goes, again changes nothing, and comes back when it is given', async () => {
    await merge({ storage: { gigabytes: 50 } });
    const { status, body } = await remove('storage');
    expect([status, answerFaults('destroySubscriptionEntitlement', 200, body)]).toEqual([200, []]);
    expect(body.entitlement).toMatchObject({ code: 'storage', overrides: { gigabytes: 50 } });
    expect([await stored(), await stored('own')]).toEqual([{ export: {} }, OF_PLAN]);
    const before = await everything(app.db);
    expect((await remove('storage')).body.entitlement.overrides).toEqual({});
    expect(await everything(app.db)).toEqual(before);
    expect(valuesOf((await merge({ storage: { label: 'x' } })).body.entitlements)).toEqual({
      ...OF_PLAN,
      storage: { ...OF_PLAN.storage, label: 'x' },
    });
    await remove('storage');
    await merge({ storage: {} });
    expect(await stored()).toEqual(OF_PLAN);
  });

  it('a feature of its own leaves nothing', async () => {
    await merge({ support: { hours: 3 } });
    expect(valuesOf([(await remove('support')).body.entitlement])).toEqual({ support: { hours: 3 } });
    expect([await stored(), await rows()]).toEqual([OF_PLAN, 0]);
    expect((await remove('support')).body).toEqual(NOT_FOUND);
  });

  it('a privilege goes whatever the plan has, and comes back when it is given', async () => {
    await merge({ storage: { gigabytes: 50 } });
    const { status, body } = await remove('storage/privileges/gigabytes');
    expect([status, answerFaults('destroySubscriptionEntitlementPrivilege', 200, body)]).toEqual([200, []]);
    expect(valuesOf([body.entitlement])).toEqual({ storage: { encrypted: true } });
    expect((await remove('storage/privileges/gigabytes')).body).toEqual(body);
    await merge({ storage: { label: 'x' } });
    expect((await stored()).storage).toEqual({ encrypted: true, label: 'x' });
    await merge({ storage: { gigabytes: 10 } });
    expect((await stored()).storage).toEqual({ gigabytes: 10, encrypted: true, label: 'x' });
  });

  it('goes with its feature, and with its privilege', async () => {
    await app.rest('POST', '/features', { feature: { code: 'going', privileges: [{ code: 'a' }, { code: 'b' }] } });
    await merge({ going: { a: 'x', b: 'y' } });
    await app.rest('DELETE', '/features/going/privileges/a');
    expect((await stored()).going).toEqual({ b: 'y' });
    const { data } = await app.graphql(
      'mutation { destroyFeature(code: "going") { changes { subscriptions { nodes { externalId } } } } }',
    );
    expect(data.destroyFeature.changes.subscriptions.nodes).toEqual([{ externalId: 'sub' }]);
    expect([await stored(), await rows()]).toEqual([OF_PLAN, 0]);
  });
});

describe('what is wrong', () => {
  it.each([
    [{ storage: { gigabytes: 'x' } }, { gigabytes_privilege_value: ['value_is_invalid'] }],
    [
      { storage: { gigabytes: 1, encrypted: 7 }, support: { hours: null } },
      { encrypted_privilege_value: ['value_is_invalid'], 'privilege.value': ['value_is_mandatory'] },
    ],
    [{ storage: 5 }, { entitlements: ['value_is_invalid'] }],
  ])('%j is told, and nothing is stored', async (entitlements, details) => {
    const before = await everything(app.db);
    expect((await merge(entitlements)).body).toMatchObject({ status: 422, error_details: details });
    expect(await everything(app.db)).toEqual(before);
  });

  it('a name that nothing has is not there, and nothing is stored', async () => {
    const before = await everything(app.db);
    for (const entitlements of [
      { support: {}, none: {} },
      { support: {}, storage: { none: 1 } },
    ]) {
      expect((await merge(entitlements)).body).toEqual(NOT_FOUND);
    }
    expect((await merge({ storage: 5 }, 'none')).body).toEqual(NOT_FOUND);
    expect((await merge([])).status).toBe(400);
    for (const path of ['none', 'support', 'storage/privileges/none', 'support/privileges/hours']) {
      expect([path, (await remove(path)).body]).toEqual([path, NOT_FOUND]);
    }
    expect(await everything(app.db)).toEqual(before);
  });
});

describe('in GraphQL', () => {
  it('all is told that changes, and tried first', async () => {
    const text = `mutation ($dryRun: Boolean) {
      merge: mergeSubscriptionEntitlements(externalSubscriptionId: "sub", dryRun: $dryRun, entitlements: [
        { featureCode: "storage", privileges: [{ privilegeCode: "gigabytes", value: 7 }] }
      ]) { entitlements { featureCode privileges { code valueText planValueText overrideValueText } } changes { dryRun } }
      take: removeSubscriptionEntitlement(externalSubscriptionId: "sub", featureCode: "export", dryRun: $dryRun) {
        featureCode changes { dryRun subscriptions { nodes { externalId } } } }
      one: removeSubscriptionEntitlementPrivilege(
        externalSubscriptionId: "sub", featureCode: "storage", privilegeCode: "encrypted", dryRun: $dryRun
      ) { privileges { code } overrides changes { auditLogs { totalCount } } } }`;
    const before = await everything(app.db);
    for (const dryRun of [true, false]) {
      const { data, errors } = await app.graphql(text, { dryRun });
      expect(errors).toBeUndefined();
      expect(data.merge.entitlements[0].privileges[0]).toEqual({
        ...{ code: 'gigabytes', valueText: '7', planValueText: '10', overrideValueText: '7' },
      });
      expect(data.take).toEqual({
        featureCode: 'export',
        changes: { dryRun, subscriptions: { nodes: [{ externalId: 'sub' }] } },
      });
      expect(data.one).toEqual({
        ...{ privileges: [{ code: 'gigabytes' }], overrides: { gigabytes: 7 } },
        changes: { auditLogs: { totalCount: dryRun ? 0 : 1 } },
      });
      if (dryRun) expect(await everything(app.db)).toEqual(before);
    }
    expect(await stored()).toEqual({ storage: { gigabytes: 7 } });
    const entries = await app.db.prisma.auditLog.findMany({ where: { action: 'subscription.updated' } });
    expect(entries.at(-1)?.after).toMatchObject({ entitlements: {} });
  });

  it('a list costs as many statements for all as for one, and tells each its own', async () => {
    await merge({ storage: { gigabytes: 50 } });
    const read = (first: number) =>
      app.graphql(`{ subscriptions(first: ${first}) { nodes { externalId entitlements { featureCode overrides } } } }`);
    await read(1);
    const [one, all] = [await countStatements(app.db, () => read(1)), await countStatements(app.db, () => read(4))];
    expect(all).toBe(one);
    const { nodes } = (await read(4)).data.subscriptions;
    expect(nodes.filter(({ entitlements }: { entitlements: object[] }) => entitlements.length === 2)).toHaveLength(3);
  });
});

it('of two that change at once none is lost', async () => {
  await Promise.all([
    merge({ storage: { gigabytes: 1 } }),
    merge({ storage: { label: 'x' } }),
    merge({ support: { hours: 2 } }),
    remove('export'),
  ]);
  expect(await stored()).toEqual({ storage: { gigabytes: 1, encrypted: true, label: 'x' }, support: { hours: 2 } });
});

it('is imported again as it was exported, and the export of that is the same', async () => {
  await merge({ storage: { gigabytes: 50 }, support: {} });
  await remove('storage/privileges/encrypted');
  await remove('export');
  const { subscriptions } = JSON.parse(await exportedTwice(app));
  const given = subscriptions.find((one: { entitlements: object[] }) => one.entitlements.length > 0).entitlements;
  expect(given).toMatchObject([
    { feature_code: 'storage', is_own: true, privileges: { gigabytes: 50 }, removed_privileges: ['encrypted'] },
    { feature_code: 'support', is_own: true, privileges: {} },
    { feature_code: 'export', is_own: false, is_removed: true },
  ]);
});
