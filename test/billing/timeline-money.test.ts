import { describe, expect, it } from 'vitest';
import type { InvoiceFee } from '../../src/billing/fee/invoice-fee.ts';
import { advance, newTimeline } from '../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../src/billing/timeline/timeline-type.ts';
import { parseInstant } from '../instant.ts';
import { couponInputs, customerInput, entityInput, planInput, walletInputs } from './vectors/scenario-input.ts';
import type { ChargeJson, PlanJson, SetupJson } from './vectors/scenario-type.ts';

const at = (text: string) => parseInstant(text);
const USAGE: ChargeJson = {
  code: 'usage',
  metric: 'units',
  aggregation: 'sum',
  field_name: 'n',
  properties: { amount: '1' },
};
const SEATS: ChargeJson = {
  code: 'seats',
  metric: 'seats',
  aggregation: 'unique_count',
  recurring: true,
  field_name: 'seat',
  properties: { amount: '30' },
  pay_in_advance: true,
};

/** Lives through steps on some plans and gives the state after them. */
function live(plans: readonly PlanJson[], steps: readonly TimelineStep[], setup: SetupJson = {}): TimelineState {
  const begun = newTimeline({
    customer: customerInput(setup),
    billingEntity: entityInput(setup.billing_entity, setup.taxes),
    plans: plans.map((plan) => planInput(plan, setup.taxes)),
    coupons: couponInputs(setup.coupons),
    wallets: walletInputs(setup.wallets),
  });
  return steps.reduce((state, step) => advance(state, step).state, begun);
}

const subscribe = (when: string, planCode = 'plan'): TimelineStep => ({
  at: at(when),
  do: 'subscribe',
  subscriptionId: 's',
  externalId: 's',
  planCode,
  billingTime: 'calendar',
});
const upgrade = (when: string, planCode: string): TimelineStep => ({
  at: at(when),
  do: 'change_plan',
  subscriptionId: 's',
  newSubscriptionId: 's2',
  planCode,
});
const used = (when: string, n: number, metricCode = 'units'): TimelineStep => ({
  at: at(when),
  do: 'event',
  externalId: 's',
  metricCode,
  event: { transactionId: `${when}-${metricCode}`, timestamp: at(when), properties: { n } },
});
const seat = (when: string, name: string, operation = 'add'): TimelineStep => ({
  at: at(when),
  do: 'event',
  externalId: 's',
  metricCode: 'seats',
  event: {
    transactionId: `${name}-${operation}`,
    timestamp: at(when),
    properties: { seat: name, operation_type: operation },
  },
});
const bill = (when: string): TimelineStep => ({ at: at(when), do: 'issue_due' });
const finalize = (when: string): TimelineStep => ({ at: at(when), do: 'finalize_drafts' });
const last = (state: TimelineState) => state.invoices.at(-1);
const seatFees = (fees: readonly InvoiceFee[] = []) =>
  fees.filter((fee) => fee.type === 'charge').map((fee) => [fee.units.toNumber(), Number(fee.amountCents)]);

