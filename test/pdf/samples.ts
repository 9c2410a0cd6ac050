import { deflateSync } from 'node:zlib';
import type { InvoiceDocument, PrintedFee } from '../../src/pdf/invoice-document.ts';
import { fee, invoice } from './invoices.ts';

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
const crc = (bytes: Buffer) => {
  let c = 0xffffffff;
  for (const byte of bytes) c = (crcTable[(c ^ byte) & 255] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
};

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(8 + body.length);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), 4 + body.length);
  return out;
}

/** A PNG with an alpha channel: a ring of colour. */
export function png(width = 160, height = 48): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 4));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const inside = ((x % height) - height / 2) ** 2 + (y - height / 2) ** 2 < (height / 2 - 3) ** 2;
      rows.set([30 + x, 90, 220 - x, inside ? 255 : 0], y * (1 + width * 4) + 1 + x * 4);
    }
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export const dataAddress = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;

/** Many lines of all price models and lengths. */
export const manyFees = (count: number): PrintedFee[] =>
  Array.from({ length: count }, (_, at) =>
    fee({
      id: `fee-${at}`,
      name: `Metered endpoint ${at + 1}`,
      subscriptionId: `sub-${1 + (at % 3)}`,
      units: String(1000 + at * 37),
      preciseUnitAmount: at % 5 === 0 ? '0.00000018' : '0.125',
      amountCents: BigInt(100 + at * 13),
      taxesRate: '20',
      filters: at % 4 === 0 ? { region: ['eu-west'], tier: ['gold', 'silver'] } : null,
      groupedBy: at % 7 === 0 ? { agent: `agent-${at}` } : null,
    }),
  );

const tax = (name: string, rate: string, amountCents: bigint, feesAmountCents: bigint) => ({
  name,
  rate,
  amountCents,
  feesAmountCents,
});

/** One line of each price model, with a true-up. */
export const modelFees: PrintedFee[] = [
  fee({
    type: 'subscription',
    name: 'Growth plan',
    preciseUnitAmount: '99',
    amountCents: 9900n,
    taxesRate: '20',
    fromDate: '2026-01-01',
    toDate: '2026-01-31',
  }),
  fee({
    name: 'Requests (graduated)',
    units: '15',
    preciseUnitAmount: '1.666666666666667',
    amountCents: 2500n,
    taxesRate: '20',
    fromDate: '2025-12-01',
    toDate: '2025-12-31',
    amountDetails: {
      graduatedRanges: [
        {
          fromValue: 0,
          toValue: 10,
          units: '10',
          perUnitAmount: '1',
          perUnitTotalAmount: '10',
          flatUnitAmount: '10',
          totalWithFlatAmount: '20',
        },
        {
          fromValue: 11,
          toValue: null,
          units: '5',
          perUnitAmount: '1',
          perUnitTotalAmount: '5',
          flatUnitAmount: '0',
          totalWithFlatAmount: '5',
        },
      ],
    },
  }),
  fee({
    name: 'Volume of payments (graduated percentage)',
    units: '1500',
    preciseUnitAmount: '0.02',
    amountCents: 3000n,
    taxesRate: '20',
    amountDetails: {
      graduatedPercentageRanges: [
        {
          fromValue: 0,
          toValue: 1000,
          units: '1000',
          rate: '1',
          perUnitTotalAmount: '10',
          flatUnitAmount: '5',
          totalWithFlatAmount: '15',
        },
        {
          fromValue: 1001,
          toValue: null,
          units: '500',
          rate: '3',
          perUnitTotalAmount: '15',
          flatUnitAmount: '0',
          totalWithFlatAmount: '15',
        },
      ],
    },
  }),
  fee({
    name: 'Seats (volume)',
    units: '120',
    preciseUnitAmount: '0.583333333333333',
    amountCents: 7000n,
    taxesRate: '20',
    amountDetails: { flatUnitAmount: '10', perUnitAmount: '0.5', perUnitTotalAmount: '60' },
  }),
  fee({
    name: 'SMS (package)',
    units: '1050',
    preciseUnitAmount: '0.052631578947368',
    amountCents: 5000n,
    taxesRate: '20',
    amountDetails: { freeUnits: '100', paidUnits: '950', perPackageSize: 100, perPackageUnitAmount: '5' },
  }),
  fee({
    name: 'Card payments (percentage)',
    units: '1000',
    preciseUnitAmount: '0.0145',
    amountCents: 1450n,
    taxesRate: '20',
    amountDetails: {
      units: '1000',
      freeUnits: '100',
      paidUnits: '900',
      freeEvents: 2,
      paidEvents: 5,
      rate: '1.5',
      perUnitTotalAmount: '13.5',
      fixedFeeUnitAmount: '0.1',
      fixedFeeTotalAmount: '0.5',
      minMaxAdjustmentTotalAmount: '0.5',
    },
  }),
  fee({
    id: 'tokens',
    name: 'Tokens',
    units: '25000000',
    preciseUnitAmount: '0.00000018',
    amountCents: 450n,
    taxesRate: '20',
    filters: { model: ['large'], region: ['eu', 'us'] },
    groupedBy: { project: 'alpha' },
  }),
  fee({
    id: 'tokens-true-up',
    name: 'Tokens',
    units: '1',
    preciseUnitAmount: '5.5',
    amountCents: 550n,
    taxesRate: '20',
    trueUpParentFeeId: 'tokens',
  }),
];

