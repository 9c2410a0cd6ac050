import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { nodeListener } from '../../../src/http/listener.ts';
import { Metrics } from '../../../src/http/observe/metrics.ts';
import { standInGateway } from '../stand-in.ts';

const NOT_FOUND = { status: 404, error: 'Not Found', code: 'object_not_found' };
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const { send } = standInGateway();

describe('an error outside the API', () => {
  it.each([
    ['GET', '/nothing'],
    ['POST', '/nothing'],
    ['DELETE', '/'],
    ['POST', '/health'],
    ['GET', '/favicon.ico'],
    ['GET', '/x/graphql'],
    ['GET', '/x?y=/graphql'],
    ['GET', '/api/v2/fees/1'],
  ])('%s %s is JSON', async (method, path) => {
    const { status, body, headers } = await send(path, { method, key: null });
    expect([status, body]).toEqual([404, NOT_FOUND]);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  it('no address but its own is taken for the graph', async () => {
    const body = JSON.stringify({ query: '{ __typename }' });
    for (const path of ['/x/graphql', '/nothing?x=/graphql', '/x/graphql/']) {
      expect((await send(path, { method: 'POST', body })).body, path).toEqual(NOT_FOUND);
    }
    expect((await send('/graphql/', { method: 'POST', body })).body).toEqual({ data: { __typename: 'Query' } });
  });

  it('is a small page for a browser, which asks nobody for anything', async () => {
    const { status, text, headers } = await send('/no<script>', { key: null, headers: { Accept: BROWSER } });
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('vary')).toContain('Accept');
    expect(text).toMatch(/<h1>404 Not Found<\/h1>[\s\S]*There is nothing at this address[\s\S]*href="\/"/);
    expect(text).toContain(headers.get('x-request-id'));
    expect(text).not.toContain('<script>');
    const head = await send('/nothing', { method: 'HEAD', key: null, headers: { Accept: BROWSER } });
    expect([head.status, head.text]).toEqual([404, '']);
  });

  it.each(['application/json, text/html;q=0.9', 'application/json', '*/*', 'text/html;q=0, */*'])(
    'is JSON for who accepts %s',
    async (Accept) => {
      expect((await send('/nothing', { key: null, headers: { Accept } })).body).toEqual(NOT_FOUND);
    },
  );

  it('inside the API it is JSON for everybody', async () => {
    expect((await send('/api/v1/nothing', { headers: { Accept: BROWSER } })).body).toEqual(NOT_FOUND);
    expect((await send('/api/v1/echo/x', { key: null, headers: { Accept: BROWSER } })).body).toMatchObject({
      status: 401,
    });
  });
});

describe('a client that goes away while it sends', () => {
  it.each([
    ['PUT', '/api/v1/plans/pro.v2/charges/api_calls', ''],
    ['PUT', '/api/v1/plans/pro.v2/charges/api_calls', 'Idempotency-Key: one\r\n'],
    ['POST', '/graphql', ''],
  ])('%s %s is no error and no 503 %s', async (method, path, more) => {
    const metrics = new Metrics({
      connections: () => undefined,
      streams: () => 0,
      waitingEvents: async () => ({}),
      jobs: async () => ({ jobs: [], due: { count: 0, age: 0 } }),
    });
    const idempotency = {
      claim: async () => ({ state: 'new', attempt: 'a' }) as const,
      keep: async () => undefined,
      release: async () => undefined,
    };
    const { gateway, lines } = standInGateway({
      observers: [metrics.plugin()],
      idempotency,
      // As the real one: what Node says of a connection that broke.
      isUnavailable: (cause) => (cause as { code?: unknown }).code === 'ECONNRESET',
    });
    const server = createServer(nodeListener(gateway));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    for (const framing of ['Content-Length: 5000', 'Transfer-Encoding: chunked']) {
      const socket = connect(port, '127.0.0.1');
      const headers = `Host: x\r\nAuthorization: Bearer full\r\nContent-Type: application/json\r\n${more}${framing}\r\n\r\n`;
      socket.write(`${method} ${path} HTTP/1.1\r\n${headers}${framing.startsWith('T') ? '5\r\n{"a":\r\n' : '{"a":'}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      socket.resetAndDestroy();
      await expect
        .poll(() => lines.filter((line) => line.includes('"request"')).length)
        .toBe(framing.startsWith('T') ? 2 : 1);
    }
    const told = lines.map((line) => JSON.parse(line) as { level: number; msg: string; status?: number });
    expect(told.filter(({ level }) => level > 30)).toEqual([]);
    expect(told.filter(({ msg }) => msg === 'request').map(({ status }) => status)).toEqual([499, 499]);
    const counted = await metrics.registry.metrics();
    expect(counted).toMatch(/billing_request_seconds_count\{[^}]*status="499"\} 2/);
    expect(counted).not.toMatch(/billing_request_seconds_count\{[^}]*status="5/);
    await new Promise((resolve) => server.close(resolve));
  });
});
