import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { minorDigits } from '../../src/billing/money/currency.ts';
import { dec } from '../../src/billing/money/decimal.ts';
import { isCreditNote, type PrintedDocument } from '../../src/pdf/credit-note-document.ts';
import { createFormat } from '../../src/pdf/format.ts';
import type { InvoiceDocument } from '../../src/pdf/invoice-document.ts';
import { chooseLocale, type DocumentLocale, labelsOf } from '../../src/pdf/labels/labels.ts';
import { groupLines } from '../../src/pdf/lines.ts';
import { renderCreditNote } from '../../src/pdf/render/credit-note.ts';
import { renderInvoice } from '../../src/pdf/render/invoice.ts';
import { rowsOf } from '../../src/pdf/rows.ts';
import { Sheet } from '../../src/pdf/sheet.ts';
import { FontBook } from '../../src/pdf/text/font-book.ts';
import { TextLayout } from '../../src/pdf/text/text-layout.ts';
import { forOrganization } from '../../src/store/database/tenant.ts';
import { readCreditNoteDocument } from '../../src/store/document/credit-note-document.ts';
import { readInvoiceDocument } from '../../src/store/document/invoice-document.ts';
import { openDemoDatabase } from '../support.ts';

const LOCALES: readonly DocumentLocale[] = ['en', 'fr', 'de', 'es', 'it', 'nb', 'sv', 'pt-BR', 'zh-TW'];

let documents: PrintedDocument[];
let invoices: InvoiceDocument[];

beforeAll(async () => {
  const { db, organizations } = await openDemoDatabase();
  const found: (PrintedDocument | null)[] = [];
  for (const organizationId of organizations) {
    const tenant = forOrganization(db.prisma, organizationId);
    const which = { where: { organizationId, status: 'finalized' }, select: { id: true } } as const;
    for (const { id } of await db.prisma.invoice.findMany(which)) found.push(await readInvoiceDocument(tenant, id));
    for (const { id } of await db.prisma.creditNote.findMany(which))
      found.push(await readCreditNoteDocument(tenant, id));
  }
  await db.close();
  documents = found.filter((document) => document !== null);
  invoices = documents.filter((document): document is InvoiceDocument => !isCreditNote(document));
}, 240_000);

afterAll(() => vi.restoreAllMocks());

const localeOf = ({ documentLocale, billingEntity }: PrintedDocument) =>
  chooseLocale(documentLocale, billingEntity.documentLocale);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Finds words that stand by themselves; those of Chinese have no ends. */
const finderOf = (words: readonly string[]) => {
  const ofHan = words.filter((word) => /\p{Script=Han}/u.test(word));
  const others = words.filter((word) => !ofHan.includes(word));
  const longest = (some: readonly string[]) =>
    some
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
      .join('|');
  return new RegExp(`${longest(ofHan)}|(?<![\\p{L}\\p{N}])(?:${longest(others)})(?![\\p{L}\\p{N}])`, 'gu');
};

const wordsOf = (locale: DocumentLocale) =>
  Object.values(labelsOf(locale))
    .flatMap((label) => label.split(/\{\w+\}/))
    .map((word) => word.trim())
    .filter((word) => /\p{L}/u.test(word));

/** Finds the words of other languages that are no words of this one. */
function foreignTo(locale: DocumentLocale): RegExp {
  const others = LOCALES.filter((other) => other !== locale).flatMap(wordsOf);
  const own = new Set(wordsOf(locale).join('\n').match(finderOf(others)) ?? []);
  return finderOf([...new Set(others)].filter((word) => !own.has(word)));
}

/** All texts that a document sets, without drawing it. */
async function textsOf(document: PrintedDocument): Promise<string[]> {
  const texts: string[] = [];
  const set = (text: string) => {
    texts.push(text);
    return { runs: [], width: 0, text };
  };
  vi.spyOn(TextLayout.prototype, 'line').mockImplementation(set);
  vi.spyOn(TextLayout.prototype, 'lines').mockImplementation((text) => [set(text)]);
  vi.spyOn(FontBook.prototype, 'missingIn').mockReturnValue([]);
  vi.spyOn(Sheet.prototype, 'finish').mockImplementation(async (text) => {
    set(text);
    return new Uint8Array();
  });
  await (isCreditNote(document) ? renderCreditNote(document) : renderInvoice(document));
  return texts;
}

