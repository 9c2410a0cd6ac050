import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/billing/period/calendar.ts';
import { previewInvoice } from '../../src/billing/preview/preview.ts';
import { accountOf } from '../../src/billing/timeline/account.ts';
import { lived, settings, steps } from './random-life.ts';

describe('any life of a customer', () => {
  it('has invoices that hold, notes that are no more than what was billed, numbers without gaps, and a preview', () => {
    fc.assert(
      fc.property(settings, steps, (setting, list) => {
        const { state, day } = lived(setting, list);
        const final = state.invoices.filter((invoice) => invoice.status === 'finalized');
        const numbers = final.map((invoice) => invoice.sequentialId ?? 0).sort((a, b) => a - b);
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
        for (const invoice of state.invoices) {
          const credited = state.madeNotes.filter((note) => note.invoiceId === invoice.id);
          const total = credited.reduce((sum, note) => sum + note.subTotalExcludingTaxesAmountCents, 0n);
          // Every note is rounded on its own.
          expect(total <= invoice.subTotalExcludingTaxesAmountCents + BigInt(credited.length)).toBe(true);
        }
        for (const subscription of state.subscriptions.filter((one) => one.status === 'active')) {
          const request = { subscriptions: { externalIds: [subscription.externalId] } };
          const account = accountOf(state);
          const shown = previewInvoice(request, account, { plans: [] }, day + DAY_MS);
          expect(shown.totalAmountCents >= 0n).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