/** The documents that were looked at when the layout was made. */
export const samples: Record<string, InvoiceDocument> = {
  short: invoice({
    billingEntity: { ...invoice().billingEntity, logoUrl: dataAddress(png()) },
    fees: modelFees,
    credits: [
      { type: 'coupon', code: 'WELCOME10', name: 'Welcome offer', amountCents: 1000n },
      { type: 'invoice', code: 'ACM-2026-000', name: null, amountCents: 2000n },
      { type: 'credit_note', code: 'ACM-CN-1', name: null, amountCents: 1500n },
    ],
    prepaidCreditAmountCents: 500n,
    appliedTaxes: [tax('VAT', '20', 5370n, 26850n)],
  }),
  long: invoice({
    subscriptions: [1, 2, 3].map((at) => ({ id: `sub-${at}`, name: `Workspace ${at} – Scale plan` })),
    billingPeriods: [1, 2, 3].map((at) => ({
      subscriptionId: `sub-${at}`,
      fromDate: '2026-01-01',
      toDate: '2026-01-31',
    })),
    fees: manyFees(300),
    appliedTaxes: [tax('VAT', '20', 122610n, 613050n)],
  }),
  cjk: invoice({
    documentLocale: 'zh-TW',
    currency: 'TWD',
    billingEntity: {
      ...invoice().billingEntity,
      legalName: '臺灣雲端股份有限公司',
      name: '臺灣雲端',
      country: 'TW',
      city: '臺北市',
      addressLine1: '信義區市府路一號',
    },
    customer: {
      ...invoice().customer,
      name: '東京カナ株式会社',
      country: 'JP',
      city: '東京都',
      addressLine1: '千代田区丸の内1-1 발신 한국어 주식회사',
    },
    subscriptions: [{ id: 'sub-1', name: '統一發票方案' }],
    fees: [
      fee({
        type: 'subscription',
        name: '統一發票方案',
        preciseUnitAmount: '3000',
        amountCents: 300000n,
        taxesRate: '5',
      }),
      fee({
        name: '发票销售门东饭厂 API 调用',
        units: '123456.5',
        preciseUnitAmount: '0.01',
        amountCents: 123457n,
        taxesRate: '5',
        description:
          '這是一段相當長的說明文字，用來檢查沒有空格的文字是否能夠在欄位的邊界正確換行，而且不會與右邊的數字重疊。標點符號也不會出現在行首。',
      }),
    ],
    appliedTaxes: [tax('營業稅', '5', 21173n, 423457n)],
    customSections: [{ displayName: '付款方式', details: '請匯款至下列帳戶：臺灣銀行 004' }],
  }),
  arabic: invoice({
    currency: 'SAR',
    customer: {
      ...invoice().customer,
      name: 'شركة النور للتجارة (محدودة) رقم 2030',
      city: 'الرياض',
      addressLine1: 'شارع الملك فهد 12',
      country: 'SA',
      zipcode: '11564',
    },
    billingEntity: {
      ...invoice().billingEntity,
      legalName: 'חברת אור בע"מ (ישראל) 2026',
      country: 'IL',
      city: 'תל אביב',
    },
    subscriptions: [{ id: 'sub-1', name: 'الخطة الاحترافية – Pro 2026' }],
    fees: [
      fee({
        type: 'subscription',
        name: 'الخطة الاحترافية',
        preciseUnitAmount: '100',
        amountCents: 10000n,
        taxesRate: '15',
      }),
      fee({
        name: 'مكالمات API (الشهر)',
        units: '10',
        preciseUnitAmount: '1',
        amountCents: 1000n,
        taxesRate: '15',
        groupedBy: { المنطقة: 'الشرق الأوسط' },
        description:
          'وصف طويل للخدمة يمتد على أكثر من سطر واحد حتى نتأكد من أن الكلمات العربية تبقى بالترتيب الصحيح عند الانتقال إلى سطر جديد في الجدول',
      }),
      fee({ id: 'p', name: 'رسائل', units: '10', preciseUnitAmount: '0.5', amountCents: 500n, taxesRate: '15' }),
      fee({
        id: 't',
        name: 'رسائل',
        units: '1',
        preciseUnitAmount: '5',
        amountCents: 500n,
        taxesRate: '15',
        trueUpParentFeeId: 'p',
      }),
    ],
    credits: [{ type: 'coupon', code: 'RAMADAN', name: 'عرض رمضان', amountCents: 100n }],
    appliedTaxes: [tax('ضريبة القيمة المضافة', '15', 1785n, 11900n)],
    customSections: [{ displayName: 'ملاحظات', details: 'يرجى الدفع خلال 30 يوماً.\nשלום וברכה, נא לשלם תוך 30 יום.' }],
  }),
  jpy: invoice({
    currency: 'JPY',
    fees: [fee({ name: 'Storage', units: '12.5', preciseUnitAmount: '100.125', amountCents: 1252n, taxesRate: '10' })],
    appliedTaxes: [tax('Consumption tax', '10', 125n, 1252n)],
  }),
  kwd: invoice({
    currency: 'KWD',
    documentLocale: 'fr',
    fees: [
      fee({ name: 'Storage', units: '1234.5', preciseUnitAmount: '1.2345', amountCents: 1523990n, taxesRate: '0' }),
    ],
  }),
  negative: invoice({
    currency: 'EUR',
    documentLocale: 'de',
    fees: [
      fee({ name: 'Nutzung', units: '100', preciseUnitAmount: '1', amountCents: 10000n, taxesRate: '19' }),
      fee({ name: 'Korrektur', units: '-3', preciseUnitAmount: '1.5', amountCents: -450n, taxesRate: '19' }),
    ],
    appliedTaxes: [tax('USt', '19', 1815n, 9550n)],
  }),
  zero: invoice({
    documentLocale: 'es',
    fees: [fee({ type: 'subscription', name: 'Plan gratuito' }), fee({ name: 'Llamadas', units: '0' })],
  }),
  'pt-BR': invoice({
    documentLocale: 'pt-BR',
    currency: 'BRL',
    selfBilled: true,
    fees: [
      fee({
        name: 'Chamadas de API',
        units: '1234567.891',
        preciseUnitAmount: '0.0123',
        amountCents: 1518519n,
        taxesRate: '9.25',
      }),
    ],
    appliedTaxes: [tax('PIS/COFINS', '9.25', 140463n, 1518519n)],
    totalPaidAmountCents: 500000n,
  }),
  sections: invoice({
    documentLocale: 'fr',
    currency: 'EUR',
    number: 'FAC-2026-0000000042',
    customer: {
      ...invoice().customer,
      name: 'Żółw & Ő 東京 Ünal (EU) \\ <b>x</b>',
      metadata: [{ key: 'PO', value: '4500012345' }],
      shippingAddress: { addressLine1: '22 rue du Dépôt', city: 'Lyon', zipcode: '69000', country: 'FR' },
    },
    billingEntity: {
      ...invoice().billingEntity,
      invoiceFooter: 'Acme Cloud Inc. – pénalités de retard : trois fois le taux légal. Indemnité forfaitaire : 40 €.',
    },
    subscriptions: [
      { id: 'sub-1', name: 'Offre Croissance' },
      { id: 'sub-2', name: 'Offre Support' },
    ],
    fees: [
      fee({
        type: 'subscription',
        name: 'Offre Croissance',
        preciseUnitAmount: '1234567.89',
        amountCents: 123456789n,
        taxesRate: '20',
      }),
      fee({
        type: 'fixed_charge',
        subscriptionId: 'sub-2',
        name: 'Standby line',
        units: '0',
        amountCents: 8500n,
        taxesRate: '5.5',
      }),
      fee({
        type: 'add_on',
        subscriptionId: null,
        name: 'Mise en service',
        preciseUnitAmount: '100',
        amountCents: 10000n,
        taxesRate: '20',
      }),
    ],
    appliedTaxes: [tax('TVA', '20', 24693358n, 123466789n), tax('TVA', '5.5', 468n, 8500n)],
    customSections: [
      { displayName: 'Conditions de paiement', details: 'août – 1\u202f000,00\u00a0€ ₹\nVirement sous 30 jours.' },
      { displayName: 'Notes 🚀', details: 'Ωμέγα, Жіноча, ไทย, Հայ, e\u0301t\u00e9. '.repeat(6) },
    ],
  }),
};
