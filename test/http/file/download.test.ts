import { createServer } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { contentDisposition } from '../../../src/http/file/response.ts';
import { readSigningSecret } from '../../../src/store/access/signing-secret.ts';
import { makeInvoice, makeSeller, type Seller } from '../../invoice-rows.ts';
import { createTestApp, type TestApp } from '../../support.ts';

const HOUR = 3_600_000;
let clock = Date.parse('2026-06-01T10:00:00Z');
let test: TestApp;
let seller: Seller;
let id: string;
let address: string;

beforeAll(async () => {
  test = await createTestApp({ now: () => new Date(clock) });
  seller = await makeSeller(test.db, test.organizationId);
  id = await makeInvoice(test.db, seller, { number: 'QUI/2026 "Ü"-東京' });
  address = await addressOf(id);
});
afterAll(() => test.close());

const addressOf = async (invoiceId: string): Promise<string> =>
  (await test.rest('POST', `/invoices/${invoiceId}/download`)).body.invoice.file_url;

async function get(url: string, headers: Record<string, string> = {}, method = 'GET', app = test.app) {
  const response = await app.fetch(new Request(url, { method, headers }));
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

async function refusalOf(url: string) {
  const { status, headers, bytes } = await get(url);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('cache-control')).toBe('no-store');
  const body = JSON.parse(bytes.toString());
  expect(body).toMatchObject({ status, error: expect.any(String) });
  return [status, body.code];
}

const changed = (name: string, value: string) => {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
};

