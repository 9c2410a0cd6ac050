import { describe, expect, it, vi } from 'vitest';
import type { Images } from '../../../src/pdf/image/logo.ts';
import { renderInvoice } from '../../../src/pdf/render/invoice.ts';
import { extract } from '../extract.ts';
import { fee, invoice } from '../invoices.ts';
import { dataAddress, png } from '../samples.ts';

/** One grey pixel. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
);

async function images(logoUrl: string, loader?: Images): Promise<number> {
  const document = invoice({
    billingEntity: { ...invoice().billingEntity, logoUrl },
    fees: [fee({ amountCents: 1n })],
  });
  const result = await extract(await renderInvoice(document, { images: loader }));
  expect(result.text).toContain('Amount due $0.01');
  return result.images;
}

const changed = (at: number, value: number) => {
  const bytes = Buffer.from(png());
  bytes[at] = value;
  return bytes;
};

describe('a logo', () => {
  it('comes from a data: address, PNG or JPEG', async () => {
    expect(await images(dataAddress(png()))).toBe(1);
    expect(await images(dataAddress(jpeg, 'image/jpeg'))).toBe(1);
  });

  it('comes from a host that the operator lists, by the caller’s fetcher', async () => {
    const fetch = vi.fn(async () => new Uint8Array(png()));
    const loader = { hosts: new Set(['cdn.example.com']), fetch };
    expect(await images('https://cdn.example.com/logo.png', loader)).toBe(1);
    expect(fetch).toHaveBeenCalledWith(new URL('https://cdn.example.com/logo.png'));
  });

  it.each([
    'https://evil.example.com/logo.png',
    'http://cdn.example.com/logo.png',
    'https://user@cdn.example.com/logo.png',
    'https://cdn.example.com:8443/logo.png',
    'https://cdn.example.com.evil.example/logo.png',
    'file:///etc/passwd',
    '/etc/passwd',
    'data:text/html;base64,PGI+',
    'not an address',
  ])('is never fetched from %s', async (address) => {
    const fetch = vi.fn(async () => new Uint8Array(png()));
    expect(await images(address, { hosts: new Set(['cdn.example.com']), fetch })).toBe(0);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('is left out when the fetcher fails or finds none', async () => {
    const hosts = new Set(['cdn.example.com']);
    const failing = { hosts, fetch: async () => Promise.reject(new Error('timeout')) };
    expect(await images('https://cdn.example.com/logo.png', failing)).toBe(0);
    expect(await images('https://cdn.example.com/logo.png', { hosts, fetch: async () => null })).toBe(0);
  });

  it.each([
    ['a broken stream', changed(60, 255)],
    ['a cut file', Buffer.concat([png().subarray(0, 100), png().subarray(-12)])],
    ['an unknown colour type', changed(25, 7)],
    ['an impossible depth', changed(24, 3)],
    ['more rows than the data has', changed(23, 200)],
    ['no data', Buffer.concat([png().subarray(0, 33), png().subarray(-12)])],
    ['too many pixels', changed(21, 255)],
    ['text', Buffer.from('<svg onload="alert(1)"/>')],
    ['an empty file', Buffer.alloc(0)],
    ['a JPEG without a frame', Buffer.from('ffd8ffd9ffd8ffd9ffd8ffd9', 'hex')],
  ])('is left out when it is broken: %s', async (_, bytes) => {
    expect(await images(dataAddress(bytes))).toBe(0);
  });
});
