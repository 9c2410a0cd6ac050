import type { Format } from './format.ts';
import type { Logo } from './image/logo.ts';
import {
  type Address,
  amountDue,
  type CustomerParty,
  type InvoiceDocument,
  isPaid,
  type Party,
} from './invoice-document.ts';
import type { Labels } from './labels/word.ts';
import { PAGE, type Sheet, STYLES } from './sheet.ts';
import { cleanText, isolated, type Line, type TextStyle } from './text/text-layout.ts';

type Context = {
  sheet: Sheet;
  invoice: InvoiceDocument;
  labels: Labels;
  format: Format;
  logo: Logo | null;
  locale: string;
  canPrint: (text: string) => boolean;
};

const LOGO = { width: 170, height: 52 };
const COLUMN_GAP = 24;

/** Who issues the invoice and who pays it: a self-billed invoice turns them round. */
export function partiesOf(invoice: InvoiceDocument): { issuer: Party; payer: Party } {
  const { billingEntity, customer, selfBilled } = invoice;
  return selfBilled ? { issuer: customer, payer: billingEntity } : { issuer: billingEntity, payer: customer };
}

/** The name that a party goes by: its legal name, else its name, else the person's; the first of them that can be printed. */
export function partyName(party: Party & Partial<CustomerParty>, canPrint: (text: string) => boolean): string {
  const person = [party.firstname, party.lastname].filter(Boolean).join(' ');
  const names = [party.legalName, party.name, person].filter((name): name is string => Boolean(name));
  return names.find(canPrint) ?? names[0] ?? '';
}

/** Logo or name, title, the band with number and dates, and both parties. */
export function drawHead(context: Context): void {
  drawTitle(context);
  drawBand(context);
  drawParties(context);
}

function drawTitle({ sheet, invoice, labels, logo, canPrint }: Context): void {
  const top = sheet.y;
  const title = invoice.selfBilled ? labels.selfBilledTitle : labels.title;
  const titleLines = sheet.layout.lines(title, STYLES.title, 240);
  sheet.structure.within('H1', () => {
    titleLines.forEach((line, at) => {
      sheet.draw(line, STYLES.title, PAGE.right, top + at * STYLES.title.leading, 'right');
    });
  });
  let height = Math.max(STYLES.title.leading, titleLines.length * STYLES.title.leading);
  if (isPaid(invoice)) {
    sheet.draw(sheet.layout.line(labels.paidMark, STYLES.paid), STYLES.paid, PAGE.right, top + height, 'right');
    height += STYLES.paid.leading;
  }
  if (logo) {
    const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height);
    const name = cleanText(partyName(partiesOf(invoice).issuer, canPrint)) || title;
    sheet.image(logo, name, { x: PAGE.left, y: top, width: logo.width * scale, height: logo.height * scale });
    height = Math.max(height, logo.height * scale);
  } else {
    const lines = sheet.layout.lines(partyName(partiesOf(invoice).issuer, canPrint), STYLES.name, 235).slice(0, 3);
    sheet.structure.within('P', () => {
      lines.forEach((line, at) => {
        sheet.draw(line, STYLES.name, PAGE.left, top + 5 + at * STYLES.name.leading);
      });
    });
    height = Math.max(height, 5 + lines.length * STYLES.name.leading);
  }
  sheet.y = top + height + 18;
}

/** Number, dates and amount on one ground. The number may be long and takes several lines; the others are set smaller. */
function drawBand({ sheet, invoice, labels, format }: Context): void {
  const cells: [string, string][] = [
    [labels.issuingDate, format.date(invoice.issuingDate)],
    ...(invoice.paymentDueDate ? [[labels.dueDate, format.date(invoice.paymentDueDate)] as [string, string]] : []),
    [labels.amountDue, format.cents(amountDue(invoice))],
  ];
  const unit = (PAGE.right - PAGE.left - 24) / (cells.length + 1.5);
  const left = PAGE.left + 12;
  const value = sheet.y + 12 + STYLES.label.leading;
  const number = sheet.layout.lines(invoice.number, STYLES.heading, 1.5 * unit - 12);
  const height = 22 + STYLES.label.leading + Math.max(1, number.length) * STYLES.heading.leading;
  sheet.box(sheet.y, height);
  sheet.structure.within('P', () => {
    sheet.drawFitted(labels.number, STYLES.label, left, sheet.y + 10, 1.5 * unit - 8, 'left');
    number.forEach((line, row) => {
      sheet.draw(line, STYLES.heading, left, value + row * STYLES.heading.leading);
    });
  });
  cells.forEach(([label, text], at) => {
    const x = left + (at + 1.5) * unit;
    sheet.structure.within('P', () => {
      sheet.drawFitted(label, STYLES.label, x, sheet.y + 10, unit - 8, 'left');
      sheet.drawFitted(text, STYLES.heading, x, value, unit - 8, 'left');
    });
  });
  sheet.y += height + 20;
}