describe('the file', () => {
  it('is shown by the reader, and saved where the address asks for it', async () => {
    const kindOf = async (url: string) => (await get(url)).headers.get('content-disposition')?.split(';')[0];
    expect(await kindOf(address)).toBe('inline');
    expect(await kindOf(changed('download', 'true'))).toBe('attachment');
    expect(await kindOf(changed('download', 'false'))).toBe('inline');
  });

  it('is the PDF under the number of its invoice, in any script', async () => {
    const { status, headers, bytes } = await get(address);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('cache-control')).toContain('private');
    expect(headers.get('accept-ranges')).toBe('bytes');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const disposition = headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^[ -~]+$/);
    expect(disposition).toContain('filename="QUI-2026 __');
    const encoded = /filename\*=UTF-8''([^;]+)$/.exec(disposition)?.[1] ?? '';
    expect(decodeURIComponent(encoded)).toBe('QUI-2026 "Ü"-東京.pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.toString('latin1').trimEnd()).toMatch(/%%EOF$/);
  });

  it('is the same every time, from every process and through every address', async () => {
    const first = await get(address);
    const other = createApp({ db: test.db, logger: pino({ level: 'silent' }), now: () => new Date(clock) });
    const second = await get(address, {}, 'GET', other);
    await other.close();
    clock += 60_000;
    const third = await get(await addressOf(id));
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(third.bytes.equals(first.bytes)).toBe(true);
    expect(third.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('answers HEAD as GET without the body', async () => {
    const [head, full] = [await get(address, {}, 'HEAD'), await get(address)];
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-length', 'content-type', 'etag', 'content-disposition']) {
      expect(head.headers.get(name), name).toBe(full.headers.get(name));
    }
  });

  it('has no other methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await get(address, {}, method)).status).toBe(404);
  });

  it('is sent whole and in part by a real server', async () => {
    const server = createServer((request, response) => void test.app.listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const origin = `http://127.0.0.1:${port}`;
    const headers = { Authorization: `Bearer ${test.key}` };
    const answer = await fetch(`${origin}/api/v1/invoices/${id}/download`, { method: 'POST', headers });
    const url = ((await answer.json()) as { invoice: { file_url: string } }).invoice.file_url;
    expect(url.startsWith(`${origin}/files/`)).toBe(true);
    const full = await fetch(url);
    const length = (await full.arrayBuffer()).byteLength;
    expect([full.status, full.headers.get('content-length')]).toEqual([200, String(length)]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(length)]);
    const part = await fetch(url, { headers: { Range: 'bytes=0-4' } });
    expect([part.status, await part.text(), part.headers.get('content-length')]).toEqual([206, '%PDF-', '5']);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('conditions', () => {
  it('304 where the reader has it already', async () => {
    const etag = (await get(address)).headers.get('etag') ?? '';
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, headers, bytes } = await get(address, { 'If-None-Match': value });
      expect([status, bytes.length, headers.get('etag')], value).toEqual([304, 0, etag]);
    }
    expect((await get(address, { 'If-None-Match': '"x"' })).status).toBe(200);
    expect((await get(address, { 'If-Match': '"x"' })).status).toBe(412);
    expect((await get(address, { 'If-Match': etag })).status).toBe(200);
  });

  it('206 for one range', async () => {
    const { bytes: full } = await get(address);
    const size = full.length;
    const cases: [string, number, number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=5-9', 5, 9],
      [`bytes=${size - 3}-`, size - 3, size - 1],
      ['bytes=-4', size - 4, size - 1],
      [`bytes=-${size + 10}`, 0, size - 1],
      [`bytes=10-${size + 10}`, 10, size - 1],
    ];
    for (const [range, first, last] of cases) {
      const { status, headers, bytes } = await get(address, { Range: range });
      expect([status, headers.get('content-range')], range).toEqual([206, `bytes ${first}-${last}/${size}`]);
      expect(headers.get('content-length')).toBe(String(last - first + 1));
      expect(bytes.equals(full.subarray(first, last + 1)), range).toBe(true);
    }
  });

  it('416 for a range outside, and the whole for what is no single range of bytes', async () => {
    const size = (await get(address)).bytes.length;
    for (const range of [`bytes=${size}-`, 'bytes=-0', 'bytes=99999999999999999999-']) {
      const { status, headers } = await get(address, { Range: range });
      expect([status, headers.get('content-range')], range).toEqual([416, `bytes */${size}`]);
    }
    for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=', 'bytes=-', 'bytes=a-b']) {
      expect([(await get(address, { Range: range })).status, range]).toEqual([200, range]);
    }
  });

  it('keeps to the range only while the file is the one that was begun', async () => {
    const etag = (await get(address)).headers.get('etag') ?? '';
    const Range = 'bytes=0-4';
    expect((await get(address, { Range, 'If-Range': etag })).status).toBe(206);
    for (const value of ['"x"', `W/${etag}`, 'Mon, 01 Jun 2026 10:00:00 GMT']) {
      expect((await get(address, { Range, 'If-Range': value })).status, value).toBe(200);
    }
    expect((await get(address, { Range }, 'HEAD')).status).toBe(200);
  });
});

describe('403', () => {
  it('for an address that was changed in any part', async () => {
    const other = await makeInvoice(test.db, seller);
    const signature = new URL(address).searchParams.get('signature') ?? '';
    const last = signature.at(-1) === 'A' ? 'B' : 'A';
    const all = [
      address.replace(id, other),
      address.replace(id, id.toUpperCase()),
      changed('organization', '0190a1a8-0000-7000-8000-000000000000'),
      changed('expires', '99999999999'),
      changed('expires', ''),
      changed('expires', '1e12'),
      changed('signature', ''),
      changed('signature', 'x'),
      changed('signature', 'x'.repeat(10_000)),
      changed('signature', signature.slice(0, -1) + last),
      changed('signature', new URL(await addressOf(other)).searchParams.get('signature') ?? ''),
      address.split('?')[0] ?? '',
    ];
    // Every text that means the same bytes as the signature is another signature.
    for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      if (character !== signature.at(-1)) all.push(changed('signature', signature.slice(0, -1) + character));
    }
    for (const url of all) expect(await refusalOf(url), url).toEqual([403, 'signature_invalid']);
  });

  it('for an address that has expired', async () => {
    const soon = await addressOf(id);
    clock += HOUR - 1000;
    expect((await get(soon)).status).toBe(200);
    clock += 1000;
    expect(await refusalOf(soon)).toEqual([403, 'signature_expired']);
    const later = new URL(soon);
    later.searchParams.set('expires', String(Math.ceil(clock / 1000) + 600));
    expect(await refusalOf(later.href)).toEqual([403, 'signature_invalid']);
    clock -= HOUR;
  });

  it('asks nothing of the database for an address that is not signed', async () => {
    let statements = 0;
    test.db.onStatement(() => statements++);
    await get(changed('signature', 'x'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(statements).toBe(0);
  });
});

describe('404', () => {
  it('once the invoice is voided or gone', async () => {
    const gone = await makeInvoice(test.db, seller);
    const url = await addressOf(gone);
    await test.db.prisma.invoice.update({ where: { id: gone }, data: { status: 'voided' } });
    expect(await refusalOf(url)).toEqual([404, 'object_not_found']);
    await test.db.prisma.fee.deleteMany({ where: { invoiceId: gone } });
    await test.db.prisma.invoice.delete({ where: { id: gone } });
    expect(await refusalOf(url)).toEqual([404, 'object_not_found']);
  });
});

describe('the secret', () => {
  it('is one however many ask for it first', async () => {
    const asked = await Promise.all(Array.from({ length: 5 }, () => readSigningSecret(test.db.prisma, 'race')));
    expect(new Set(asked).size).toBe(1);
    expect(Buffer.from(asked[0] ?? '', 'base64url')).toHaveLength(32);
    expect(await readSigningSecret(test.db.prisma, 'another')).not.toBe(asked[0]);
  });

  it('is the configured one where there is one, and so is the address', async () => {
    const options = { db: test.db, logger: pino({ level: 'silent' }), now: () => new Date(clock) };
    const signingSecret = 'a secret of forty characters, as it is.';
    const one = createApp({ ...options, signingSecret, publicUrl: 'https://bill.quill.test/base/' });
    const two = createApp({ ...options, signingSecret });
    const request = new Request(`http://gateway.test/api/v1/invoices/${id}/download`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${test.key}` },
    });
    const { invoice } = (await (await one.fetch(request)).json()) as { invoice: { file_url: string } };
    expect(invoice.file_url).toMatch(/^https:\/\/bill\.quill\.test\/base\/files\/invoices\//);
    const path = invoice.file_url.replace('https://bill.quill.test/base', 'http://gateway.test');
    expect((await get(path, {}, 'GET', two)).status).toBe(200);
    expect((await get(path)).status).toBe(403);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('the name of a file', () => {
  it.each([
    ['A-1.pdf', `inline; filename="A-1.pdf"; filename*=UTF-8''A-1.pdf`],
    ['../a\\b\r\nX: y.pdf', `inline; filename="..-a-b--X: y.pdf"; filename*=UTF-8''..-a-b--X%3A%20y.pdf`],
    [`q"%'(*)!.pdf`, `inline; filename="q__'(*)!.pdf"; filename*=UTF-8''q%22%25%27%28%2A%29%21.pdf`],
    ['\ud800.pdf', `inline; filename="_.pdf"; filename*=UTF-8''%EF%BF%BD.pdf`],
  ])('%j', (name, header) => {
    expect(contentDisposition(name)).toBe(header);
  });
});

it('spends ten points of its organization, and beyond them is told when to come again; an address that is not signed spends none', async () => {
  const logger = pino({ level: 'silent' });
  const now = () => new Date(clock);
  const app = createApp({ db: test.db, logger, now, protection: { rateLimit: { limit: 25 } } });
  const signed = await addressOf(id);
  for (let times = 0; times < 5; times += 1) {
    expect((await get(changed('signature', 'x'), {}, 'GET', app)).status).toBe(403);
  }
  const answers = [
    await get(signed, {}, 'GET', app),
    await get(signed, {}, 'HEAD', app),
    await get(signed, {}, 'GET', app),
  ];
  await app.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  const { headers, bytes } = answers[2] ?? { headers: new Headers(), bytes: Buffer.alloc(0) };
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(JSON.parse(bytes.toString())).toEqual({
    status: 429,
    error: 'Too Many Requests',
    code: 'rate_limit_exceeded',
  });
});
