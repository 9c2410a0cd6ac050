import { describe, expect, it } from 'vitest';
import { eventsInMemory } from '../../../src/billing/aggregate/usage-source.ts';
import { BillingError } from '../../../src/billing/errors.ts';
import type { CustomerAccount } from '../../../src/billing/invoice/account.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { previewCoupons } from '../../../src/billing/preview/coupon.ts';
import { previewInvoice } from '../../../src/billing/preview/preview.ts';
import type { PreviewRequest } from '../../../src/billing/preview/preview-type.ts';
import { accountOf } from '../../../src/billing/timeline/account.ts';
import { advance, newTimeline } from '../../../src/billing/timeline/timeline.ts';
import type { TimelineStep } from '../../../src/billing/timeline/timeline-type.ts';
import type { SubscriptionEvent } from '../../../src/billing/usage/usage.ts';
import { formatInstant, parseInstant } from '../../instant.ts';
import {
  couponInputs,
  creditNoteInputs,
  customerInput,
  entityInput,
  planInput,
  walletInputs,
} from '../vectors/scenario-input.ts';
import type { PlanJson, SetupJson } from '../vectors/scenario-type.ts';

const TAXES = [{ code: 'vat', rate: 20 }];
const BASIC: PlanJson = {
  code: 'basic',
  amount_cents: 3100,
  charges: [{ code: 'calls', metric: 'calls', aggregation: 'count', properties: { amount: '0.5' } }],
};
const ADVANCE: PlanJson = { code: 'advance', amount_cents: 3100, pay_in_advance: true };
const DEAR: PlanJson = { code: 'dear', name: 'Dear', amount_cents: 6200, pay_in_advance: true };
const CHEAP: PlanJson = { code: 'cheap', amount_cents: 1000, pay_in_advance: true };
const plans = [BASIC, ADVANCE, DEAR, CHEAP].map((plan) => planInput(plan, TAXES));

const at = (text: string) => parseInstant(text);

/** The account of a customer after some steps of their life. */
function accountAfter(steps: readonly TimelineStep[], setup: SetupJson = {}): CustomerAccount {
  const json: SetupJson = { billing_entity: { code: 'be', tax_codes: ['vat'] }, taxes: TAXES, ...setup };
  const start = newTimeline({
    customer: customerInput(json),
    billingEntity: entityInput(json.billing_entity, TAXES),
    plans,
    coupons: couponInputs(json.coupons),
    creditNotes: creditNoteInputs(json.credit_notes),
    wallets: walletInputs(json.wallets),
  });
  const state = steps.reduce((before, step) => advance(before, step).state, start);
  return accountOf(state);
}

const subscribe = (id: string, planCode: string, when: string): TimelineStep => ({
  at: at(when),
  do: 'subscribe',
  subscriptionId: id,
  externalId: id,
  planCode,
  billingTime: 'calendar',
});

const call = (externalSubscriptionId: string, when: string): SubscriptionEvent => ({
  externalSubscriptionId,
  metricCode: 'calls',
  timestamp: at(when),
  properties: {},
});

const preview = (request: PreviewRequest, account: CustomerAccount, now: string) =>
  previewInvoice(request, account, { plans }, at(now));