type Entry = { text: string; style: TextStyle };

function drawParties(context: Context): void {
  const { invoice, labels } = context;
  const { issuer, payer } = partiesOf(invoice);
  const shipping = shipTo(context);
  const columns = [
    [{ text: labels.from, style: STYLES.label }, ...entries(issuer, context)],
    [{ text: labels.billTo, style: STYLES.label }, ...entries(payer, context)],
    ...(shipping.length > 0 ? [[{ text: labels.shipTo, style: STYLES.label }, ...shipping]] : []),
  ];
  drawColumns(context.sheet, columns);
}

/** Columns side by side, line by line, so that even very long ones pass over the end of a page together. */
function drawColumns(sheet: Sheet, columns: readonly Entry[][]): void {
  const width = (PAGE.right - PAGE.left - COLUMN_GAP * (columns.length - 1)) / columns.length;
  const set: { line: Line; style: TextStyle }[][] = columns.map((column) =>
    column.flatMap(({ text, style }) => sheet.layout.lines(text, style, width).map((line) => ({ line, style }))),
  );
  const rows = Math.max(...set.map((lines) => lines.length));
  const parts = columns.map(() => sheet.structure.part('P'));
  for (let row = 0; row < rows; row += 1) {
    sheet.ensure(STYLES.body.leading);
    set.forEach((lines, column) => {
      const cell = lines[row];
      if (!cell) return;
      const x = PAGE.left + column * (width + COLUMN_GAP);
      sheet.structure.into(parts[column], () => sheet.draw(cell.line, cell.style, x, sheet.y));
    });
    sheet.y += row === 0 ? STYLES.body.leading + 1 : STYLES.body.leading;
  }
  sheet.y += 20;
}

function entries(party: Party & Partial<CustomerParty>, { labels, locale, canPrint }: Context): Entry[] {
  const name = partyName(party, canPrint);
  const trading = party.name && party.name !== name && (canPrint(party.name) || !canPrint(name)) ? [party.name] : [];
  const lines = [
    ...trading,
    ...addressLines(party, locale),
    ...(party.email ? [party.email] : []),
    ...(party.legalNumber ? [`${labels.legalNumber}${labels.colon}${party.legalNumber}`] : []),
    ...(party.taxIdentificationNumber ? [`${labels.taxId}${labels.colon}${party.taxIdentificationNumber}`] : []),
    ...(party.metadata ?? []).map(({ key, value }) => `${key}: ${value}`),
  ];
  const body = lines.map((text) => ({ text, style: STYLES.body }));
  return name ? [{ text: name, style: STYLES.strong }, ...body] : body;
}

function shipTo({ invoice, locale }: Context): Entry[] {
  const { customer } = invoice;
  const lines = customer.shippingAddress ? addressLines(customer.shippingAddress, locale) : [];
  const same = lines.join('\n') === addressLines(customer, locale).join('\n');
  return same ? [] : lines.map((text) => ({ text, style: STYLES.body }));
}

function addressLines(address: Address, locale: string): string[] {
  // A name from right to left does not change places with the code before it or the state behind it.
  const [city, state] = [isolated(address.city ?? ''), isolated(address.state ?? '')];
  const town = [address.zipcode, city].filter(Boolean).join(' ');
  const place = [town, state].filter(Boolean).join(', ');
  const country = address.country ? countryName(address.country, locale) : '';
  return [address.addressLine1, address.addressLine2, place, country].filter((line): line is string => Boolean(line));
}

function countryName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
