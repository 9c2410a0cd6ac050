import type { Address, CustomerParty, DocumentBase, Party } from './invoice-document.ts';
import type { Labels } from './labels/word.ts';
import { PAGE, STYLES } from './page.ts';
import { printableName } from './printable.ts';
import type { Sheet } from './sheet.ts';
import { isolated, type Line, type TextStyle } from './text/text-layout.ts';

type Context = {
  sheet: Sheet;
  document: DocumentBase;
  labels: Labels;
  locale: string;
  canPrint: (text: string) => boolean;
};

export type Recipient = {
  /** What stands above who gets the document. */
  recipientLabel: string;
  /** Whether it is about what was sent somewhere. */
  showsShipping: boolean;
};

const COLUMN_GAP = 24;
/** Countries that write the postal code behind the town and its state. */
const CODE_LAST = new Set(['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'SG', 'US']);

/** Who issues the document and who pays: a self-billed invoice turns them round. */
export function partiesOf(document: DocumentBase): { issuer: Party; payer: Party } {
  const { billingEntity, customer, selfBilled } = document;
  return selfBilled ? { issuer: customer, payer: billingEntity } : { issuer: billingEntity, payer: customer };
}

/** The name that a party goes by: its legal name, else its name, else the person's; the first of them that can be printed. */
export function partyName(party: Party & Partial<CustomerParty>, canPrint: (text: string) => boolean): string {
  const person = [party.firstname, party.lastname].filter(Boolean).join(' ');
  return printableName([party.legalName, party.name, person], canPrint);
}

type Entry = { text: string; style: TextStyle };

/** Both parties, and where it is sent to when that is elsewhere. */
export function drawParties(context: Context, { recipientLabel, showsShipping }: Recipient): void {
  const { document, labels } = context;
  const { issuer, payer } = partiesOf(document);
  const shipping = showsShipping ? shipTo(context) : [];
  const columns = [
    [{ text: labels.from, style: STYLES.label }, ...entries(issuer, context)],
    [{ text: recipientLabel, style: STYLES.label }, ...entries(payer, context)],
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

function shipTo({ document, locale }: Context): Entry[] {
  const { customer } = document;
  const lines = customer.shippingAddress ? addressLines(customer.shippingAddress, locale) : [];
  const same = lines.join('\n') === addressLines(customer, locale).join('\n');
  return same ? [] : lines.map((text) => ({ text, style: STYLES.body }));
}

function addressLines(address: Address, locale: string): string[] {
  // A name from right to left does not change places with the code before it or the state behind it.
  const [city, state] = [isolated(address.city ?? ''), isolated(address.state ?? '')];
  const join = (parts: readonly (string | null | undefined)[], by: string) => parts.filter(Boolean).join(by);
  const place = CODE_LAST.has(address.country ?? '')
    ? join([join([city, state], ', '), address.zipcode], ' ')
    : join([join([address.zipcode, city], ' '), state], ', ');
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
