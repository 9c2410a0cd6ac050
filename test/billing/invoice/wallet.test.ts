import { describe, expect, it } from 'vitest';
import type { TaxInput } from '../../../src/billing/catalogue/tax.ts';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import { computeInvoice, type InvoiceInput } from '../../../src/billing/invoice/invoice.ts';
import { applyWallets } from '../../../src/billing/invoice/wallet.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { creditNoteInputs, feeInput, walletInputs } from '../vectors/scenario-input.ts';
import type { FeeJson, WalletJson } from '../vectors/scenario-type.ts';

const usage = (amount_cents: number, more: Partial<FeeJson> = {}): FeeJson => ({
  type: 'charge',
  metric: 'calls',
  amount_cents,
  ...more,
});
const TAX = { id: 'vat', code: 'vat', name: 'VAT', description: null, rate: dec(10) };

function pay(
  fees: readonly FeeJson[],
  wallets: WalletJson[],
  more: Partial<InvoiceInput> = {},
  taxes: TaxInput[] = [],
) {
  const all: InvoiceFee[] = fees.map((fee, index) => feeInput(fee, index, taxes));
  return computeInvoice({ currency: 'EUR', kind: 'final', fees: all, wallets: walletInputs(wallets), ...more });
}

type Paid = ReturnType<typeof pay>;
const uses = ({ walletUses }: Paid) =>
  walletUses.map(({ walletId, amountCents, creditAmount }) => [walletId, amountCents, creditAmount.toFixed()]);
const balances = ({ wallets }: Paid) => wallets.map(({ balanceCents }) => balanceCents);

describe('a fee whose events name a wallet (invoicing 13.7)', () => {
  const named = usage(700, { target_wallet: 'gold' });

  it('is paid by that wallet alone: another of better priority leaves it', () => {
    const paid = pay(
      [named],
      [
        { code: 'any', priority: 1, balance_cents: 5000 },
        { code: 'gold', balance_cents: 5000 },
      ],
    );
    expect(uses(paid)).toEqual([['gold', 700n, '7']]);
    expect([paid.prepaidCreditAmountCents, paid.totalAmountCents]).toEqual([700n, 0n]);
    expect(balances(paid)).toEqual([5000n, 4300n]);
  });

  it('stays to be paid when the wallet has too little, has ended, or does not exist', () => {
    const any = { code: 'any', balance_cents: 5000 };
    expect(pay([named], [any, { code: 'gold', balance_cents: 200 }]).totalAmountCents).toBe(500n);
    expect(pay([named], [any, { code: 'gold', balance_cents: 900, status: 'terminated' }]).totalAmountCents).toBe(700n);
    expect(pay([named], [any]).totalAmountCents).toBe(700n);
  });

  it('is paid by it even when its limits are for other fees', () => {
    const limited = {
      code: 'gold',
      balance_cents: 5000,
      allowed_fee_types: ['subscription'],
      billable_metrics: ['bytes'],
    };
    expect(uses(pay([named], [limited]))).toEqual([['gold', 700n, '7']]);
  });

  it('leaves the other fees of its metric to any wallet, and its wallet pays those too', () => {
    const fees = [named, usage(300), usage(250, { target_wallet: 'silver' })];
    const paid = pay(fees, [
      { code: 'any', priority: 1, balance_cents: 100 },
      { code: 'gold', priority: 2, balance_cents: 950 },
      { code: 'silver', priority: 3, balance_cents: 1000 },
    ]);
    // any: 100 of the free 300. gold: its own 700, then 200 free. silver: its own 250.
    expect(uses(paid).map(([id, amount]) => [id, amount])).toEqual([
      ['any', 100n],
      ['gold', 900n],
      ['silver', 250n],
    ]);
    expect(paid.totalAmountCents).toBe(0n);
  });
});

