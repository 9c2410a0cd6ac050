import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, dec, decimalText } from '../../../src/billing/money/decimal.ts';
import { DAY_MS } from '../../../src/billing/period/calendar.ts';
import type { MadeInvoice } from '../../../src/billing/subscription/change.ts';
import { advance } from '../../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../../src/billing/timeline/timeline-type.ts';
import { verifyInvoice } from '../../../src/billing/verify/verify.ts';
import { lived, settings, steps } from '../random-life.ts';

// Thousands are lived with VERIFIED_LIVES.
const numRuns = Number(process.env.VERIFIED_LIVES ?? 150);

const PLANTED = 200;
const FEE_FIGURES = [
  ...(['amountCents', 'preciseAmountCents', 'taxesAmountCents', 'taxesPreciseAmountCents'] as const),
  ...(['taxesRate', 'preciseCouponsAmountCents'] as const),
] as const;
/** Of fees of a billing run. */
const MEASURED = ['units', 'preciseUnitAmount', 'eventsCount', 'totalAggregatedUnits'] as const;
const TOTALS = [
  ...(['feesAmountCents', 'couponsAmountCents', 'subTotalExcludingTaxesAmountCents', 'taxesRate'] as const),
  ...(['taxesAmountCents', 'subTotalIncludingTaxesAmountCents', 'creditNotesAmountCents'] as const),
  ...(['prepaidCreditAmountCents', 'totalAmountCents', 'progressiveBillingCreditAmountCents'] as const),
] as const;

const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

const withInvoice = (state: TimelineState, invoice: MadeInvoice): TimelineState => ({
  ...state,
  invoices: state.invoices.map((one) => (one.id === invoice.id ? invoice : one)),
});

const more = (value: Decimal | bigint) => (value instanceof Decimal ? value.plus(1) : value + 1n);

function withFee(invoice: MadeInvoice, at: number, figure: (typeof FEE_FIGURES | typeof MEASURED)[number]) {
  const fees = invoice.fees.map((fee, index) => {
    const value = fee[figure];
    return index === at && value !== null ? { ...fee, [figure]: more(value) } : fee;
  });
  return { figure, invoice: { ...invoice, fees } };
}

/** One change of each figure that an invoice of the life has, each of another invoice where there are several. */
function* changesOf({ invoices }: TimelineState, seed: number) {
  const final = invoices.filter(({ status, fees }) => status === 'finalized' && fees.length > 0);
  const invoice = final[seed % Math.max(final.length, 1)];
  if (!invoice) return;
  const at = seed % invoice.fees.length;
  for (const figure of FEE_FIGURES) yield withFee(invoice, at, figure);
  for (const figure of invoice.recipe.length > 0 ? MEASURED : []) {
    if (invoice.fees[at]?.[figure] != null) yield withFee(invoice, at, figure);
  }
  for (const figure of TOTALS) yield { figure, invoice: { ...invoice, [figure]: more(invoice[figure]) } };
  const lines = ['appliedTaxes', 'credits'] as const;
  for (const name of lines.filter((one) => invoice[one].length > 0)) {
    const changed = invoice[name].map((line, index) =>
      index === 0 ? { ...line, amountCents: line.amountCents + 1n } : line,
    );
    yield { figure: name === 'credits' ? 'credits' : 'taxes', invoice: { ...invoice, [name]: changed } };
  }
}

/** A life with a final invoice of a run that bills usage. */
function withUsage() {
  for (const [setting, list] of fc.sample(fc.tuple(settings, steps), { seed: 7, numRuns: 500 })) {
    const { state } = lived(setting, list);
    for (const invoice of state.invoices.filter(({ status, recipe }) => status === 'finalized' && recipe.length > 0)) {
      const fee = invoice.fees.find(({ item, amountCents }) => item.code === 'use' && amountCents > 0n);
      if (fee) return { state, invoice, fee };
    }
  }
  throw new Error('no life bills usage');
}