describe('every document of the demo', () => {
  it('is in one language, that of its customer or else of who issues it', { timeout: 120_000 }, async () => {
    const foreign = new Map(LOCALES.map((locale) => [locale, foreignTo(locale)]));
    const seen = new Map<string, number>();
    for (const document of documents) {
      const locale = localeOf(document);
      const own = labelsOf(locale);
      const texts = await textsOf(document);
      const data = JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      const finder = foreign.get(locale) ?? /$/g;
      const named = new Set(data.match(finder));
      const wrong = (texts.join('\n').match(finder) ?? []).filter((word) => !named.has(word));
      expect([document.number, locale, wrong]).toEqual([document.number, locale, []]);
      const kind = isCreditNote(document) ? 'note' : 'invoice';
      const expected = kind === 'note' ? [own.creditNoteNumber, own.to] : [own.number, own.billTo];
      for (const word of [...expected, own.from, own.item, own.amount]) expect(texts).toContain(word);
      seen.set(`${kind} ${locale}`, (seen.get(`${kind} ${locale}`) ?? 0) + 1);
    }
    expect(LOCALES.filter((locale) => !seen.has(`invoice ${locale}`))).toEqual([]);
    expect([...seen.keys()].filter((kind) => kind.startsWith('note')).length).toBeGreaterThan(2);
  });

  it('says below its lines nothing in another language', () => {
    for (const { number, billingEntity, ...document } of invoices) {
      const { invoiceFooter, documentLocale } = billingEntity;
      // What stands below the documents of all customers names things, in no language.
      const isOwn = localeOf({ number, billingEntity, ...document } as InvoiceDocument) === documentLocale;
      if (invoiceFooter && !isOwn) expect([number, invoiceFooter.split(' · ').length]).toEqual([number, 4]);
    }
    expect(invoices.some(({ billingEntity }) => billingEntity.invoiceFooter)).toBe(true);
  });
});

describe('every line of the demo', () => {
  const figure = (text: string) => dec(text.replaceAll(',', '').replace(/[^\d.-]/g, '') || '0');

  it('can be followed: units times price, or steps, come to its amount; columns have one number of digits', () => {
    const labels = labelsOf('en');
    let [lines, steps] = [0, 0];
    for (const invoice of invoices) {
      const { currency, number } = invoice;
      const digits = minorDigits(currency);
      const format = createFormat('en', currency, () => true);
      const groups = groupLines(invoice);
      const rows = rowsOf(groups, { labels, format }).flat();
      const fees = groups.flatMap((group) => group.fees);
      const places = (texts: readonly string[]) =>
        new Set(texts.filter(Boolean).map((text) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0));
      expect([number, places(rows.map(({ figures }) => figures[0] ?? '')).size]).toEqual([number, 1]);
      rows.forEach((row, at) => {
        lines += 1;
        const fee = fees[at];
        const [units = '', price = '', , amount = ''] = row.figures;
        const charged = figure(amount);
        const close = (one: ReturnType<typeof dec>) => one.minus(charged).abs().lte(dec(10).pow(-digits));
        if (row.steps.length > 0) {
          steps += row.steps.length;
          expect(price).toBe('');
          const sum = row.steps.reduce((total, step) => total.plus(figure(step.figures[3] ?? '')), dec(0));
          expect([number, row.name, close(sum)]).toEqual([number, row.name, true]);
          for (const { figures } of row.steps) {
            if (!figures[1] || !figures[0]) continue;
            const factor = figures[1].endsWith('%') ? figure(figures[1]).div(100) : figure(figures[1]);
            const product = factor.times(figure(figures[0]));
            const told = product
              .minus(figure(figures[3] ?? ''))
              .abs()
              .lte(dec(10).pow(-digits));
            expect([number, row.name, figures, told]).toEqual([number, row.name, figures, true]);
          }
        } else {
          const worth = fee?.pricingUnit ? dec(fee.pricingUnit.conversionRate) : dec(1);
          const factor = price.endsWith('%') ? figure(price).div(100) : figure(price);
          const inUnit = figure(units)
            .times(factor)
            .toDecimalPlaces(fee?.pricingUnit ? 2 : digits);
          const product = inUnit.times(worth).toDecimalPlaces(digits);
          expect([number, row.name, row.figures, String(product)]).toEqual([
            number,
            row.name,
            row.figures,
            String(charged),
          ]);
        }
      });
    }
    expect(lines).toBeGreaterThan(3000);
    expect(steps).toBeGreaterThan(1000);
  });
});
