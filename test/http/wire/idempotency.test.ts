import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../../src/app.ts';
import { mergeWalletMetadata } from '../../../src/engine/payment/merge-wallet-metadata.ts';
import { terminateWallet } from '../../../src/engine/payment/terminate-wallet.ts';
import { IdempotencyStore } from '../../../src/store/access/idempotency.ts';
import { forOrganization } from '../../../src/store/database/tenant.ts';
import { createWalletApp, type WalletApp } from '../../rest/wallet-fixture.ts';
import type { Answer } from '../../support.ts';

let one: WalletApp;
/** Another process on the same database. */
let two: App;
beforeAll(async () => {
  one = await createWalletApp();
  two = createApp({ db: one.db, now: () => one.clock.now, logger: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const NOW = new Date('2026-06-15T12:00:00Z');
const later = (milliseconds: number) => {
  one.clock.now = new Date(NOW.getTime() + milliseconds);
};
const HOUR = 3_600_000;

let count = 0;
const newKey = () => `write-${count++}`;
const rows = (key: string) => one.db.prisma.idempotencyKey.findMany({ where: { key } });

interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly as?: string;
  readonly headers?: Record<string, string>;
}

async function send(app: App, path: string, body: unknown, { method = 'PATCH', key, as = one.key, headers }: Sent) {
  const named: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  const all = { 'Content-Type': 'application/json', Accept: 'application/json', ...named, ...headers };
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const request = new Request(`http://gateway.test${path}`, {
    method,
    headers: { ...all, Authorization: `Bearer ${as}` },
    body: text,
  });
  const response = await app.fetch(request);
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, body: JSON.parse(answer) } as Answer;
}

const metadataPath = (id: string) => `/api/v1/wallets/${id}/metadata`;
const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';

describe('REST: the same key and the same request', () => {
  it('are answered the same, by any process, and done once', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    const first = await send(one.app, metadataPath(id), { metadata: { a: '1', b: '2' } }, { key });
    await send(one.app, metadataPath(id), { metadata: { a: 'changed' } }, {});
    const again = await send(two, metadataPath(id), '{ "metadata": {"b": "2", "a": "1"} }', { key });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect((await one.row(id)).metadata).toEqual({ a: 'changed', b: '2' });
    expect(await one.log(id)).toHaveLength(2);
  });
  it('also without a body', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    const first = await send(one.app, `/api/v1/wallets/${id}`, undefined, { method: 'DELETE', key });
    const again = await send(two, `/api/v1/wallets/${id}`, undefined, { method: 'DELETE', key });
    expect([first.status, isReplayed(again), again.text]).toEqual([200, true, first.text]);
  });
  it('at the same time, are done once', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send(index % 2 ? one.app : two, metadataPath(id), { metadata: { a: '1' } }, { key }),
      ),
    );
    const fresh = answers.filter((answer) => answer.status === 200 && !isReplayed(answer));
    expect(fresh).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status !== 200) {
        expect(answer.body).toEqual({ status: 409, error: 'Conflict', code: 'idempotent_request_is_running' });
      }
    }
    expect(await one.log(id)).toHaveLength(1);
  });
  it('are told from each other by organization', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    expect((await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key })).status).toBe(200);
    const foreign = await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key, as: one.other });
    expect([foreign.status, isReplayed(foreign)]).toEqual([404, false]);
  });
  it('are answered after the key and its permission have been checked', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key });
    const publishable = await one.makeKey({ kind: 'publishable' });
    const narrow = await one.makeKey({ permissions: { wallet: ['read'] } });
    for (const [as, status] of [
      ['sk_svc_unknown', 401],
      [publishable, 403],
      [narrow, 403],
    ] as const) {
      expect((await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key, as })).status).toBe(status);
    }
  });
  it('do not matter for reads', async () => {
    const key = newKey();
    const path = '/api/v1/billing_entities/main';
    const first = await send(one.app, path, undefined, { method: 'GET', key });
    const again = await send(one.app, path, undefined, { method: 'GET', key });
    expect([first.status, again.status, isReplayed(again)]).toEqual([200, 200, false]);
    expect(await rows(key)).toEqual([]);
  });
});

