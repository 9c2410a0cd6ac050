import { drawHead } from '../head.ts';
import { type InvoiceDocument, isPaid } from '../invoice-document.ts';
import { groupLines } from '../lines.ts';
import { closeDocument, type Opened, openDocument, type RenderOptions } from '../opening.ts';
import { PAGE, STYLES } from '../page.ts';
import { drawPayment, hasPayment } from '../payment/how-to-pay.ts';
import { printable } from '../printable.ts';
import { rowsOf } from '../rows.ts';
import type { Sheet } from '../sheet.ts';
import { drawTable } from '../table.ts';
import { drawTotals, setTotals, totalRows } from '../totals.ts';

const SECTION_GAP = 12;

/**
 * An invoice as a PDF (A4) in the customer's language, else the billing entity's, else English. The same document
 * gives the same bytes. Nothing is fetched but a logo, through `options.images`, from the hosts listed there.
 */
export async function renderInvoice(invoice: InvoiceDocument, options: RenderOptions = {}): Promise<Uint8Array> {
  const opened = await openDocument(invoice, invoice.selfBilled ? 'selfBilledTitle' : 'title', options);
  const { sheet, labels, format } = opened;
  drawInvoiceHead(opened, invoice);
  const below = belowOf(opened, invoice);
  const totals = setTotals(sheet, totalRows(invoice, labels, format), below.totals, format);
  const fees = printable(invoice.fees, opened.canPrint);
  const subscriptions = printable(invoice.subscriptions, opened.canPrint);
  const groups = groupLines({ ...invoice, fees, subscriptions });
  const rows = rowsOf(groups, { labels, format });
  const heads = [labels.units, labels.unitPrice, labels.tax, labels.amount];
  const set = groups.map((group, at) => ({ group, rows: rows[at] ?? [] }));
  drawTable(set, totals.height, { sheet, labels, format, heads });
  drawTotals(sheet, totals);
  drawPayment(opened, invoice, below.payment);
  drawSections(sheet, invoice, below.sections);
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
  drawHead(opened, {
    mark: isPaid(invoice) ? labels.paidMark : undefined,
    numberLabel: labels.number,
    cells,
    recipientLabel: labels.billTo,
    showsShipping: true,
  });
}

/** The last block of the document keeps the footer with it: the points that each block, if it is the last, asks for below it. */
function belowOf({ footer }: Opened, invoice: InvoiceDocument) {
  const last = invoice.customSections.length > 0 ? 'sections' : hasPayment(invoice) ? 'payment' : 'totals';
  const below = (block: typeof last) => (block === last ? footer.keep : 0);
  return { totals: below('totals'), payment: below('payment'), sections: below('sections') };
}

/** Custom sections, below the totals. `below` points stay with the end of the last one. */
function drawSections(sheet: Sheet, { customSections }: InvoiceDocument, below: number): void {
  const width = PAGE.right - PAGE.left;
  customSections.forEach(({ displayName, details }, at) => {
    const keep = at === customSections.length - 1 ? below + SECTION_GAP : 0;
    sheet.ensure(STYLES.heading.leading + 2 * STYLES.body.leading);
    if (displayName.trim()) sheet.flow(displayName, STYLES.heading, PAGE.left, width, details ? 0 : keep);
    if (details) sheet.flow(details, STYLES.body, PAGE.left, width, keep);
    sheet.y += SECTION_GAP;
  });
}
