import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLocal } from '../../../src/http/wire/local-key.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const DEMO = 'sk_svc_demo_of_this_test';
let gateway: TestApp;
let server: Server;
let port: number;

beforeAll(async () => {
  gateway = await createTestApp({ localKeys: [DEMO] });
  await gateway.makeKey({ key: DEMO });
  server = createServer(gateway.app.listener);
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.close();
  await gateway.close();
});

function statusOf(host: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const url = `http://${host}:${port}/api/v1/customers/nobody/payment_requests`;
    request(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

const own = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal);

describe('a key that everybody knows', () => {
  const bearer = { Authorization: `Bearer ${DEMO}` };

  it('opens from this machine', async () => {
    expect(await statusOf('127.0.0.1', bearer)).toBe(404);
    expect(await statusOf('127.8.8.8', { Authorization: `bearer   ${DEMO}` })).toBe(404);
  });

  it.runIf(own)('opens nothing from elsewhere, whatever the headers say', async () => {
    const host = own?.address ?? '';
    expect(await statusOf(host, bearer)).toBe(401);
    expect(await statusOf(host, { Authorization: `bEARER  ${DEMO} ` })).toBe(401);
    expect(await statusOf(host, { ...bearer, Host: 'localhost', 'X-Forwarded-For': '127.0.0.1' })).toBe(401);
    expect(await statusOf(host, { Authorization: `Bearer ${gateway.key}` })).toBe(404);
  });

  it('opens nothing through a proxy, which may be on this machine', async () => {
    for (const name of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Host']) {
      expect([name, await statusOf('127.0.0.1', { ...bearer, [name]: '127.0.0.1' })]).toEqual([name, 401]);
    }
    expect(await statusOf('127.0.0.1', { Authorization: `Bearer ${gateway.key}`, Via: '1.1 proxy' })).toBe(404);
  });

  it('is not found in a second header either', async () => {
    const sent = `GET /api/v1/fees/x HTTP/1.1\r\nHost: x\r\nVia: p\r\nAuthorization: Bearer nobody\r\nAuthorization: Bearer ${DEMO}\r\nConnection: close\r\n\r\n`;
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(sent));
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });
});

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:10.0.0.1', false],
  ['10.127.0.0', false],
  ['128.0.0.1', false],
  ['fe80::1', false],
  ['::2', false],
  ['::', false],
  ['1::1', false],
  [undefined, false],
])('%s is this machine: %s', (remoteAddress, expected) => {
  expect(isLocal({ socket: remoteAddress === undefined ? {} : { remoteAddress }, headers: {} })).toBe(expected);
});