describe('invoices computed again from what is stored', () => {
  it('come out as they are, in any life', { timeout: 900_000 }, () => {
    let verified = 0;
    fc.assert(
      fc.property(settings, steps, (setting, list) => {
        const { state } = lived(setting, list);
        for (const { id, status } of state.invoices) {
          expect(verifyInvoice(state, id).differences).toEqual([]);
          if (status !== 'draft') verified += 1;
        }
      }),
      { numRuns },
    );
    expect(verified).toBeGreaterThan(numRuns);
  });

  it('tell each figure that somebody changed', () => {
    const planted = new Map<string, number>();
    for (let seed = 1; total(planted) < PLANTED; seed += 1) {
      const [setting, list] = fc.sample(fc.tuple(settings, steps), { seed, numRuns: 1 })[0] ?? [];
      if (!setting || !list) continue;
      const { state } = lived(setting, list);
      for (const change of changesOf(state, seed)) {
        const { invoice, figure } = change;
        expect(
          verifyInvoice(withInvoice(state, invoice), invoice.id).differences,
          `${figure} of seed ${seed}`,
        ).not.toEqual([]);
        planted.set(figure, (planted.get(figure) ?? 0) + 1);
      }
    }
    expect(new Set(planted.keys())).toEqual(new Set([...FEE_FIGURES, ...MEASURED, ...TOTALS, 'credits', 'taxes']));
  });

  it('say whether usage, a price or a sum is another', () => {
    const { state, invoice, fee } = withUsage();
    const changed = (members: object) => {
      const fees = invoice.fees.map((one) => (one === fee ? { ...one, ...members } : one));
      return verifyInvoice(withInvoice(state, { ...invoice, fees }), invoice.id).differences;
    };
    expect(changed({ units: fee.units.plus(1) })[0]).toMatchObject({
      ...{ figure: 'use.units', reason: 'usage_changed', computed: decimalText(fee.units) },
      stored: decimalText(fee.units.plus(1)),
    });
    expect(changed({ preciseUnitAmount: fee.preciseUnitAmount.plus(1) })).toMatchObject([
      { figure: 'use.preciseUnitAmount', reason: 'price_changed' },
    ]);
    const dearer = { ...invoice, totalAmountCents: invoice.totalAmountCents + 1n };
    expect(verifyInvoice(withInvoice(state, dearer), invoice.id).differences).toMatchObject([
      { figure: 'totalAmountCents', reason: 'not_the_sum', computed: String(invoice.totalAmountCents) },
    ]);
    const fewer = { ...invoice, fees: invoice.fees.filter((one) => one !== fee) };
    expect(verifyInvoice(withInvoice(state, fewer), invoice.id).differences).toContainEqual(
      expect.objectContaining({ figure: 'use.amountCents', reason: 'fee_missing', stored: '' }),
    );
    const twice = { ...invoice, fees: [...invoice.fees, { ...fee, key: 'x', chargeId: 'none' }] };
    expect(verifyInvoice(withInvoice(state, twice), invoice.id).differences).toContainEqual(
      expect.objectContaining({ figure: 'use.amountCents', reason: 'fee_unexpected', computed: '' }),
    );
  });

  it('of fees that were changed by hand before the draft became final, too', () => {
    let edited = 0;
    for (const [, list] of fc.sample(fc.tuple(settings, steps), { seed: 11, numRuns: 250 })) {
      const { state, day } = lived({ timezone: 'UTC', grace: 3 }, list);
      const at = day + 2 * DAY_MS;
      const draft = state.invoices.find(({ status, recipe }) => status === 'draft' && recipe.length > 0);
      const place = draft?.fees.find(({ type, units }) => type === 'charge' && !units.isZero());
      if (!draft || !place) continue;
      const edit = { units: place.units.plus(7), preciseUnitAmount: null, invoiceDisplayName: null };
      const changed = advance(state, { at, do: 'edit_fee', invoiceId: draft.id, place, edit }).state;
      const final = advance(changed, { at, do: 'finalize_drafts', invoiceId: draft.id }).state;
      expect(final.invoices.find(({ id }) => id === draft.id)?.fees.some((fee) => fee.edit !== null)).toBe(true);
      expect(verifyInvoice(final, draft.id).differences).toEqual([]);
      edited += 1;
    }
    expect(edited).toBeGreaterThan(3);
  });

  it('of units that became others at the very moment of an invoice, before it and after it', () => {
    const { state, day: at } = lived({ timezone: 'UTC', grace: 0 }, []);
    const unitsOf = (units: number): TimelineStep => ({
      ...{ at, do: 'change_fixed_charge_units', subscriptionId: 's', immediately: true },
      changes: [{ fixedChargeId: 'f-advance', units: dec(units) }],
    });
    const list: TimelineStep[] = [
      {
        at,
        do: 'subscribe',
        subscriptionId: 's',
        externalId: 's',
        planCode: 'weekly-advance',
        billingTime: 'calendar',
      },
      unitsOf(6),
      unitsOf(9),
    ];
    const after = list.reduce((before, step) => advance(before, step).state, state);
    expect(after.invoices).toHaveLength(3);
    for (const { id } of after.invoices) expect(verifyInvoice(after, id).differences).toEqual([]);
  });

  it('tell figures that no invoice can have', () => {
    const { state, invoice } = withUsage();
    const [first, ...others] = invoice.fees;
    if (!first) throw new Error('no fee');
    const below = { ...first, amountCents: -1_000_000n, preciseAmountCents: dec(-1_000_000) };
    expect(
      verifyInvoice(withInvoice(state, { ...invoice, fees: [below, ...others] }), invoice.id).differences,
    ).toContainEqual({
      ...{ invoiceId: invoice.id, figure: 'totalAmountCents', computed: '', reason: 'not_the_sum' },
      stored: String(invoice.totalAmountCents),
    });
  });
});

