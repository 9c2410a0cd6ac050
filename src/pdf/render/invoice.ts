import { drawHead } from '../head.ts';
import { type InvoiceDocument, isPaid } from '../invoice-document.ts';
import { groupLines } from '../lines.ts';
import { closeDocument, type Opened, openDocument, type RenderOptions } from '../opening.ts';
import { PAGE, STYLES } from '../page.ts';
import { drawPayment } from '../payment/how-to-pay.ts';
import { rowsOf } from '../rows.ts';
import type { Sheet } from '../sheet.ts';
import { drawTable } from '../table.ts';
import { drawTotals, setTotals, totalRows } from '../totals.ts';

/**
 * An invoice as a PDF (A4) in the customer's language, else the billing entity's, else English. The same document
 * gives the same bytes. Nothing is fetched but a logo, through `options.images`, from the hosts listed there.
 */
export async function renderInvoice(invoice: InvoiceDocument, options: RenderOptions = {}): Promise<Uint8Array> {
  const opened = await openDocument(invoice, invoice.selfBilled ? 'selfBilledTitle' : 'title', options);
  const { sheet, labels, format } = opened;
  drawInvoiceHead(opened, invoice);
  const totals = setTotals(sheet, totalRows(invoice, labels, format), format);
  const groups = groupLines(invoice);
  const rows = rowsOf(groups, { labels, format });
  const heads = [labels.units, labels.unitPrice, labels.tax, labels.amount];
  const set = groups.map((group, at) => ({ group, rows: rows[at] ?? [] }));
  drawTable(set, totals.height, { sheet, labels, format, heads });
  drawTotals(sheet, totals);
  drawPayment(opened, invoice);
  drawSections(sheet, invoice);
  return closeDocument(opened, options);
}

function drawInvoiceHead(opened: Opened, invoice: InvoiceDocument): void {
  const { labels, format } = opened;
  const { issuingDate, paymentDueDate } = invoice;
  const due = paymentDueDate ? [[labels.dueDate, format.date(paymentDueDate)] as const] : [];
  const cells = [
    [labels.issuingDate, format.date(issuingDate)] as const,
    ...due,
    [labels.amountDue, format.cents(invoice.totalDueAmountCents)] as const,
  ];
  drawHead(opened, { mark: isPaid(invoice) ? labels.paidMark : undefined, numberLabel: labels.number, cells });
}

/** Custom sections, below the totals. */
function drawSections(sheet: Sheet, invoice: InvoiceDocument): void {
  const width = PAGE.right - PAGE.left;
  for (const { displayName, details } of invoice.customSections) {
    sheet.ensure(STYLES.heading.leading + 2 * STYLES.body.leading);
    if (displayName.trim()) sheet.flow(displayName, STYLES.heading, PAGE.left, width);
    if (details) sheet.flow(details, STYLES.body, PAGE.left, width);
    sheet.y += 12;
  }
}