describe('which wallets pay (invoicing 13.1)', () => {
  it('active ones with money in the currency of the invoice', () => {
    const wallets: WalletJson[] = [
      { code: 'ended', balance_cents: 900, status: 'terminated' },
      { code: 'dollars', balance_cents: 900, currency: 'USD' },
      { code: 'empty', balance_cents: 0 },
      { code: 'overdrawn', balance_cents: -5 },
      { code: 'good', balance_cents: 300 },
    ];
    expect(uses(pay([usage(1000)], wallets))).toEqual([['good', 300n, '3']]);
  });

  it('an overdrawn one takes nothing, and adds nothing to what the next may pay', () => {
    const paid = pay(
      [usage(700), usage(300, { metric: 'bytes' })],
      [
        { code: 'overdrawn', priority: 1, balance_cents: -50 },
        { code: 'calls', priority: 2, balance_cents: 5000, billable_metrics: ['calls'] },
      ],
    );
    expect([uses(paid), balances(paid)]).toEqual([[['calls', 700n, '7']], [-50n, 4300n]]);
  });

  it('by priority, then age, whatever their order', () => {
    const wallets: WalletJson[] = [
      { code: 'young', priority: 2, created_order: 9, balance_cents: 100 },
      { code: 'last', priority: 10, created_order: 0, balance_cents: 100 },
      { code: 'old', priority: 2, created_order: 3, balance_cents: 100 },
      { code: 'first', priority: 1, created_order: 8, balance_cents: 100 },
    ];
    const paid = pay([usage(350)], wallets);
    expect(uses(paid).map(([id]) => id)).toEqual(['first', 'old', 'young', 'last']);
    expect(balances(paid)).toEqual([0n, 50n, 0n, 0n]);
  });

  it('none when nothing is left to pay', () => {
    const paid = pay(
      [usage(500)],
      [
        { code: 'one', balance_cents: 500 },
        { code: 'two', balance_cents: 500 },
      ],
    );
    expect(uses(paid)).toEqual([['one', 500n, '5']]);
    expect(pay([usage(0)], [{ code: 'one', balance_cents: 500 }]).walletUses).toEqual([]);
  });
});

describe('what a wallet may pay (invoicing 13.3)', () => {
  const fees = [
    usage(100),
    usage(200, { metric: 'bytes' }),
    { type: 'subscription', amount_cents: 400 } as const,
    { type: 'fixed_charge', amount_cents: 800 } as const,
  ];
  it.each([
    ['everything, without limits', {}, 1500n],
    ['fees of its types', { allowed_fee_types: ['subscription', 'fixed_charge'] }, 1200n],
    ['usage of any metric', { allowed_fee_types: ['charge'] }, 300n],
    ['usage of its metrics', { billable_metrics: ['bytes'] }, 200n],
    ['either of both', { allowed_fee_types: ['subscription'], billable_metrics: ['calls'] }, 500n],
    ['nothing it does not know', { billable_metrics: ['seats'] }, 0n],
  ])('%s', (_, limits, amount) => {
    expect(pay(fees, [{ code: 'w', balance_cents: 9999, ...limits }]).prepaidCreditAmountCents).toBe(amount);
  });

  it('usage only by its metric: another fee that has one is not usage', () => {
    const fee: FeeJson = { type: 'add_on', metric: 'calls', amount_cents: 90 };
    expect(pay([fee], [{ code: 'w', balance_cents: 9999, billable_metrics: ['calls'] }]).walletUses).toEqual([]);
  });
});

