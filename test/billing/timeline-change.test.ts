import { describe, expect, it } from 'vitest';
import { advance, newTimeline } from '../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../src/billing/timeline/timeline-type.ts';
import { parseInstant } from '../instant.ts';
import { customerInput, entityInput, planInput } from './vectors/scenario-input.ts';
import type { PlanJson } from './vectors/scenario-type.ts';

// What a change of plan makes of the moment, the period and the amounts around it.

const at = (text: string) => parseInstant(text);
const sum = (code: string, amount: string, more: object = {}) => ({
  ...{ code, metric: 'u', aggregation: 'sum' as const, field_name: 'n', properties: { amount }, ...more },
});
const IN_ADVANCE = { pay_in_advance: true };
const PLANS: PlanJson[] = [
  { code: 'old_arrears', amount_cents: 0, charges: [sum('a', '1')] },
  { code: 'old_advance', amount_cents: 0, charges: [sum('b', '1', IN_ADVANCE)] },
  { code: 'new_arrears', amount_cents: 0, charges: [sum('c', '2')] },
  { code: 'new_advance', amount_cents: 0, charges: [sum('d', '2', IN_ADVANCE)] },
  { code: 'dear', amount_cents: 3000, charges: [sum('e', '1')] },
  { code: 'cheap', amount_cents: 1500 },
  { code: 'paid', amount_cents: 3100, pay_in_advance: true },
  { code: 'more', amount_cents: 6200, pay_in_advance: true },
  ...[30, 45].map((price) => ({
    ...{ code: `fixed_${price}`, amount_cents: 0 },
    fixed_charges: [
      { code: 'x', units: 10, properties: { amount: `${price}` }, prorated: true, pay_in_advance: false, add_on: 'x' },
    ],
  })),
  {
    ...{ code: 'loose', amount_cents: 3000 },
    charges: [sum('f', '1', { ...IN_ADVANCE, invoiceable: false })],
  },
];
const START = newTimeline({
  customer: customerInput({}),
  billingEntity: entityInput({ code: 'be' }, []),
  plans: PLANS.map((json) => {
    const plan = planInput(json, []);
    const charges = plan.charges.map((charge) =>
      charge.invoiceable === false ? { ...charge, regroupPaidFees: 'invoice' as const } : charge,
    );
    return { ...plan, charges };
  }),
});
const subscribe = (planCode: string, when: string, more: object = {}): TimelineStep => ({
  ...{ at: at(when), do: 'subscribe', subscriptionId: 's1', externalId: 's', planCode, billingTime: 'calendar' },
  ...more,
});
const change = (planCode: string, when: string, to = 2): TimelineStep => ({
  ...{ at: at(when), do: 'change_plan', planCode, subscriptionId: `s${to - 1}`, newSubscriptionId: `s${to}` },
});
const use = (when: string, n: number): TimelineStep => ({
  ...{ at: at(when), do: 'event', externalId: 's', metricCode: 'u' },
  event: { timestamp: at(when), transactionId: `${when}-${n}`, properties: { n } },
});
const bill = (when: string): TimelineStep => ({ at: at(when), do: 'issue_due' });
const live = (state: TimelineState, ...steps: readonly TimelineStep[]) =>
  steps.reduce((next, step) => advance(next, step).state, state);
/** The fees above 0 of each invoice that has some. */
const fees = ({ invoices }: TimelineState) =>
  invoices
    .map((invoice) => invoice.fees.flatMap((fee) => (fee.amountCents > 0n ? [Number(fee.amountCents)] : [])))
    .filter((amounts) => amounts.length > 0);

describe('an event at the very moment of a change of plan', () => {
  const NOON = '2024-06-16T12:00:00Z';

  it.each(
    ['old_arrears', 'old_advance'].flatMap((from) => ['new_arrears', 'new_advance'].map((to) => [from, to] as const)),
  )('is the new plan’s: from %s to %s', (from, to) => {
    const june = subscribe(from, '2024-06-01T00:00:00Z');
    const lived = live(START, june, change(to, NOON), use(NOON, 1), bill('2024-07-01T00:00:00Z'));
    expect(fees(lived)).toEqual([[200]]);
  });

  it('is of the last one where two follow at that moment', () => {
    const changes = [change('old_advance', NOON), change('new_advance', NOON, 3)];
    const june = subscribe('old_arrears', '2024-06-01T00:00:00Z');
    expect(fees(live(START, june, ...changes, use(NOON, 1), bill('2024-07-01T00:00:00Z')))).toEqual([[200]]);
    const arrears = [change('old_arrears', NOON), change('new_arrears', NOON, 3)];
    expect(fees(live(START, june, use(NOON, 1), ...arrears, bill('2024-07-01T00:00:00Z')))).toEqual([[200]]);
  });

  it('is of the one that ended where another begins without following it', () => {
    const ends: TimelineStep = { at: at(NOON), do: 'terminate', subscriptionId: 's1' };
    const again = subscribe('new_advance', NOON, { subscriptionId: 's2' });
    const lived = live(START, subscribe('old_advance', '2024-06-01T00:00:00Z'), ends, again, use(NOON, 1));
    expect(fees(live(lived, bill('2024-07-01T00:00:00Z')))).toEqual([[100]]);
  });
});

