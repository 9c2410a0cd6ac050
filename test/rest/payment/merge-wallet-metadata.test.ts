import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itIsGuarded, NOT_FOUND } from '../guarded.ts';
import { createWalletApp, type WalletApp } from '../wallet-fixture.ts';

let app: WalletApp;
let standing: string;
beforeAll(async () => {
  app = await createWalletApp();
  standing = await app.wallet();
});
afterAll(() => app.close());

const patch = (id: string, body: unknown, key?: string) => app.rest('PATCH', `/wallets/${id}/metadata`, body, { key });
const patchRaw = (id: string, raw: string) => app.rest('PATCH', `/wallets/${id}/metadata`, undefined, { raw });
const pairs = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, String(from + index)]));

describe('200', () => {
  it('adds, overwrites and keeps', async () => {
    const id = await app.wallet({ metadata: { region: 'iberia', cost_centre: 'C-1' } });
    const { status, body } = await patch(id, { metadata: { cost_centre: 'C-12', old_ref: null, empty: '' } });
    expect(status).toBe(200);
    expect(body).toEqual({ metadata: { region: 'iberia', cost_centre: 'C-12', old_ref: null, empty: '' } });
    expect((await app.row(id)).metadata).toEqual(body.metadata);
  });
  it.each([
    ['{}', {}],
    ['{"metadata":{}}', {}],
    ['{"metadata":null}', {}],
  ])('%s changes nothing', async (raw, none) => {
    const [bare, full] = [await app.wallet(), await app.wallet({ metadata: { k: 'v' } })];
    expect(await patchRaw(bare, raw)).toMatchObject({ status: 200, body: { metadata: none } });
    expect((await patchRaw(full, raw)).body).toEqual({ metadata: { k: 'v' } });
    expect((await app.row(bare)).metadata).toBeNull();
    expect(await app.log(full)).toEqual([]);
  });
  it('keeps what looks like the language', async () => {
    const id = await app.wallet();
    const { status, text } = await patchRaw(id, '{"metadata":{"__proto__":"x","constructor":"y","toString":null}}');
    expect(status).toBe(200);
    expect(JSON.parse(text).metadata).toEqual(JSON.parse('{"__proto__":"x","constructor":"y","toString":null}'));
    expect((await patchRaw(id, '{"metadata":{"a":"1"}}')).text).toContain('"__proto__":"x"');
    expect(JSON.stringify((await app.log(id))[1]?.after)).toContain('"__proto__":"x"');
  });
  it('counts characters, not code units', async () => {
    const id = await app.wallet();
    const metadata = { ['𝒳'.repeat(100)]: '😀'.repeat(255), '': 'an empty key' };
    expect(await patch(id, { metadata })).toMatchObject({ status: 200, body: { metadata } });
  });
  it('keeps texts of any kind', async () => {
    const id = await app.wallet();
    const metadata = {
      quote: '"\\\n\t',
      sql: "'; DROP TABLE wallets; --",
      rtl: 'שלום',
      digits: '12345678901234567890',
    };
    expect((await patch(id, { metadata })).body).toEqual({ metadata });
  });
  it('up to fifty keys, and those fifty again', async () => {
    const id = await app.wallet({ metadata: pairs(30) });
    expect((await patch(id, { metadata: pairs(20, 30) })).status).toBe(200);
    expect((await patch(id, { metadata: { ...pairs(50), k7: 'new' } })).body.metadata).toMatchObject({ k7: 'new' });
  });
  it('finds a wallet whatever the letters of its identifier', async () => {
    const id = await app.wallet();
    expect((await patch(id.toUpperCase(), { metadata: { a: 'b' } })).status).toBe(200);
    expect(await app.log(id)).toHaveLength(1);
  });
  it('mends a column that holds something else', async () => {
    const id = await app.wallet();
    await app.db.prisma.$executeRaw`UPDATE wallets SET metadata = 'null' WHERE id = ${id}::uuid`;
    expect((await patch(id, { metadata: { a: 'b' } })).body).toEqual({ metadata: { a: 'b' } });
  });
  it('is written to the log, unless nothing changed', async () => {
    const id = await app.wallet({ metadata: { k: 'v' } });
    await patch(id, { metadata: { k: 'v' } });
    expect(await app.log(id)).toEqual([]);
    const { headers } = await patch(id, { metadata: { k: 'w', l: null } });
    expect(await app.log(id)).toMatchObject([
      {
        action: 'wallet.metadata_merged',
        requestId: headers.get('x-request-id'),
        before: { metadata: { k: 'v' } },
        after: { metadata: { k: 'w', l: null } },
      },
    ]);
  });
});

