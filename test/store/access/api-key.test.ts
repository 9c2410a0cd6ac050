import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, KeyRing, listKeys, type NewKey, revokeKey } from '../../../src/store/access/api-key.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { openTestDatabase, statementsOf } from '../../support.ts';

let db: Database;
let organizationId: string;
let time = new Date('2026-06-01T10:00:00Z');
const now = () => time;

beforeAll(async () => {
  db = await openTestDatabase();
  ({ id: organizationId } = await db.prisma.organization.create({ data: { name: 'Quillo' } }));
});
afterAll(() => db.close());

const make = (wanted: Partial<NewKey> = {}) => createKey(db.prisma, { organizationId, kind: 'secret', ...wanted });
const ring = (access: 'strict' | 'extended' = 'strict') => new KeyRing(db.prisma, access, now);
const rowOf = (id: string) => db.prisma.apiKey.findUniqueOrThrow({ where: { id } });

describe('createKey', () => {
  it.each([
    ['secret', /^sk_svc_[\w-]{43}$/],
    ['publishable', /^pk_svc_[\w-]{43}$/],
  ] as const)('makes a %s key of 256 bits', async (kind, pattern) => {
    expect((await make({ kind })).key).toMatch(pattern);
  });

  it('stores the hash, the prefix and the last four, and nothing else of the key', async () => {
    const { id, key } = await make();
    const row = await rowOf(id);
    expect(row.keyHash).toBe(createHash('sha256').update(key).digest('hex'));
    expect([row.prefix, row.lastFour]).toEqual(['sk_svc_', key.slice(-4)]);
    expect(JSON.stringify(row)).not.toContain(key.slice(7, -4));
  });

  it('lists keys without their hashes', async () => {
    const keys = await listKeys(db.prisma, organizationId);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).not.toHaveProperty('keyHash');
  });
});

describe('KeyRing', () => {
  it('finds the holder of a key', async () => {
    const { id, key } = await make();
    expect(await ring().holderOf(key)).toMatchObject({ organizationId, keyId: id, keyKind: 'secret' });
  });

  it('takes the short prefixes too', async () => {
    const { id } = await make({ key: 'sk_short-one' });
    expect(await ring().holderOf('sk_short-one')).toMatchObject({ keyId: id });
    expect((await rowOf(id)).prefix).toBe('sk_');
  });

  it.each(['', 'null', 'undefined', 'sk_svc_unknown', 'sk_svc_\0', `sk_svc_${'x'.repeat(5000)}`])(
    'does not find %j',
    async (key) => {
      expect(await ring().holderOf(key)).toBeUndefined();
    },
  );

  it('refuses a key from the moment of its expiry, also when it is remembered', async () => {
    const keys = ring();
    const { key } = await make({ expiresAt: new Date('2026-06-01T10:00:01Z') });
    expect(await keys.holderOf(key)).toBeDefined();
    time = new Date('2026-06-01T10:00:01Z');
    expect(await keys.holderOf(key)).toBeUndefined();
  });

  it('refuses a key that another process revoked, at the latest two seconds later', async () => {
    const keys = ring();
    const { id, key } = await make();
    expect(await keys.holderOf(key)).toBeDefined();
    expect(await revokeKey(db.prisma, id, time)).toBe(true);
    expect(await ring().holderOf(key)).toBeUndefined();
    await expect.poll(() => keys.holderOf(key), { timeout: 2500, interval: 100 }).toBeUndefined();
  });

  it('keeps the first time of a revocation', async () => {
    const { id } = await make();
    await revokeKey(db.prisma, id, new Date('2026-06-01T11:00:00Z'));
    await revokeKey(db.prisma, id, new Date('2026-06-01T12:00:00Z'));
    expect((await rowOf(id)).revokedAt).toEqual(new Date('2026-06-01T11:00:00Z'));
    expect(await revokeKey(db.prisma, organizationId, time)).toBe(false);
  });

  it('asks the database once for a key that is used again at once', async () => {
    const keys = ring();
    const { key } = await make();
    const seen: string[] = [];
    db.onStatement(({ sql }) => /SELECT.*"api_keys"/.test(sql) && seen.push(sql));
    for (let count = 0; count < 5; count++) await keys.holderOf(key);
    await keys.close();
    await statementsOf(db, async () => undefined);
    expect(seen).toHaveLength(1);
  });
});

