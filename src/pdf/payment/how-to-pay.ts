import { printedIban } from '../../billing/customer/bank-account.ts';
import type { InvoiceDocument, PaymentDetails } from '../invoice-document.ts';
import type { Opened } from '../opening.ts';
import { PAGE, STYLES } from '../page.ts';
import type { Sheet } from '../sheet.ts';
import { isolated, type Line } from '../text/text-layout.ts';
import { girocodeText } from './girocode.ts';
import { CODE_SIDE, drawCode } from './qr-code.ts';

type Row = { label: Line; lines: readonly Line[]; address?: string };

const GAP = 16;
const END = 12;
const MOST_LABEL = 150;
/** Puts labels on the line of the larger texts beside them. */
const LABEL_DOWN = 0.85;

/** Whether an invoice tells how it is to be paid; it does not where nothing is left to be. */
export function hasPayment({ totalDueAmountCents, payment, netPaymentTerm }: InvoiceDocument): boolean {
  return totalDueAmountCents > 0n && (Boolean(payment) || typeof netPaymentTerm === 'number');
}

/** By when, where and with what reference an invoice is to be paid. `below` points stay with it. */
export function drawPayment(opened: Opened, invoice: InvoiceDocument, below: number): void {
  if (!hasPayment(invoice)) return;
  const { sheet, labels } = opened;
  const width = PAGE.right - PAGE.left;
  const terms = termsOf(opened, invoice);
  const { payment } = invoice;
  if (payment) {
    drawDetails(opened, invoice, payment, terms, END + below);
  } else if (terms !== null) {
    sheet.flow(
      `${terms} · ${labels.reference}${labels.colon}${isolated(invoice.number)}`,
      STYLES.body,
      PAGE.left,
      width,
      END + below,
    );
    sheet.y += END;
  }
}

function termsOf({ labels, format, locale }: Opened, { netPaymentTerm: days }: InvoiceDocument): string | null {
  if (typeof days !== 'number') return null;
  if (days <= 0) return labels.payableOnReceipt;
  const isOne = new Intl.PluralRules(locale).select(days) === 'one';
  return labels[isOne ? 'payableWithinOne' : 'payableWithin'].replace('{days}', format.number(String(days)));
}

/** What a banking application reads; null where the country of the account or the currency has no such code here. */
function codeOf(opened: Opened, invoice: InvoiceDocument, { iban, bic, accountHolder }: PaymentDetails): string | null {
  if (iban === null) return null;
  const { currency, number: reference, totalDueAmountCents: amountCents } = invoice;
  const holder = accountHolder || opened.issuer;
  return girocodeText({ iban, bic, holder, currency, amountCents, reference });
}

/** The details at the left and the code at the right, in one piece. */
function drawDetails(
  opened: Opened,
  invoice: InvoiceDocument,
  payment: PaymentDetails,
  terms: string | null,
  below: number,
): void {
  const { sheet, labels, format } = opened;
  const code = codeOf(opened, invoice, payment);
  const aside = code === null ? 0 : CODE_SIDE + STYLES.label.leading;
  const [rows, indent] = rowsOf(opened, invoice, payment, code === null ? 0 : CODE_SIDE + GAP);
  const above = STYLES.heading.leading + (terms === null ? 0 : STYLES.body.leading) + 4;
  const height = rows.reduce((sum, { lines }) => sum + lines.length * STYLES.body.leading + 2, above);
  sheet.ensure(Math.max(height, aside) + below);
  const top = sheet.y;
  sheet.flow(labels.howToPay, STYLES.heading, PAGE.left, PAGE.right - PAGE.left);
  if (terms !== null) sheet.flow(terms, STYLES.body, PAGE.left, PAGE.right - PAGE.left - aside);
  sheet.y += 4;
  sheet.structure.within('Table', () => {
    for (const row of rows) drawRow(sheet, row, indent);
  });
  if (code !== null) {
    const left = PAGE.right - CODE_SIDE;
    const alt = [labels.scanToPay, format.cents(invoice.totalDueAmountCents), payment.iban, invoice.number].join(', ');
    drawCode(sheet, code, alt, left, top);
    sheet.structure.within('P', () => {
      sheet.drawFitted(labels.scanToPay, STYLES.label, PAGE.right, top + CODE_SIDE, CODE_SIDE, 'right');
    });
  }
  sheet.y = Math.max(sheet.y, top + aside) + END;
}

function rowsOf(
  { sheet, labels, issuer }: Opened,
  invoice: InvoiceDocument,
  { iban, bic, accountHolder, bankName, url }: PaymentDetails,
  aside: number,
): [rows: Row[], indent: number] {
  const account: [string, string | null][] = [
    [labels.accountHolder, accountHolder || issuer],
    ['IBAN', iban && printedIban(iban)],
    ['BIC', bic],
    [labels.bank, bankName],
  ];
  const told: [string, string | null][] = [
    ...(iban === null ? [] : account),
    [labels.reference, invoice.number],
    [labels.payOnline, url],
  ];
  const given = told.flatMap(([label, text]) =>
    text ? [{ label: sheet.layout.line(label, STYLES.label), text }] : [],
  );
  const indent = Math.min(MOST_LABEL, Math.max(...given.map(({ label }) => label.width))) + GAP;
  const room = PAGE.right - PAGE.left - indent - aside;
  const rows = given.map(({ label, text }) => ({
    label,
    lines: sheet.layout.lines(text, text === url ? STYLES.link : STYLES.body, room),
    ...(text === url && { address: new URL(url).href }),
  }));
  return [rows, indent];
}

function drawRow(sheet: Sheet, { label, lines, address }: Row, indent: number): void {
  const { structure } = sheet;
  const style = address === undefined ? STYLES.body : STYLES.link;
  const [head, cell] = structure.row(['TH', { scope: 'Row' }], ['TD']);
  structure.into(head, () => sheet.draw(label, STYLES.label, PAGE.left, sheet.y + LABEL_DOWN));
  structure.into(cell, () => {
    if (address !== undefined) sheet.drawLink(lines, style, PAGE.left + indent, sheet.y, address);
    else
      for (const [at, line] of lines.entries())
        sheet.draw(line, style, PAGE.left + indent, sheet.y + at * style.leading);
  });
  sheet.y += lines.length * style.leading + 2;
}