describe('a draft that is computed again', () => {
  const plan: PlanJson = {
    code: 'plan',
    amount_cents: 3100,
    charges: [USAGE],
    usage_thresholds: [{ amount_cents: 20_000, recurring: false }],
  };
  const grace: SetupJson = { billing_entity: { code: 'be', invoice_grace_period: 2 } };
  const month = [
    subscribe('2022-12-01T00:00:00Z'),
    used('2022-12-06T00:00:00Z', 200),
    used('2022-12-16T00:00:00Z', 200),
    bill('2023-01-01T00:00:00Z'),
  ];
  const money = (state: TimelineState) => {
    const invoice = last(state);
    return [invoice?.status, invoice?.progressiveBillingCreditAmountCents, invoice?.totalAmountCents];
  };

  it('keeps its progressive credit when it becomes final (LC-295)', () => {
    expect(money(live([plan], month, grace))).toEqual(['draft', 20_000n, 23_100n]);
    const final = live([plan], [...month, finalize('2023-01-03T00:00:00Z')], grace);
    expect(money(final)).toEqual(['finalized', 20_000n, 23_100n]);
    expect(final.invoices[0]?.alreadyCreditedCents).toBe(20_000n);
  });

  it('keeps it however often it is refreshed, and sees late usage', () => {
    const id = last(live([plan], month, grace))?.id ?? '';
    const refresh: TimelineStep = { at: at('2023-01-02T00:00:00Z'), do: 'refresh_draft', invoiceId: id };
    const late = live([plan], [...month, refresh, refresh, used('2022-12-20T00:00:00Z', 5), refresh], grace);
    expect(money(late)).toEqual(['draft', 20_000n, 23_600n]);
    expect(money(live([plan], [...month, refresh, finalize('2023-01-03T00:00:00Z')], grace))).toEqual([
      'finalized',
      20_000n,
      23_100n,
    ]);
  });

  it('is paid with what it gives back of a progressive invoice that billed too much, once it is final', () => {
    // 200.00 were billed early; 190.00 are left, so 10.00 are given back and pay a part of the 31.00 of the plan.
    const less = [...month.slice(0, 2), used('2022-12-16T00:00:00Z', -10), bill('2023-01-01T00:00:00Z')];
    const draft = live([plan], less, grace);
    expect([money(draft), draft.madeNotes]).toEqual([['draft', 19_000n, 3100n], []]);
    const final = live([plan], [...less, finalize('2023-01-03T00:00:00Z')], grace);
    expect(money(final)).toEqual(['finalized', 19_000n, 2100n]);
    const [early] = final.invoices;
    const note = { invoiceId: early?.id, creditAmountCents: 1000n, balanceCents: 1000n };
    expect(final.madeNotes).toEqual([expect.objectContaining(note)]);
    expect(final.creditNotes).toEqual([
      expect.objectContaining({ id: final.madeNotes[0]?.id, balanceCents: 0n, creditStatus: 'consumed' }),
    ]);
    expect(early?.creditNotesMadeCents).toBe(1000n);
    const { invoices, creditNotes } = live([plan], less);
    expect([invoices.at(-1)?.totalAmountCents, creditNotes.map(({ balanceCents }) => balanceCents)]).toEqual([
      2100n,
      [0n],
    ]);
  });

  it('keeps what it gives back beyond its total as the balance of the note', () => {
    const less = [...month.slice(0, 2), used('2022-12-16T00:00:00Z', -50), bill('2023-01-01T00:00:00Z')];
    const { invoices, creditNotes } = live([plan], less);
    expect([invoices.at(-1)?.totalAmountCents, creditNotes.map(({ balanceCents }) => balanceCents)]).toEqual([
      0n,
      [1900n],
    ]);
  });

  it('uses no coupon and no wallet before it is final, and each once then', () => {
    const setup: SetupJson = {
      ...grace,
      coupons: [{ code: 'c', amount_cents: 1000, amount_currency: 'EUR', frequency: 'once' }],
      wallets: [{ code: 'w', balance_cents: 5000 }],
    };
    const draft = live([plan], month, setup);
    const refresh: TimelineStep = {
      at: at('2023-01-02T00:00:00Z'),
      do: 'refresh_draft',
      invoiceId: last(draft)?.id ?? '',
    };
    const early = draft.wallets[0]?.balanceCents;
    expect(live([plan], [...month, refresh], setup)).toMatchObject({ coupons: draft.coupons, wallets: draft.wallets });
    const final = live([plan], [...month, refresh, finalize('2023-01-03T00:00:00Z')], setup);
    expect([early, final.coupons[0]?.status, final.wallets[0]?.balanceCents]).toEqual([0n, 'terminated', 0n]);
  });
});

describe('the renewal of recurring usage in advance', () => {
  const plan: PlanJson = { code: 'plan', amount_cents: 0, charges: [SEATS] };
  const june = [subscribe('2024-06-01T00:00:00Z'), seat('2024-06-01T10:00:00Z', 'a')];

  it('leaves out a seat that was billed at its event since the period began', () => {
    const state = live([plan], [...june, seat('2024-07-01T00:01:00Z', 'b'), bill('2024-07-01T00:10:00Z')]);
    expect(state.invoices.map(({ fees }) => seatFees(fees))).toEqual([[[1, 3000]], [[1, 3000]], [[1, 3000]]]);
  });

  it('still renews a seat that is removed after the period began', () => {
    const state = live([plan], [...june, seat('2024-07-01T00:01:00Z', 'a', 'remove'), bill('2024-07-01T00:10:00Z')]);
    expect(seatFees(last(state)?.fees)).toEqual([[1, 3000]]);
  });

  it('bills no seat of the grace period again when the draft becomes final', () => {
    const steps = [...june, bill('2024-07-01T00:10:00Z'), seat('2024-07-02T00:00:00Z', 'b')];
    const state = live([plan], [...steps, finalize('2024-07-04T00:00:00Z')], {
      billing_entity: { code: 'be', invoice_grace_period: 3 },
    });
    const renewed = state.invoices.find(({ recipe }) => recipe.length > 0);
    expect([renewed?.status, seatFees(renewed?.fees)]).toEqual(['finalized', [[1, 3000]]]);
  });

  it('comes once a year where usage is billed by the year and fixed charges by the month', () => {
    const yearly: PlanJson = {
      ...plan,
      interval: 'yearly',
      bill_fixed_charges_monthly: true,
      fixed_charges: [{ code: 'support', units: 1, properties: { amount: '10' } }],
    };
    const state = live([yearly], [...june, bill('2025-01-01T00:10:00Z'), bill('2025-02-01T00:10:00Z')]);
    expect(state.invoices.map(({ fees }) => seatFees(fees))).toEqual([[[1, 3000]], [[1, 3000]], []]);
  });

  it('is a fee like any other on an invoice (LC-186), and one in advance outside of it (LC-183)', () => {
    const renewals = [...june, bill('2024-07-01T00:10:00Z')];
    const onInvoice = last(live([plan], renewals))?.fees.filter((fee) => fee.type === 'charge');
    expect(onInvoice?.map((fee) => fee.payInAdvance)).toEqual([false]);
    const loose = live([{ ...plan, charges: [{ ...SEATS, invoiceable: false }] }], renewals);
    expect(loose.fees.map(({ fee }) => [fee.payInAdvance, Number(fee.amountCents)])).toEqual([
      [true, 3000],
      [true, 3000],
    ]);
  });
});

