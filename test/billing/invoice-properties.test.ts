import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaxInput } from '../../src/billing/catalogue/tax.ts';
import type { AppliedCouponInput, CreditNoteInput, WalletInput } from '../../src/billing/invoice/credit-input.ts';
import type { DraftInvoice } from '../../src/billing/invoice/draft-invoice.ts';
import { assertInvoice } from '../../src/billing/invoice/invariant.ts';
import { computeInvoice } from '../../src/billing/invoice/invoice.ts';
import { minorUnits } from '../../src/billing/money/currency.ts';
import { Decimal, dec, sum } from '../../src/billing/money/decimal.ts';
import { splitCredit } from '../../src/billing/money/share.ts';
import { feeInput } from './vectors/scenario-input.ts';
import type { FeeJson } from './vectors/scenario-type.ts';

const CURRENCIES = ['JPY', 'EUR', 'KWD', 'CLF', 'HUF', 'COP'] as const;
const MINOR_UNITS: Record<(typeof CURRENCIES)[number], number> = {
  JPY: 1,
  EUR: 100,
  KWD: 1000,
  CLF: 10_000,
  HUF: 100,
  COP: 100,
};

const tax = (code: string, rate: string): TaxInput => ({ id: code, code, name: code, rate: dec(rate) });
const TAXES = [tax('vat', '20'), tax('city', '2.525'), tax('none', '0')];

const fees = fc.array(
  fc.record({
    type: fc.constantFrom<FeeJson['type']>('subscription', 'charge', 'fixed_charge', 'commitment'),
    amount_cents: fc.bigInt({ min: 0n, max: 10n ** 12n }).map(String),
    metric: fc.constantFrom('m1', 'm2', null),
    plan: fc.constantFrom('p1', 'p2'),
    taxes: fc.subarray(TAXES),
  }),
  { minLength: 1, maxLength: 8 },
);

const coupon = (members: Partial<AppliedCouponInput>, index: number): AppliedCouponInput => ({
  id: `coupon-${index}`,
  couponId: null,
  code: `c${index}`,
  name: `Coupon ${index}`,
  type: 'fixed_amount',
  amountCents: null,
  currency: 'EUR',
  rate: null,
  frequency: 'forever',
  periodsRemaining: null,
  usedCents: 0n,
  planIds: [],
  metricIds: [],
  status: 'active',
  createdAt: index,
  ...members,
});

const coupons = fc
  .array(
    fc.oneof(
      fc.record({ type: fc.constant('fixed_amount' as const), amountCents: fc.bigInt({ min: 0n, max: 10n ** 11n }) }),
      fc.record({
        type: fc.constant('percentage' as const),
        rate: fc.integer({ min: 0, max: 12_000 }).map((rate) => dec(rate).div(100)),
      }),
    ),
    { maxLength: 4 },
  )
  .chain((list) =>
    fc.tuple(...list.map((one) => fc.tuple(fc.constant(one), fc.subarray(['m1', 'm2']), fc.subarray(['p1', 'p2'])))),
  )
  .map((list) => list.map(([one, metricIds, planIds], index) => coupon({ ...one, metricIds, planIds }, index)));

const note = (balanceCents: bigint, index: number): CreditNoteInput => ({
  id: `note-${index}`,
  number: `N-${index}`,
  invoiceNumber: 'INV',
  invoiceId: null,
  currency: 'EUR',
  balanceCents,
  status: 'finalized',
  creditStatus: 'available',
  createdAt: index,
});

const wallet = (balanceCents: bigint, feeTypes: string[], index: number): WalletInput => ({
  id: `wallet-${index}`,
  code: `w${index}`,
  status: 'active',
  priority: index + 1,
  rateAmount: dec('0.3'),
  currency: 'EUR',
  balanceCents,
  traceable: true,
  feeTypes,
  metricIds: [],
  createdAt: index,
  inbound: [{ id: 'i', kind: 'granted', remainingCents: balanceCents, priority: 1, createdAt: 0 }],
});

const small = fc.bigInt({ min: 0n, max: 10n ** 10n });
const notes = fc.array(small, { maxLength: 3 }).map((balances) => balances.map(note));
const wallets = fc
  .array(fc.tuple(small, fc.subarray(['charge', 'subscription', 'fixed_charge'])), { maxLength: 3 })
  .map((list) => list.map(([balance, types], index) => wallet(balance, types, index)));

function invoiceOf(
  list: readonly (FeeJson & { taxes: TaxInput[] })[],
  credits: Partial<Parameters<typeof computeInvoice>[0]> = {},
): DraftInvoice {
  return computeInvoice({
    currency: 'EUR',
    fees: list.map((fee, index) => feeInput(fee, index, fee.taxes)),
    kind: 'final',
    ...credits,
  });
}

