import { describe, expect, it } from 'vitest';
import type { InvoicingReason } from '../../../src/billing/invoice/issued-invoice.ts';
import { billedSubscription } from '../../../src/billing/subscription/billed-subscription.ts';
import type { MadeInvoice } from '../../../src/billing/subscription/change.ts';
import { missingCents } from '../../../src/billing/subscription/commitment.ts';
import {
  commitmentFees,
  feeOwner,
  isSubscriptionFeeDue,
  planFee,
} from '../../../src/billing/subscription/subscription-fees.ts';
import { accountOf, billedIn } from '../../../src/billing/timeline/account.ts';
import { advance, newTimeline } from '../../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../../src/billing/timeline/timeline-type.ts';
import { parseInstant } from '../../instant.ts';
import { customerInput, entityInput, planInput, subscriptionInput } from '../vectors/scenario-input.ts';
import type { PlanJson, SubscriptionJson } from '../vectors/scenario-type.ts';

const at = (day: string) => parseInstant(`${day}T00:00:00Z`);
const subscribe = (made: string, subscriptionAt = made): TimelineStep => ({
  at: at(made),
  do: 'subscribe',
  subscriptionId: 's',
  externalId: 's',
  planCode: 'plan',
  billingTime: 'calendar',
  subscriptionAt: at(subscriptionAt),
});
const bill = (day: string): TimelineStep => ({ at: at(day), do: 'issue_due' });
const end = (day: string): TimelineStep => ({ at: at(day), do: 'terminate', subscriptionId: 's' });

function live(plan: Partial<PlanJson>, ...steps: readonly TimelineStep[]): TimelineState {
  const begun = newTimeline({
    customer: customerInput({}),
    billingEntity: entityInput(undefined, []),
    plans: [planInput({ code: 'plan', amount_cents: 3100, ...plan }, [])],
  });
  return steps.reduce((state, step) => advance(state, step).state, begun);
}

const withInvoices = (state: TimelineState, change: (invoice: MadeInvoice) => MadeInvoice): TimelineState => ({
  ...state,
  invoices: state.invoices.map(change),
});
const due = (state: TimelineState, day: string, reason: InvoicingReason = 'subscription_periodic') =>
  isSubscriptionFeeDue(billedIn(state, 's', at(day), reason));

describe('the fee of a year whose usage is billed by the month', () => {
  const year: Partial<PlanJson> = { interval: 'yearly', bill_charges_monthly: true };
  const half: Partial<PlanJson> = { interval: 'semiannual', bill_fixed_charges_monthly: true };
  const advanced = { ...year, pay_in_advance: true };

  it('in arrears is due in the month that opens the next one, and when the subscription ends', () => {
    const state = live(year, subscribe('2023-05-15'));
    expect([due(state, '2024-01-01'), due(state, '2024-02-01')]).toEqual([true, false]);
    expect(due(live(year, subscribe('2023-05-15'), end('2024-03-10')), '2024-03-10', 'subscription_terminating')).toBe(
      true,
    );
    const other = live(half, subscribe('2023-05-15'));
    expect([due(other, '2024-07-01'), due(other, '2024-08-01')]).toEqual([true, false]);
  });

  it('of a year that is not split, or of a shorter period, is due with every invoice', () => {
    expect(due(live({ interval: 'yearly' }, subscribe('2023-05-15')), '2024-02-01')).toBe(true);
    expect(due(live({ ...year, interval: 'quarterly' }, subscribe('2023-05-15')), '2024-02-01')).toBe(true);
  });

  it('in advance is caught up within the year while it was never billed', () => {
    const unbilled = (state: TimelineState) => ({ ...state, invoices: [] });
    const state = live(advanced, subscribe('2024-05-15'));
    expect(due(state, '2024-06-01')).toBe(false);
    expect(due(unbilled(state), '2024-06-01')).toBe(true);
    const charge = withInvoices(state, (invoice) => ({
      ...invoice,
      fees: invoice.fees.map((fee) => ({ ...fee, type: 'charge' })),
    }));
    expect(due(charge, '2024-06-01')).toBe(true);
  });

  it('in advance is not caught up in the year a backdated subscription began in, from its very first day', () => {
    expect(due(live(advanced, subscribe('2024-05-15', '2024-02-01')), '2024-06-01')).toBe(false);
    expect(due(live(advanced, subscribe('2024-05-15', '2024-01-01')), '2024-06-01')).toBe(false);
    expect(due(live(advanced, subscribe('2024-05-15', '2023-02-01')), '2024-06-01')).toBe(true);
  });
});

