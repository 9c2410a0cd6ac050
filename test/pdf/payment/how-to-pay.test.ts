import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import type { InvoiceDocument, PaymentDetails } from '../../../src/pdf/invoice-document.ts';
import { renderInvoice } from '../../../src/pdf/render/invoice.ts';
import { extract } from '../extract.ts';
import { fee, invoice } from '../invoices.ts';

const payment: PaymentDetails = {
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  accountHolder: null,
  bankName: 'Bank am Floßplatz',
  url: 'https://pay.example/ACM-2026-001',
};

const open = (members: Partial<InvoiceDocument> = {}) =>
  invoice({ currency: 'EUR', payment, netPaymentTerm: 14, fees: [fee({ amountCents: 1000n })], ...members });
const read = async (members?: Partial<InvoiceDocument>) => extract(await renderInvoice(open(members)));

type Node = { role?: string; alt?: string; children?: Node[] };
const rolesOf = ({ role, alt, children = [] }: Node): string[] => [
  ...(role ? [alt ? `${role} ${alt}` : role] : []),
  ...children.flatMap(rolesOf),
];

async function partsOf(members?: Partial<InvoiceDocument>) {
  const task = getDocument({ data: (await renderInvoice(open(members))).slice(), verbosity: 0 });
  const page = await (await task.promise).getPage(1);
  const [tree, annotations] = [await page.getStructTree(), await page.getAnnotations()];
  await task.destroy();
  return { roles: rolesOf(tree as Node), links: annotations.map(({ url }) => url) };
}

describe('how an invoice is paid', () => {
  it('is told below the totals: account, reference and address', async () => {
    const { text } = await read();
    expect(text).toContain(
      [
        'How to pay',
        'Payable within 14 days',
        'Account holder Acme Cloud Inc.',
        'IBAN DE89 3704 0044 0532 0130 00',
        'BIC COBADEFFXXX',
        'Bank Bank am Floßplatz',
        'Payment reference ACM-2026-001',
      ].join('\n'),
    );
    expect(text).toContain('Scan to pay');
    expect(text).toMatch(/^Pay online https:\/\/pay\.example\/ACM-2026-001/m);
  });

  it.each([
    ['de', ['Zahlung', 'Kontoinhaber', 'Verwendungszweck', 'Online bezahlen', 'Zum Bezahlen scannen']],
    ['fr', ['Règlement', 'Titulaire du compte', 'Référence de paiement', 'Payer en ligne', 'Scanner pour payer']],
    ['zh-TW', ['付款方式', '帳戶名稱', '付款參考編號', '線上付款', '掃描付款']],
  ])('is in the language of the document: %s', async (documentLocale, words) => {
    const { text, missing } = await read({ documentLocale });
    for (const word of words) expect(text).toContain(word);
    expect(missing).toBe(0);
  });

  it('has a code with words for who hears it, and an address that leads there', async () => {
    const { roles, links } = await partsOf();
    expect(roles).toContain('Figure Scan to pay, €10.00, DE89370400440532013000, ACM-2026-001');
    expect(roles).toContain('Link');
    expect(links).toEqual(['https://pay.example/ACM-2026-001']);
  });

  it.each<[string, Partial<InvoiceDocument>]>([
    ['in another currency', { currency: 'USD' }],
    ['of an account out of reach', { payment: { ...payment, iban: 'SA0380000000608010167519' } }],
    ['without an account', { payment: { ...payment, iban: null } }],
  ])('has no code %s', async (_, members) => {
    const { roles } = await partsOf(members);
    expect(roles.filter((role) => role.startsWith('Figure'))).toEqual([]);
    expect(roles).toContain('Link');
  });

  it.each<[string, Partial<InvoiceDocument>]>([
    ['paid', { totalPaidAmountCents: 1000n }],
    ['paid with more', { totalPaidAmountCents: 1001n }],
    ['offset by credit notes', { offsetAmountCents: 1000n }],
    ['paid and offset in parts', { totalPaidAmountCents: 400n, offsetAmountCents: 600n }],
    ['paid by hand', { paymentStatus: 'succeeded', totalDueAmountCents: 0n }],
    ['of nothing', { fees: [fee({ amountCents: 0n })] }],
  ])('is not told of one that is %s', async (_, members) => {
    const { text } = await read(members);
    expect(text).not.toMatch(/How to pay|IBAN|Scan|Pay online|Payable/);
  });

  it('is what is left: the code asks for the rest', async () => {
    const { roles } = await partsOf({ totalPaidAmountCents: 400n, offsetAmountCents: 100n });
    expect(roles).toContain('Figure Scan to pay, €5.00, DE89370400440532013000, ACM-2026-001');
    const { text } = await read({ totalPaidAmountCents: 400n, offsetAmountCents: 100n });
    expect(text).toContain('Total €10.00\nAmount paid -€4.00\nOffset by credit notes -€1.00\nAmount due €5.00');
  });
});
