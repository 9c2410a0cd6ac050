import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordAudit } from '../../../src/store/access/audit.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { createWalletApp, type WalletApp } from '../../rest/wallet-fixture.ts';
import { countStatements } from '../../support.ts';

let app: WalletApp;
let first: string;
let second: string;
beforeAll(async () => {
  app = await createWalletApp();
  [first, second] = [await app.wallet(), await app.wallet({ metadata: { k: 'v' } })];
  const at = (time: string) => {
    app.clock.now = new Date(time);
  };
  at('2026-06-15T12:00:00Z');
  await app.rest('PATCH', `/wallets/${first}/metadata`, { metadata: { a: '1' } });
  at('2026-06-15T13:00:00Z');
  await app.rest('PATCH', `/wallets/${second}/metadata`, { metadata: { k: 'w' } });
  at('2026-06-15T14:00:00Z');
  await app.rest('DELETE', `/wallets/${first}`);
});
afterAll(() => app.close());

const LOG = `query ($action: String, $type: String, $id: String, $from: DateTime, $to: DateTime, $first: Int, $after: String) {
  auditLog(action: $action, objectType: $type, objectId: $id, from: $from, to: $to, first: $first, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes { id svcId action objectType objectId svcKeyId requestId before after createdAt }
  }
}`;
const read = async (variables: object, key?: string) => (await app.graphql(LOG, variables, key)).data.auditLog;
const actions = async (variables: object) =>
  (await read(variables)).nodes.map(({ action, objectId }: Record<string, string>) => [action, objectId]);

describe('auditLog', () => {
  it('tells what was written, by which key and when, newest first', async () => {
    const { totalCount, nodes } = await read({});
    expect(totalCount).toBe(3);
    expect(nodes[0]).toMatchObject({
      action: 'wallet.terminated',
      objectType: 'wallet',
      objectId: first,
      createdAt: '2026-06-15T14:00:00Z',
      before: { status: 'active', terminatedAt: null },
    });
    expect(nodes[1]).toMatchObject({
      objectId: second,
      before: { metadata: { k: 'v' } },
      after: { metadata: { k: 'w' } },
    });
    const { id } = await app.db.prisma.apiKey.findFirstOrThrow({ where: { organizationId: app.organizationId } });
    expect(nodes[0].svcKeyId).toBe(id);
    const node = await app.graphql('query ($id: ID!) { node(id: $id) { ... on AuditLog { action } } }', {
      id: nodes[0].id,
    });
    expect(node.data.node).toEqual({ action: 'wallet.terminated' });
  });
  it('tells values one by one, and the key by its name', async () => {
    await app.db.prisma.apiKey.updateMany({ where: { organizationId: app.organizationId }, data: { name: 'Portal' } });
    const CHANGES = `query ($first: Int) {
      auditLog(first: $first) { nodes { changes { path before after } key { id name kind prefix lastFour } } }
    }`;
    const { data } = await app.graphql(CHANGES, { first: 2 });
    const [terminated, merged] = data.auditLog.nodes;
    expect(merged.changes).toEqual([{ path: ['metadata', 'k'], before: 'v', after: 'w' }]);
    expect(merged.key).toMatchObject({ name: 'Portal', kind: 'secret', lastFour: app.key.slice(-4) });
    expect(terminated.changes).toContainEqual({ path: ['status'], before: 'active', after: 'terminated' });
    const other = await app.makeKey({ permissions: { activity_log: ['read'] } });
    const { errors } = await app.graphql(CHANGES, { first: 1 }, other);
    expect(errors?.[0]?.extensions?.code).toBe('forbidden');
    const count = (first: number) => countStatements(app.db, () => app.graphql(CHANGES, { first }));
    expect(await count(100)).toBe(await count(1));
  });
  it('by action, object and time', async () => {
    expect(await actions({ action: 'wallet.terminated' })).toEqual([['wallet.terminated', first]]);
    expect(await actions({ type: 'wallet', id: second })).toEqual([['wallet.metadata_merged', second]]);
    expect(await actions({ id: second.toUpperCase() })).toHaveLength(1);
    expect(await actions({ type: 'plan' })).toEqual([]);
    expect(await actions({ from: '2026-06-15T13:00:00Z' })).toHaveLength(2);
    expect(await actions({ to: '2026-06-15T13:00:00Z' })).toEqual([['wallet.metadata_merged', first]]);
    expect(await actions({ from: '2026-06-15T13:00:00Z', to: '2026-06-15T14:00:00Z' })).toHaveLength(1);
    expect(await actions({ from: '2026-06-15T15:00:00Z' })).toEqual([]);
  });
  it('page by page', async () => {
    const one = await read({ first: 2 });
    expect(one.pageInfo.hasNextPage).toBe(true);
    const two = await read({ first: 2, after: one.pageInfo.endCursor });
    expect([...one.nodes, ...two.nodes]).toEqual((await read({})).nodes);
  });
  it('of one organization', async () => {
    expect(await read({}, app.other)).toMatchObject({ totalCount: 0, nodes: [] });
  });
  it('needs its own permission', async () => {
    const narrow = await app.makeKey({ permissions: { wallet: ['read', 'write'] } });
    const { data, errors } = await app.graphql(LOG, {}, narrow);
    expect(data?.auditLog ?? null).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'forbidden',
      reason: 'read_action_not_allowed_for_activity_log',
    });
  });
});

