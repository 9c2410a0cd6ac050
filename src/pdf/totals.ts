import type { Format } from './format.ts';
import type { InvoiceCredit, InvoiceDocument } from './invoice-document.ts';
import type { Labels } from './labels/word.ts';
import { PAGE, STYLES } from './page.ts';
import type { Sheet } from './sheet.ts';
import { isolated, type TextStyle } from './text/text-layout.ts';

type Kind = 'plain' | 'sum' | 'total';
export type TotalRow = { label: string; cents: bigint; kind: Kind };

const WIDTH = 300;
const STYLE_OF = { plain: STYLES.body, sum: STYLES.strong, total: STYLES.total } as const satisfies Record<
  Kind,
  TextStyle
>;

/** From the lines to what is to be paid, in the order of the calculation; every sum is the sum of what stands above it. */
export function totalRows(invoice: InvoiceDocument, labels: Labels, format: Format): TotalRow[] {
  const before = [
    ...creditRows(invoice, 'invoice', invoice.progressiveBillingCreditAmountCents, labels.progressive),
    ...creditRows(invoice, 'coupon', invoice.couponsAmountCents, labels.coupon),
  ];
  const prepaid = invoice.prepaidCreditAmountCents;
  const after = [
    ...creditRows(invoice, 'credit_note', invoice.creditNotesAmountCents, labels.creditNote),
    ...(prepaid === 0n ? [] : [plain(labels.prepaid, -prepaid)]),
  ];
  const paid = invoice.totalPaidAmountCents ?? 0n;
  const offset = invoice.offsetAmountCents ?? 0n;
  const rows: TotalRow[] = [
    ...(before.length > 0 ? [sum(labels.fees, invoice.feesAmountCents)] : []),
    ...before,
    sum(labels.subtotalExcl, invoice.subTotalExcludingTaxesAmountCents),
    ...taxRows(invoice, labels, format),
    sum(labels.subtotalIncl, invoice.subTotalIncludingTaxesAmountCents),
    ...after,
    sum(labels.total, invoice.totalAmountCents),
    ...(paid === 0n ? [] : [plain(labels.paid, -paid)]),
    ...(offset === 0n ? [] : [plain(labels.offsetByNotes, -offset)]),
    { label: labels.amountDue, cents: invoice.totalDueAmountCents, kind: 'total' },
  ];
  return withoutRepeats(rows);
}

/** A sum that the next one repeats says nothing, also where only rows of nothing stand between them. */
export function withoutRepeats(rows: readonly TotalRow[]): TotalRow[] {
  return rows.filter(({ kind, cents }, at) => {
    const next = rows.slice(at + 1).find((row) => row.kind !== 'plain' || row.cents !== 0n);
    return kind !== 'sum' || next?.kind !== 'sum' || next.cents !== cents;
  });
}

export const plain = (label: string, cents: bigint): TotalRow => ({ label, cents, kind: 'plain' });
export const sum = (label: string, cents: bigint): TotalRow => ({ label, cents, kind: 'sum' });

/** One row a credit; what the rows do not explain of the invoice's own figure gets a row too. */
function creditRows(invoice: InvoiceDocument, type: InvoiceCredit['type'], cents: bigint, label: string): TotalRow[] {
  const credits = invoice.credits.filter((credit) => credit.type === type);
  const rows = credits.map((credit) => plain(creditLabel(credit, label), -credit.amountCents));
  const rest = cents - credits.reduce((total, credit) => total + credit.amountCents, 0n);
  return rest === 0n ? rows : [...rows, plain(label, -rest)];
}

/** A coupon goes by its name; a credit note by its number, which is its code: its name is that of the invoice it corrects. */
function creditLabel({ type, name, code }: InvoiceCredit, label: string): string {
  const shown = type === 'coupon' ? name || code : code || name;
  return shown ? `${label} ${isolated(shown)}` : label;
}

function taxRows(invoice: InvoiceDocument, labels: Labels, format: Format): TotalRow[] {
  const rows = invoice.appliedTaxes.map((tax) => {
    const name = `${isolated(tax.name)} (${format.percent(tax.rate)})`;
    const base = format.cents(tax.feesAmountCents);
    return plain(fill(labels.taxOn, { tax: name, base }), tax.amountCents);
  });
  const rest = invoice.taxesAmountCents - invoice.appliedTaxes.reduce((total, tax) => total + tax.amountCents, 0n);
  if (rows.length === 0) return [plain(labels.tax, rest)];
  // Each tax is rounded by itself, their sum once more.
  const most = BigInt(rows.length);
  const isRounding = rest <= most && rest >= -most;
  return rest === 0n ? rows : [...rows, plain(isRounding ? labels.taxRounding : labels.tax, rest)];
}

/** Words in braces give way to texts; what a text brings along stays as it is. */
const fill = (pattern: string, texts: Record<string, string>) =>
  pattern.replace(/\{(\w+)\}/g, (whole, key: string) => texts[key] ?? whole);

/** The block of totals as it will be printed. */
export type Totals = ReturnType<typeof setTotals>;

const END = 18;

/** Breaks the totals into lines, so that it is known how much room they need; `below` points stay with them. */
export function setTotals(sheet: Sheet, totals: readonly TotalRow[], below: number, format: Format) {
  const rows = totals.map((row) => {
    const style = STYLE_OF[row.kind];
    const amount = format.cents(row.cents);
    const room = Math.max(WIDTH - sheet.layout.line(amount, style).width - 20, WIDTH / 3);
    return { ...row, style, amount, room, lines: sheet.layout.lines(row.label, style, room) };
  });
  const height = rows.reduce((total, { lines, style }) => total + lines.length * style.leading + 7, 0);
  return { rows, height: below === 0 ? height : height + END + below };
}

/** The block at the right below the lines; it stays in one piece when it fits on a page. */
export function drawTotals(sheet: Sheet, { rows, height }: Totals): void {
  const left = PAGE.right - WIDTH;
  sheet.ensure(Math.min(height, PAGE.bottom - PAGE.top));
  sheet.structure.within('Table', () => {
    for (const row of rows) drawTotal(sheet, row, left);
  });
  sheet.y += END;
}

function drawTotal(sheet: Sheet, { lines, style, amount, room, kind }: Totals['rows'][number], left: number): void {
  const { structure } = sheet;
  sheet.ensure(lines.length * style.leading + 7);
  if (kind === 'total') sheet.rule(sheet.y + 0.5, left, '#16191f', 0.9);
  sheet.y += kind === 'total' ? 6 : 3.5;
  const [label, figure] = structure.row(['TH', { scope: 'Row' }], ['TD']);
  lines.forEach((line, at) => {
    structure.into(label, () => sheet.draw(line, style, left, sheet.y));
    if (at === 0) {
      structure.into(figure, () => sheet.drawFitted(amount, style, PAGE.right, sheet.y, WIDTH - room - 8, 'right'));
    }
    sheet.y += style.leading;
  });
  sheet.y += 3.5;
}
