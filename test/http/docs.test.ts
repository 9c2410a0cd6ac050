import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html, prose } from '../../src/http/page/html.ts';
import { routes } from '../../src/rest/index.ts';
import { hasBrowser, openBrowser, type Served, serveApp, watch } from '../browser.ts';
import { createTestApp, type TestApp } from '../support.ts';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createTestApp({ publicUrl: undefined, protection: { introspection: 'always' } });
});
afterAll(() => gateway.close());

const fetchPage = (path: string, init: RequestInit = {}) =>
  gateway.app.fetch(new Request(`http://gateway.test${path}`, init));

describe('pages that need no key', () => {
  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/openapi.json', 'application/json'],
    ['/schema.graphql', 'text/plain; charset=utf-8'],
  ])('%s', async (path, type) => {
    const response = await fetchPage(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get('content-length')));
    const head = await fetchPage(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      response.headers.get('content-length'),
      '',
    ]);
    const etag = response.headers.get('etag') ?? '';
    expect((await fetchPage(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const packed = await fetchPage(path, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
  });

  it('other methods and other addresses are no pages', async () => {
    expect((await fetchPage('/docs', { method: 'POST' })).status).toBe(404);
    expect((await fetchPage('/docs/nothing')).status).toBe(404);
  });

  it('allow their own style and script, and nothing from elsewhere', async () => {
    for (const path of ['/', '/docs']) {
      const response = await fetchPage(path);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
    }
  });
});

describe('/schema.graphql is for those who may ask for the schema', () => {
  it.each([
    ['always', [200, 200, 200, 200]],
    ['keys', [401, 401, 403, 200]],
    ['never', [404, 404, 404, 404]],
  ] as const)('%s', async (introspection, expected) => {
    const { app, key, makeKey, close } = await createTestApp({ db: gateway.db, protection: { introspection } });
    const ask = (path: string, one?: string) =>
      app.fetch(new Request(`http://gateway.test${path}`, { headers: one ? { Authorization: `Bearer ${one}` } : {} }));
    const statuses: number[] = [];
    for (const one of [undefined, 'wrong', await makeKey({ kind: 'publishable' }), key]) {
      statuses.push((await ask('/schema.graphql', one)).status);
    }
    expect(statuses).toEqual(expected);
    const [start, docs] = [await (await ask('/')).text(), await (await ask('/docs')).text()];
    const isLinked = [start, docs].map((text) => text.includes('href="/schema.graphql"'));
    expect(isLinked).toEqual([introspection !== 'never', introspection !== 'never']);
    expect(start.includes('Needs a secret key')).toBe(introspection === 'keys');
    await close();
  });
});

