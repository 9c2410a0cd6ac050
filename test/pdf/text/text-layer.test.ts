import { describe, expect, it } from 'vitest';
import { renderInvoice } from '../../../src/pdf/render/invoice.ts';
import { extract } from '../extract.ts';
import { fee, invoice } from '../invoices.ts';

const NAMES = {
  Vietnamese: 'Phụ Tùng Ṣola Dịch vụ học Nguyễn Thị Ngọc',
  'Latin with ligatures': 'office fluffy AVATAR ﬁ',
  'letters of several glyphs': 'x̣ q̃ é',
  Greek: 'Ωμέγα Α.Ε. ΐ',
  Cyrillic: 'Жіночий Ґанок й',
  Arabic: 'شركة النور للتجارة (محدودة) رقم 2030',
  'Arabic with marks and ligatures': 'مُحَمَّد الإدارة لا',
  Hebrew: 'חברת אור בע"מ (ישראל) 2026',
  'Hebrew with points': 'שָׁלוֹם',
  Thai: 'บริษัท น้ำดื่ม ก่อสร้าง กำลัง ที่นี่',
  Devanagari: 'हिन्दी लिमिट',
  'Armenian and Georgian': 'Հայաստան ՀՁ ქართული',
  Japanese: '株式会社カナ﨑髙 ガパ',
  'Traditional Chinese': '臺灣雲端股份有限公司',
  'Simplified Chinese': '发票销售有限公司',
  Korean: '주식회사 한국어',
  Emoji: 'Notes 🚀 👩‍💻 🇫🇷',
};

// Of one document, since what one name needs of a font must not change what another says.
const text = renderInvoice(
  invoice({ fees: Object.values(NAMES).map((name, at) => fee({ name, id: `${at}`, amountCents: 1n })) }),
).then(async (bytes) => (await extract(bytes)).text);

describe('what is copied out of a document is what was printed', () => {
  it.each(Object.entries(NAMES))('%s', async (_, name) => {
    expect(await text).toContain(`${name.normalize('NFC')} 1 $0.00`);
  });

  it('a town from right to left stays before its state and its postal code, or between the two', async () => {
    const customer = { ...invoice().customer, zipcode: '94105', city: 'תל אביב', state: 'CA' };
    const textIn = async (country: string) => {
      const bytes = await renderInvoice(
        invoice({ customer: { ...customer, country }, fees: [fee({ amountCents: 1n })] }),
      );
      return (await extract(bytes)).text;
    };
    expect(await textIn('US')).toContain('תל אביב, CA 94105');
    expect(await textIn('IL')).toContain('94105 תל אביב, CA');
  });

  it('GB-119: a letter that the font builds of several glyphs, and its base letter in other words', async () => {
    const bytes = await renderInvoice(
      invoice({
        issuingDate: '2026-06-01',
        billingEntity: { ...invoice().billingEntity, legalName: 'Phụ Tùng Ṣola' },
        customer: { ...invoice().customer, name: 'Nguyễn Thị Ngọc' },
        fees: [fee({ name: 'Dịch vụ học', amountCents: 1n })],
        // A subtotal that the total repeats is not printed.
        ...{ taxesAmountCents: 1n, subTotalIncludingTaxesAmountCents: 2n, totalAmountCents: 2n },
      }),
    );
    const found = (await extract(bytes)).text;
    for (const part of ['Phụ Tùng Ṣola', 'Nguyễn Thị Ngọc', 'Dịch vụ học', 'Jun 1, 2026', 'Amount due', 'Subtotal']) {
      expect(found).toContain(part);
    }
  });
});