describe('a cheaper plan that waits', () => {
  const waiting = live(
    START,
    subscribe('dear', '2024-06-01T00:00:00Z'),
    change('cheap', '2024-06-05T00:00:00Z'),
    use('2024-06-10T00:00:00Z', 5),
  );
  const priced = (state: TimelineState, code: string, amountCents: bigint): TimelineState => ({
    ...state,
    subscriptions: state.subscriptions.map((one) =>
      one.plan.code === code ? { ...one, plan: { ...one.plan, amountCents } } : one,
    ),
  });
  const planIdOf = (code: string) => START.plans.find((plan) => plan.code === code)?.id ?? '';
  const repriced = (code: string, amountCents: bigint) =>
    live(priced(waiting, code, amountCents), {
      ...{ at: at('2024-06-16T10:00:00Z'), do: 'settle_waiting', planIds: [planIdOf(code)] },
    });
  const statuses = ({ subscriptions }: TimelineState) => subscriptions.map(({ status }) => status);

  it('follows at once where it becomes as dear or dearer', () => {
    expect(statuses(repriced('cheap', 3000n))).toEqual(['terminated', 'active']);
    const dearer = repriced('cheap', 6000n);
    expect(statuses(dearer)).toEqual(['terminated', 'active']);
    expect(fees(live(dearer, bill('2024-07-01T00:10:00Z')))).toEqual([[1500, 500], [3000]]);
  });

  it('is given up where the running one becomes cheaper, and waits where it stays the cheaper one', () => {
    expect(statuses(repriced('dear', 1200n))).toEqual(['active', 'canceled']);
    for (const still of [repriced('dear', 1500n), repriced('dear', 1600n), repriced('cheap', 2999n)]) {
      expect(statuses(still)).toEqual(['active', 'pending']);
    }
  });

  it('takes its turn without losing the period that ends, whatever it costs by then or later', () => {
    const dearer = live(priced(waiting, 'cheap', 6000n), bill('2024-07-01T00:10:00Z'));
    expect(fees(dearer)).toEqual([[3000, 500]]);
    expect(fees(live(dearer, bill('2024-08-01T00:10:00Z')))).toEqual([[3000, 500], [6000]]);
    const graced = { ...waiting, billingEntity: entityInput({ code: 'be', invoice_grace_period: 5 }, []) };
    const draft = priced(live(graced, bill('2024-07-01T00:10:00Z')), 'cheap', 6000n);
    expect(fees(live(draft, { at: at('2024-07-06T00:00:00Z'), do: 'finalize_drafts' }))).toEqual([[3000, 500]]);
  });

  it('stays an upgrade of its day on a draft, also where it is the cheaper one again', () => {
    const graced = { ...waiting, billingEntity: entityInput({ code: 'be', invoice_grace_period: 5 }, []) };
    const upgraded = live(priced(graced, 'cheap', 6000n), {
      ...{ at: at('2024-06-16T10:00:00Z'), do: 'settle_waiting', planIds: [planIdOf('cheap')] },
    });
    const again = priced(upgraded, 'cheap', 1500n);
    expect(fees(live(again, { at: at('2024-06-21T00:00:00Z'), do: 'finalize_drafts' }))).toEqual([[1500, 500]]);
  });
});

describe('what a subscription says of its end', () => {
  it.each([
    ['skip', []],
    ['refund', [[2700, 2700]]],
    ['offset', [[2700, 2700]]],
    [undefined, [[2700, 2700]]],
  ] as const)('rules an upgrade too: %s', (onTerminationCreditNote, notes) => {
    const january = subscribe('paid', '2024-01-01T00:00:00Z', { onTerminationCreditNote });
    const paid: TimelineStep = { at: at('2024-01-02T00:00:00Z'), do: 'pay', invoiceId: 'invoice-1' };
    const { madeNotes } = live(START, january, paid, change('more', '2024-01-05T00:00:00Z'));
    expect(madeNotes.map((note) => [note.totalAmountCents, note.creditAmountCents].map(Number))).toEqual(notes);
  });

  it('without a last invoice gathers what is paid all the same', () => {
    const paid = live(START, subscribe('loose', '2024-06-01T00:00:00Z'), use('2024-06-03T00:00:00Z', 7), {
      ...{ at: at('2024-06-04T00:00:00Z'), do: 'pay_fee', feeId: 'fee-1' },
    });
    const ended = live(paid, {
      at: at('2024-06-16T00:00:00Z'),
      do: 'terminate',
      subscriptionId: 's1',
      invoice: 'skip',
    });
    expect(ended.invoices.map(({ type, feesAmountCents }) => [type, feesAmountCents])).toEqual([
      ['advance_charges', 700n],
    ]);
  });
});

it('leaves its day of prorated fixed charges in arrears to the new plan: 15 of 30 days each', () => {
  const june = subscribe('fixed_30', '2024-06-01T00:00:00Z');
  const lived = live(START, june, change('fixed_45', '2024-06-16T10:00:00Z'), bill('2024-07-01T00:10:00Z'));
  // A change of plans that cost the same is an upgrade.
  expect(fees(lived)).toEqual([[15_000], [22_500]]);
  const ended = live(START, june, { at: at('2024-06-16T10:00:00Z'), do: 'terminate', subscriptionId: 's1' });
  expect(fees(ended)).toEqual([[16_000]]);
});
