import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { App } from '../src/app.ts';
import { ListenError, serve } from '../src/command/serve.ts';

const logger = pino({ level: 'silent' });

function start(listener: (request: IncomingMessage, response: ServerResponse) => void, more: object = {}) {
  const closed: string[] = [];
  const close = async () => void closed.push('app');
  const app = { listener, close, endStreams: () => undefined, fetch: () => Promise.reject() } as unknown as App;
  const options = { app, host: '127.0.0.1', port: 0, requestTimeout: 5000, shutdownTimeout: 2000, logger, ...more };
  return serve(options).then((server) => ({ ...server, closed, url: `http://127.0.0.1:${server.port}/` }));
}

const slow = (milliseconds: number) => (_: IncomingMessage, response: ServerResponse) =>
  void setTimeout(() => response.end('done'), milliseconds);

describe('close', () => {
  it('lets running requests finish, takes no new ones, then closes the app', async () => {
    const server = await start(slow(400));
    const running = fetch(server.url).then((response) => response.text());
    await new Promise((resolve) => setTimeout(resolve, 100));
    const closing = server.close();
    await expect(fetch(server.url)).rejects.toThrow();
    expect(server.closed).toEqual([]);
    expect(await running).toBe('done');
    const answeredAt = performance.now();
    await closing;
    expect(performance.now() - answeredAt).toBeLessThan(1000);
    expect(server.closed).toEqual(['app']);
  });

  it('does not wait for connections without a request', async () => {
    const server = await start(slow(0));
    await (await fetch(server.url)).text();
    const startedAt = performance.now();
    await server.close();
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  it('waits no longer than its bound', async () => {
    const server = await start(() => undefined, { shutdownTimeout: 200 });
    const hanging = fetch(server.url).catch(() => 'cut');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.close();
    expect(await hanging).toBe('cut');
  });
});

describe('limits', () => {
  it('a request that takes too long is a 503', async () => {
    const server = await start(() => undefined, { requestTimeout: 200 });
    const response = await fetch(server.url);
    expect([response.status, await response.json()]).toEqual([503, { status: 503, error: 'Service Unavailable' }]);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const graphql = await fetch(`${server.url}graphql`, { headers: { 'X-Request-Id': 'mine' } });
    expect([graphql.status, graphql.headers.get('x-request-id'), await graphql.json()]).toEqual([
      503,
      'mine',
      { errors: [{ message: 'Service unavailable', extensions: { code: 'service_unavailable' } }] },
    ]);
    await server.close();
  });

  it('headers beyond the limit are refused', async () => {
    const server = await start(slow(0));
    const response = await fetch(server.url, { headers: { 'X-Long': 'x'.repeat(20_000) } });
    expect([response.status, await response.json()]).toEqual([
      431,
      { status: 431, error: 'Request Header Fields Too Large' },
    ]);
    await server.close();
  });

  it.each([
    [
      'an expectation that nobody has',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\n\r\n',
      417,
      'Expectation Failed',
    ],
    ['what is not HTTP', '\0\0nonsense\r\n\r\n', 400, 'Bad request'],
    ['a header that is none', 'GET / HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n', 400, 'Bad request'],
    ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 400, 'Bad request'],
  ])('%s is refused in the shape of the API', async (_, text, status, error) => {
    const server = await start(slow(0));
    const received = await new Promise<string>((resolve) => {
      let answer = '';
      const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer));
    });
    const [head = '', body = ''] = received.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/content-type: application\/json/i);
    expect(JSON.parse(body)).toEqual({ status, error });
    await server.close();
  });

  it('what is not HTTP does not end the server', async () => {
    const server = await start(slow(0));
    const socket = connect(server.port, '127.0.0.1');
    await new Promise((resolve) =>
      socket.on('close', resolve).on('error', resolve).end('\0\0nonsense\r\n\r\n').resume(),
    );
    expect((await fetch(server.url)).status).toBe(200);
    await server.close();
  });
});

it('a port in use is one clear line', async () => {
  const server = await start(slow(0));
  await expect(start(slow(0), { port: server.port })).rejects.toThrow(
    new ListenError(`127.0.0.1:${server.port} is in use`),
  );
  await server.close();
});