describe('last use', () => {
  it('is recorded at most once a minute', async () => {
    const { id, key } = await make();
    const keys = ring();
    for (const [at, recorded] of [
      ['2026-06-02T10:00:00Z', '2026-06-02T10:00:00Z'],
      ['2026-06-02T10:00:59Z', '2026-06-02T10:00:00Z'],
      ['2026-06-02T10:01:01Z', '2026-06-02T10:01:01Z'],
    ] as const) {
      time = new Date(at);
      await keys.holderOf(key);
      await keys.close();
      expect((await rowOf(id)).lastUsedAt).toEqual(new Date(recorded));
    }
  });

  it('does not wait for a transaction that holds the database, and does not disturb it', async () => {
    const { id, key } = await make();
    const keys = ring();
    await keys.holderOf(key);
    await keys.close();
    time = new Date('2026-06-03T10:00:00Z');
    await db.prisma.$transaction(async (tx) => {
      expect(await keys.holderOf(key)).toBeDefined();
      await tx.apiKey.update({ where: { id }, data: { name: 'in the transaction' } });
    });
    await keys.close();
    expect(await rowOf(id)).toMatchObject({ name: 'in the transaction', lastUsedAt: time });
  });

  it('fails no request when it cannot be written', async () => {
    const { key } = await make();
    const broken = { apiKey: { ...db.prisma.apiKey, findUnique: db.prisma.apiKey.findUnique.bind(db.prisma.apiKey) } };
    Object.assign(broken.apiKey, { updateMany: () => Promise.reject(new Error('down')) });
    const keys = new KeyRing(broken as never, 'strict', now);
    expect(await keys.holderOf(key)).toBeDefined();
    await keys.close();
  });
});

describe('permits', () => {
  const may = async (wanted: Partial<NewKey>, permission: string, access: 'strict' | 'extended' = 'strict') => {
    const holder = await ring(access).holderOf((await make(wanted)).key);
    return holder?.permits(permission);
  };

  it.each([
    [{}, 'wallet:write', true],
    [{ permissions: { wallet: ['read'] } }, 'wallet:read', true],
    [{ permissions: { wallet: ['read'] } }, 'wallet:write', false],
    [{ permissions: { wallet: ['read'] } }, 'plan:read', false],
    [{ permissions: {} }, 'plan:read', false],
    [{ permissions: { wallet: ['read'] } }, 'constructor:read', false],
  ] as const)('secret key with %j, %s: %s', async (wanted, permission, expected) => {
    expect(await may(wanted, permission)).toBe(expected);
  });

  it.each([
    ['strict', 'plan:read', true],
    ['strict', 'plan:write', false],
    ['strict', 'invoice:read', false],
    ['strict', 'customer:read', false],
    ['extended', 'plan:read', true],
    ['extended', 'subscription:read', true],
    ['extended', 'invoice:read', true],
    ['extended', 'credit_note:read', true],
    ['extended', 'invoice:write', false],
    ['extended', 'customer:read', false],
    ['extended', 'wallet:read', false],
  ] as const)('publishable key, %s access, %s: %s', async (access, permission, expected) => {
    expect(await may({ kind: 'publishable' }, permission, access)).toBe(expected);
  });

  it('a publishable key is not widened by a map of its own, only narrowed', async () => {
    const permissions = { wallet: ['write'], invoice: ['read'] };
    expect(await may({ kind: 'publishable', permissions }, 'wallet:write', 'extended')).toBe(false);
    expect(await may({ kind: 'publishable', permissions }, 'plan:read', 'extended')).toBe(false);
    expect(await may({ kind: 'publishable', permissions }, 'invoice:read', 'extended')).toBe(true);
  });
});
