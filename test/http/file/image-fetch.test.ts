import { createServer, get as httpGet, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type ImageFetchOptions, imageFetch, isPublicAddress } from '../../../src/http/file/image-fetch.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A fetch whose https ends at a server of this machine, which is allowed unless the test says otherwise. */
async function fetchFrom(listener: RequestListener, options: ImageFetchOptions = {}) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { port: number };
  const get: ImageFetchOptions['get'] = ({ hostname, pathname }, sent, answer) =>
    httpGet({ ...sent, agent: undefined, protocol: 'http:', hostname, path: pathname, port }, answer);
  const fetchImage = imageFetch({ get, isAllowed: () => true, ...options });
  return { fetchImage, asked: () => asked };
}

const LOGO = new URL('https://localhost/logo.png');

describe('an image', () => {
  it('is had with its bytes', async () => {
    const { fetchImage } = await fetchFrom((_request, response) => response.end(Buffer.from([1, 2, 3])));
    expect([...((await fetchImage(LOGO)) ?? [])]).toEqual([1, 2, 3]);
  });

  it('is null for an answer other than 200; redirects are not followed', async () => {
    for (const status of [204, 301, 302, 307, 404, 500]) {
      const { fetchImage, asked } = await fetchFrom((_request, response) =>
        response.writeHead(status, { Location: 'https://localhost/other.png' }).end(status === 204 ? undefined : 'x'),
      );
      expect([await fetchImage(LOGO), asked()], String(status)).toEqual([null, 1]);
    }
  });

  it('is null when it is too large, whether its length is told or not', async () => {
    const told = await fetchFrom((_request, response) => response.end(Buffer.alloc(101)), { mostBytes: 100 });
    expect(await told.fetchImage(LOGO)).toBeNull();
    const endless = await fetchFrom(
      (_request, response) => {
        const timer = setInterval(() => response.write(Buffer.alloc(60)), 1);
        response.once('close', () => clearInterval(timer));
      },
      { mostBytes: 100 },
    );
    expect(await endless.fetchImage(LOGO)).toBeNull();
    const exact = await fetchFrom((_request, response) => response.end(Buffer.alloc(100)), { mostBytes: 100 });
    expect(await exact.fetchImage(LOGO)).toHaveLength(100);
  });

  it('has to come in time, from the first byte to the last', async () => {
    const silent = await fetchFrom(() => undefined, { milliseconds: 50 });
    await expect(silent.fetchImage(LOGO)).rejects.toThrow();
    const slow = await fetchFrom((_request, response) => response.write('x'), { milliseconds: 50 });
    await expect(slow.fetchImage(LOGO)).rejects.toThrow();
  });

  it('never comes from a private address, by name or by number', async () => {
    const { fetchImage, asked } = await fetchFrom((_request, response) => response.end('x'), {
      isAllowed: isPublicAddress,
    });
    await expect(fetchImage(LOGO)).rejects.toThrow('not an allowed address');
    expect(await fetchImage(new URL('https://127.0.0.1/logo.png'))).toBeNull();
    expect(await fetchImage(new URL('https://[::1]/logo.png'))).toBeNull();
    expect(await fetchImage(new URL('https://2130706433/logo.png'))).toBeNull();
    expect(await fetchImage(new URL('http://localhost/logo.png'))).toBeNull();
    expect(asked()).toBe(0);
  });
});

describe('public addresses', () => {
  it.each(['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
    '%s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ...['192.168.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', 'fe80::1', 'fc00::1', 'fd00::1'],
    ...['ff02::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:0:4136::1', '2001:db8::1', 'host'],
  ])('not %s', (address) => expect(isPublicAddress(address)).toBe(false));
});