describe('thresholds', () => {
  const plain: PlanJson = { code: 'plan', amount_cents: 100, charges: [USAGE] };
  const advanced: ChargeJson = { ...USAGE, code: 'api', metric: 'calls', pay_in_advance: true };
  const limited: PlanJson = {
    ...plain,
    code: 'limited',
    amount_cents: 200,
    usage_thresholds: [{ amount_cents: 20_000, recurring: false }],
  };
  const progressive = (state: TimelineState) => state.invoices.filter(({ type }) => type === 'progressive_billing');

  it('that come after usage was invoiced are passed already', () => {
    const before = [subscribe('2022-12-01T00:00:00Z'), used('2022-12-06T00:00:00Z', 500), bill('2023-01-01T00:00:00Z')];
    const after = [upgrade('2023-01-05T00:00:00Z', 'limited'), used('2023-01-06T00:00:00Z', 1)];
    expect(progressive(live([plain, limited], [...before, ...after]))).toEqual([]);
  });

  it('that come while usage is open are crossed at once (LC-297)', () => {
    const open = live([plain], [subscribe('2022-12-01T00:00:00Z'), used('2022-12-06T00:00:00Z', 500)]);
    const { usageThresholds } = planInput({ ...limited, code: 'plan' }, []);
    const changed = {
      ...open,
      subscriptions: open.subscriptions.map((one) => ({ ...one, plan: { ...one.plan, usageThresholds } })),
    };
    const { state } = advance(changed, { at: at('2022-12-07T00:00:00Z'), do: 'update_usage' });
    expect(progressive(state).map(({ totalAmountCents }) => totalAmountCents)).toEqual([50_000n]);
    expect(progressive(advance(state, { at: at('2022-12-08T00:00:00Z'), do: 'update_usage' }).state)).toHaveLength(1);
  });

  it('count usage in advance, once', () => {
    const both: PlanJson = { ...limited, code: 'plan', charges: [USAGE, advanced] };
    const below = [
      subscribe('2022-12-01T00:00:00Z'),
      used('2022-12-02T00:00:00Z', 90, 'calls'),
      used('2022-12-03T00:00:00Z', 109),
    ];
    expect(progressive(live([both], below))).toEqual([]);
    const crossed = progressive(live([both], [...below, used('2022-12-04T00:00:00Z', 1)]));
    expect(crossed.map(({ feesAmountCents }) => feesAmountCents)).toEqual([11_000n]);
    expect(crossed[0]?.appliedThresholds[0]?.lifetimeUsageCents).toBe(20_000n);
  });
});

describe('fees in advance', () => {
  it('cover whole days, also in the period the subscription began in (LC-074)', () => {
    const plan: PlanJson = { code: 'plan', amount_cents: 0, charges: [SEATS] };
    const state = live([plan], [subscribe('2024-12-16T03:55:00Z'), seat('2024-12-23T03:55:00Z', 'a')]);
    expect(last(state)?.fees[0]?.period?.from).toBe(at('2024-12-16T00:00:00Z'));
  });
});

describe('prorated usage of a period that an upgrade ends', () => {
  const recurring: ChargeJson = {
    ...USAGE,
    recurring: true,
    prorated: true,
    properties: { amount: '31' },
  };
  const plans: PlanJson[] = [
    { code: 'plan', amount_cents: 0, charges: [recurring] },
    { code: 'up', amount_cents: 100 },
  ];
  const ended = (event: string) => {
    const before = [subscribe('2024-06-01T00:00:00Z'), used(event, 1)];
    const billed = [bill('2024-07-01T00:00:00Z'), bill('2024-08-01T00:00:00Z')].filter(
      ({ at: day }) => day > at(event),
    );
    const state = live(plans, [...before, ...billed, upgrade('2024-08-16T12:00:00Z', 'up')]);
    return last(state)
      ?.fees.filter(({ type }) => type === 'charge')
      .map(({ amountCents }) => amountCents);
  };

  it('leaves the day of the upgrade out of what was carried, not of what came within it', () => {
    expect(ended('2024-07-20T00:00:00Z')).toEqual([1500n]);
    expect(ended('2024-08-10T00:00:00Z')).toEqual([700n]);
  });
});
