import { describe, expect, it } from 'vitest';
import type { CreditNoteDocument } from '../../../src/pdf/credit-note-document.ts';
import { renderCreditNote } from '../../../src/pdf/render/credit-note.ts';
import { extract } from '../extract.ts';
import { creditNote } from '../invoices.ts';

const read = async (members: Partial<CreditNoteDocument>) => extract(await renderCreditNote(creditNote(members)));

const item = {
  name: 'Growth plan',
  subscription: null,
  fromDate: null,
  toDate: null,
  taxesRate: '20',
};

describe('what a credit note tells', () => {
  it('both parties, its number and date, the invoice that it credits, and why', async () => {
    const { text, info } = await read({
      reason: 'order_change',
      description: 'Two seats fewer',
    });
    expect(info.Title).toBe('Credit note ACM-2026-001-CN1');
    for (const part of ['Acme Cloud Inc.', 'Bluefin Ltd', 'Tax ID: GB999999973', 'Two seats fewer']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('Credit note number Issue date');
    expect(text).toMatch(/^ACM-2026-001-CN1 Feb 3, 2026 ACM-2026-001 \$0\.00$/m);
    expect(text).toContain('Reason: Order change');
  });

  it('from the items to the total, and what becomes of it', async () => {
    const { text } = await read({
      items: [
        {
          ...item,
          subscription: 'Team',
          fromDate: '2026-01-01',
          toDate: '2026-01-31',
          amountCents: 9900n,
        },
        { ...item, name: 'Requests', taxesRate: '5.5', amountCents: 101n },
      ],
      couponsAdjustmentAmountCents: 1001n,
      subTotalExcludingTaxesAmountCents: 9000n,
      taxesRate: '19.87',
      taxesAmountCents: 1788n,
      totalAmountCents: 10788n,
      refundAmountCents: 5000n,
      creditAmountCents: 4788n,
      offsetAmountCents: 1000n,
    });
    const lines = text.split('\n');
    const from = lines.findIndex((line) => line.startsWith('Item '));
    expect(lines.slice(from, -1)).toEqual([
      'Item Tax Amount',
      'Growth plan 20% $99.00',
      'Team',
      'Jan 1, 2026 – Jan 31, 2026',
      'Requests 5.5% $1.01',
      'Total of items $100.01',
      'Coupon adjustment -$10.01',
      'Subtotal (excl. tax) $90.00',
      'Tax (19.87%) $17.88',
      'Total $107.88',
      'Refunded $50.00',
      'Credited to later invoices $47.88',
      'Offset against the invoice $10.00',
    ]);
  });

  it('nothing of coupons and parts that there are none of', async () => {
    const { text } = await read({
      items: [{ ...item, amountCents: 500n }],
      subTotalExcludingTaxesAmountCents: 500n,
      totalAmountCents: 500n,
      refundAmountCents: 500n,
    });
    for (const absent of ['Coupon', 'Credited to', 'Offset', 'Total of items', 'Due date'])
      expect(text).not.toContain(absent);
    expect(text).toContain('Refunded $5.00');
  });

  it('who gets it by a word that is right for a note, and not where goods are sent', async () => {
    const customer = { ...creditNote().customer, shippingAddress: { addressLine1: 'Dock 5' } };
    const { text } = await read({ customer });
    expect(text).toContain('From To\nAcme Cloud Inc. Bluefin Ltd');
    expect(text).not.toMatch(/Bill to|Dock 5/);
  });

  it('no rate of taxes where none is known', async () => {
    const members = { taxesAmountCents: 20n, totalAmountCents: 120n, subTotalExcludingTaxesAmountCents: 100n };
    const { text } = await read({
      items: [{ ...item, taxesRate: null, amountCents: 100n }],
      taxesRate: null,
      ...members,
    });
    expect(text).toContain('Growth plan $1.00\nSubtotal (excl. tax) $1.00\nTax $0.20\nTotal $1.20');
    expect(text).not.toContain('%');
  });

  it('changes the parties where the customer issues', async () => {
    const { text } = await read({ selfBilled: true });
    expect(text.indexOf('Bluefin Ltd')).toBeLessThan(text.indexOf('Acme Cloud Inc.'));
  });
});

describe('in the language of the customer, and in any script', () => {
  it.each([
    ['de', 'Gutschrift', 'Ausstellungsdatum', 'Grund: Doppelte Berechnung'],
    ['fr', 'Avoir', 'Date d’émission', 'Motif'],
    ['es', 'Nota de crédito', 'Fecha de emisión', 'Motivo'],
    ['it', 'Nota di credito', 'Data di emissione', 'Motivo'],
    ['nb', 'Kreditnota', 'Utstedelsesdato', 'Dobbel'],
    ['sv', 'Kreditnota', 'Utfärdandedatum', 'Dubbel'],
    ['pt-BR', 'Nota de crédito', 'Data de emissão', 'Motivo'],
    ['zh-TW', '折讓單', '開立日期', '原因：重複收費'],
  ])('%s', async (documentLocale, title, date, reason) => {
    const { text, info, missing } = await read({
      documentLocale,
      reason: 'duplicated_charge',
    });
    expect(info.Title).toBe(`${title} ACM-2026-001-CN1`);
    expect(text).toContain(date);
    expect(text).toContain(reason);
    // Words that speak of an invoice's own number, date and due date are not those of a note.
    for (const word of ['Rechnungsdatum', 'Fakturadato', 'Fakturadatum', 'Rechnungsnummer']) {
      expect(text).not.toContain(word);
    }
    expect(missing).toBe(0);
  });

  it.each([
    ['Arabic', 'شركة النور للتجارة (محدودة) رقم 2030'],
    ['Hebrew', 'חברת אור בע"מ (ישראל) 2026'],
    ['Japanese', '株式会社カナ﨑髙 ガパ'],
    ['Chinese', '臺灣雲端股份有限公司'],
    ['Thai', 'บริษัท น้ำดื่ม ก่อสร้าง'],
  ])('%s', async (_, name) => {
    const { text, missing } = await read({
      items: [{ ...item, name, amountCents: 100n }],
      description: name,
    });
    expect(text).toContain(`${name.normalize('NFC')} 20% $1.00`);
    expect(text.split(name.normalize('NFC'))).toHaveLength(3);
    expect(missing).toBe(0);
  });
});
