import type { CreditedItem, CreditNoteDocument, CreditNoteReason } from '../credit-note-document.ts';
import type { Format } from '../format.ts';
import { drawHead } from '../head.ts';
import type { Labels } from '../labels/word.ts';
import { closeDocument, type Opened, openDocument, type RenderOptions } from '../opening.ts';
import { PAGE, STYLES } from '../page.ts';
import { printable } from '../printable.ts';
import type { Row } from '../rows.ts';
import { drawTable } from '../table.ts';
import { drawTotals, plain, setTotals, sum, type TotalRow, withoutRepeats } from '../totals.ts';

const REASONS = {
  duplicated_charge: 'duplicatedCharge',
  product_unsatisfactory: 'productUnsatisfactory',
  order_change: 'orderChange',
  order_cancellation: 'orderCancellation',
  fraudulent_charge: 'fraudulentCharge',
  other: 'otherReason',
} as const satisfies Record<CreditNoteReason, keyof Labels>;

/** A credit note as a PDF, in the look and the language of the invoices of its customer. */
export async function renderCreditNote(note: CreditNoteDocument, options: RenderOptions = {}): Promise<Uint8Array> {
  const opened = await openDocument(note, 'creditNote', options);
  const { sheet, labels, format } = opened;
  const cells = [
    [labels.noteDate, format.date(note.issuingDate)],
    [labels.creditedInvoice, note.invoiceNumber],
    [labels.total, format.cents(note.totalAmountCents)],
  ] as const;
  drawHead(opened, { numberLabel: labels.creditNoteNumber, cells, recipientLabel: labels.to, showsShipping: false });
  drawReason(opened, note);
  const totals = setTotals(sheet, totalRows(note, labels, format), opened.footer.keep, format);
  const group = { subscription: null, periods: [] };
  const rows = printable(note.items, opened.canPrint).map((item) => rowOf(item, format));
  const set = rows.length > 0 ? [{ group, rows }] : [];
  drawTable(set, totals.height, { sheet, labels, format, heads: [labels.tax, labels.amount] });
  drawTotals(sheet, totals);
  return closeDocument(opened, options);
}

function drawReason({ sheet, labels }: Opened, { reason, description }: CreditNoteDocument): void {
  const width = PAGE.right - PAGE.left;
  sheet.flow(`${labels.reason}${labels.colon}${labels[REASONS[reason]]}`, STYLES.body, PAGE.left, width);
  if (description) sheet.flow(description, STYLES.body, PAGE.left, width);
  sheet.y += 16;
}

function rowOf({ name, subscription, fromDate, toDate, taxesRate, amountCents }: CreditedItem, format: Format): Row {
  const period = fromDate && toDate ? [format.period(fromDate, toDate)] : [];
  const details = [...(subscription && subscription !== name ? [subscription] : []), ...period];
  return {
    name,
    details,
    figures: [taxesRate === null ? '' : format.percent(taxesRate), format.cents(amountCents)],
    steps: [],
    keep: 0,
  };
}

/** From the items to the total, and what becomes of it. */
function totalRows(note: CreditNoteDocument, labels: Labels, format: Format): TotalRow[] {
  const items = note.items.reduce((total, { amountCents }) => total + amountCents, 0n);
  const adjustment = note.couponsAdjustmentAmountCents;
  const parts = [
    plain(labels.refunded, note.refundAmountCents),
    plain(labels.credited, note.creditAmountCents),
    plain(labels.offset, note.offsetAmountCents),
  ];
  return withoutRepeats([
    ...(adjustment === 0n ? [] : [sum(labels.fees, items), plain(labels.couponAdjustment, -adjustment)]),
    sum(labels.subtotalExcl, note.subTotalExcludingTaxesAmountCents),
    plain(labels.tax + (note.taxesRate === null ? '' : ` (${format.percent(note.taxesRate)})`), note.taxesAmountCents),
    { label: labels.total, cents: note.totalAmountCents, kind: 'total' },
    ...parts.filter(({ cents }) => cents !== 0n),
  ]);
}
