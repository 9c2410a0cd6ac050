import { describe, expect, it } from 'vitest';
import { dec } from '../../../src/billing/money/decimal.ts';
import { localDate } from '../../../src/billing/period/calendar.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import { terminationNote } from '../../../src/billing/subscription/credit-note.ts';
import { excessCreditNote, terminationCreditNote } from '../../../src/billing/subscription/termination.ts';
import { accountOf } from '../vectors/scenario-preview.ts';
import type { SetupJson } from '../vectors/scenario-type.ts';

/** 9.99 a month in advance at 20 %, given up for a dearer plan on its first day: all 31 days are unused. */
const SETUP: SetupJson = {
  timezone: 'UTC',
  billing_entity: { code: 'be', tax_codes: ['vat'] },
  customer: { external_id: 'customer', currency: 'EUR' },
  taxes: [{ code: 'vat', rate: 20 }],
  plan: { code: 'plan', amount_cents: 999, amount_currency: 'EUR', pay_in_advance: true },
  subscription: {
    id: 'sub',
    external_id: 'sub',
    plan: 'plan',
    status: 'terminated',
    subscription_at: '2024-03-01T00:00:00Z',
    started_at: '2024-03-01T00:00:00Z',
    terminated_at: '2024-03-01T10:00:00Z',
    next: { amount_cents: 2000, interval: 'monthly', pay_in_advance: true },
  },
  invoice_history: [{ subscription: 'sub', invoicing_reason: 'subscription_starting', subscription_fee_cents: 999 }],
};

const START = '2024-03-01T00:00:00Z';

/** The note after earlier ones on the invoice; `others` are fees beside that of the subscription. */
function noteAfter(items: readonly string[], taxesCents: bigint | undefined, others: readonly string[] = []) {
  const account = accountOf(SETUP);
  const [past] = account.pastInvoices;
  const [fee] = past?.fees ?? [];
  const [subscription] = account.subscriptions;
  if (!past || !fee || !subscription) throw new Error('no fee that was paid');
  const invoice = {
    ...past,
    fees: [fee, ...others.map((key) => ({ ...fee, key, type: 'charge' as const }))],
    creditedItems: items.map((cents) => ({ feeKey: fee.key, preciseAmountCents: dec(cents) })),
    creditNoteTaxesMadeCents: taxesCents,
  };
  const at = Date.parse('2024-03-01T10:00:00Z');
  const billed = billedSubscription(
    { ...account, pastInvoices: [invoice] },
    subscription,
    at,
    'subscription_terminating',
  );
  const note = terminationCreditNote(billed);
  return note && [note.subTotalExcludingTaxesAmountCents, note.taxesAmountCents, note.totalAmountCents];
}

describe('the tax of a termination note', () => {
  it('is its own without earlier notes', () => {
    expect(noteAfter([], 0n)).toEqual([999n, 200n, 1199n]);
  });

  it('is what two notes of 333 with taxes of 67 leave of 199.8, when it takes the rest', () => {
    expect(noteAfter(['333', '333'], 134n)).toEqual([333n, 66n, 399n]);
  });

  it('makes up for taxes that were rounded down as well: 3 notes of 331 and 66 leave 6 and 1.8', () => {
    expect(noteAfter(['331', '331', '331'], 198n)).toEqual([6n, 2n, 8n]);
    expect(noteAfter(['331', '331', '331'], 200n)).toEqual([6n, 0n, 6n]);
  });

  it('is its own while another fee of the invoice is left, and where the earlier taxes are not known', () => {
    expect(noteAfter(['333', '333'], 134n, ['usage'])).toEqual([333n, 67n, 400n]);
    expect(noteAfter(['333', '333'], undefined)).toEqual([333n, 67n, 400n]);
  });

  it('is never below 0', () => {
    expect(noteAfter(['333', '333'], 250n)).toEqual([333n, 0n, 333n]);
  });
});

describe('the tax of a note on a progressive invoice', () => {
  const [past] = accountOf(SETUP).pastInvoices;
  const taxOf = (cents: bigint, madeCents: bigint, taxesMadeCents: bigint) => {
    if (!past) throw new Error('no invoice');
    const members = {
      currency: 'EUR',
      subTotalExcludingTaxesAmountCents: 999n,
      taxesAmountCents: 200n,
      creditNotesMadeCents: madeCents,
      creditNoteTaxesMadeCents: taxesMadeCents,
    };
    return excessCreditNote({ ...past, ...members }, cents).taxesAmountCents;
  };

  it('is its part, and for the last of several what is left', () => {
    expect(taxOf(333n, 0n, 0n)).toBe(67n);
    expect(taxOf(332n, 333n, 67n)).toBe(66n);
    expect(taxOf(333n, 666n, 134n)).toBe(66n);
    expect(taxOf(999n, 0n, 0n)).toBe(200n);
  });
});

