import { createFormat } from '../format.ts';
import { type Images, loadLogo } from '../image/logo.ts';
import { amountDue, type InvoiceDocument } from '../invoice-document.ts';
import { chooseLocale, labelsOf } from '../labels/labels.ts';
import type { Labels } from '../labels/word.ts';
import { groupLines } from '../lines.ts';
import { drawHead, partiesOf, partyName } from '../parties.ts';
import { PAGE, Sheet, STYLES } from '../sheet.ts';
import { drawLines } from '../table.ts';
import { cjkOrderOf, FontBook } from '../text/font-book.ts';
import { cleanText, isolated } from '../text/text-layout.ts';
import { drawTotals, setTotals } from '../totals.ts';

export type RenderOptions = {
  /** Without it a logo comes from a `data:` address or not at all. */
  images?: Images;
  /** Called with the letters and signs that no font has, if there are any. */
  onMissing?: (signs: readonly string[]) => void;
};

/**
 * An invoice as a PDF (A4) in the customer's language, else the billing entity's, else English. The same document
 * gives the same bytes. Nothing is fetched but a logo, through `options.images`, from the hosts listed there.
 */
export async function renderInvoice(invoice: InvoiceDocument, options: RenderOptions = {}): Promise<Uint8Array> {
  const locale = chooseLocale(invoice.documentLocale, invoice.billingEntity.documentLocale);
  const labels = labelsOf(locale);
  const book = new FontBook(cjkOrderOf(locale, invoice.customer.country, invoice.billingEntity.country));
  const canPrint = (text: string) => book.canPrint(text);
  const format = createFormat(locale, invoice.currency, canPrint);
  const { issuer } = partiesOf(invoice);
  const logo = await loadLogo(issuer.logoUrl, options.images);
  const title = cleanText(`${invoice.selfBilled ? labels.selfBilledTitle : labels.title} ${invoice.number}`);
  const author = cleanText(partyName(issuer, canPrint));
  const sheet = new Sheet(book, { title, author, language: locale, day: invoice.issuingDate });

  drawHead({ sheet, invoice, labels, format, logo, locale, canPrint });
  const totals = setTotals({ sheet, invoice, labels, format });
  drawLines(groupLines(invoice), totals.height, { sheet, labels, format });
  drawTotals(sheet, totals);
  drawTerms(sheet, invoice, labels);
  drawClosing(sheet, invoice);
  if (sheet.layout.missing.size > 0) options.onMissing?.([...sheet.layout.missing]);
  return sheet.finish(title);
}

/** By when, and with what reference, an invoice that is not paid is to be paid. */
function drawTerms(sheet: Sheet, invoice: InvoiceDocument, labels: Labels): void {
  const { netPaymentTerm: days, number } = invoice;
  if (typeof days !== 'number' || amountDue(invoice) <= 0n) return;
  const terms = days > 0 ? labels.payableWithin.replace('{days}', String(days)) : labels.payableOnReceipt;
  const text = `${terms} · ${labels.reference}${labels.colon}${isolated(number)}`;
  sheet.flow(text, STYLES.body, PAGE.left, PAGE.right - PAGE.left);
  sheet.y += 12;
}

/** Custom sections and the billing entity's footer, below the totals. */
function drawClosing(sheet: Sheet, invoice: InvoiceDocument): void {
  const width = PAGE.right - PAGE.left;
  for (const { displayName, details } of invoice.customSections) {
    sheet.ensure(STYLES.heading.leading + 2 * STYLES.body.leading);
    if (displayName.trim()) sheet.flow(displayName, STYLES.heading, PAGE.left, width);
    if (details) sheet.flow(details, STYLES.body, PAGE.left, width);
    sheet.y += 12;
  }
  const { invoiceFooter } = invoice.billingEntity;
  if (!invoiceFooter) return;
  sheet.ensure(8 + 2 * STYLES.detail.leading);
  sheet.rule(sheet.y);
  sheet.y += 8;
  sheet.flow(invoiceFooter, STYLES.detail, PAGE.left, width);
}
