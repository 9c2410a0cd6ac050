import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { graphiqlPages } from '../../src/http/page/graphiql.ts';
import { readyPage } from '../../src/http/page/health.ts';
import { standInGateway } from './stand-in.ts';

const { lines, send } = standInGateway();
const CHARGE = '/api/v1/plans/pro.v2/charges/api_calls';

describe('request ids', () => {
  it.each(['abc', '7d0f5a34-1b1e-4c57-9a52-0c3a0f3a9101', 'a.b:c_d'])('%s is kept', async (id) => {
    for (const path of [CHARGE, '/health', '/graphql', '/nowhere']) {
      expect((await send(path, { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')).toBe(id);
    }
  });

  it.each(['', 'a b', 'x'.repeat(200), '{"a":1}', 'a;b'])('%j is replaced', async (id) => {
    const { headers } = await send(CHARGE, { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the log', () => {
  it('has one line a request, with whose it was and never the key', async () => {
    lines.length = 0;
    await send(`${CHARGE}?key=1`, { headers: { 'X-Request-Id': 'r1' } });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'request',
      requestId: 'r1',
      method: 'GET',
      path: CHARGE,
      status: 200,
      ms: expect.any(Number),
      operation: 'readCharge',
      keyId: 'full',
      organizationId: 'quillo',
    });
    expect(lines[0]).not.toMatch(/Bearer|authorization/i);
  });

  it('has lines of requests that failed', async () => {
    lines.length = 0;
    await send(CHARGE, { key: 'sk_svc_wrong' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ status: 401, method: 'GET' });
    expect(lines.join()).not.toContain('sk_svc_wrong');
  });
});

describe('CORS', () => {
  const origin = { Origin: 'https://app.example.com' };
  const preflight = { ...origin, 'Access-Control-Request-Method': 'PUT' };
  const allowing = (corsOrigins: string[]) => standInGateway({ corsOrigins }).send;

  it('allows no page by default', async () => {
    expect((await send(CHARGE, { headers: origin })).headers.has('access-control-allow-origin')).toBe(false);
    const answer = await send(CHARGE, { method: 'OPTIONS', key: null, headers: preflight });
    expect([answer.status, answer.headers.has('access-control-allow-origin')]).toEqual([204, false]);
  });

  it('allows the pages of the origins that are named, on every path', async () => {
    const sendTo = allowing(['https://app.example.com']);
    for (const path of [CHARGE, '/graphql']) {
      const answer = await sendTo(path, { method: 'OPTIONS', key: null, headers: preflight });
      expect(answer.status).toBe(204);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': 'https://app.example.com',
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': expect.stringContaining('Authorization'),
        vary: expect.stringContaining('Origin'),
      });
    }
  });

  it('an allowed page may send what its libraries add', async () => {
    const asked =
      'apollo-require-preflight,apollographql-client-name,authorization,traceparent,x-apollo-operation-name';
    const headers = { ...preflight, 'Access-Control-Request-Headers': asked };
    const ask = async (sendTo: typeof send) =>
      (await sendTo('/graphql', { method: 'OPTIONS', key: null, headers })).headers;
    expect((await ask(allowing(['https://app.example.com']))).get('access-control-allow-headers')).toBe(asked);
    expect((await ask(allowing(['https://other.example.com']))).has('access-control-allow-headers')).toBe(false);
  });

  // What a form or an image of another site can send, and what only a preflight allows.
  it('a request that needs no preflight opens nothing, whatever the browser keeps', async () => {
    const headers = { ...origin, Cookie: 'key=full', 'Content-Type': 'text/plain' };
    const body = '{"query":"mutation { setMetadata(id: \\"1\\", input: { metadata: {} }) }"}';
    expect((await send('/graphql', { method: 'POST', key: null, body, headers })).status).toBe(401);
    expect(
      (await send('/graphql?query=mutation{__typename}', { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status,
    ).toBe(405);
  });

  it('an allowed page still needs a key, and can read the refusal', async () => {
    const answer = await allowing(['*'])(CHARGE, { key: null, headers: origin });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('allows no other page', async () => {
    const answer = await allowing(['https://other.example.com'])(CHARGE, { headers: origin });
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('health', () => {
  it.each(['/health', '/ready'])('%s needs no key', async (path) => {
    expect((await send(path, { key: null })).status).toBe(200);
    expect(await send(path, { key: null, method: 'HEAD' })).toMatchObject({ status: 200 });
  });

  it('is not ready while the database is away, and says no more than that', async () => {
    const logger = { warn: () => undefined } as never;
    const ready = () => Promise.reject(new Error('connect db.internal'));
    const page = readyPage({ ready, isReadOnly: () => false, logger });
    const { send: sendTo } = standInGateway({ pages: [page] });
    const { status, text } = await sendTo('/ready', { key: null });
    expect([status, text]).toEqual([503, '{"status":"not ready"}']);
  });
});

describe('GraphiQL', () => {
  const pages = graphiqlPages({ demoKey: 'sk_svc_demo', examples: ['{ number }', '{ echo(text: "</script>") }'] });
  const { gateway } = standInGateway({ pages });
  const get = (headers: Record<string, string> = {}) =>
    gateway.fetch(new Request('http://gateway.test/graphql', { headers: { Accept: 'text/html', ...headers } }));

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const)('is compressed as the browser likes: %s', async (accepted, encoding, decompress) => {
    const response = await get({ 'Accept-Encoding': accepted });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, encoding]);
    const html = decompress(Buffer.from(await response.arrayBuffer())).toString();
    expect(html.includes('Bearer sk_svc_demo')).toBe(true);
    expect(html.slice(0, 15)).toBe('<!doctype html>');
  });

  it('is asked for again only when it has changed', async () => {
    const etag = (await get({ 'Accept-Encoding': 'gzip' })).headers.get('etag') ?? '';
    const again = await get({ 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('has files at addresses that are kept for ever, and another address for another text', async () => {
    const html = await (await get()).text();
    const paths = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(6);
    for (const path of paths) {
      const answer = await gateway.fetch(new Request(`http://gateway.test${path}`));
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect(answer.headers.get('content-type')).toBe(
        `text/${path.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      );
      await answer.body?.cancel();
    }
    const other = paths[0]?.replace(/.(?=\.css$)/, (letter) => (letter === '0' ? '1' : '0'));
    expect((await gateway.fetch(new Request(`http://gateway.test${other}`))).status).toBe(404);
    expect(Buffer.byteLength(html)).toBeLessThan(20_000);
  });

  it('talks to nobody else', async () => {
    const response = await get({ 'Accept-Encoding': 'gzip' });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  });

  it('does not let an example end the script', async () => {
    const html = await (await get({ 'Accept-Encoding': 'identity' })).text();
    expect(html.includes('echo(text: \\"</script>')).toBe(false);
    expect(html.includes('echo(text: \\"\\u003c/script>')).toBe(true);
  });

  it('is for browsers: other clients get GraphQL', async () => {
    const { status } = await send('/graphql?query={__typename}', { headers: { Accept: 'application/json' } });
    expect(status).toBe(200);
  });
});