/** A life in which something is given back: a subscription that ends within what it paid for, and usage that was billed early and taken back. */
const given = fc
  .record({
    setting: settings,
    hasCoupons: fc.boolean(),
    planCode: fc.constantFrom(...['weekly', 'monthly', 'quarterly', 'yearly'].map((interval) => `${interval}-advance`)),
    billingTime: fc.constantFrom('calendar' as const, 'anniversary' as const),
    used: fc.integer({ min: 0, max: 3000 }),
    takenBack: fc.integer({ min: 0, max: 3000 }),
    days: fc.tuple(fc.integer({ min: 0, max: 45 }), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 20 })),
    mode: fc.constantFrom('credit' as const, 'refund' as const, 'offset' as const, 'upgrade' as const),
    isPaid: fc.boolean(),
    isRefreshed: fc.boolean(),
  })
  .map(({ setting, hasCoupons, planCode, billingTime, used, takenBack, days, mode, isPaid, isRefreshed }) => {
    const { state: begun, day } = lived(setting, []);
    let state: TimelineState = hasCoupons ? begun : { ...begun, coupons: [] };
    let at = day;
    const step = (make: (at: number) => TimelineStep) => {
      at += 1000;
      state = advance(state, make(at)).state;
    };
    const use = (n: number) => {
      const event = { transactionId: `t-${at}`, timestamp: at + 1000, properties: { n } };
      step((now) => ({ at: now, do: 'event', externalId: 's', metricCode: 'use', event }));
    };
    step((now) => ({ at: now, do: 'subscribe', subscriptionId: 's', externalId: 's', planCode, billingTime }));
    for (let passed = 0; passed < days[0]; passed += 1) {
      at += DAY_MS;
      step((now) => ({ at: now, do: 'issue_due' }));
      step((now) => ({ at: now, do: 'finalize_drafts', onlyDue: true }));
    }
    use(used);
    use(-takenBack);
    if (isPaid) for (const { id } of state.invoices) step((now) => ({ at: now, do: 'pay', invoiceId: id }));
    at += days[1] * DAY_MS;
    if (mode === 'upgrade') {
      const ids = { subscriptionId: 's', newSubscriptionId: 't', planCode: 'dearest' };
      const [plan] = state.plans;
      if (plan)
        state = {
          ...state,
          plans: [...state.plans, { ...plan, id: 'dearest', code: 'dearest', amountCents: 9_999_999n }],
        };
      step((now) => ({ at: now, do: 'change_plan', ...ids }));
    } else step((now) => ({ at: now, do: 'terminate', subscriptionId: 's', creditNote: mode }));
    if (isRefreshed) {
      for (const { id } of state.invoices) step((now) => ({ at: now, do: 'refresh_draft', invoiceId: id }));
    }
    at += days[2] * DAY_MS;
    step((now) => ({ at: now, do: 'issue_due' }));
    step((now) => ({ at: now, do: 'finalize_drafts' }));
    return state;
  });

describe('credit notes made again from what is stored', () => {
  it('come out as they are, in any life that has some, and tell each figure that somebody changed', {
    timeout: 900_000,
  }, () => {
    const seen = { ended: 0, excess: 0 };
    const FIGURES = [
      ...(['subTotalExcludingTaxesAmountCents', 'taxesAmountCents', 'totalAmountCents'] as const),
      'creditAmountCents' as const,
    ];
    fc.assert(
      fc.property(given, (state) => {
        for (const { id } of state.invoices) expect(verifyInvoice(state, id)).toMatchObject({ differences: [] });
        for (const note of state.madeNotes.filter(({ status }) => status === 'finalized')) {
          seen[note.subscriptionId === null ? 'excess' : 'ended'] += 1;
          for (const figure of FIGURES) {
            const changed = { ...note, [figure]: more(note[figure]) };
            const madeNotes = state.madeNotes.map((one) => (one.id === note.id ? changed : one));
            const { differences } = verifyInvoice({ ...state, madeNotes }, note.invoiceId);
            expect(differences.map(({ reason }) => reason)).toContain('note_changed');
          }
        }
      }),
      { numRuns },
    );
    expect(seen.ended).toBeGreaterThan(numRuns / 4);
    expect(seen.excess).toBeGreaterThan(numRuns / 20);
  });
});
