import { describe, expect, it } from 'vitest';
import { computeInvoice } from '../../../src/billing/invoice/invoice.ts';
import type { PastInvoice } from '../../../src/billing/invoice/past-invoice.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { feeInput } from '../vectors/scenario-input.ts';

const TAX = { id: 'vat', code: 'vat', name: 'VAT', description: null, rate: dec(10) };
const usage = (subscription: string, amount_cents: number, more: object = {}) => ({
  type: 'charge' as const,
  subscription,
  charge: 'calls',
  amount_cents,
  ...more,
});

function progressive(subscription: string, amountCents: number): PastInvoice {
  return {
    id: `early-${subscription}`,
    number: `early-${subscription}`,
    type: 'progressive_billing',
    status: 'finalized',
    billedAt: 0,
    issuingDate: '2024-01-10',
    zone: 'UTC',
    billingPeriods: [],
    fees: [feeInput(usage(subscription, amountCents), 0, [])],
    feesAmountCents: BigInt(amountCents),
    couponsAmountCents: 0n,
    ...{ currency: 'EUR', taxesAmountCents: 0n, subTotalExcludingTaxesAmountCents: BigInt(amountCents) },
    subTotalIncludingTaxesAmountCents: BigInt(amountCents),
    totalPaidAmountCents: 0n,
  };
}

function bill(fees: readonly ReturnType<typeof usage>[], early: readonly PastInvoice[]) {
  const invoice = computeInvoice({
    currency: 'EUR',
    kind: 'final',
    fees: fees.map((fee, index) => feeInput(fee, index, [TAX])),
    progressive: early,
  });
  return {
    shares: invoice.fees.map((fee) => fee.preciseCouponsAmountCents.toNumber()),
    credits: invoice.credits.map((line) => Number(line.amountCents)),
    excess: invoice.excessCredits.map(({ invoiceId, amountCents }) => [invoiceId, Number(amountCents)]),
    taxes: Number(invoice.taxesAmountCents),
    total: Number(invoice.totalAmountCents),
  };
}

describe('two subscriptions of one plan on one invoice', () => {
  it('only the one that was billed early gets the share: the other is taxed in full', () => {
    // 30.00 and 40.00 are left to tax: 7.00.
    expect(bill([usage('a', 5000), usage('b', 4000)], [progressive('a', 2000)])).toEqual({
      shares: [2000, 0],
      credits: [2000],
      excess: [],
      taxes: 700,
      total: 7700,
    });
  });

  it('what one was billed early beyond its usage is given back, not taken off the usage of the other', () => {
    expect(bill([usage('a', 1500), usage('b', 4000)], [progressive('a', 2000)])).toEqual({
      shares: [1500, 0],
      credits: [1500],
      excess: [['early-a', 500]],
      taxes: 400,
      total: 4400,
    });
  });

  it('each gets its own share where both were billed early', () => {
    expect(bill([usage('a', 5000), usage('b', 4000)], [progressive('a', 2000), progressive('b', 1000)])).toEqual({
      shares: [2000, 1000],
      credits: [2000, 1000],
      excess: [],
      taxes: 600,
      total: 6600,
    });
  });
});

describe('what a progressive invoice is credited for', () => {
  it('reaches the usage of its charges only', () => {
    const fees = [usage('a', 500), usage('a', 9000, { charge: 'bytes' })];
    expect(bill(fees, [progressive('a', 2000)])).toMatchObject({ shares: [500, 0], credits: [500], total: 9900 });
  });

  it('the same filter and group get the share; a missing group value and none are one', () => {
    const group = (region: string | null) => usage('a', 3000, { grouped_by: { region } });
    const early = { ...progressive('a', 2000), fees: [feeInput(usage('a', 2000), 0, [])] };
    expect(bill([group('eu'), group(null)], [early]).shares).toEqual([0, 2000]);
    expect(bill([usage('a', 3000, { filter: 'f' }), usage('a', 3000)], [early]).shares).toEqual([0, 2000]);
  });

  it('is what it billed less its coupons, its own credits and the notes on it: nothing when they are all of it', () => {
    const early = { ...progressive('a', 2000), couponsAmountCents: 200n, alreadyCreditedCents: 300n };
    expect(bill([usage('a', 5000)], [{ ...early, creditNotesMadeCents: 500n }]).credits).toEqual([1000]);
    expect(bill([usage('a', 5000)], [{ ...early, creditNotesMadeCents: 1499n }]).credits).toEqual([1]);
    expect(bill([usage('a', 5000)], [{ ...early, creditNotesMadeCents: 1500n }])).toMatchObject({
      shares: [0],
      credits: [],
      excess: [],
      total: 5500,
    });
  });
});