describe('REST: what is refused', () => {
  it('the same key with another body, path, query or method', async () => {
    const [id, other, key] = [await one.wallet(), await one.wallet(), newKey()];
    const body = { metadata: { a: '1' } };
    await send(one.app, metadataPath(id), body, { key });
    const answers = [
      await send(two, metadataPath(id), { metadata: { a: '2' } }, { key }),
      await send(two, metadataPath(other), body, { key }),
      await send(two, `${metadataPath(id)}?x=1`, body, { key }),
      await send(two, `/api/v1/wallets/${id}`, body, { key, method: 'DELETE' }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(answer.body.error_details).toEqual({ idempotency_key: ['value_already_exist'] });
    }
    expect(await one.row(id)).toMatchObject({ status: 'active', metadata: { a: '1' } });
    expect((await one.row(other)).metadata).toBeNull();
  });
  it.each([
    ['empty', '', 'value_is_invalid'],
    ['too long', 'k'.repeat(256), 'value_is_too_long'],
    ['no plain text', 'caf\u00e9', 'value_is_invalid'],
  ])('a key that is %s', async (_name, key, code) => {
    const answer = await send(one.app, metadataPath(await one.wallet()), { metadata: { a: '1' } }, { key });
    expect(answer.status).toBe(422);
    expect(answer.body.error_details).toEqual({ idempotency_key: [code] });
  });
  it('is tried again when the client has mended it: refusals are not kept', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    expect((await send(one.app, metadataPath(id), { metadata: { a: 7 } }, { key })).status).toBe(422);
    expect((await send(one.app, metadataPath(id), '{"metadata":', { key })).status).toBe(400);
    expect((await send(one.app, metadataPath('abc'), { metadata: {} }, { key })).status).toBe(404);
    expect(await rows(key)).toEqual([]);
    const answer = await send(one.app, metadataPath(id), { metadata: { a: '7' } }, { key });
    expect([answer.status, isReplayed(answer)]).toEqual([200, false]);
  });
  it('is tried again after a fault of ours', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    await one.db.prisma.$executeRaw`ALTER TABLE audit_logs RENAME TO audit_logs_away`;
    const broken = await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key });
    await one.db.prisma.$executeRaw`ALTER TABLE audit_logs_away RENAME TO audit_logs`;
    expect(broken.status).toBe(500);
    expect((await one.row(id)).metadata).toBeNull();
    const answer = await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key });
    expect([answer.status, isReplayed(answer)]).toEqual([200, false]);
  });
});

describe('when the keys cannot be read', () => {
  it('nothing is done', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    await one.db.prisma.$executeRaw`ALTER TABLE idempotency_keys RENAME TO idempotency_keys_away`;
    const rest = await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key });
    const query = `mutation { terminateWallet(svcId: "${id}") { status } }`;
    const graphql = await send(one.app, '/graphql', { query }, { method: 'POST', key });
    await one.db.prisma.$executeRaw`ALTER TABLE idempotency_keys_away RENAME TO idempotency_keys`;
    expect(rest).toMatchObject({ status: 500, body: { error: 'Internal Server Error' } });
    expect(graphql.body.errors).toMatchObject([{ extensions: { code: 'internal_server_error' } }]);
    for (const { text } of [rest, graphql]) expect(text).not.toMatch(/idempotency_keys|prisma|select|insert/i);
    expect(await one.row(id)).toMatchObject({ status: 'active', metadata: null });
  });
});

