import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { renderCreditNote } from '../../src/pdf/render/credit-note.ts';
import { renderInvoice } from '../../src/pdf/render/invoice.ts';
import { creditNote, fee, invoice } from './invoices.ts';
import { dataAddress, manyFees, png, samples } from './samples.ts';

type Node = { role?: string; alt?: string; lang?: string; children?: Node[] };

const roles = ({ role, children = [] }: Node): string[] => [...(role ? [role] : []), ...children.flatMap(roles)];

async function read(bytes: Uint8Array) {
  const task = getDocument({ data: bytes.slice(), verbosity: 0 });
  const document = await task.promise;
  const pages = await Promise.all(
    Array.from({ length: document.numPages }, async (_, at) => {
      const page = await document.getPage(at + 1);
      const { fnArray } = await page.getOperatorList();
      return { tree: (await page.getStructTree()) as Node | null, operations: fnArray };
    }),
  );
  const marked = (await document.getMarkInfo())?.Marked;
  await task.destroy();
  return { pages, marked };
}

describe('the parts of a document, as they are read aloud', () => {
  it('has a title, tables with heads, sections and a picture that says what it shows', async () => {
    const sample = invoice({
      billingEntity: { ...invoice().billingEntity, logoUrl: dataAddress(png()) },
      fees: [fee({ amountCents: 100n })],
      customSections: [{ displayName: 'Notes', details: 'Thanks' }],
    });
    const { pages, marked } = await read(await renderInvoice(sample));
    expect(marked).toBe(true);
    const tree = pages[0]?.tree ?? {};
    const found = roles(tree);
    expect(found.filter((role) => ['H1', 'H2', 'Table', 'Figure'].includes(role))).toEqual([
      'H1',
      'Figure',
      'Table',
      'Table',
      'H2',
    ]);
    expect(found.filter((role) => role === 'TH')).toHaveLength(5 + 1 + 1 + 3);
    expect(JSON.stringify(tree)).toContain('"alt":"Acme Cloud Inc."');
  });

  it('a credit note has them as well: a title, its reason, and tables with heads', async () => {
    const item = { subscription: null, fromDate: null, toDate: null, taxesRate: '20' };
    const note = creditNote({
      billingEntity: { ...invoice().billingEntity, logoUrl: dataAddress(png()) },
      items: [
        { ...item, name: 'Growth plan', amountCents: 100n },
        { ...item, name: 'Requests', amountCents: 50n },
      ],
      totalAmountCents: 150n,
      refundAmountCents: 150n,
    });
    const { pages, marked } = await read(await renderCreditNote(note));
    expect(marked).toBe(true);
    const tree = pages[0]?.tree ?? {};
    const found = roles(tree);
    expect(found.filter((role) => ['H1', 'Figure', 'Table'].includes(role))).toEqual([
      'H1',
      'Figure',
      'Table',
      'Table',
    ]);
    // Heads of the columns, one a line, and one a row of the totals.
    expect(found.filter((role) => role === 'TH')).toHaveLength(3 + 2 + 4);
    expect(JSON.stringify(tree)).toContain('"alt":"Acme Cloud Inc."');
  });

  it('every text and stroke belongs to a part or is marked as ornament, on every page', async () => {
    const long = invoice({ fees: manyFees(60), subscriptions: [{ id: 'sub-1', name: 'First' }] });
    const items = manyFees(60).map(({ name, amountCents, taxesRate }) => ({
      ...{ name, amountCents, taxesRate },
      ...{ subscription: 'First', fromDate: '2026-01-01', toDate: '2026-01-31' },
    }));
    const documents = [long, samples.arabic ?? long, samples.short ?? long].map((one) => renderInvoice(one));
    for (const bytes of [...documents, renderCreditNote(creditNote({ items, description: 'שלום' }))]) {
      const { pages } = await read(await bytes);
      for (const { operations } of pages) {
        let open = 0;
        for (const operation of operations) {
          if (operation === OPS.beginMarkedContent || operation === OPS.beginMarkedContentProps) open += 1;
          if (operation === OPS.endMarkedContent) open -= 1;
          expect(open).toBeGreaterThanOrEqual(operation === OPS.showText || operation === OPS.constructPath ? 1 : 0);
        }
        expect(open).toBe(0);
      }
    }
  });

  it('a line in the letters of another language is in that language, unless it is in several or its letters do not tell', async () => {
    const languages = ({ role, lang, children = [] }: Node): string[] => [
      ...(role === 'Span' ? [lang ?? ''] : []),
      ...children.flatMap(languages),
    ];
    const spans = async (names: readonly string[], documentLocale: string) => {
      const fees = names.map((name) => fee({ name, amountCents: 1n }));
      const bytes = await renderInvoice(invoice({ fees, documentLocale }));
      const { pages } = await read(bytes);
      return pages.flatMap(({ tree }) => (tree ? languages(tree) : []));
    };
    const names = [
      '千代田区ビル 5',
      '대불로 5',
      'שלום 2026',
      'خطة 7',
      'شرکت پارس',
      'เชียงใหม่',
      'Plan ビル',
      '千代田区',
      'Żółw',
      '42',
    ];
    expect(await spans(names, 'en')).toEqual(['ja', 'ko', 'he', 'ar', '', 'th']);
    expect(await spans(['統一發票方案'], 'zh-TW')).toEqual([]);
  });

  it('says a line from right to left in the order of reading', async () => {
    const bytes = await renderInvoice(invoice({ fees: [fee({ name: 'שלום 2026', amountCents: 1n })] }));
    const said = Buffer.from('\ufeffשלום 2026', 'utf16le').swap16();
    expect(Buffer.from(bytes).includes(said)).toBe(true);
  });
});