describe('a fee in advance on a day that has an invoice', () => {
  const state = live({ pay_in_advance: true }, subscribe('2024-02-01'));
  const fees = (change: Partial<MadeInvoice['fees'][number]>) =>
    withInvoices(state, (invoice) => ({ ...invoice, fees: invoice.fees.map((fee) => ({ ...fee, ...change })) }));

  it('is not due again, unless that invoice billed something else or another subscription', () => {
    expect(due(state, '2024-02-01')).toBe(false);
    expect(due(state, '2024-03-01')).toBe(true);
    expect(due(fees({ type: 'charge' }), '2024-02-01')).toBe(true);
    expect(due(fees({ subscriptionId: 'other' }), '2024-02-01')).toBe(true);
  });
});

it('a plan in advance by anniversary is billed whole at its start, by days where it replaced another', () => {
  const plan = planInput({ code: 'plan', amount_cents: 3100, pay_in_advance: true }, []);
  const subscription = (id: string, members: Partial<SubscriptionJson>) =>
    subscriptionInput({ id, plan: 'plan', subscription_at: '2024-01-01T00:00:00Z', ...members }, plan);
  const begun = { created_at: '2024-01-10T00:00:00Z', started_at: '2024-01-10T00:00:00Z' };
  const fee = (previous?: string) => {
    const one = subscription('s', { ...begun, billing_time: 'anniversary', previous });
    const account = accountOf({ ...live({}), subscriptions: [one, subscription('before', { status: 'terminated' })] });
    const billed = billedSubscription(account, one, at('2024-01-10'), 'subscription_starting');
    return planFee({ ...billed, startedByUpgrade: false }, feeOwner(billed, account)).amountCents;
  };
  // 10 to 31 January are 22 of 31 days.
  expect([fee(), fee('before')]).toEqual([3100n, 2200n]);
});

it('a fixed charge of no units makes no fee', () => {
  const fixed = (units: number): Partial<PlanJson> => ({
    fixed_charges: [{ code: 'f', units, properties: { amount: '1' } }],
  });
  const types = (units: number) =>
    live(fixed(units), subscribe('2024-01-01'), bill('2024-02-01')).invoices.flatMap(({ fees }) =>
      fees.map(({ type }) => type),
    );
  expect([types(1), types(0)]).toEqual([['subscription', 'fixed_charge'], ['subscription']]);
});