describe('how much (invoicing 13.2 to 13.4)', () => {
  it('taxes with the fee: 10 % on 105 is 115.5, of an invoice of 116', () => {
    const paid = pay([usage(105)], [{ code: 'w', balance_cents: 9999, allowed_fee_types: ['charge'] }], {}, [TAX]);
    // 10.5 of tax is rounded to 11 on the invoice; the half cent that the cap lacks goes to the largest group.
    expect([paid.prepaidCreditAmountCents, paid.totalAmountCents]).toEqual([116n, 0n]);
  });

  it('what a coupon or a credit note has paid is not paid again', () => {
    const notes = creditNoteInputs([{ code: 'cn', currency: 'EUR', balance_amount_cents: 300, status: 'finalized' }]);
    const paid = pay([usage(1000)], [{ code: 'w', balance_cents: 9999 }], { creditNotes: notes });
    expect([paid.creditNotesAmountCents, paid.prepaidCreditAmountCents, paid.totalAmountCents]).toEqual([
      300n,
      700n,
      0n,
    ]);
    const free = pay([usage(1000, { precise_coupons_amount_cents: 1000 })], [{ code: 'w', balance_cents: 9999 }]);
    expect(free.walletUses).toEqual([]);
  });

  it('not more than is due, where fees are more than the invoice', () => {
    const base = pay([usage(1000)], [{ code: 'w', balance_cents: 9999 }], { kind: 'draft' });
    expect(applyWallets({ ...base, totalAmountCents: 640n }).prepaidCreditAmountCents).toBe(640n);
  });

  it('a wallet that pays two groups has its balance once, the largest first', () => {
    const wallets: WalletJson[] = [
      { code: 'w', priority: 1, balance_cents: 700 },
      { code: 'bytes', priority: 2, balance_cents: 9999, billable_metrics: ['bytes'] },
    ];
    const paid = pay([usage(200, { metric: 'bytes' }), usage(600)], wallets);
    // 600 of calls and 100 of bytes; the other wallet finds 100 of bytes.
    expect(uses(paid).map(([id, amount]) => [id, amount])).toEqual([
      ['w', 700n],
      ['bytes', 100n],
    ]);
  });

  it('a difference of more than a cent a group stays to be paid; one cent a group is the largest’s', () => {
    const base = pay([usage(600), usage(200, { metric: 'bytes' })], [{ code: 'w', balance_cents: 9999 }], {
      kind: 'draft',
    });
    expect(applyWallets({ ...base, totalAmountCents: 802n }).prepaidCreditAmountCents).toBe(802n);
    expect(applyWallets({ ...base, totalAmountCents: 803n }).prepaidCreditAmountCents).toBe(800n);
    const limited = walletInputs([{ code: 'w', balance_cents: 9999, billable_metrics: ['bytes'] }]);
    expect(applyWallets({ ...base, wallets: limited, totalAmountCents: 802n }).prepaidCreditAmountCents).toBe(200n);
  });

  it('two halves that are both rounded up pay what is due, no more', () => {
    const fee = (metric: string) => usage(5, { metric, precise_coupons_amount_cents: 0.5 });
    const wallets = ['a', 'b'].map((code): WalletJson => ({ code, balance_cents: 99, billable_metrics: [code] }));
    const paid = pay([fee('a'), fee('b')], wallets, { kind: 'draft' });
    const all = applyWallets({ ...paid, totalAmountCents: 9n });
    expect(all.walletUses.map(({ amountCents }) => amountCents)).toEqual([5n, 4n]);
    expect(all.totalAmountCents).toBe(0n);
  });
});