describe('the log is only ever added to', () => {
  it('the database refuses changes', async () => {
    const { prisma } = app.db;
    await expect(prisma.auditLog.updateMany({ data: { action: 'x' } })).rejects.toThrow(/only ever added/);
    await expect(prisma.auditLog.deleteMany()).rejects.toThrow(/only ever added/);
    expect((await read({})).totalCount).toBe(3);
  });
  it('but goes with its organization', async () => {
    const { prisma } = app.db;
    const { id: organizationId } = await prisma.organization.create({ data: { name: 'Short-lived' } });
    const actor = { organizationId, keyId: organizationId, requestId: 'r', now: new Date() };
    const entry = { actor, action: 'x.y', objectType: 'x', objectId: '1', before: null, after: null };
    await forOrganization(prisma, organizationId).$transaction((tx) => recordAudit(tx, entry));
    expect(await prisma.auditLog.count({ where: { organizationId } })).toBe(1);
    await prisma.organization.delete({ where: { id: organizationId } });
    expect(await prisma.auditLog.count({ where: { organizationId } })).toBe(0);
  });
});

describe('recordAudit', () => {
  const tenant = () => forOrganization(app.db.prisma, app.organizationId);
  const entry = (objectId: string, after: unknown) => ({
    actor: { organizationId: app.organizationId, keyId: app.organizationId, requestId: 'r', now: app.clock.now },
    ...{ action: 'thing.made', objectType: 'thing', objectId, before: null, after },
  });
  it('keeps every digit, date and member', async () => {
    const { prisma } = app.db;
    const wallet = await prisma.wallet.update({
      where: { id: second },
      data: { rateAmount: '0.123456789012345678901234567890', balanceCents: 9223372036854775807n },
    });
    const after = { ...wallet, list: [1n, null, undefined], gone: undefined, odd: JSON.parse('{"__proto__":"x"}') };
    await tenant().$transaction((tx) => recordAudit(tx, entry('digits', after)));
    const [row] = await app.log('digits');
    expect(row).toMatchObject({
      before: null,
      after: {
        rateAmount: '0.123456789012345678901234567890'.replace(/0$/, ''),
        balanceCents: '9223372036854775807',
        createdAt: wallet.createdAt.toISOString(),
        list: ['1', null, null],
      },
    });
    expect(row?.after).not.toHaveProperty('gone');
    expect(JSON.stringify(row?.after)).toContain('"__proto__":"x"');
  });
  it('goes with a write that fails', async () => {
    const failing = tenant().$transaction(async (tx) => {
      await recordAudit(tx, entry('rolled-back', {}));
      throw new Error('after all not');
    });
    await expect(failing).rejects.toThrow('after all not');
    expect(await app.log('rolled-back')).toEqual([]);
  });
  it('keeps the order of one moment', async () => {
    await tenant().$transaction(async (tx) => {
      for (let index = 0; index < 20; index++) await recordAudit(tx, entry('order', { index }));
    });
    const order = (await app.log('order')).map(({ after }) => (after as { index: number }).index);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });
});