describe('a minimum commitment (invoicing 7)', () => {
  const commitments = (state: TimelineState) =>
    state.invoices.map(({ fees }) =>
      fees.filter(({ type }) => type === 'commitment').map(({ amountCents }) => Number(amountCents)),
    );
  const commitment = (amount_cents: number) => ({ minimum_commitment: { amount_cents } });
  const USAGE = { code: 'c', metric: 'm', aggregation: 'sum' as const, field_name: 'n', properties: { amount: '1' } };
  const used = (day: string, n: number): TimelineStep => ({
    at: at(day),
    do: 'event',
    externalId: 's',
    metricCode: 'm',
    event: { timestamp: at(day), properties: { n } },
  });
  const fixed = { code: 'f', units: 1, properties: { amount: '1' }, pay_in_advance: true };

  it('that is reached makes no fee', () => {
    expect(commitments(live(commitment(3100), subscribe('2024-01-01'), bill('2024-02-01')))).toEqual([[]]);
    expect(commitments(live(commitment(3101), subscribe('2024-01-01'), bill('2024-02-01')))).toEqual([[1]]);
    const january = { from: at('2024-01-01'), to: at('2024-02-01') - 1, zone: 'UTC', durationDays: 31 };
    expect([3000n, 3100n, 3200n].map((covered) => missingCents(3100n, january, covered))).toEqual([100n, 0n, 0n]);
  });

  it('counts usage that a progressive invoice billed early once: 31.00 and 30.00 of 100.00', () => {
    const plan = {
      ...commitment(10_000),
      charges: [USAGE],
      usage_thresholds: [{ amount_cents: 2000, recurring: false }],
    };
    const state = live(plan, subscribe('2024-01-01'), used('2024-01-10', 30), bill('2024-02-01'));
    expect(state.invoices.map(({ type }) => type)).toEqual(['progressive_billing', 'subscription']);
    expect(commitments(state)).toEqual([[], [3900]]);
  });

  it('is not settled by the invoice of a start, nor within a year', () => {
    const started = live({ ...commitment(10_000), fixed_charges: [fixed] }, subscribe('2024-01-01'));
    expect(commitments(started)).toEqual([[]]);
    const plan: Partial<PlanJson> = { ...commitment(100_000), interval: 'yearly', bill_charges_monthly: true };
    const year = live(
      { ...plan, charges: [USAGE] },
      subscribe('2024-01-01'),
      used('2024-01-10', 30),
      bill('2024-02-01'),
    );
    expect(commitments(year)).toEqual([[]]);
  });

  it('of a plan in advance is that of the period before, also when this one was billed already', () => {
    const plan = { ...commitment(10_000), pay_in_advance: true };
    const state = live(plan, subscribe('2024-01-01'), bill('2024-02-01'), bill('2024-03-01'));
    expect(commitments(state)).toEqual([[], [6900], [6900]]);
    const billed = billedIn(state, 's', at('2024-03-01'), 'subscription_periodic');
    const [again] = commitmentFees(billed, [], feeOwner(billed, accountOf(state)));
    expect([again?.period?.from, again?.amountCents]).toEqual([at('2024-02-01'), 6900n]);
  });

  describe('of a year in advance that ends on its 75th day of 366', () => {
    const plan: Partial<PlanJson> = {
      ...{ ...commitment(36_600), interval: 'yearly', amount_cents: 1000 },
      ...{ pay_in_advance: true, charges: [USAGE] },
    };
    const ended = live(plan, subscribe('2024-01-01'), used('2024-01-10', 2), used('2024-02-10', 3), end('2024-03-15'));
    const settled = (state: TimelineState) => {
      const billed = billedIn(state, 's', at('2024-03-15'), 'subscription_terminating');
      const fees = commitmentFees(billed, [], feeOwner(billed, accountOf(state)));
      return fees.map(({ period, amountCents }) => [period?.from, Number(amountCents)]);
    };
    const start = { ...ended, invoices: ended.invoices.slice(0, 1) };
    const period = (members: Partial<MadeInvoice['billingPeriods'][number]>) => ({
      ...start,
      invoices: start.invoices.flatMap((invoice) => [
        invoice,
        {
          ...invoice,
          ...{ id: 'later', fees: [], billedAt: at('2024-02-01') },
          billingPeriods: invoice.billingPeriods.map((one) => ({ ...one, ...members })),
        },
      ]),
    });

    it('is 75.00 of 366.00, of which 10.00, 2.00 and 3.00 are billed', () => {
      expect(commitments(ended)).toEqual([[], [6000]]);
    });

    it('begins with the first day that was billed of the year', () => {
      expect(settled(start)).toEqual([[at('2024-01-01'), 6500]]);
      expect(settled(period({ from: at('2024-02-01') }))).toEqual([[at('2024-01-01'), 6500]]);
    });

    it('is none where only single events, or no period at all, were billed', () => {
      const only = (members: Partial<MadeInvoice['billingPeriods'][number]>) => {
        const state = period(members);
        return settled({ ...state, invoices: state.invoices.slice(1) });
      };
      expect(only({})).toEqual([[at('2024-01-01'), 7500]]);
      expect(only({ reason: 'in_advance_charge' })).toEqual([]);
      expect(only({ reason: 'progressive_billing' })).toEqual([]);
      expect(only({ from: null })).toEqual([]);
    });
  });
});
