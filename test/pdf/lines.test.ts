import { describe, expect, it } from 'vitest';
import { createFormat } from '../../src/pdf/format.ts';
import type { PrintedFee } from '../../src/pdf/invoice-document.ts';
import { labelsOf } from '../../src/pdf/labels/labels.ts';
import { groupLines, printedFees } from '../../src/pdf/lines.ts';
import { totalRows } from '../../src/pdf/totals.ts';
import { fee, invoice } from './invoices.ts';

const names = (fees: readonly { name: string }[]) => fees.map(({ name }) => name);

describe('printedFees', () => {
  const free = fee({ name: 'free plan', type: 'subscription' });
  const idle = fee({ name: 'idle', units: '0.000' });
  const used = fee({ name: 'used', units: '0.001' });
  const paid = fee({ name: 'paid', units: '0', amountCents: 1n });
  const refund = fee({ name: 'refund', units: '0', amountCents: -1n });

  it('next to paid lines: what has units or an amount, and no free subscription', () => {
    expect(names(printedFees([free, idle, used, paid, refund]))).toEqual(['used', 'paid', 'refund']);
  });
  it('all, when nothing costs anything', () => {
    expect(names(printedFees([free, idle]))).toEqual(['free plan', 'idle']);
    expect(printedFees([])).toEqual([]);
  });
});

describe('groupLines', () => {
  const two = invoice({
    subscriptions: [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
      { id: 'c', name: 'C' },
    ],
    billingPeriods: [{ subscriptionId: 'b', fromDate: '2026-01-01', toDate: '2026-01-31' }],
    fees: [
      fee({ id: 't', name: 'true-up of 1', subscriptionId: 'b', amountCents: 1n, trueUpParentFeeId: '1' }),
      fee({ id: '1', name: '1', subscriptionId: 'b', amountCents: 1n }),
      fee({ id: '2', name: '2', subscriptionId: 'b', amountCents: 1n }),
      fee({ id: '3', name: '3', subscriptionId: 'a', amountCents: 1n }),
      fee({ id: '4', name: '4', subscriptionId: null, amountCents: 1n }),
      fee({ id: '5', name: '5', subscriptionId: 'gone', amountCents: 1n }),
      fee({ id: '6', name: '6', subscriptionId: 'b', amountCents: 1n, trueUpParentFeeId: 'not printed' }),
    ],
  });

  it('by subscription, a true-up after its line, nothing lost, no empty group', () => {
    const groups = groupLines(two).map(({ subscription, periods, fees }) => [
      subscription?.name,
      periods.length,
      names(fees),
    ]);
    expect(groups).toEqual([
      ['A', 0, ['3']],
      ['B', 1, ['1', 'true-up of 1', '2', '6']],
      [undefined, 0, ['4', '5']],
    ]);
  });

  it('first the subscription, then its fixed charges and usage, the lines of a charge together, the commitment last', () => {
    const line = (id: string, type: PrintedFee['type'], name: string, parent: string | null = null) =>
      fee({ id, type, name, amountCents: 1n, trueUpParentFeeId: parent });
    const fees = [
      line('1', 'charge', 'Calls'),
      line('2', 'commitment', 'Commitment'),
      line('3', 'charge', 'Hours', 'a line without usage, which is not printed'),
      line('4', 'charge', 'Storage'),
      line('5', 'subscription', 'Plan'),
      line('6', 'charge', 'Hours'),
      line('7', 'fixed_charge', 'Seats'),
      line('8', 'charge', 'Calls'),
    ];
    const ids = groupLines(invoice({ fees })).flatMap((group) => group.fees.map(({ id }) => id));
    expect(ids).toEqual(['5', '7', '1', '8', '6', '3', '4', '2']);
  });

  it('loses no line when true-ups point at each other', () => {
    const fees = [
      fee({ id: 'x', amountCents: 1n, trueUpParentFeeId: 'y' }),
      fee({ id: 'y', amountCents: 2n, trueUpParentFeeId: 'x' }),
    ];
    expect(groupLines(invoice({ fees })).flatMap((group) => group.fees)).toHaveLength(2);
  });
});

describe('totalRows', () => {
  const rows = (document: ReturnType<typeof invoice>) =>
    totalRows(
      document,
      labelsOf('en'),
      createFormat('en', 'USD', () => true),
    );

  it('every sum is the sum of what stands above it', () => {
    const document = invoice({
      fees: [fee({ amountCents: 10000n }), fee({ amountCents: 5000n })],
      credits: [
        { type: 'coupon', code: 'C', name: 'Coupon', amountCents: 1000n },
        { type: 'invoice', code: 'P', name: null, amountCents: 500n },
        { type: 'credit_note', code: 'N', name: 'N', amountCents: 300n },
      ],
      appliedTaxes: [{ name: 'VAT', rate: '20', amountCents: 2700n, feesAmountCents: 13500n }],
      prepaidCreditAmountCents: 200n,
    });
    let running = 0n;
    for (const { kind, cents, label } of rows(document)) {
      if (kind === 'plain') running += cents;
      else if (label === 'Total of items') running = cents;
      else expect([label, cents]).toEqual([label, running]);
    }
  });

  it('what the single credits and taxes do not explain gets a row of its own', () => {
    const document = invoice({
      fees: [fee({ amountCents: 1000n })],
      couponsAmountCents: 100n,
      subTotalExcludingTaxesAmountCents: 900n,
      taxesAmountCents: 90n,
      subTotalIncludingTaxesAmountCents: 990n,
      totalAmountCents: 990n,
    });
    expect(rows(document).map(({ label, cents }) => `${label} ${cents}`)).toEqual([
      'Total of items 1000',
      'Coupon -100',
      'Subtotal (excl. tax) 900',
      'Tax 90',
      'Total 990',
      'Amount due 990',
    ]);
  });

  it('what taxes that are rounded one by one lack goes by that name; more is a tax without one', () => {
    const tax = (rate: string, amountCents: bigint) => ({ name: 'T', rate, amountCents, feesAmountCents: 31468n });
    const lacking = (cents: bigint) =>
      rows(
        invoice({
          fees: [fee({ amountCents: 31468n })],
          appliedTaxes: [tax('5', 1573n), tax('1.65', 519n)],
          taxesAmountCents: 2092n + cents,
        }),
      )
        .slice(3, -2)
        .map(({ label, cents }) => `${label} ${cents}`);
    expect([1n, -2n, 3n].map(lacking)).toEqual([['Rounding 1'], ['Rounding -2'], ['Tax 3']]);
    expect(lacking(0n)).toEqual([]);
  });

  it('a name with words in braces or with a dollar sign stays as it is', () => {
    const appliedTaxes = [{ name: '{base} $& tax', rate: '10', amountCents: 1n, feesAmountCents: 10n }];
    expect(rows(invoice({ appliedTaxes }))[1]?.label).toBe('{base} $& tax (10%) on $0.10');
  });
});