describe('an invoice', () => {
  it('adds up: total = fees - progressive - coupons + taxes - notes - prepaid, whatever pays it', () => {
    fc.assert(
      fc.property(fees, coupons, notes, wallets, (list, couponList, noteList, walletList) => {
        const credits = { coupons: couponList, creditNotes: noteList, wallets: walletList };
        const invoice = invoiceOf(list, credits);
        const net = invoice.feesAmountCents - invoice.progressiveBillingCreditAmountCents - invoice.couponsAmountCents;
        const paid = invoice.creditNotesAmountCents + invoice.prepaidCreditAmountCents;
        expect(invoice.totalAmountCents).toBe(net + invoice.taxesAmountCents - paid);
        expect(invoice.totalAmountCents >= 0n).toBe(true);
        const before = noteList.reduce((total, one) => total + one.balanceCents, 0n);
        const after = invoice.creditNotes.reduce((total, one) => total + one.balanceCents, 0n);
        expect(before - after).toBe(invoice.creditNotesAmountCents);
        const held = walletList.reduce((total, one) => total + one.balanceCents, 0n);
        const left = invoice.wallets.reduce((total, one) => total + one.balanceCents, 0n);
        expect(held - left).toBe(invoice.prepaidCreditAmountCents);
        expect(invoice.wallets.every((one) => one.balanceCents >= 0n)).toBe(true);
      }),
    );
  });

  it("spreads coupons over the fees: the fees' shares sum to the coupons", () => {
    fc.assert(
      fc.property(fees, coupons, (list, couponList) => {
        const invoice = invoiceOf(list, { coupons: couponList });
        const shares = sum(invoice.fees.map((fee) => fee.preciseCouponsAmountCents));
        expect(shares.toFixed()).toBe(dec(invoice.couponsAmountCents).toFixed());
      }),
    );
  });

  it('is tenfold for tenfold amounts where nothing is rounded', () => {
    const plain = tax('vat', '20');
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 20n }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(amounts, (list) => {
        const at = (factor: bigint) => {
          const scaled = list.map((amount) => ({
            type: 'charge' as const,
            amount_cents: String(amount * 100n * factor),
            taxes: [plain],
          }));
          return invoiceOf(scaled, { coupons: [coupon({ type: 'percentage', rate: dec(10) }, 0)] });
        };
        const [one, ten] = [at(1n), at(10n)];
        expect(ten.totalAmountCents).toBe(one.totalAmountCents * 10n);
        expect(ten.taxesAmountCents).toBe(one.taxesAmountCents * 10n);
        expect(ten.couponsAmountCents).toBe(one.couponsAmountCents * 10n);
      }),
    );
  });

  it('keeps every digit of amounts of 30 digits', () => {
    const amount = 123456789012345678901234567891n;
    const invoice = invoiceOf([{ type: 'charge', amount_cents: String(amount), taxes: [tax('vat', '20')] }], {
      coupons: [coupon({ amountCents: 1n }, 0)],
      creditNotes: [note(10n ** 28n, 0)],
      wallets: [wallet(10n ** 29n, [], 0)],
    });
    expect(invoice.feesAmountCents).toBe(amount);
    expect(invoice.taxesAmountCents).toBe(((amount - 1n) * 20n) / 100n);
    expect(invoice.totalAmountCents).toBe(amount - 1n + invoice.taxesAmountCents - 10n ** 28n - 10n ** 29n);
  });

  it.each(CURRENCIES)('counts minor units of %s alone: no step knows the digits of the currency', (currency) => {
    expect(minorUnits(currency).toNumber()).toBe(MINOR_UNITS[currency]);
    const list = [{ type: 'charge' as const, amount_cents: '1005', taxes: [tax('vat', '10')] }];
    const money = wallet(100n, [], 0);
    const invoice = invoiceOf(list, {
      currency,
      coupons: [coupon({ amountCents: 5n, currency }, 0), coupon({ amountCents: 5n, currency: 'XXX' }, 1)],
      wallets: [
        { ...money, currency },
        { ...money, id: 'other', currency: 'XXX' },
      ],
    });
    expect(invoice.totalAmountCents).toBe(1000n + 100n - 100n);
    expect(invoice.walletUses.map((use) => use.creditAmount.toFixed(6))).toEqual([
      new Decimal(100).div(MINOR_UNITS[currency]).div('0.3').toFixed(6),
    ]);
  });

  it('refuses totals that do not add up', () => {
    const invoice = invoiceOf([{ type: 'charge', amount_cents: 100, taxes: [] }]);
    expect(() => assertInvoice({ ...invoice, totalAmountCents: 99n })).toThrow(/total/);
    expect(() => assertInvoice({ ...invoice, couponsAmountCents: 1n })).toThrow(RangeError);
  });
});

describe('a split credit', () => {
  it('adds up, and no part exceeds its weight', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 0, max: 1_000_000 }), (list, credit) => {
        const parts = splitCredit(dec(credit), list.map(dec));
        const whole = list.reduce((total, weight) => total + weight, 0);
        expect(sum(parts).toNumber()).toBe(Math.min(credit, whole));
        expect(parts.every((part, index) => part.gte(0) && part.lte(list[index] ?? 0))).toBe(true);
      }),
    );
  });

  it('gives what rounding leaves over to the largest weight', () => {
    expect(
      splitCredit(
        dec(10),
        [dec(1), dec(1), dec(1)].map((one) => one.times(10)),
      ).map(String),
    ).toEqual(['3.33334', '3.33333', '3.33333']);
  });
});
