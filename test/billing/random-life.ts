import fc from 'fast-check';
import { dec } from '../../src/billing/money/decimal.ts';
import { DAY_MS } from '../../src/billing/period/calendar.ts';
import { advance, newTimeline } from '../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../src/billing/timeline/timeline-type.ts';
import { parseInstant } from '../instant.ts';
import {
  couponInputs,
  creditNoteInputs,
  customerInput,
  entityInput,
  planInput,
  walletInputs,
} from './vectors/scenario-input.ts';
import type { PlanJson } from './vectors/scenario-type.ts';

const TAXES = [
  { code: 'vat', rate: '19.6' },
  { code: 'city', rate: '2.525' },
];

/** Plans of every interval, in arrears and in advance, with every kind of fee. */
const PLANS: PlanJson[] = (['weekly', 'monthly', 'quarterly', 'semiannual', 'yearly'] as const).flatMap(
  (interval, index) =>
    [false, true].map((advanced) => ({
      code: `${interval}-${advanced ? 'advance' : 'arrears'}`,
      interval,
      amount_cents: 1000 * (index + 1) + (advanced ? 77 : 0),
      pay_in_advance: advanced,
      trial_period: index === 1 ? 5.5 : 0,
      bill_charges_monthly: index > 2 && advanced,
      bill_fixed_charges_monthly: index === 4,
      minimum_commitment: index % 2 === 0 ? { amount_cents: 2500 } : null,
      tax_codes: index === 2 ? ['city'] : [],
      charges: [
        {
          code: 'use',
          metric: 'use',
          aggregation: 'sum',
          field_name: 'n',
          properties: { amount: '0.331' },
          min_amount_cents: 300,
        },
        { code: 'now', metric: 'now', aggregation: 'count', properties: { amount: '1.07' }, pay_in_advance: true },
        {
          code: 'seat',
          metric: 'seat',
          aggregation: 'sum',
          field_name: 'n',
          recurring: true,
          prorated: true,
          properties: { amount: '7' },
        },
      ],
      fixed_charges: [
        {
          code: 'f-advance',
          units: 3,
          properties: { amount: '2.99' },
          pay_in_advance: true,
          prorated: true,
          add_on: 'a',
        },
        { code: 'f-arrears', units: 1, properties: { amount: '5' }, prorated: true, add_on: 'b' },
      ],
      usage_thresholds:
        index < 2
          ? [
              { amount_cents: 500, recurring: false },
              { amount_cents: 400, recurring: true },
            ]
          : [],
    })),
);
const CODES = PLANS.map((plan) => plan.code);

type Command = (state: TimelineState, at: number, next: () => string) => TimelineStep | null;

const active = (state: TimelineState, pick: number) => {
  const running = state.subscriptions.filter((one) => one.status === 'active');
  return running[pick % Math.max(running.length, 1)];
};