describe('time', () => {
  /** Two attempts at one request: the second one began when the first was taken for dead. */
  async function takenOver() {
    let now = NOW;
    const store = new IdempotencyStore(one.db.prisma, () => now);
    const named = { organizationId: one.organizationId, key: newKey(), fingerprint: 'f' };
    const dead = await store.claim(named);
    now = new Date(NOW.getTime() + 60_000);
    const alive = await store.claim(named);
    if (dead.state !== 'new' || alive.state !== 'new') throw new Error('both attempts are new');
    return { store, named, dead, alive, now };
  }

  it('an answer is kept for 24 hours', async () => {
    later(0);
    const [id, key] = [await one.wallet(), newKey()];
    await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key });
    later(24 * HOUR - 1);
    expect(isReplayed(await send(two, metadataPath(id), { metadata: { a: '1' } }, { key }))).toBe(true);
    later(24 * HOUR);
    const fresh = await send(two, metadataPath(id), { metadata: { a: '2' } }, { key });
    expect([fresh.status, isReplayed(fresh), fresh.body]).toEqual([200, false, { metadata: { a: '2' } }]);
    later(0);
  });
  it('an attempt that died before its write holds the key for a minute', async () => {
    later(0);
    const [id, key] = [await one.wallet(), newKey()];
    await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key });
    await one.db.prisma.idempotencyKey.updateMany({
      where: { key },
      data: { writtenAt: null, status: null, body: null, expiresAt: new Date(NOW.getTime() + 60_000) },
    });
    later(59_999);
    expect((await send(two, metadataPath(id), { metadata: { a: '1' } }, { key })).status).toBe(409);
    later(60_000);
    expect((await send(two, metadataPath(id), { metadata: { a: '1' } }, { key })).status).toBe(200);
    later(0);
  });
  it('an attempt that died after its write keeps the key for 24 hours: nothing is done twice', async () => {
    later(0);
    const [id, key] = [await one.wallet(), newKey()];
    await send(one.app, metadataPath(id), { metadata: { a: '1' } }, { key });
    await one.db.prisma.idempotencyKey.updateMany({ where: { key }, data: { status: null, body: null } });
    await send(one.app, metadataPath(id), { metadata: { a: '2' } }, {});
    const again = async (milliseconds: number) => {
      later(milliseconds);
      return send(two, metadataPath(id), { metadata: { a: '1' } }, { key });
    };
    const conflict = { status: 409, error: 'Conflict' };
    expect((await again(59_999)).body).toEqual({ ...conflict, code: 'idempotent_request_is_running' });
    expect((await again(60_000)).body).toEqual({ ...conflict, code: 'idempotent_answer_is_lost' });
    expect((await again(24 * HOUR - 1)).body).toEqual({ ...conflict, code: 'idempotent_answer_is_lost' });
    expect((await one.row(id)).metadata).toEqual({ a: '2' });
    expect(await again(24 * HOUR)).toMatchObject({ status: 200, body: { metadata: { a: '1' } } });
    later(0);
  });
  it('an attempt whose key was taken over writes nothing', async () => {
    const { store, named, dead, alive, now } = await takenOver();
    const db = forOrganization(one.db.prisma, one.organizationId);
    const actorOf = (attempt: string) => ({
      ...{ organizationId: one.organizationId, keyId: one.organizationId, requestId: 'r', now },
      named: { key: named.key, attempt },
    });
    const id = await one.wallet();
    const lost = { code: 'conflict', reason: 'idempotent_request_is_running' };
    await expect(mergeWalletMetadata(db, actorOf(dead.attempt), id, { a: '1' })).rejects.toMatchObject(lost);
    await expect(terminateWallet(db, actorOf(dead.attempt), id)).rejects.toMatchObject(lost);
    expect(await one.row(id)).toMatchObject({ status: 'active', metadata: null });
    expect(await one.log(id)).toHaveLength(0);
    await mergeWalletMetadata(db, actorOf(alive.attempt), id, { a: '2' });
    await store.release(named, alive.attempt);
    expect(await store.claim(named)).toEqual({ state: 'running' });
    expect((await one.row(id)).metadata).toEqual({ a: '2' });
  });
  it('an attempt whose key was taken over keeps nothing', async () => {
    const { store, named, dead, alive } = await takenOver();
    await store.keep(named, dead.attempt, { status: 200, body: 'dead' });
    await store.release(named, dead.attempt);
    expect(await store.claim(named)).toEqual({ state: 'running' });
    await store.keep(named, alive.attempt, { status: 200, body: 'alive' });
    expect(await store.claim(named)).toEqual({ state: 'answered', answer: { status: 200, body: 'alive' } });
  });
  it('old rows are removed at most once a minute, a thousand at a time', async () => {
    const { prisma } = one.db;
    let now = new Date(NOW.getTime() + 100 * HOUR);
    const organizationId = one.organizationId;
    const old = Array.from({ length: 1500 }, (_, index) => ({
      ...{ organizationId, key: `old-${index}`, fingerprint: 'f', attempt: organizationId, expiresAt: NOW },
    }));
    const store = new IdempotencyStore(prisma, () => now);
    const named = () => ({ organizationId, key: newKey(), fingerprint: 'f' });
    await store.claim(named());
    await prisma.idempotencyKey.createMany({ data: old });
    const left = () => prisma.idempotencyKey.count({ where: { key: { startsWith: 'old-' } } });
    now = new Date(now.getTime() + 59_000);
    await store.claim(named());
    expect(await left()).toBe(1500);
    now = new Date(now.getTime() + 1000);
    await store.claim(named());
    expect(await left()).toBe(500);
  });
});

