import { expect, it } from 'vitest';
import { computeInvoice } from '../../../src/billing/invoice/invoice.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { feeInput } from '../vectors/scenario-input.ts';

it('a tax is copied to the invoice as it is called and described', () => {
  const lines = (description?: string) => {
    const tax = { id: 't', code: 'vat', name: 'VAT', description, rate: dec(20) };
    const fees = [feeInput({ type: 'charge', amount_cents: 1000 }, 0, [tax])];
    return computeInvoice({ currency: 'EUR', kind: 'final', fees }).appliedTaxes;
  };
  const copied = { taxId: 't', code: 'vat', name: 'VAT', amountCents: 200n, feesAmountCents: 1000n };
  expect(lines('On every sale')).toMatchObject([{ ...copied, description: 'On every sale' }]);
  expect(lines()).toMatchObject([{ ...copied, description: null }]);
});
