import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanInput } from '../../src/billing/catalogue/plan.ts';
import { dec } from '../../src/billing/money/decimal.ts';
import { DAY_MS } from '../../src/billing/period/calendar.ts';
import { advance, newTimeline } from '../../src/billing/timeline/timeline.ts';
import type { TimelineResult, TimelineState, TimelineStep } from '../../src/billing/timeline/timeline-type.ts';
import { parseInstant } from '../instant.ts';
import { couponInputs, customerInput, entityInput, planInput, walletInputs } from './vectors/scenario-input.ts';
import type { PlanJson, SetupJson } from './vectors/scenario-type.ts';

const TAXES = [{ code: 'vat', rate: 20 }];
const PLANS: PlanJson[] = [
  {
    code: 'basic',
    amount_cents: 2900,
    minimum_commitment: { amount_cents: 5000 },
    charges: [
      { code: 'calls', metric: 'calls', aggregation: 'count', properties: { amount: '0.5' }, min_amount_cents: 700 },
      {
        code: 'seats',
        metric: 'seats',
        aggregation: 'sum',
        recurring: true,
        prorated: true,
        field_name: 'n',
        properties: { amount: '3' },
      },
    ],
    fixed_charges: [
      {
        code: 'support',
        units: 2,
        properties: { amount: '10' },
        pay_in_advance: true,
        prorated: true,
        add_on: 'support',
      },
    ],
    usage_thresholds: [
      { amount_cents: 2000, recurring: false },
      { amount_cents: 1000, recurring: true },
    ],
  },
  {
    code: 'pro',
    amount_cents: 9900,
    pay_in_advance: true,
    trial_period: 10,
    charges: [
      { code: 'api', metric: 'calls', aggregation: 'count', properties: { amount: '0.4' }, pay_in_advance: true },
    ],
    fixed_charges: [
      {
        code: 'support-pro',
        units: 1,
        properties: { amount: '30' },
        pay_in_advance: true,
        prorated: true,
        add_on: 'support',
      },
    ],
  },
  {
    code: 'year',
    interval: 'yearly',
    amount_cents: 48_000,
    pay_in_advance: true,
    bill_charges_monthly: true,
    charges: [{ code: 'calls-year', metric: 'calls', aggregation: 'count', properties: { amount: '0.1' } }],
  },
];

const setup = (members: SetupJson = {}): SetupJson => ({
  billing_entity: { code: 'be', tax_codes: ['vat'] },
  taxes: TAXES,
  ...members,
});

function begin(
  members: SetupJson = {},
  plans: readonly PlanInput[] = PLANS.map((plan) => planInput(plan, TAXES)),
): TimelineState {
  const json = setup(members);
  return newTimeline({
    customer: customerInput(json),
    billingEntity: entityInput(json.billing_entity, TAXES),
    plans,
    coupons: couponInputs(json.coupons),
    wallets: walletInputs(json.wallets),
  });
}

function run(state: TimelineState, steps: readonly TimelineStep[]): TimelineResult {
  return steps.reduce<TimelineResult>((result, step) => advance(result.state, step), {
    state,
    invoices: [],
    creditNotes: [],
    changes: [],
  });
}

const at = (text: string) => parseInstant(text);
const subscribe = (id: string, planCode: string, when: string): TimelineStep => ({
  at: at(when),
  do: 'subscribe',
  subscriptionId: id,
  externalId: id,
  planCode,
  billingTime: 'anniversary',
});

/** Every day from a start on: what happens that day, then the billing run. */
function daily(start: number, days: number, plan: (day: number) => TimelineStep[]): TimelineStep[] {
  return Array.from({ length: days }, (_, day) => {
    const noon = start + day * DAY_MS;
    return [...plan(day).map((step) => ({ ...step, at: noon })), { at: noon + 1000, do: 'issue_due' as const }];
  }).flat();
}