describe('GraphQL', () => {
  const MERGE =
    'mutation M($id: UUID!, $pairs: JSON) { mergeWalletMetadata(svcId: $id, metadata: $pairs) { metadata } }';
  const graphql = (app: App, query: string, variables: object, sent: Sent) =>
    send(app, '/graphql', { query, variables }, { method: 'POST', ...sent });

  it('a mutation with a key is done once', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    const first = await graphql(one.app, MERGE, { id, pairs: { a: '1', b: '2' } }, { key });
    await graphql(one.app, MERGE, { id, pairs: { a: 'changed' } }, {});
    const again = await graphql(two, MERGE.replaceAll(' ', '\n  '), { pairs: { b: '2', a: '1' }, id }, { key });
    expect(first.body.data).toEqual({ mergeWalletMetadata: { metadata: { a: '1', b: '2' } } });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
    expect((await one.row(id)).metadata).toEqual({ a: 'changed', b: '2' });
  });
  it('every digit is answered again', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    await one.db.prisma.wallet.update({ where: { id }, data: { balanceCents: 90071992547409931n } });
    const query = 'mutation ($id: UUID!) { terminateWallet(svcId: $id) { balanceCents rateAmount terminatedAt } }';
    const first = await graphql(one.app, query, { id }, { key });
    const again = await graphql(two, query, { id }, { key });
    expect(first.text).toContain('"balanceCents":"90071992547409931",');
    expect([again.text, isReplayed(again)]).toEqual([first.text, true]);
  });
  it('another mutation with the same key is refused', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    await graphql(one.app, MERGE, { id, pairs: { a: '1' } }, { key });
    const answer = await graphql(two, MERGE, { id, pairs: { a: '2' } }, { key });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([
      {
        extensions: {
          ...{ code: 'validation_errors', errorDetails: { idempotency_key: ['value_already_exist'] } },
          errors: [{ path: [], code: 'value_already_exist', message: expect.stringContaining('already exists') }],
        },
      },
    ]);
    expect(answer.body.data ?? null).toBeNull();
    const path = metadataPath(id);
    expect((await send(two, path, { metadata: { a: '1' } }, { key })).status).toBe(422);
  });
  it('while the first runs, the second is a conflict', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        graphql(index % 2 ? one.app : two, MERGE, { id, pairs: { a: '1' } }, { key }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200 && !isReplayed(answer))).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(409);
      expect(body.errors).toMatchObject([{ extensions: { code: 'conflict' } }]);
    }
    expect(await one.log(id)).toHaveLength(1);
  });
  it('what was refused may be tried again', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    const refused = await graphql(one.app, MERGE, { id, pairs: { a: 7 } }, { key });
    expect(refused.body.errors).toMatchObject([
      { extensions: { errorDetails: { 'metadata.a': ['value_is_invalid'] } } },
    ]);
    expect(await rows(key)).toEqual([]);
    expect((await graphql(one.app, MERGE, { id, pairs: { a: '7' } }, { key })).body.errors).toBeUndefined();
  });
  it('where a part was written, all is kept', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    const query = `mutation ($id: UUID!) {
      done: mergeWalletMetadata(svcId: $id, metadata: {a: "1"}) { metadata }
      refused: mergeWalletMetadata(svcId: $id, metadata: {a: 7}) { metadata }
    }`;
    const first = await graphql(one.app, query, { id }, { key });
    expect(first.body.data).toEqual({ done: { metadata: { a: '1' } }, refused: null });
    const again = await graphql(two, query, { id }, { key });
    expect([again.text, isReplayed(again)]).toEqual([first.text, true]);
  });
  it('the answer is for the API key that asked', async () => {
    const [id, key] = [await one.wallet(), newKey()];
    await graphql(one.app, MERGE, { id, pairs: { a: '1' } }, { key });
    const as = await one.makeKey({ kind: 'publishable' });
    const answer = await graphql(one.app, MERGE, { id, pairs: { a: '1' } }, { key, as });
    expect([answer.status, isReplayed(answer)]).toEqual([422, false]);
    expect((await graphql(one.app, MERGE, { id }, { key, as: 'sk_svc_unknown' })).status).toBe(401);
  });
  it('queries have no use for a key', async () => {
    const key = newKey();
    const answer = await graphql(one.app, '{ wallets { totalCount } }', {}, { key });
    expect(answer.body.data.wallets.totalCount).toBeGreaterThan(0);
    expect(await rows(key)).toEqual([]);
  });
  it('an unsound key is refused', async () => {
    const answer = await graphql(one.app, MERGE, { id: await one.wallet(), pairs: {} }, { key: 'k'.repeat(256) });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).not.toContain('"http"');
  });
});
