import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { textPage } from '../../src/http/page/html-page.ts';
import { encodingOf } from '../../src/http/wire/encoding.ts';
import { standInGateway } from './stand-in.ts';

const page = textPage('/page', 'text/plain', () => 'a page '.repeat(1000));
const { gateway } = standInGateway({ pages: [page], corsOrigins: ['https://app.example.com'] });
const LONG = 'long '.repeat(400);

const fetchFrom = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  gateway.fetch(
    new Request(`http://gateway.test${path}`, { ...init, headers: { Authorization: 'Bearer full', ...headers } }),
  );

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

async function read(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  const encoding = response.headers.get('content-encoding');
  const length = response.headers.get('content-length');
  expect(length).toBe(String(bytes.length));
  const text = (encoding === null ? bytes : (DECODERS[encoding]?.(bytes) ?? bytes)).toString();
  return { encoding, size: bytes.length, text, vary: response.headers.get('vary') };
}

describe('the encoding that a client likes best', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br; q=0.5 , gzip ; q = 0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, gzip;q=0.0', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['gzip, *;q=0', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0', 'identity'],
    ['zstd, deflate', 'identity'],
    ['gzip;q=high', 'identity'],
    ['x-gzipped, abr', 'identity'],
  ] as const)('%j: %s', (accepted, expected) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'Accept-Encoding': accepted };
    expect(encodingOf(new Request('http://gateway.test/', { headers }))).toBe(expected);
  });
});

describe.each([
  ['GraphQL', `/graphql?query=${encodeURIComponent(`{ echo(text: "${LONG}") }`)}`, `{"data":{"echo":"${LONG}"}}`],
  ['REST', `/api/v1/echo/${encodeURIComponent(LONG)}`, `{"text":"${LONG}"}`],
  ['a page', '/page', 'a page '.repeat(1000)],
])('an answer of %s', (_, path, expected) => {
  it.each(['br', 'gzip'])('is compressed by %s', async (encoding) => {
    const told = await read(await fetchFrom(path, { 'Accept-Encoding': encoding }));
    expect(told).toMatchObject({ encoding, text: expected, vary: expect.stringContaining('Accept-Encoding') });
    expect(told.size).toBeLessThan(expected.length / 5);
  });

  it('is as it was for who asks for no encoding', async () => {
    expect(await read(await fetchFrom(path))).toMatchObject({ encoding: null, text: expected });
  });

  it('varies by origin too, where origins may call', async () => {
    expect((await fetchFrom(path)).headers.get('vary')).toMatch(/Accept-Encoding.*Origin|Origin.*Accept-Encoding/);
  });
});

it('what is short is left as it is', async () => {
  const response = await fetchFrom('/graphql?query={number}', { 'Accept-Encoding': 'br' });
  const told = await read(response);
  expect(told).toMatchObject({ encoding: null, text: '{"data":{"number":"4611686018427387904"}}' });
  expect(told.vary).toContain('Accept-Encoding');
});

it('HEAD says how GET would be encoded, and tells no length that is not known', async () => {
  const path = `/api/v1/echo/${encodeURIComponent(LONG)}`;
  const [plain, packed] = await Promise.all(
    [undefined, { 'Accept-Encoding': 'gzip' }].map((headers) => fetchFrom(path, headers, { method: 'HEAD' })),
  );
  expect(plain?.headers.get('content-length')).toBe(String(LONG.length + 11));
  expect([packed?.headers.get('content-encoding'), packed?.headers.get('content-length')]).toEqual(['gzip', null]);
  expect(await packed?.text()).toBe('');
});

it('each encoding of a page has a tag of its own', async () => {
  const tags = await Promise.all(
    ['br', 'gzip', 'identity'].map(async (encoding) => {
      const headers = { 'Accept-Encoding': encoding };
      const etag = (await fetchFrom('/page', headers)).headers.get('etag') ?? '';
      const again = await fetchFrom('/page', { ...headers, 'If-None-Match': etag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      return etag;
    }),
  );
  expect(new Set(tags).size).toBe(3);
  const other = await fetchFrom('/page', { 'Accept-Encoding': 'gzip', 'If-None-Match': tags[0] ?? '' });
  expect(other.status).toBe(200);
});

it('a stream is not compressed', async () => {
  const headers = { 'Accept-Encoding': 'br', Accept: 'text/event-stream' };
  const response = await fetchFrom(`/graphql?query=${encodeURIComponent(`{ echo(text: "${LONG}") }`)}`, headers);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toContain(`data: {"data":{"echo":"${LONG}"}}`);
});