/** 3100 for a month of 31 days in advance, paid in full, without tax. */
function noteOf(subscription: object, fee: number) {
  const account = accountOf({
    ...SETUP,
    taxes: [],
    billing_entity: { code: 'be' },
    plan: { code: 'plan', amount_cents: 3100, amount_currency: 'EUR', pay_in_advance: true, trial_period: 0 },
    ...subscription,
    invoice_history: [{ subscription: 'sub', invoicing_reason: 'subscription_starting', subscription_fee_cents: fee }],
  } as SetupJson);
  const invoices = account.pastInvoices.map((invoice) => ({
    ...invoice,
    totalPaidAmountCents: invoice.subTotalIncludingTaxesAmountCents,
  }));
  const [one] = account.subscriptions;
  if (!one?.terminatedAt) throw new Error('a subscription that has ended');
  return terminationCreditNote(
    billedSubscription({ ...account, pastInvoices: invoices }, one, one.terminatedAt, 'subscription_terminating'),
  );
}

describe('days', () => {
  const subscription = { ...SETUP.subscription, next: null };

  it('before the start are not used: what was paid for the rest comes back', () => {
    const started = { ...subscription, subscription_at: '2024-03-16T00:00:00Z', started_at: '2024-03-16T00:00:00Z' };
    const note = noteOf(
      {
        subscription: {
          ...{ ...started, terminated_at: '2024-03-20T10:00:00Z', on_termination_credit_note: 'refund' },
        },
      },
      1600,
    );
    expect([note?.totalAmountCents, note?.refundAmountCents, note?.creditAmountCents]).toEqual([1100n, 1100n, 0n]);
  });

  it.each([
    ['2024-03-15T10:00:00Z', 1500n],
    ['2024-03-10T10:00:00Z', 1500n],
    ['2024-03-18T10:00:00Z', 1400n],
  ])('of a trial were not paid: an upgrade on %s gives back what follows it', (end, cents) => {
    const dates = { terminated_at: end, subscription_at: START, started_at: START };
    const trial = {
      plan: { code: 'plan', amount_cents: 3100, amount_currency: 'EUR', pay_in_advance: true, trial_period: 16 },
      subscription: {
        ...SETUP.subscription,
        ...dates,
        next: { amount_cents: 6200, interval: 'monthly', pay_in_advance: true },
      },
    };
    expect(noteOf(trial, 3100)?.itemPreciseAmountCents.toNumber()).toBe(Number(cents));
  });
});

describe('the refund of a termination note', () => {
  const day = (of: number) => localDate(Date.UTC(2026, 3, of), 'UTC');

  /** 123.45 that were paid in full, ended on the 25th of 30 days. */
  const input: Parameters<typeof terminationNote>[0] = {
    ...{ feeAmountCents: 12345n, feeCouponsCents: dec(0), taxesRate: dec(0), planAmountCents: 12345n },
    ...{ partCents: null, creditedBeforeCents: dec(0), taxLeftCents: null, trialEndsOn: null },
    ...{ durationDays: 30, upgrade: false, periodFirst: day(1), periodLast: day(30), terminatedOn: day(25) },
    ...{ mode: 'refund', invoiceTotalIncludingTaxesCents: 12345n, paidAmountCents: 12345n, dueCents: null },
  };
  const note = (more: Partial<typeof input> = {}) => {
    const made = terminationNote({ ...input, ...more });
    return made && [made.totalAmountCents, made.refundAmountCents, made.creditAmountCents];
  };

  it('is all of it where all was paid: what was used is not rounded before it is taken away', () => {
    expect(note()).toEqual([2058n, 2058n, 0n]);
  });

  it('is less by what was not paid', () => {
    expect(note({ paidAmountCents: 12000n })).toEqual([2058n, 1713n, 345n]);
  });

  it.each([
    [null, 2058n, 0n],
    [12345n, 2058n, 0n],
    [2058n, 2058n, 0n],
    [2057n, 2057n, 1n],
    [345n, 345n, 1713n],
    [0n, 0n, 2058n],
  ])('an offset with %s due takes %s of it, and the rest stays credit', (dueCents, offset, credit) => {
    const unpaid = { ...input, mode: 'offset' as const, paidAmountCents: 0n, dueCents };
    expect(terminationNote(unpaid)).toMatchObject({
      ...{ totalAmountCents: 2058n, refundAmountCents: 0n },
      ...{ offsetAmountCents: offset, creditAmountCents: credit },
    });
  });
});
