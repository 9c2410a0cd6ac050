import { describe, expect, it } from 'vitest';
import type { CreditNoteInput } from '../../../src/billing/invoice/credit-input.ts';
import { computeInvoice } from '../../../src/billing/invoice/invoice.ts';
import { feeInput } from '../vectors/scenario-input.ts';

const note = (id: string, more: Partial<CreditNoteInput> = {}): CreditNoteInput => ({
  id,
  number: `${id}-CN001`,
  invoiceId: null,
  invoiceNumber: id,
  status: 'finalized',
  creditStatus: 'available',
  currency: 'EUR',
  balanceCents: 100n,
  createdAt: 0,
  ...more,
});

/** What each note pays of 10.00, in the order in which they do. */
function used(...creditNotes: readonly CreditNoteInput[]) {
  const fees = [feeInput({ type: 'subscription', amount_cents: 1000 }, 0, [])];
  const invoice = computeInvoice({ currency: 'EUR', kind: 'final', fees, creditNotes });
  return invoice.credits.map(({ sourceId, amountCents }) => [sourceId, Number(amountCents)]);
}

describe('the credit notes an invoice uses (invoicing 12.1)', () => {
  it('are final, available, in its currency and hold money', () => {
    expect(used(note('a'))).toEqual([['a', 100]]);
    const useless: Partial<CreditNoteInput>[] = [
      { status: 'draft' },
      { creditStatus: 'consumed' },
      { creditStatus: 'voided' },
      { currency: 'USD' },
      { balanceCents: 0n },
    ];
    for (const more of useless) expect(used(note('b', more))).toEqual([]);
  });

  it('pay oldest first, each with what it holds, up to what is due', () => {
    const notes = [note('young', { createdAt: 3, balanceCents: 950n }), note('old', { createdAt: 1 })];
    expect(used(...notes, note('last', { createdAt: 4 }))).toEqual([
      ['old', 100],
      ['young', 900],
    ]);
  });
});