describe('200, many at once', () => {
  it('loses nothing', async () => {
    const id = await app.wallet({ metadata: { base: '0' } });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => patch(id, { metadata: { [`k${index + 1}`]: String(index + 1) } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await patch(id, {})).body.metadata).toEqual({ base: '0', ...pairs(20, 1) });
    const log = await app.log(id);
    expect(log).toHaveLength(20);
    for (const { before, after } of log) {
      const count = (side: unknown) => Object.keys((side as { metadata: object }).metadata).length;
      expect(count(after)).toBe(count(before) + 1);
    }
  });
  it('never leaves more than fifty keys', async () => {
    const id = await app.wallet({ metadata: pairs(45) });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => patch(id, { metadata: { [`new${index}`]: 'x' } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(7);
    expect(Object.keys((await app.row(id)).metadata as object)).toHaveLength(50);
  });
});

itIsGuarded(
  () => app,
  'PATCH',
  () => `/wallets/${standing}/metadata`,
  'wallet:write',
);

describe('404', () => {
  it.each(['7d0f5a34-1b1e-4c57-9a52-999999999999', 'abc', '%20'])('%s, whatever the body', async (id) => {
    for (const body of [{ metadata: {} }, { metadata: { a: 7 } }, { metadata: 'x' }, [], undefined]) {
      expect(await patch(id, body)).toMatchObject({ status: 404, body: NOT_FOUND });
    }
    expect(await patchRaw(id, '{"metadata":')).toMatchObject({ status: 404, body: NOT_FOUND });
  });
  it("another organization's wallet", async () => {
    const id = await app.wallet({ metadata: { k: 'v' } });
    expect(await patch(id, { metadata: { k: 'x' } }, app.other)).toMatchObject({ status: 404, body: NOT_FOUND });
    expect((await app.row(id)).metadata).toEqual({ k: 'v' });
    expect(await app.log(id)).toEqual([]);
  });
});

describe('400', () => {
  it.each(['{"metadata":', '"a"', '[]', 'null', '7', '{'])('%s', async (raw) => {
    expect(await patchRaw(standing, raw)).toMatchObject({ status: 400, body: { status: 400, error: 'Bad request' } });
  });
});

describe('422', () => {
  const long = 'k'.repeat(101);
  it.each([
    [{ a: false }, { 'metadata.a': ['value_is_invalid'] }],
    [{ a: 0 }, { 'metadata.a': ['value_is_invalid'] }],
    [{ a: [] }, { 'metadata.a': ['value_is_invalid'] }],
    [{ a: {} }, { 'metadata.a': ['value_is_invalid'] }],
    [{ a: 1.5 }, { 'metadata.a': ['value_is_invalid'] }],
    [{ ok: 'y', bad: 7 }, { 'metadata.bad': ['value_is_invalid'] }],
    [{ [long]: 'v' }, { [`metadata.${'k'.repeat(100)}`]: ['key_is_too_long'] }],
    [{ a: 'v'.repeat(256) }, { 'metadata.a': ['value_is_too_long'] }],
    [{ a: '😀'.repeat(256) }, { 'metadata.a': ['value_is_too_long'] }],
    [
      { a: 7, b: 'v'.repeat(999) },
      { 'metadata.a': ['value_is_invalid'], 'metadata.b': ['value_is_too_long'] },
    ],
    ['x', { metadata: ['value_is_invalid'] }],
    [7, { metadata: ['value_is_invalid'] }],
    [[], { metadata: ['value_is_invalid'] }],
    [true, { metadata: ['value_is_invalid'] }],
    [pairs(51), { metadata: ['too_many_keys'] }],
  ])('%j', async (metadata, error_details) => {
    const id = await app.wallet({ metadata: { keep: '1' } });
    const raw = `{"metadata":${JSON.stringify(metadata)}}`;
    const { status, body } = await patchRaw(id, raw);
    expect(status).toBe(422);
    expect(body).toEqual({ status: 422, error: 'Unprocessable entity', code: 'validation_errors', error_details });
    expect((await app.row(id)).metadata).toEqual({ keep: '1' });
    expect(await app.log(id)).toEqual([]);
  });
  it.each([
    '{"metadata":{"big":12345678901234567890}}',
    '{"metadata":{"note":"a\\u0000b"}}',
    '{"metadata":{"lone":"\\ud800"}}',
    '{"metadata":{"a\\u0000":"x"}}',
  ])('%s', async (raw) => {
    expect((await patchRaw(standing, raw)).status).toBe(422);
  });
  it('fifty keys counted on the merged object', async () => {
    const id = await app.wallet({ metadata: pairs(50) });
    const { status, body } = await patch(id, { metadata: { k1: 'x', one_more: 'x' } });
    expect(status).toBe(422);
    expect(body.error_details).toEqual({ metadata: ['too_many_keys'] });
    expect((await app.row(id)).metadata).toEqual(pairs(50));
  });
  it('a terminated wallet', async () => {
    const terminated = { status: 'terminated', terminated_at: '2026-01-01T00:00:00Z', metadata: { k: 'v' } };
    const id = await app.wallet(terminated);
    const { status, body } = await patch(id, { metadata: { k: 'new' } });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_errors', error_details: { wallet_id: ['wallet_is_terminated'] } });
    expect(await patch(id, {})).toMatchObject({ status: 200, body: { metadata: { k: 'v' } } });
  });
});