const pick = fc.nat({ max: 20 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Command>((_, at) => ({ at, do: 'issue_due' })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...CODES), fc.boolean())
      .map<Command>(([planCode, calendar]) => (_, at, next) => {
        const id = next();
        return {
          at,
          do: 'subscribe',
          subscriptionId: id,
          externalId: id,
          planCode,
          billingTime: calendar ? 'calendar' : 'anniversary',
        };
      }),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(pick, fc.constantFrom('use', 'now', 'seat'), fc.integer({ min: -4, max: 30 }))
      .map<Command>(([index, metricCode, n]) => (state, at, next) => {
        const subscription = active(state, index);
        const event = { transactionId: next(), timestamp: at, properties: { n } };
        return subscription ? { at, do: 'event', externalId: subscription.externalId, metricCode, event } : null;
      }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(pick, fc.constantFrom(...CODES)).map<Command>(([index, planCode]) => (state, at, next) => {
      const subscription = active(state, index);
      if (!subscription || subscription.plan.code === planCode) return null;
      return { at, do: 'change_plan', subscriptionId: subscription.id, newSubscriptionId: next(), planCode };
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(pick, fc.constantFrom('credit', 'refund', 'offset', 'skip'))
      .map<Command>(([index, mode]) => (state, at) => {
        const subscription = active(state, index);
        const creditNote = mode as 'credit' | 'refund' | 'offset' | 'skip';
        return subscription ? { at, do: 'terminate', subscriptionId: subscription.id, creditNote } : null;
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(pick, fc.nat({ max: 9 }), fc.boolean())
      .map<Command>(([index, units, immediately]) => (state, at) => {
        const subscription = active(state, index);
        const changes = [{ fixedChargeId: 'f-advance', units: dec(units) }];
        return subscription
          ? { at, do: 'change_fixed_charge_units', subscriptionId: subscription.id, changes, immediately }
          : null;
      }),
  },
  { weight: 1, arbitrary: fc.constant<Command>((_, at) => ({ at, do: 'finalize_drafts', onlyDue: true })) },
  {
    weight: 1,
    arbitrary: pick.map<Command>((index) => (state, at) => {
      const invoice = state.invoices[index % Math.max(state.invoices.length, 1)];
      return invoice ? { at, do: 'pay', invoiceId: invoice.id } : null;
    }),
  },
);

/** What happens in a life, each some days and seconds after the one before. */
export const steps = fc.array(fc.tuple(command, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 86_399 })), {
  minLength: 5,
  maxLength: 40,
});
export const settings = fc.record({
  timezone: fc.constantFrom('UTC', 'America/Los_Angeles', 'Asia/Tokyo', 'Africa/Cairo', 'Pacific/Apia'),
  grace: fc.constantFrom(0, 3),
});

function begin({ timezone, grace }: { timezone: string; grace: number }): TimelineState {
  const setup = { timezone, taxes: TAXES, customer: { invoice_grace_period: grace } };
  return newTimeline({
    customer: customerInput(setup),
    billingEntity: entityInput({ code: 'be', tax_codes: ['vat', 'city'] }, TAXES),
    plans: PLANS.map((plan) => planInput(plan, TAXES)),
    coupons: couponInputs([
      {
        code: 'metric',
        coupon_type: 'percentage',
        percentage_rate: '33.3',
        frequency: 'recurring',
        frequency_duration_remaining: 9,
        limited_billable_metrics: ['use'],
      },
      {
        code: 'plan',
        amount_cents: 700,
        amount_currency: 'EUR',
        frequency: 'forever',
        limited_plans: ['monthly-arrears'],
      },
      { code: 'once', amount_cents: 9000, amount_currency: 'EUR', frequency: 'once' },
    ]),
    creditNotes: creditNoteInputs([{ code: 'n', currency: 'EUR', balance_amount_cents: 3333, status: 'finalized' }]),
    wallets: walletInputs([
      {
        ...{ code: 'usage', priority: 1, balance_cents: 5001, allowed_fee_types: ['charge'] },
        inbound: [{ kind: 'purchased', remaining_cents: 5001 }],
      },
      { code: 'any', priority: 2, balance_cents: 20_001, inbound: [{ kind: 'granted', remaining_cents: 20_001 }] },
    ]),
  });
}

type Made = readonly (readonly [Command, number, number])[];

/** The life of a customer to whom these happen, and the day on which the last did. */
export function lived(setting: { timezone: string; grace: number }, list: Made) {
  let state = begin(setting);
  let day = parseInstant('2024-01-20T00:00:00Z');
  let [id, last] = [0, 0];
  for (const [make, days, seconds] of list) {
    day += days * DAY_MS;
    // At one moment nothing would tell what came first.
    last = Math.max(day + seconds * 1000, last + 1000);
    const step = make(state, last, () => `id-${++id}`);
    if (step !== null) state = advance(state, step).state;
  }
  return { state, day };
}
