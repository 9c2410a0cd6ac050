import { describe, expect, it } from 'vitest';
import { previewInvoice } from '../../src/billing/preview/preview.ts';
import { accountOf } from '../../src/billing/timeline/account.ts';
import { advance, newTimeline } from '../../src/billing/timeline/timeline.ts';
import type { TimelineState, TimelineStep } from '../../src/billing/timeline/timeline-type.ts';
import { parseInstant } from '../instant.ts';
import { customerInput, entityInput, planInput } from './vectors/scenario-input.ts';
import type { ChargeJson } from './vectors/scenario-type.ts';

const at = parseInstant;
const storage = (code: string, rest: Partial<ChargeJson> = {}): ChargeJson => ({
  code,
  metric: 'storage',
  aggregation: 'weighted_sum',
  recurring: true,
  field_name: 'gb',
  properties: { amount: '3' },
  ...rest,
});
const FILTERED = storage('filtered', {
  filters: [{ values: { region: ['eu'] }, properties: { amount: '5', pricing_group_keys: ['disk'] } }],
});
const plans = [
  { code: 'plain', amount_cents: 1000, charges: [storage('storage')] },
  { code: 'dear', amount_cents: 2000, charges: [storage('storage-dear', { properties: { amount: '4' } })] },
  { code: 'cheap', amount_cents: 500, charges: [storage('storage-cheap', { properties: { amount: '2' } })] },
  { code: 'split', amount_cents: 1000, charges: [FILTERED] },
  { code: 'single', amount_cents: 1000, charges: [storage('own', { recurring: false })] },
].map((plan) => planInput(plan, []));

const subscribe = (planCode: string, when: string, subscriptionId = 's'): TimelineStep => ({
  at: at(when),
  do: 'subscribe',
  subscriptionId,
  externalId: 'e',
  planCode,
  billingTime: 'calendar',
});
const change = (planCode: string, when: string): TimelineStep => ({
  at: at(when),
  do: 'change_plan',
  subscriptionId: 's',
  newSubscriptionId: 'next',
  planCode,
});
const bill = (when: string): TimelineStep => ({ at: at(when), do: 'issue_due' });
const store = (when: string, gb: unknown, properties: object = {}): TimelineStep => ({
  at: at(when),
  do: 'event',
  externalId: 'e',
  metricCode: 'storage',
  event: { timestamp: at(when), properties: { gb, ...properties } },
});

function live(...steps: TimelineStep[]): TimelineState {
  const start = newTimeline({ customer: customerInput({}), billingEntity: entityInput(undefined, []), plans });
  return steps.reduce((state, step) => advance(state, step).state, start);
}

/** Units, cents and the level at the end of the usage fees on the last invoice. */
const usageOf = (fees: TimelineState['invoices'][number]['fees'] = []) =>
  fees
    .filter(({ type }) => type === 'charge')
    .map((fee) => [fee.units.toFixed(), fee.amountCents, fee.totalAggregatedUnits?.toFixed()]);
const lastUsage = (state: TimelineState) => usageOf(state.invoices.at(-1)?.fees);

const MONTHS = ['2026-10-01', '2026-11-01', '2026-12-01'].map((day) => bill(`${day}T00:10:00Z`));

describe('a level', () => {
  it('stands through periods in which nothing changes it', () => {
    const state = live(subscribe('plain', '2026-09-01T00:00:00Z'), store('2026-09-01T00:00:00Z', 10), ...MONTHS);
    expect(state.invoices.map(({ fees }) => usageOf(fees))).toEqual(Array(3).fill([['10', 3000n, '10']]));
  });

  it('changes where an event says so: 10, and 6 from the middle of November on, are 8', () => {
    const state = live(
      subscribe('plain', '2026-09-01T00:00:00Z'),
      store('2026-09-10T00:00:00Z', 10),
      ...MONTHS.slice(0, 2),
      store('2026-11-16T00:00:00Z', -4),
      ...MONTHS.slice(2),
    );
    expect(lastUsage(state)).toEqual([['8', 2400n, '6']]);
  });

  it('belongs to its filter and group', () => {
    const state = live(
      subscribe('split', '2026-09-01T00:00:00Z'),
      store('2026-09-01T00:00:00Z', 1, { region: 'eu', disk: 'a' }),
      store('2026-09-01T00:00:00Z', 2, { region: 'eu', disk: 'b' }),
      store('2026-09-01T00:00:00Z', 4, { region: 'us' }),
      ...MONTHS.slice(0, 2),
      store('2026-11-01T00:00:00Z', 1, { region: 'eu', disk: 'b' }),
      ...MONTHS.slice(2),
    );
    expect(lastUsage(state)).toEqual([
      ['1', 500n, '1'],
      ['3', 1500n, '3'],
      ['4', 1200n, '4'],
    ]);
  });

  it('goes on after an upgrade and a downgrade, from the start of the first of the subscriptions', () => {
    const before = [
      subscribe('plain', '2026-09-01T00:00:00Z'),
      store('2026-08-31T23:59:59Z', 100),
      store('2026-09-01T00:00:00Z', 10),
      ...MONTHS.slice(0, 1),
    ];
    const upgraded = live(...before, change('dear', '2026-10-17T00:00:00Z'), ...MONTHS.slice(1));
    // The ended plan leaves what goes on to the dearer one: 15 of October's 31 days at 4.00, then all of November.
    expect(upgraded.invoices.map(({ fees }) => usageOf(fees)).slice(-2)).toEqual([
      [['4.83870967741935483871', 1935n, '10']],
      [['10', 4000n, '10']],
    ]);
    const downgraded = live(...before, change('cheap', '2026-10-17T00:00:00Z'), ...MONTHS.slice(1));
    expect(downgraded.invoices.map(({ fees }) => usageOf(fees)).slice(-2)).toEqual([
      [['10', 3000n, '10']],
      // The cheaper plan starts with the run that ends the dearer one, ten minutes into the month.
      [['9.99768518518518518519', 2000n, '10']],
    ]);
  });

  it('starts at 0 with a subscription that follows none, and in every period of a metric that is not recurring', () => {
    const again = live(
      subscribe('plain', '2026-09-01T00:00:00Z'),
      store('2026-09-01T00:00:00Z', 10),
      { at: at('2026-09-30T00:00:00Z'), do: 'terminate', subscriptionId: 's' },
      subscribe('plain', '2026-10-01T00:00:00Z', 't'),
      ...MONTHS.slice(1),
    );
    expect(lastUsage(again)).toEqual([]);
    const single = live(subscribe('single', '2026-09-01T00:00:00Z'), store('2026-09-01T00:00:00Z', 10), ...MONTHS);
    expect(single.invoices.map(({ fees }) => usageOf(fees))).toEqual([[['10', 3000n, '10']], [], []]);
  });

  it('is previewed as it will be billed, also with the plan that a change would end', () => {
    const state = live(
      subscribe('plain', '2026-09-01T00:00:00Z'),
      store('2026-09-01T00:00:00Z', 10),
      ...MONTHS.slice(0, 2),
    );
    const account = accountOf(state);
    const preview = (subscriptions: object) =>
      usageOf(previewInvoice({ subscriptions }, account, { plans }, at('2026-11-10T12:00:00Z')).fees);
    expect(preview({ externalIds: ['e'] })).toEqual([['10', 3000n, '10']]);
    expect(preview({ externalIds: ['e'], planCode: 'cheap' })).toEqual([['10', 3000n, '10']]);
  });
});
