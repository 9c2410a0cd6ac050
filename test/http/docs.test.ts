import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { html, prose } from '../../src/http/page/html.ts';
import { routes } from '../../src/rest/index.ts';
import { hasBrowser, openBrowser, type Served, serveApp, watch } from '../browser.ts';
import { createTestApp, type TestApp } from '../support.ts';

// A browser beside whatever else the machine does.
vi.setConfig({ testTimeout: 240_000 });

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

it('the key of the demo is shown where the demo is, and no other key anywhere', async () => {
  const texts = async (app: TestApp['app']) =>
    Promise.all(
      ['/', '/docs'].map(async (path) => (await app.fetch(new Request(`http://gateway.test${path}`))).text()),
    );
  const demo = await createTestApp({ db: gateway.db, demoKey: 'sk_svc_demo' });
  for (const text of await texts(demo.app)) {
    expect(text).toContain('sk_svc_demo');
    expect(text).not.toContain(demo.key);
  }
  const [start = '', docs = ''] = await texts(gateway.app);
  expect(start + docs).not.toMatch(/[sp]k_svc_/);
  expect([start.includes('Try the demo'), docs.includes('Bearer $API_KEY')]).toEqual([false, true]);
  await demo.app.close();
});

it('/docs tells of GraphQL: how it is asked, and every scalar', async () => {
  const text = await (await fetchPage('/docs')).text();
  const part = text.slice(text.indexOf('id="graphql"'), text.indexOf('id="createInvoicePreview"'));
  for (const name of [
    'BigInt',
    'CountryCode',
    'Date',
    'DateOrDateTime',
    'DateTime',
    'Decimal',
    'EmailAddress',
    'JSON',
    'Locale',
    'Percentage',
    'PreciseDateTime',
    'TimeZone',
    'URL',
    'UUID',
  ])
    expect(part).toContain(`<dt><code>${name}</code>`);
  expect(part).toMatch(/\/graphql \\\n +-H "Authorization: Bearer \$API_KEY"/);
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

  it.each(['/', '/docs'])('%s has no fault that axe knows of, on a phone and in the dark', async (path) => {
    for (const options of [{ viewport: PHONE }, { colorScheme: 'dark' as const }]) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(served.origin + path);
      await page.evaluate(THIN);
      expect(await violations(page)).toEqual([]);
      await context.close();
    }
  });

  it('text can be told from its ground, in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      await page.goto(`${served.origin}/docs`);
      await page.evaluate(THIN);
      const weak = await page.evaluate(CONTRAST);
      expect(weak, colorScheme).toEqual([]);
      await context.close();
    }
  });

  it('GraphiQL runs a query on a phone, shows what it answered, and tells what to ask', async () => {
    await gateway.db.prisma.tax.create({
      data: { organizationId: gateway.organizationId, code: 'vat_test', name: 'VAT', rate: 20 },
    });
    const shown = await createTestApp({
      db: gateway.db,
      demoKey: gateway.key,
      examples: ['query Taxes { taxes { nodes { code rate } } }'],
    });
    const own = await serveApp(shown.app);
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    const { foreign, complaints } = watch(page, own.origin);
    await page.goto(`${own.origin}/graphql`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: /execute query/i }).click();
    await expect.poll(() => page.locator('.result-window').textContent(), { timeout: 20_000 }).toMatch(/vat_test/);
    expect(await violations(page)).toEqual(GRAPHIQL_EXCEPTIONS);
    await page.getByRole('button', { name: /show documentation explorer/i }).click();
    await page.getByText('What to ask first.').waitFor();
    expect(await page.locator('.graphiql-plugin').evaluate((shown) => shown.clientWidth)).toBe(390);
    expect(await violations(page)).toEqual([]); // the tabs are out of sight
    expect([foreign, complaints]).toEqual([[], []]);
    await context.close();
    await own.close();
  });
});

// Hundreds of operations are shown by the same words of the page: every twelfth is looked at, which one is so by its place.
const THIN = `document.querySelectorAll('section.operation').forEach((one, index) => { if (index % 12 !== 0) one.remove(); })`;

const PHONE = { width: 390, height: 844 };

// A tab of GraphiQL is a list item with the role of a tab, and holds buttons: its own markup, which a style cannot change.
const GRAPHIQL_EXCEPTIONS = ['nested-interactive'];

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Which rules of WCAG 2.1, A and AA, a page breaks, as axe finds them. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'));
  const found = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id }) => id))`,
  );
  return found as string[];
}

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
