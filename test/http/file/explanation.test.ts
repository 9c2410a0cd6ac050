import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, serveApp, watch } from '../../browser.ts';
import { createTestApp, openDemoDatabase, type TestApp } from '../../support.ts';

let test: TestApp;
let keys: string[];
let invoice: { explanationUrl: string; fileUrl: string; number: string; totalAmountCents: string };

const LIST = `{ invoices(first: 40, filter: { invoiceType: [subscription], status: [finalized] }, orderBy: { field: issuing_date, direction: desc }) {
  nodes { svcId explanationUrl fileUrl number totalAmountCents allFees { amountCents feeType } } } }`;

beforeAll(async () => {
  const { db, organizations } = await openDemoDatabase();
  test = await createTestApp({ db });
  keys = await Promise.all(organizations.map((organizationId) => test.makeKey({ organizationId })));
  const { data } = await test.graphql(LIST, {}, keys[0]);
  const several = data.invoices.nodes.toSorted(
    (one: { allFees: unknown[] }, other: { allFees: unknown[] }) => other.allFees.length - one.allFees.length,
  );
  invoice = several[0];
}, 120_000);
afterAll(async () => {
  await test?.close();
  await test?.db.close();
});

const get = (url: string, method = 'GET') => test.app.fetch(new Request(url, { method }));
const refused = async (url: string) => {
  const response = await get(url);
  return [response.status, (await response.json()).code];
};

describe('the page that explains an invoice', { timeout: 120_000 }, () => {
  it('needs no key, only its own signature: that of the PDF opens it as little as another invoice does', async () => {
    const response = await get(invoice.explanationUrl);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await response.text();
    expect(text).toContain(`Invoice ${invoice.number}, step by step`);
    const [path] = new URL(invoice.explanationUrl).pathname.split('?');
    const ofFile = new URL(invoice.fileUrl);
    ofFile.pathname = path ?? '';
    expect(await refused(ofFile.href)).toEqual([403, 'signature_invalid']);
    const other = invoice.explanationUrl.replace(/invoices\/[^/]+/, 'invoices/018f0000-0000-7000-8000-000000000000');
    expect(await refused(other)).toEqual([403, 'signature_invalid']);
  });

  it.runIf(hasBrowser)('is read on a phone and on paper, with everything it needs in it', async () => {
    const served = await serveApp(test.app);
    const browser = await openBrowser();
    try {
      const url = invoice.explanationUrl.replace(/^https?:\/\/[^/]+/, served.origin);
      for (const [width, name] of [
        [390, 'phone'],
        [1200, 'desk'],
      ] as const) {
        const page = await browser.newPage({ viewport: { width, height: 900 } });
        const { foreign, complaints } = watch(page, served.origin);
        await page.goto(url);
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect(wide).toBeLessThanOrEqual(width);
        expect(await page.locator('h1').count()).toBe(1);
        expect(await page.locator('section.fee table tbody tr').count()).toBeGreaterThan(5);
        expect([foreign, complaints]).toEqual([[], []]);
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
        await page.close();
      }
    } finally {
      await browser.close();
      await served.close();
    }
  });
});
