import { createFormat, type Format } from './format.ts';
import { type Images, type Logo, loadLogo } from './image/logo.ts';
import type { DocumentBase } from './invoice-document.ts';
import { chooseLocale, type DocumentLocale, labelsOf } from './labels/labels.ts';
import type { Labels } from './labels/word.ts';
import { PAGE, STYLES } from './page.ts';
import { partiesOf, partyName } from './parties.ts';
import { Sheet } from './sheet.ts';
import { cjkOrderOf, FontBook } from './text/font-book.ts';
import { cleanText } from './text/text-layout.ts';

export type RenderOptions = {
  /** Without it a logo comes from a `data:` address or not at all. */
  images?: Images | undefined;
  /** Called with the letters and signs that no font has, if there are any. */
  onMissing?: (signs: readonly string[]) => void;
};

/** A document in the making: an empty sheet, and how it writes words, money and names. */
export type Opened = {
  sheet: Sheet;
  document: DocumentBase;
  /** The word at the head of the document: "Invoice". */
  word: string;
  labels: Labels;
  format: Format;
  locale: DocumentLocale;
  /** The name of the issuer. */
  issuer: string;
  logo: Logo | null;
  /** Whether a name can be printed; what cannot is told of, whatever stands in its place. */
  canPrint: (text: string) => boolean;
  skipped: ReadonlySet<string>;
  footer: Footer;
};

/** What the billing entity says at the end; `keep` points of it stay with what stands above. */
type Footer = { text: string; keep: number };

/** Opens a document in the customer's language, else the billing entity's, else English; `word` is what it is called. */
export async function openDocument(
  document: DocumentBase,
  word: keyof Labels,
  { images }: RenderOptions,
): Promise<Opened> {
  const { billingEntity, customer, documentLocale, currency, issuingDate: day } = document;
  const locale = chooseLocale(documentLocale, billingEntity.documentLocale);
  const labels = labelsOf(locale);
  const book = new FontBook(cjkOrderOf(locale, customer.country, billingEntity.country));
  const skipped = new Set<string>();
  const canPrint = (text: string) => {
    const missing = book.missingIn(text);
    for (const sign of missing) skipped.add(sign);
    return missing.length === 0;
  };
  const { issuer } = partiesOf(document);
  const name = partyName(issuer, canPrint);
  const sheet = new Sheet(book, {
    title: titleOf(document, labels[word]),
    author: cleanText(name),
    language: locale,
    day,
  });
  const format = createFormat(locale, currency, (text) => book.canPrint(text));
  const logo = await loadLogo(issuer.logoUrl, images);
  const footer = footerOf(sheet, billingEntity.invoiceFooter);
  return { sheet, document, word: labels[word], labels, format, locale, issuer: name, logo, canPrint, skipped, footer };
}

const FOOTER_GAP = 8;
/** A longer footer may go on on another page. */
const MOST_KEPT = 12;

function footerOf(sheet: Sheet, text: string | null | undefined): Footer {
  if (!text) return { text: '', keep: 0 };
  const lines = sheet.layout.lines(text, STYLES.detail, PAGE.right - PAGE.left).length;
  return { text, keep: FOOTER_GAP + Math.min(lines, MOST_KEPT) * STYLES.detail.leading };
}

const titleOf = ({ number }: DocumentBase, word: string) => cleanText(`${word} ${number}`);

/** The billing entity's footer and the numbers of the pages; then the file. */
export async function closeDocument(opened: Opened, options: RenderOptions): Promise<Uint8Array> {
  const { sheet, document, word, footer } = opened;
  if (footer.text) {
    sheet.ensure(footer.keep);
    sheet.rule(sheet.y);
    sheet.y += FOOTER_GAP;
    sheet.flow(footer.text, STYLES.detail, PAGE.left, PAGE.right - PAGE.left);
  }
  const missing = new Set([...opened.skipped, ...sheet.layout.missing]);
  if (missing.size > 0) options.onMissing?.([...missing]);
  return sheet.finish(titleOf(document, word));
}