describe('a timeline', () => {
  it('lives through 24 months of usage, changes of plan and a termination, and its invoices hold', () => {
    const start = at('2023-01-31T12:00:00Z');
    const event = (day: number): TimelineStep => ({
      at: start,
      do: 'event',
      externalId: 's',
      metricCode: day % 7 === 0 ? 'seats' : 'calls',
      event: { transactionId: `t${day}`, timestamp: start + day * DAY_MS, properties: { n: 1 } },
    });
    const steps = daily(start, 730, (day) => {
      if (day === 0) return [subscribe('s', 'basic', '2023-01-31T12:00:00Z')];
      const change = (newSubscriptionId: string, from: string, planCode: string): TimelineStep => ({
        at: start,
        do: 'change_plan',
        subscriptionId: from,
        newSubscriptionId,
        planCode,
      });
      if (day === 100) return [event(day), change('s2', 's', 'pro')];
      if (day === 250) return [event(day), change('s3', 's2', 'year')];
      if (day === 720) return [{ at: start, do: 'terminate', subscriptionId: 's3' }];
      return day % 3 === 0 && day < 720 ? [event(day)] : [];
    });
    const { state } = run(begin({ wallets: [{ code: 'w', balance_cents: 20_000 }] }), steps);
    expect(state.subscriptions.map((subscription) => subscription.status)).toEqual([
      'terminated',
      'terminated',
      'terminated',
    ]);
    const numbers = state.invoices.map((invoice) => invoice.sequentialId);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(state.wallets[0]?.balanceCents).toBe(0n);
    const reasons = new Set(state.invoices.flatMap((invoice) => invoice.billingPeriods.map((period) => period.reason)));
    expect(reasons).toEqual(
      new Set([
        'subscription_starting',
        'subscription_periodic',
        'subscription_terminating',
        'progressive_billing',
        'in_advance_charge',
      ]),
    );
  });

  it('bills every local day of a subscription in arrears exactly once, wherever it starts', () => {
    const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Sao_Paulo');
    fc.assert(
      fc.property(
        zones,
        fc.integer({ min: 0, max: 365 }),
        fc.constantFrom('calendar', 'anniversary'),
        (zone, day, time) => {
          const start = at('2024-01-01T12:00:00Z') + day * DAY_MS;
          const plan = planInput({ code: 'plain', amount_cents: 100 }, []);
          const first: TimelineStep = {
            at: start,
            do: 'subscribe',
            subscriptionId: 's',
            externalId: 's',
            planCode: 'plain',
            billingTime: time as 'calendar' | 'anniversary',
          };
          const { state } = run(
            begin({ timezone: zone }, [plan]),
            daily(start, 150, (at0) => (at0 === 0 ? [first] : [])),
          );
          const periods = state.invoices.flatMap((invoice) => invoice.billingPeriods);
          expect(periods.length).toBeGreaterThanOrEqual(4);
          for (const [index, period] of periods.entries()) {
            const before = periods[index - 1];
            if (before) expect(period.from).toBe((before.to ?? 0) + 1);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is the same for the same steps, and leaves the state it is given alone', () => {
    const state = begin();
    const frozen = JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    const steps = [
      subscribe('s', 'basic', '2024-03-05T10:00:00Z'),
      { at: at('2024-04-05T10:00:00Z'), do: 'issue_due' as const },
    ];
    const [one, other] = [run(state, steps), run(state, steps)];
    expect(one).toEqual(other);
    expect(JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))).toBe(frozen);
  });

  it('gives back what a paid termination leaves: a refund of the paid part, the rest as credit', () => {
    const advanced = planInput({ code: 'adv', amount_cents: 3100, pay_in_advance: true }, TAXES);
    const started = run(begin({}, [advanced]), [subscribe('s', 'adv', '2024-03-01T00:00:00Z')]);
    const invoiceId = started.invoices[0]?.id ?? '';
    const paid = run(started.state, [{ at: at('2024-03-02T00:00:00Z'), do: 'pay', invoiceId, amountCents: 2790n }]);
    const ended = advance(paid.state, {
      at: at('2024-03-15T10:00:00Z'),
      do: 'terminate',
      subscriptionId: 's',
      creditNote: 'refund',
    });
    // 16 of 31 days of 3720 with tax are 1920; 2790 paid less 1800 used are refunded.
    expect(ended.creditNotes[0]).toMatchObject({
      totalAmountCents: 1920n,
      refundAmountCents: 990n,
      creditAmountCents: 930n,
    });
    // The next step made no note of its own.
    const next = advance(ended.state, { at: at('2024-03-16T10:00:00Z'), do: 'issue_due' });
    expect([next.creditNotes, next.state.madeNotes.length]).toEqual([[], 1]);
  });

  it('ends a waiting downgrade with the subscription it would follow', () => {
    const steps: TimelineStep[] = [
      subscribe('s', 'pro', '2024-03-01T00:00:00Z'),
      {
        at: at('2024-03-10T00:00:00Z'),
        do: 'change_plan',
        subscriptionId: 's',
        newSubscriptionId: 's2',
        planCode: 'basic',
      },
      { at: at('2024-03-20T00:00:00Z'), do: 'terminate', subscriptionId: 's' },
      { at: at('2024-04-01T00:00:00Z'), do: 'issue_due' },
    ];
    const { state, invoices } = run(begin(), steps);
    expect(state.subscriptions.map((subscription) => subscription.status)).toEqual(['terminated', 'canceled']);
    expect(invoices).toEqual([]);
  });

  it('starts what waits on its own day, not before', () => {
    const waits = { ...subscribe('s', 'basic', '2024-01-01T00:00:00Z'), subscriptionAt: at('2024-03-01T00:00:00Z') };
    const statusOn = (day: string) =>
      run(begin(), [waits, { at: at(day), do: 'issue_due' }]).state.subscriptions.map(({ status }) => status);
    expect(statusOn('2024-02-29T23:59:59Z')).toEqual(['pending']);
    expect(statusOn('2024-03-01T00:00:00Z')).toEqual(['active']);
  });

  it('changes a plan by the calendar or by anniversary: as asked for, else as before', () => {
    const change = { do: 'change_plan', subscriptionId: 's', newSubscriptionId: 't', planCode: 'pro' } as const;
    const billedBy = (billingTime?: 'calendar' | 'anniversary') => {
      const step: TimelineStep = { ...change, at: at('2024-01-20T00:00:00Z'), billingTime };
      const { state } = run(begin(), [subscribe('s', 'basic', '2024-01-10T00:00:00Z'), step]);
      return state.subscriptions.map((one) => one.billingTime);
    };
    expect(billedBy()).toEqual(['anniversary', 'anniversary']);
    expect(billedBy('calendar')).toEqual(['anniversary', 'calendar']);
  });

  it('finalizes only the drafts that are due, and numbers them then', () => {
    const graced = begin({ customer: { invoice_grace_period: 3 } });
    const started = run(graced, [subscribe('s', 'year', '2024-03-01T00:00:00Z')]);
    expect(started.invoices[0]).toMatchObject({ status: 'draft', number: 'ENT-DRAFT', sequentialId: null });
    const early = advance(started.state, { at: at('2024-03-03T00:00:00Z'), do: 'finalize_drafts', onlyDue: true });
    expect(early.invoices).toEqual([]);
    const due = advance(early.state, { at: at('2024-03-04T00:00:00Z'), do: 'finalize_drafts', onlyDue: true });
    expect(due.invoices[0]).toMatchObject({ status: 'finalized', number: 'ENT-001-001', sequentialId: 1 });
  });

  it('counts usage towards thresholds for life, also across a change of plan', () => {
    const usage = {
      code: 'u',
      metric: 'u',
      aggregation: 'sum',
      field_name: 'n',
      properties: { amount: '0.01' },
    } as const;
    const thresholds = [{ amount_cents: 20_000, recurring: false }];
    const plans: PlanJson[] = [
      { code: 'low', amount_cents: 3100, charges: [usage], usage_thresholds: thresholds },
      { code: 'high', amount_cents: 62_000, charges: [usage], usage_thresholds: thresholds },
    ];
    const use = (when: string, n: number): TimelineStep => ({
      at: at(when),
      do: 'event',
      externalId: 'sub',
      metricCode: 'u',
      event: { timestamp: at(when), properties: { n } },
    });
    const steps: TimelineStep[] = [
      { ...subscribe('sub', 'low', '2022-12-01T00:00:00Z') },
      use('2022-12-05T00:00:00Z', 15_000),
      {
        at: at('2022-12-10T00:00:00Z'),
        do: 'change_plan',
        subscriptionId: 'sub',
        newSubscriptionId: 'sub2',
        planCode: 'high',
      },
    ];
    const state = begin(
      {},
      plans.map((plan) => planInput(plan, [])),
    );
    const before = run(state, steps);
    const crossed = run(before.state, [use('2022-12-12T00:00:00Z', 6000)]);
    expect(crossed.invoices.map(({ type, feesAmountCents }) => [type, feesAmountCents])).toEqual([
      ['progressive_billing', 6000n],
    ]);
    const below = run(before.state, [use('2022-12-12T00:00:00Z', 4999)]);
    expect(below.invoices).toEqual([]);
  });

  it('other units wait for the next month where fixed charges are billed by the month', () => {
    const plan: PlanJson = {
      ...{ code: 'split', interval: 'yearly', amount_cents: 12_000, bill_fixed_charges_monthly: true },
      fixed_charges: [{ code: 'f', units: 1, properties: { amount: '10' }, add_on: 'support' }],
    };
    const { state } = run(begin({}, [planInput(plan, [])]), [subscribe('sub', 'split', '2023-01-01T00:00:00Z')]);
    const fixedChargeId = state.plans[0]?.fixedCharges[0]?.id ?? '';
    const bill = (when: string): TimelineStep => ({ at: at(when), do: 'issue_due' });
    const changed = run(state, [
      bill('2023-02-01T01:00:00Z'),
      {
        ...{
          at: at('2023-02-10T00:00:00Z'),
          do: 'change_fixed_charge_units',
          subscriptionId: 'sub',
          immediately: false,
        },
        changes: [{ fixedChargeId, units: dec(5) }],
      },
    ]);
    const march = run(changed.state, [bill('2023-03-01T01:00:00Z')]);
    const april = run(march.state, [bill('2023-04-01T01:00:00Z')]);
    expect([march, april].map(({ invoices }) => invoices[0]?.feesAmountCents)).toEqual([1000n, 5000n]);
  });

  it('gives a progressive invoice back when the usage falls: the excess is a credit note on it', () => {
    const falling = planInput(
      {
        code: 'falling',
        amount_cents: 0,
        charges: [{ code: 'sum', metric: 'sum', aggregation: 'sum', field_name: 'n', properties: { amount: '1' } }],
        usage_thresholds: [{ amount_cents: 1000, recurring: false }],
      },
      TAXES,
    );
    const use = (when: string, n: number): TimelineStep => ({
      at: at(when),
      do: 'event',
      externalId: 's',
      metricCode: 'sum',
      event: { timestamp: at(when), properties: { n } },
    });
    const steps = [
      subscribe('s', 'falling', '2024-03-01T00:00:00Z'),
      use('2024-03-02T00:00:00Z', 10),
      use('2024-03-03T00:00:00Z', -4),
      { at: at('2024-04-01T00:00:00Z'), do: 'issue_due' as const },
    ];
    const { invoices, creditNotes, state } = run(begin({}, [falling]), steps);
    expect(invoices[0]).toMatchObject({ progressiveBillingCreditAmountCents: 600n, totalAmountCents: 0n });
    expect(creditNotes[0]).toMatchObject({
      invoiceId: state.invoices[0]?.id,
      totalAmountCents: 480n,
      balanceCents: 480n,
    });
    expect(dec(creditNotes[0]?.taxesAmountCents ?? 0n).toNumber()).toBe(80);
  });
});