describe('credits (invoicing 13.5 and 13.6)', () => {
  it('are amounts by the rate: 10 credits at 2 are 20.00', () => {
    expect(uses(pay([usage(2000)], [{ code: 'w', balance_cents: 5000, rate_amount: '2' }]))).toEqual([
      ['w', 2000n, '10'],
    ]);
    expect(uses(pay([usage(2000)], [{ code: 'w', balance_cents: 5000, rate_amount: '0' }]))).toEqual([
      ['w', 2000n, '0'],
    ]);
  });

  it('come in granted before purchased, by priority first, oldest first', () => {
    const inbound: WalletJson['inbound'] = [
      { kind: 'purchased', remaining_cents: 100 },
      { kind: 'granted', remaining_cents: 100 },
      { kind: 'purchased', remaining_cents: 100, priority: 1 },
      { kind: 'granted', remaining_cents: 100, priority: 60 },
    ];
    const paid = pay([usage(330)], [{ code: 'w', balance_cents: 400, inbound }]);
    expect([paid.prepaidGrantedCreditAmountCents, paid.prepaidPurchasedCreditAmountCents]).toEqual([130n, 200n]);
    expect(paid.wallets[0]?.inbound.map(({ remainingCents }) => remainingCents)).toEqual([0n, 0n, 0n, 70n]);
    const first = pay([usage(150)], [{ code: 'w', balance_cents: 400, inbound }]);
    expect(first.wallets[0]?.inbound.map(({ remainingCents }) => remainingCents)).toEqual([100n, 50n, 0n, 100n]);
    const two: WalletJson['inbound'] = [1, 2].map(() => ({ kind: 'granted', remaining_cents: 100 }));
    const older = pay([usage(60)], [{ code: 'w', balance_cents: 200, inbound: two }]);
    expect(older.wallets[0]?.inbound.map(({ remainingCents }) => remainingCents)).toEqual([40n, 100n]);
    expect([older.prepaidGrantedCreditAmountCents, older.prepaidPurchasedCreditAmountCents]).toEqual([60n, null]);
    const listed = walletInputs([{ code: 'w', balance_cents: 200, inbound: two }]).map((wallet) => ({
      ...wallet,
      inbound: [...wallet.inbound].reverse(),
    }));
    const youngFirst = pay([usage(60)], [], { wallets: listed });
    expect(youngFirst.wallets[0]?.inbound.map(({ remainingCents }) => remainingCents)).toEqual([100n, 40n]);
  });

  it('are of no known kind when an active wallet of the customer does not trace them', () => {
    const traced: WalletJson = {
      code: 'w',
      balance_cents: 400,
      inbound: [{ kind: 'purchased', remaining_cents: 400 }],
    };
    const kinds = (more: Partial<WalletJson>) => {
      const paid = pay([usage(100)], [traced, { code: 'idle', priority: 99, balance_cents: 10, ...more }]);
      return [paid.prepaidGrantedCreditAmountCents, paid.prepaidPurchasedCreditAmountCents];
    };
    expect(kinds({})).toEqual([null, 100n]);
    expect(kinds({ traceable: false })).toEqual([null, null]);
    expect(kinds({ traceable: false, status: 'terminated' })).toEqual([null, 100n]);
  });
});

describe('what a group of fees owes (invoicing 13.2)', () => {
  const TAXED = (metric: string, amount: number, more: Partial<InvoiceFee> = {}): InvoiceFee => ({
    ...feeInput(usage(amount, { metric }), metric.charCodeAt(0), []),
    ...more,
  });
  const wallet: WalletJson[] = [{ code: 'w', balance_cents: 9999 }];
  const paidOf = (fees: readonly InvoiceFee[], totalAmountCents: bigint) => {
    const draft = computeInvoice({ currency: 'EUR', kind: 'draft', fees, wallets: walletInputs(wallet) });
    // The state before wallets, with the caps that a tax or a note has left.
    return applyWallets({ ...draft, fees, totalAmountCents }).prepaidCreditAmountCents;
  };

  it('a fee without a net is no group: the missing cents are one a group that has one', () => {
    expect(paidOf([TAXED('a', 600), TAXED('b', 0)], 601n)).toBe(601n);
    expect(paidOf([TAXED('a', 600), TAXED('b', 0)], 602n)).toBe(600n);
    expect(paidOf([TAXED('a', 600), TAXED('b', 100)], 702n)).toBe(702n);
  });

  it('a fee that notes paid in full, or for more than it is, takes nothing off the others', () => {
    const over = TAXED('b', 100, { preciseCreditNotesAmountCents: dec(130) });
    expect(paidOf([TAXED('a', 600), over], 600n)).toBe(600n);
    expect(paidOf([TAXED('a', 600), over], 602n)).toBe(600n);
    // In one group with the fee that is owed, its 30 would be missing there.
    const same = { ...over, metricId: 'a' };
    expect(paidOf([TAXED('a', 600), same], 600n)).toBe(600n);
  });
});
