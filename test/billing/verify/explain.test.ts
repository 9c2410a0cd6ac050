import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InvoiceFee } from '../../../src/billing/fee/invoice-fee.ts';
import { outcomeOf } from '../../../src/billing/fee/step.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { explainInvoice, type FeeExplanation } from '../../../src/billing/verify/explain.ts';
import { lived, settings, steps } from '../random-life.ts';

const numRuns = Number(process.env.VERIFIED_LIVES ?? 100);

// As it is stored: with 30 digits after the point.
const stored = (value: { toFixed(digits: number): string }) => value.toFixed(30);

/** Steps, added up as they say, are the amounts of the fee. */
function expectAdded(fee: InvoiceFee, { steps: told }: FeeExplanation): void {
  const { preciseAmountCents, amountCents, onInvoice } = outcomeOf(told);
  expect(stored(preciseAmountCents)).toBe(stored(fee.preciseAmountCents));
  expect(amountCents.toFixed()).toBe(String(fee.amountCents));
  const withTaxes = dec(fee.amountCents).minus(fee.preciseCouponsAmountCents).plus(dec(fee.taxesAmountCents));
  expect(stored(onInvoice)).toBe(stored(withTaxes));
}

describe('why fees come to their amounts', () => {
  it('in steps that add up to what is billed, in any life', { timeout: 900_000 }, () => {
    const kinds = new Set<string>();
    let computed = 0;
    fc.assert(
      fc.property(settings, steps, (setting, list) => {
        const { state } = lived(setting, list);
        for (const { id, fees, status } of state.invoices) {
          for (const [at, explanation] of explainInvoice(state, id).entries()) {
            const fee = fees[at];
            if (!fee) throw new Error('more explanations than fees');
            expectAdded(fee, explanation);
            if (status !== 'draft') expect([explanation.basis, fee.key]).toEqual(['computed', fee.key]);
            if (explanation.basis === 'computed') computed += 1;
            for (const { kind } of explanation.steps) kinds.add(kind);
          }
        }
      }),
      { numRuns },
    );
    expect(computed).toBeGreaterThan(numRuns);
    for (const kind of [
      'usage',
      'units',
      'plan',
      'days',
      'minimum',
      'covered',
      'prorated_units',
      'coupon',
      'tax',
      'tax_rounding',
      'rounding',
    ]) {
      expect(kinds).toContain(kind);
    }
  });
});
