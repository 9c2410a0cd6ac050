import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support.ts';

let gateway: TestApp;
const NOW = new Date('2026-06-01T10:00:00Z');

beforeAll(async () => {
  gateway = await createTestApp({ now: () => NOW });
});
afterAll(() => gateway.close());

const typename = (key: string | null) => gateway.graphql('{ __typename }', undefined, key);

describe('keys at the door', () => {
  it('a secret key opens', async () => {
    expect((await typename(gateway.key)).data).toEqual({ __typename: 'Query' });
  });

  it('an expired, a revoked, an unknown and no key do not', async () => {
    const expired = await gateway.makeKey({ expiresAt: new Date(NOW.getTime() - 60_000) });
    const revoked = await gateway.makeKey();
    await gateway.db.prisma.apiKey.updateMany({
      where: { lastFour: revoked.slice(-4) },
      data: { revokedAt: NOW },
    });
    for (const key of [expired, revoked, 'sk_svc_unknown', null]) {
      expect(await typename(key)).toMatchObject({ status: 401, errors: [{ extensions: { code: 'unauthorized' } }] });
    }
  });

  it('only a bearer opens, in whatever letters', async () => {
    const { key } = gateway;
    const statusWith = async (path: string, Authorization: string) => {
      const body = path === '/graphql' ? { method: 'POST', body: '{"query":"{ __typename }"}' } : {};
      const headers = { 'Content-Type': 'application/json', Authorization };
      return (await gateway.app.fetch(new Request(`http://gateway.test${path}`, { ...body, headers }))).status;
    };
    for (const [path, open] of [
      ['/graphql', 200],
      ['/api/v1/customers/nobody/payment_requests', 404],
      ['/schema.graphql', 200],
    ] as const) {
      for (const word of ['Bearer', 'bearer', 'BEARER', 'bEaReR ', 'Bearer\t']) {
        expect([path, word, await statusWith(path, `${word} ${key}`)]).toEqual([path, word, open]);
      }
      const basic = Buffer.from(`${key}:`).toString('base64');
      const others = [
        `Basic ${key}`,
        `Basic ${basic}`,
        `Token ${key}`,
        key,
        `Bearer${key}`,
        `Bearer ${key} x`,
        `Digest Bearer ${key}`,
      ];
      for (const header of others) expect([path, header, await statusWith(path, header)]).toEqual([path, header, 401]);
    }
  });

  it('a publishable key sees plans and nothing else', async () => {
    const key = await gateway.makeKey({ kind: 'publishable' });
    expect((await gateway.graphql('{ plans { totalCount } }', {}, key)).data).toEqual({ plans: { totalCount: 0 } });
    const { errors } = await gateway.graphql('{ customers { totalCount } }', {}, key);
    expect(errors?.[0]?.extensions).toEqual({ code: 'forbidden', reason: 'publishable_key_not_allowed' });
  });

  it('a key with a map does what it says', async () => {
    const key = await gateway.makeKey({ permissions: { customer: ['read'] } });
    expect((await gateway.graphql('{ customers { totalCount } }', {}, key)).errors).toBeUndefined();
    const { errors } = await gateway.graphql('{ plans { totalCount } }', {}, key);
    expect(errors?.[0]?.extensions).toEqual({ code: 'forbidden', reason: 'read_action_not_allowed_for_plan' });
  });

  it('the use of a key is remembered to the minute', async () => {
    await typename(gateway.key);
    const where = { lastFour: gateway.key.slice(-4) };
    await expect
      .poll(async () => (await gateway.db.prisma.apiKey.findFirst({ where }))?.lastUsedAt, { timeout: 3000 })
      .toEqual(NOW);
  });
});

it('is ready with the newest schema, and not without', async () => {
  const ready = async () => (await gateway.app.fetch(new Request('http://gateway.test/ready'))).status;
  expect(await ready()).toBe(200);
  await gateway.db.prisma.$executeRaw`ALTER TABLE _prisma_migrations RENAME TO hidden`;
  expect(await ready()).toBe(503);
  await gateway.db.prisma.$executeRaw`ALTER TABLE hidden RENAME TO _prisma_migrations`;
});

it('paths outside of the API need no database', async () => {
  const { status, body } = await gateway.rest('GET', '/nothing/here', undefined, { key: null });
  expect({ status, body }).toEqual({
    status: 404,
    body: { status: 404, error: 'Not Found', code: 'object_not_found' },
  });
});
