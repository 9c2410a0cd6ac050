import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedFee } from '../../src/billing/invoice/edited-draft.ts';
import { dec } from '../../src/billing/money/decimal.ts';
import { DAY_MS } from '../../src/billing/period/calendar.ts';
import type { MadeInvoice } from '../../src/billing/subscription/change.ts';
import { advance } from '../../src/billing/timeline/timeline.ts';
import type { TimelineState } from '../../src/billing/timeline/timeline-type.ts';
import { explainInvoice } from '../../src/billing/verify/explain.ts';
import { verifyInvoice } from '../../src/billing/verify/verify.ts';
import { lived, settings, steps } from './random-life.ts';

const NONE = { subscriptionId: null, chargeId: null, filterId: null, fixedChargeId: null };

function madeAnew(state: TimelineState, invoiceId: string, at: number, fees?: readonly ListedFee[]) {
  const { state: voided } = advance(state, { at, do: 'void_invoice', invoiceId });
  const after = advance(voided, { at, do: 'regenerate_invoice', invoiceId, addOns: [], fees });
  const [invoice] = after.invoices;
  if (!invoice) throw new Error('nothing was made anew');
  return { state: after.state, invoice };
}

const finals = ({ invoices }: TimelineState) =>
  invoices.filter(({ status, fees }) => status === 'finalized' && fees.length > 0);

const amountsOf = (invoices: readonly MadeInvoice[]) =>
  invoices.map(({ type, fees, billingPeriods, issuingDate }) => ({
    ...{ type, billingPeriods, issuingDate },
    fees: fees.map(({ item, subscriptionId, amountCents, units }) => [item.code, subscriptionId, amountCents, units]),
  }));

describe('an invoice that is made anew of a voided one', () => {
  it('is what that was; what is billed after it is what it would have been, in any life', () => {
    let last = 0;
    fc.assert(
      fc.property(settings, steps, fc.nat(), (setting, list, seed) => {
        const { state, day } = lived(setting, list);
        const all = finals(state);
        const before = all[seed % Math.max(all.length, 1)];
        if (!before) return;
        const at = day + DAY_MS;
        const { state: after, invoice } = madeAnew(state, before.id, at);
        expect(amountsOf([invoice])).toEqual(amountsOf([before]));
        expect(invoice).toMatchObject({ status: 'finalized', voidedInvoiceId: before.id, billedAt: before.billedAt });
        expect(verifyInvoice(after, invoice.id).differences).toEqual([]);
        const later = day + 45 * DAY_MS;
        const [with_, without] = [after, state].map((one) => advance(one, { at: later, do: 'issue_due' }).invoices);
        expect(amountsOf(with_ ?? [])).toEqual(amountsOf(without ?? []));
        if (before !== state.invoices.at(-1)) return;
        last += 1;
        expect(invoice.totalAmountCents).toBe(before.totalAmountCents);
      }),
      { numRuns: 300, seed: 17 },
    );
    expect(last).toBeGreaterThan(10);
  });

  it('has the fees that are listed, as they were or changed, and says why', () => {
    let changed = 0;
    for (const [setting, list] of fc.sample(fc.tuple(settings, steps), { seed: 5, numRuns: 60 })) {
      const { state, day } = lived(setting, list);
      const before = finals(state).find(({ fees }) => fees.filter(({ trueUpParentKey: up }) => up === null).length > 2);
      if (!before) continue;
      const [one, other] = before.fees.filter(({ type, trueUpParentKey: up }) => up === null && type !== 'commitment');
      if (!one || !other) continue;
      const edit = { units: dec(3), preciseUnitAmount: dec('2.5'), invoiceDisplayName: 'By hand' };
      const listed = [one, other].map(({ key: feeKey }) => ({ feeKey, price: NONE, edit: null }));
      const { state: after, invoice } = madeAnew(state, before.id, day + DAY_MS, [
        { feeKey: one.key, price: NONE, edit },
        ...listed.slice(1),
      ]);
      expect(invoice.fees).toMatchObject([
        { amountCents: 750n, edit, item: { invoiceDisplayName: 'By hand' } },
        { amountCents: other.amountCents, edit: other.edit },
      ]);
      expect(verifyInvoice(after, invoice.id).differences).toEqual([]);
      const [first] = explainInvoice(after, invoice.id);
      expect(first).toMatchObject({
        basis: 'computed',
        steps: expect.arrayContaining([{ kind: 'by_hand' }].map((kind) => expect.objectContaining(kind))),
      });
      const dearer = { ...invoice, fees: invoice.fees.map((fee) => ({ ...fee, amountCents: fee.amountCents + 1n })) };
      const invoices = after.invoices.map((fee) => (fee.id === invoice.id ? dearer : fee));
      expect(verifyInvoice({ ...after, invoices }, invoice.id).differences).toEqual(
        expect.arrayContaining([one, other].map(() => expect.objectContaining({ reason: 'price_changed' }))),
      );
      changed += 1;
    }
    expect(changed).toBeGreaterThan(10);
  });
});
