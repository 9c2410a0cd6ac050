import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { renderInvoice } from '../../../src/pdf/render/invoice.ts';
import { Renderer, type RendererOptions } from '../../../src/pdf/render/renderer.ts';
import { PoolBusyError } from '../../../src/thread/pool.ts';
import { besideTurns } from '../../turn.ts';
import { extract } from '../extract.ts';
import { fee, invoice } from '../invoices.ts';
import { png } from '../samples.ts';

const open: Renderer[] = [];
afterEach(async () => {
  for (const renderer of open.splice(0)) await renderer.close();
});

function rendererOf(options: RendererOptions = {}): Renderer {
  const renderer = new Renderer(options);
  open.push(renderer);
  return renderer;
}

const shared = new Renderer();
afterAll(() => shared.close());

const named = (name: string) => invoice({ number: name, fees: [fee({ amountCents: 100n })] });

describe('a document', () => {
  it('has the bytes that rendering it here has', async () => {
    const document = named('A-1');
    const bytes = await shared.render(document);
    expect(Buffer.from(bytes).equals(Buffer.from(await renderInvoice(document)))).toBe(true);
  });

  it('does not hold up other work while it is rendered', async () => {
    await shared.render(named('A-1'));
    const fees = Array.from({ length: 500 }, (_, index) => fee({ name: `Line ${index}`, amountCents: 100n }));
    const { longest, whole } = await besideTurns(() => shared.render(invoice({ number: 'A-2', fees })));
    expect(longest).toBeLessThan(whole / 2);
  });

  it('is rendered once for all who ask at once', async () => {
    const renderer = rendererOf({ atOnce: 1, mostWaiting: 0 });
    const all = await Promise.all(Array.from({ length: 20 }, () => renderer.render(named('A-1'))));
    expect(new Set(all).size).toBe(1);
    await expect(Promise.all([renderer.render(named('A-2')), renderer.render(named('A-3'))])).rejects.toThrow(
      PoolBusyError,
    );
  });

  it('waits its turn, and every one is answered with its own', async () => {
    const numbers = Array.from({ length: 8 }, (_, index) => `B-${index}`);
    const texts = await Promise.all(
      numbers.map(async (number) => (await extract(await shared.render(named(number)))).text),
    );
    texts.forEach((text, index) => {
      expect(text).toContain(`B-${index}`);
    });
    expect(new Set(texts).size).toBe(8);
  });

  it('that cannot be rendered fails alone', async () => {
    const renderer = rendererOf({ atOnce: 1 });
    const broken = invoice({ fees: [fee({ units: 'many', amountCents: 1n })] });
    await expect(renderer.render(broken)).rejects.toThrow('cannot be rendered');
    await expect(renderer.render(broken)).rejects.toThrow('cannot be rendered');
    expect((await renderer.render(named('A-1'))).length).toBeGreaterThan(1000);
  });

  it('with signs that no font has is told of', async () => {
    const told: string[][] = [];
    const renderer = rendererOf({ atOnce: 1, onMissing: (number, signs) => told.push([number, signs]) });
    await renderer.render(named('A-1'));
    await renderer.render(named('A-2 \ua500\ua501'));
    expect(told).toEqual([['A-2 \ua500\ua501', '\ua500 \ua501']]);
  });

  it('that is still waiting is given up when the renderer is closed', async () => {
    const renderer = rendererOf({ atOnce: 1 });
    const all = ['A-1', 'A-2', 'A-3'].map((number) => renderer.render(named(number)));
    const settled = Promise.allSettled(all);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await renderer.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('can be rendered after the thread has ended', async () => {
    const renderer = rendererOf({ atOnce: 1 });
    await renderer.render(named('A-1'));
    await renderer.close();
    expect((await renderer.render(named('A-2'))).length).toBeGreaterThan(1000);
  });
});

describe('a logo', () => {
  const withLogo = (logoUrl: string) => {
    const plain = named('A-1');
    return { ...plain, billingEntity: { ...plain.billingEntity, logoUrl } };
  };

  it('is fetched from a listed host and printed, and is part of what tells documents apart', async () => {
    const asked: string[] = [];
    let found = true;
    const fetchLogo = async (url: URL) => {
      asked.push(url.href);
      return found ? png() : null;
    };
    const renderer = rendererOf({ atOnce: 1, images: { hosts: new Set(['cdn.quill.test']), fetch: fetchLogo } });
    const address = 'https://cdn.quill.test/logo.png';
    expect((await extract(await renderer.render(withLogo(address)))).images).toBe(1);
    found = false;
    // Not asked again for what was had a moment ago, so that all parts of a document are of one and the same.
    expect((await extract(await renderer.render(withLogo(address)))).images).toBe(1);
    expect((await extract(await renderer.render(withLogo(`${address}?2`)))).images).toBe(0);
    expect((await extract(await renderer.render(withLogo('https://other.test/logo.png')))).images).toBe(0);
    expect(asked).toEqual([address, `${address}?2`]);
  });
});