it('/schema.graphql is the committed schema', async () => {
  const text = await (await fetchPage('/schema.graphql')).text();
  expect(text).toBe(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
});

it('/openapi.json names PUBLIC_URL as its server', async () => {
  const other = await createTestApp({ db: gateway.db, publicUrl: 'https://billing.example.com' });
  const response = await other.app.fetch(new Request('http://gateway.test/openapi.json'));
  expect((await response.json()).servers).toEqual([{ url: 'https://billing.example.com/api/v1' }]);
  expect(await (await other.app.fetch(new Request('http://gateway.test/docs'))).text()).toContain(
    'curl -X POST "https://billing.example.com/api/v1/',
  );
});

it('text of descriptions and examples cannot become markup', async () => {
  expect(html`<b title="${'"><script>'}">${['<i>', prose('a `<b>` c')]}</b>`.text).toBe(
    '<b title="&quot;&gt;&lt;script&gt;">&lt;i&gt;<p>a <code>&lt;b&gt;</code> c</p></b>',
  );
});

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser;
  let served: Served;
  beforeAll(async () => {
    browser = await openBrowser();
    served = await serveApp(gateway.app);
  });
  afterAll(async () => {
    await browser.close();
    await served.close();
  });

  async function open(path: string, viewport = { width: 1280, height: 800 }) {
    const context = await browser.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    const seen = watch(page, served.origin);
    await page.goto(served.origin + path);
    return { page, ...seen, close: () => context.close() };
  }

  it.each(['/', '/docs'])('%s asks nobody else, complains of nothing and fits a phone', async (path) => {
    const { page, foreign, complaints, close } = await open(path, { width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect([foreign, complaints]).toEqual([[], []]);
    await close();
  });

  it('the start page leads to pages that are there', async () => {
    const { page, close } = await open('/');
    const paths = await page.locator('.cards a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(paths).toEqual(['/graphql', '/docs', '/openapi.json', '/schema.graphql', '/health', '/ready']);
    for (const path of paths) {
      expect((await fetchPage(path ?? '', { headers: { Accept: 'text/html' } })).status, path ?? '').toBe(200);
    }
    await close();
  });

  it('every endpoint is there, can be found, opened and copied', async () => {
    const { page, close } = await open('/docs');
    const shown = await page.locator('.operation .path').allInnerTexts();
    expect(shown.map((text) => text.replace(/\s+/, ' '))).toHaveLength(routes.length);
    for (const { method, path } of routes)
      expect(shown.map((text) => text.replace(/\s+/, ' '))).toContain(`${method} ${path}`);

    await page.getByLabel('Find an endpoint').fill('wallet');
    expect(await page.locator('.side li:visible').allInnerTexts()).toHaveLength(2);
    await page.getByLabel('Find an endpoint').fill('');

    await page.getByRole('link', { name: /Update charge/ }).click();
    const section = page.locator('#updateCharge');
    const inner = section.locator('dt', { hasText: 'applied_pricing_unit' }).first();
    expect(await inner.isVisible()).toBe(true);

    await page.locator('#getFee').getByRole('button', { name: 'Copy' }).first().click();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toMatch(new RegExp(`^curl "${served.origin}/api/v1/fees/[0-9a-f-]{36}"`));
    expect(copied).toContain('Authorization: Bearer $API_KEY');
    await close();
  });

  it('can be read without a script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${served.origin}/docs`);
    await page.locator('#getFee summary').first().click();
    expect(await page.locator('#getFee dt', { hasText: 'precise_amount' }).first().isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    await context.close();
  });

  it('text can be told from its ground, in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      await page.goto(`${served.origin}/docs`);
      const weak = await page.evaluate(CONTRAST);
      expect(weak, colorScheme).toEqual([]);
      await context.close();
    }
  });

  it('GraphiQL runs a query and shows what it answered', async () => {
    await gateway.db.prisma.tax.create({
      data: { organizationId: gateway.organizationId, code: 'vat_test', name: 'VAT', rate: 20 },
    });
    const shown = await createTestApp({
      db: gateway.db,
      demoKey: gateway.key,
      examples: ['query Taxes { taxes { nodes { code rate } } }'],
    });
    const own = await serveApp(shown.app);
    const context = await browser.newContext();
    const page = await context.newPage();
    const { foreign } = watch(page, own.origin);
    await page.goto(`${own.origin}/graphql`);
    await page.getByRole('button', { name: /execute query/i }).click();
    await expect.poll(() => page.locator('.result-window').textContent(), { timeout: 20_000 }).toMatch(/vat_test/);
    expect(foreign).toEqual([]);
    await context.close();
    await own.close();
  });
});

/** Texts whose colour is nearer to that of their ground than 4.5 to 1, by the formula of WCAG. Runs in the page. */
const CONTRAST = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = (color) => { const [r, g, b] = color.slice(0, 3).map((c) => { const s = c / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (node) => { for (let at = node; at; at = at.parentElement) { const c = rgb(getComputedStyle(at).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255, 255]; };
  const weak = new Set();
  for (const node of document.querySelectorAll('h1,h2,h3,h4,p,a,code,dt,dd,span,strong,button,summary,label,li')) {
    if (!node.offsetParent || ![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())) continue;
    const [one, other] = [light(rgb(getComputedStyle(node).color)), light(ground(node))].sort((a, b) => b - a);
    if ((one + 0.05) / (other + 0.05) < 4.5) weak.add(node.tagName + '.' + node.className + ' ' + node.textContent.slice(0, 30));
  }
  return [...weak];
})()`;