function errorOf(run: () => unknown): BillingError {
  try {
    run();
  } catch (error) {
    if (error instanceof BillingError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a proposal', () => {
  it('bills the first period: plan in arrears at its end, in advance at its start', () => {
    const arrears = preview(
      { planCode: 'basic', subscriptionAt: '2024-03-16' },
      accountAfter([]),
      '2024-03-01T00:00:00Z',
    );
    expect(arrears).toMatchObject({
      mode: 'proposal',
      issuingDate: '2024-04-01',
      feesAmountCents: 1600n,
      totalAmountCents: 1920n,
    });
    const advanced = preview({ planCode: 'advance' }, accountAfter([]), '2024-03-16T00:00:00Z');
    expect(advanced).toMatchObject({ issuingDate: '2024-03-16', feesAmountCents: 1600n });
  });

  it('uses notes and wallets of a stored customer only', () => {
    const credits: SetupJson = {
      credit_notes: [{ code: 'n', currency: 'EUR', balance_amount_cents: 100, status: 'finalized' }],
      wallets: [{ code: 'w', balance_cents: 50 }],
    };
    const stored = preview({ planCode: 'advance' }, accountAfter([], credits), '2024-03-01T00:00:00Z');
    expect(stored).toMatchObject({
      creditNotesAmountCents: 100n,
      prepaidCreditAmountCents: 50n,
      totalAmountCents: 3570n,
    });
    const unknown = accountAfter([], { ...credits, customer: { persisted: false } });
    expect(preview({ planCode: 'advance' }, unknown, '2024-03-01T00:00:00Z').totalAmountCents).toBe(3720n);
  });

  it('has an unknown plan, a wrong date and a wrong billing time refused', () => {
    const account = accountAfter([]);
    const refuse = (request: PreviewRequest) => errorOf(() => preview(request, account, '2024-03-01T00:00:00Z'));
    expect(refuse({})).toMatchObject({ code: 'object_not_found', message: 'plan not found' });
    expect(refuse({ planCode: 'basic', subscriptionAt: '2024-02-30' }).details).toEqual({
      subscription_at: ['invalid_date'],
    });
    expect(refuse({ planCode: 'basic', billingTime: 'weekly' }).details).toEqual({
      billing_time: ['value_is_invalid'],
    });
  });
});

/** Plan, request and what the first invoice of a proposal says; the customer's zone where it matters. */
const FIRST_INVOICES: [string, PlanJson, PreviewRequest, string | null, Record<string, unknown>][] = [
  [
    'counts 6 of 31 days of a yen plan, which has no cents',
    { code: 'p', amount_cents: 10_000, amount_currency: 'JPY' },
    { subscriptionAt: '2026-03-26T08:00:00Z' },
    null,
    { currency: 'JPY', feesAmountCents: 1935n },
  ],
  [
    'counts the local start day of a week west of Greenwich',
    { code: 'p', interval: 'weekly', amount_cents: 7000, pay_in_advance: true },
    { subscriptionAt: '2026-09-11T03:00:00Z' },
    'America/Bogota',
    { feesAmountCents: 4000n, issuingDate: '2026-09-10', from: '2026-09-10T05:00:00Z', to: '2026-09-14T04:59:59Z' },
  ],
  [
    'starts where a local midnight is missing',
    { code: 'p', amount_cents: 4500 },
    { billingTime: 'anniversary', subscriptionAt: '2026-04-24T10:00:00Z' },
    'Africa/Cairo',
    { feesAmountCents: 4500n, issuingDate: '2026-05-24', from: '2026-04-23T22:00:00Z', to: '2026-05-23T20:59:59Z' },
  ],
  [
    'counts a month with 25 hours in a day as its 30 days',
    { code: 'p', amount_cents: 30_000 },
    { subscriptionAt: '2026-11-01T10:00:00Z' },
    'America/New_York',
    { feesAmountCents: 30_000n, issuingDate: '2026-12-01', from: '2026-11-01T04:00:00Z', to: '2026-12-01T04:59:59Z' },
  ],
  [
    'clamps an anniversary on the 31st',
    { code: 'p', amount_cents: 5000 },
    { billingTime: 'anniversary', subscriptionAt: '2026-01-31T08:00:00Z' },
    null,
    { feesAmountCents: 5000n, issuingDate: '2026-02-28', from: '2026-01-31T00:00:00Z', to: '2026-02-27T23:59:59Z' },
  ],
  [
    'clamps a quarter from the 30th of November',
    { code: 'p', interval: 'quarterly', amount_cents: 9000 },
    { billingTime: 'anniversary', subscriptionAt: '2026-11-30T10:00:00Z' },
    null,
    { feesAmountCents: 9000n, issuingDate: '2027-02-28', to: '2027-02-27T23:59:59Z' },
  ],
  [
    'ends a year from a 29 February on 27 February',
    { code: 'p', interval: 'yearly', amount_cents: 36_500 },
    { billingTime: 'anniversary', subscriptionAt: '2028-02-29T10:00:00Z' },
    null,
    { feesAmountCents: 36_500n, issuingDate: '2029-02-28', to: '2029-02-27T23:59:59Z' },
  ],
];

describe('the first invoice of a proposal', () => {
  it.each(FIRST_INVOICES)('%s', (_, plan, request, timezone, expected) => {
    const account = accountAfter([], { customer: { persisted: false, timezone }, billing_entity: { code: 'be' } });
    const shown = previewInvoice(
      { planCode: 'p', ...request },
      account,
      { plans: [planInput(plan, [])] },
      at('2026-01-01'),
    );
    const [period] = shown.billingPeriods;
    const text = (moment: number | null | undefined) => (moment == null ? null : formatInstant(moment));
    expect({ ...shown, from: text(period?.from), to: text(period?.to) }).toMatchObject(expected);
  });

  it('has no zone that does not exist', () => {
    const account = accountAfter([], { customer: { persisted: false, timezone: 'Mars/Olympus' } });
    const refused = errorOf(() => preview({ planCode: 'basic' }, account, '2026-01-01'));
    expect(refused.details).toEqual({ timezone: ['invalid_timezone'] });
  });
});

describe('a projection', () => {
  it('is the invoice that the next billing run makes', () => {
    const steps = [
      subscribe('s', 'basic', '2024-02-10T08:00:00Z'),
      { at: at('2024-03-01T01:00:00Z'), do: 'issue_due' as const },
    ];
    const credits: SetupJson = {
      coupons: [
        {
          code: 'half',
          coupon_type: 'percentage',
          percentage_rate: 50,
          frequency: 'forever',
          limited_billable_metrics: ['calls'],
        },
        { code: 'plan', amount_cents: 100, amount_currency: 'EUR', frequency: 'forever', limited_plans: ['basic'] },
      ],
      wallets: [{ code: 'w', balance_cents: 333 }],
    };
    const account = accountAfter(steps, credits);
    const events = [
      call('s', '2024-03-05T00:00:00Z'),
      call('s', '2024-03-06T00:00:00Z'),
      call('s', '2024-03-07T00:00:00Z'),
    ];
    const seen = { ...account, usage: eventsInMemory(events) };
    const shown = preview({ subscriptions: { externalIds: ['s'] } }, seen, '2024-03-20T00:00:00Z');
    const run = steps.concat(
      events.map((event) => ({
        at: event.timestamp,
        do: 'event' as const,
        externalId: 's',
        metricCode: 'calls',
        event,
      })) as never,
      { at: at('2024-04-01T01:00:00Z'), do: 'issue_due' as const },
    );
    const issued = accountAfter(run, credits).pastInvoices.at(-1);
    const members = [
      'feesAmountCents',
      'couponsAmountCents',
      'taxesAmountCents',
      'prepaidCreditAmountCents',
      'totalAmountCents',
      'issuingDate',
    ];
    const pick = (invoice: object | undefined) =>
      Object.fromEntries(Object.entries(invoice ?? {}).filter(([name]) => members.includes(name)));
    expect(pick(shown)).toEqual(pick(issued));
    expect(shown.couponsAmountCents).toBe(175n);
    expect(shown).toMatchObject({ status: 'finalized', paymentStatus: 'pending', mode: 'projection' });
  });

  it('changes nothing it was given', () => {
    const account = accountAfter([subscribe('s', 'advance', '2024-03-01T00:00:00Z')], {
      wallets: [{ code: 'w', balance_cents: 5000 }],
    });
    const before = structuredClone(
      account.subscriptions.map(({ id, status, terminatedAt }) => ({ id, status, terminatedAt })),
    );
    preview({ subscriptions: { externalIds: ['s'], planCode: 'dear' } }, account, '2024-03-10T00:00:00Z');
    expect(account.subscriptions.map(({ id, status, terminatedAt }) => ({ id, status, terminatedAt }))).toEqual(before);
    // 3720 were paid for the start.
    expect(account.wallets[0]?.balanceCents).toBe(1280n);
  });

  it('refuses subscriptions that cannot share an invoice', () => {
    const steps = [subscribe('a', 'basic', '2024-03-01T00:00:00Z'), subscribe('b', 'basic', '2024-03-01T00:00:00Z')];
    const account = accountAfter(steps);
    const [a, b] = account.subscriptions;
    if (!a || !b) throw new Error('two subscriptions expected');
    const refuse = (changed: typeof b) =>
      errorOf(() =>
        preview(
          { subscriptions: { externalIds: ['a', 'b'] } },
          { ...account, subscriptions: [a, changed] },
          '2024-03-10T00:00:00Z',
        ),
      ).details;
    expect(refuse({ ...b, plan: { ...b.plan, currency: 'USD' } })).toEqual({
      base: ['subscription_currencies_does_not_match'],
    });
    expect(refuse({ ...b, billingEntityCode: 'other' })).toEqual({
      base: ['subscription_billing_entities_do_not_match'],
    });
    expect(refuse({ ...b, plan: { ...b.plan, interval: 'weekly' } })).toEqual({
      base: ['billing_periods_does_not_match'],
    });
    const same = preview(
      { subscriptions: { externalIds: ['a', 'b'] } },
      { ...account, subscriptions: [a, { ...b, billingEntityCode: 'be' }] },
      '2024-03-10T00:00:00Z',
    );
    expect(same.feesAmountCents).toBe(6200n);
  });
});

describe('a termination', () => {
  const account = (setup: SetupJson = {}) => accountAfter([subscribe('s', 'advance', '2024-03-01T00:00:00Z')], setup);

  it('pays with the note of its unused days first; stored notes pay what it leaves', () => {
    const notes: SetupJson = {
      credit_notes: [{ code: 'old', currency: 'EUR', balance_amount_cents: 9000, status: 'finalized' }],
    };
    const seen = account();
    const withUse = {
      ...seen,
      creditNotes: creditNoteInputs(notes.credit_notes),
      subscriptions: seen.subscriptions.map((one) => ({
        ...one,
        plan: {
          ...one.plan,
          charges: planInput(
            { ...BASIC, charges: BASIC.charges?.map((charge) => ({ ...charge, properties: { amount: '25' } })) },
            TAXES,
          ).charges,
        },
      })),
      usage: eventsInMemory([call('s', '2024-03-02T00:00:00Z')]),
    };
    const shown = preview(
      { subscriptions: { externalIds: ['s'], terminatedAt: '2024-03-15T10:00:00Z' } },
      withUse,
      '2024-03-10T00:00:00Z',
    );
    expect(shown.mode).toBe('termination');
    expect(shown.credits.map((line) => line.amountCents)).toEqual([1920n, 1080n]);
    expect(shown.totalAmountCents).toBe(0n);
  });

  it('refuses a moment that is none, or is not ahead, and more than one subscription', () => {
    const refuse = (terminatedAt: string, externalIds = ['s']) =>
      errorOf(() => preview({ subscriptions: { externalIds, terminatedAt } }, account(), '2024-03-10T00:00:00Z'));
    expect(refuse('2025').details).toEqual({ terminated_at: ['invalid_timestamp'] });
    expect(refuse('2024-03-09T00:00:00Z').details).toEqual({ terminated_at: ['cannot_be_in_past'] });
    expect(refuse('2024-04-09T00:00:00Z', ['x']).message).toBe('subscription not found');
    const unknown = { ...account(), customer: { ...account().customer, stored: false } };
    const refused = errorOf(() => preview({ subscriptions: { externalIds: ['s'] } }, unknown, '2024-03-10T00:00:00Z'));
    expect(refused.details).toEqual({ customer: ['must_be_persisted'] });
  });
});

describe('a plan change', () => {
  const account = accountAfter([subscribe('s', 'advance', '2024-03-01T00:00:00Z')]);

  it('upgrades now: the new plan for the rest of the period, the old one credited with the day', () => {
    const shown = preview({ subscriptions: { externalIds: ['s'], planCode: 'dear' } }, account, '2024-03-16T00:00:00Z');
    // 16 of 31 days of 6200, with tax 3840; 16 unused days of 3100 come back as 1920.
    expect(shown).toMatchObject({
      mode: 'plan_change',
      feesAmountCents: 3200n,
      creditNotesAmountCents: 1920n,
      totalAmountCents: 1920n,
    });
    expect(shown.subscriptions.map(({ subscription }) => [subscription.name, subscription.status])).toEqual([
      [null, 'terminated'],
      ['Dear', 'active'],
    ]);
  });

  it('downgrades with the next period', () => {
    const shown = preview(
      { subscriptions: { externalIds: ['s'], planCode: 'cheap' } },
      account,
      '2024-03-16T00:00:00Z',
    );
    expect(shown).toMatchObject({ issuingDate: '2024-04-01', feesAmountCents: 1000n, creditNotesAmountCents: 0n });
    const next = shown.subscriptions[1];
    expect(next && formatInstant(next.currentPeriodFrom ?? 0)).toBe('2024-04-01T00:00:00Z');
  });

  it('is what the change makes when it happens', () => {
    const changed: TimelineStep = {
      at: at('2024-03-16T00:00:00Z'),
      do: 'change_plan',
      subscriptionId: 's',
      newSubscriptionId: 's2',
      planCode: 'dear',
    };
    const issued = accountAfter([subscribe('s', 'advance', '2024-03-01T00:00:00Z'), changed]).pastInvoices.at(-1);
    const shown = preview({ subscriptions: { externalIds: ['s'], planCode: 'dear' } }, account, '2024-03-16T00:00:00Z');
    expect(issued).toMatchObject({ feesAmountCents: shown.feesAmountCents, totalAmountCents: shown.totalAmountCents });
  });

  it('refuses the plan it has and one that does not exist', () => {
    const refuse = (planCode: string) =>
      errorOf(() => preview({ subscriptions: { externalIds: ['s'], planCode } }, account, '2024-03-16T00:00:00Z'));
    expect(refuse('advance').details).toEqual({ base: ['new_plan_should_be_different_from_existing_plan'] });
    expect(refuse('none').message).toBe('plan not found');
  });
});

describe('what a request brings', () => {
  it('brings coupons, unless the customer has some', () => {
    const own = couponInputs([{ code: 'own', amount_cents: 1, amount_currency: 'EUR' }]);
    const existing = couponInputs([{ code: 'known', amount_cents: 300, amount_currency: 'EUR' }]);
    const requested = [
      { code: 'known', amountCents: 1n },
      { code: 'made-up', type: 'percentage' as const, rate: dec(10) },
    ];
    expect(previewCoupons(own, requested, existing).map(({ code }) => code)).toEqual(['own']);
    const ended = own.map((coupon) => ({ ...coupon, status: 'terminated' as const }));
    expect(previewCoupons(ended, requested, existing)).toMatchObject([
      { id: 'requested-coupon-1', code: 'known', amountCents: 300n, status: 'active' },
      { id: 'requested-coupon-2', code: 'made-up', type: 'percentage', frequency: 'once' },
    ]);
    expect(errorOf(() => previewCoupons([], [{ code: 'x' }], [])).details).toEqual({
      amount_cents: ['value_is_mandatory'],
    });
  });
});

describe('what lies on the other side of now', () => {
  const begun = [subscribe('s', 'basic', '2026-11-01T00:00:00Z')];
  const named = (externalIds: string[]) => ({ subscriptions: { externalIds } });
  const NOON = '2026-11-20T12:00:00Z';

  it('events after the preview are not billed in it', () => {
    const account = accountAfter(begun);
    const events = [NOON, '2026-11-20T12:00:01Z', '2026-11-25T00:00:00Z'].map((when) => call('s', when));
    const seen = { ...account, usage: eventsInMemory(events) };
    const calls = preview(named(['s']), seen, NOON).fees.filter(({ type }) => type === 'charge');
    expect(calls.map(({ units, amountCents }) => [units.toFixed(), amountCents])).toEqual([['1', 50n]]);
  });

  it('a subscription past its end is not billed on beside others; alone it is ended', () => {
    const account = accountAfter([...begun, subscribe('ended', 'basic', '2026-11-01T00:00:00Z')]);
    const endingAt = at('2026-11-15T00:00:00Z');
    const subscriptions = account.subscriptions.map((one) => (one.id === 'ended' ? { ...one, endingAt } : one));
    const ids = (externalIds: string[]) =>
      preview(named(externalIds), { ...account, subscriptions }, NOON).subscriptions.map(({ subscription }) => [
        subscription.id,
        subscription.status,
      ]);
    expect(ids(['s', 'ended'])).toEqual([['s', 'active']]);
    expect(ids(['ended'])).toEqual([['ended', 'terminated']]);
  });
});
