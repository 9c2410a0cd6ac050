import { describe, expect, it } from 'vitest';
import { dec } from '../../../src/billing/money/decimal.ts';
import type { SupposedUsage } from '../../../src/billing/preview/supposed-usage.ts';
import { withSupposedUsage } from '../../../src/billing/preview/usage.ts';
import { planInput, subscriptionInput } from '../vectors/scenario-input.ts';

const plan = planInput(
  {
    code: 'p',
    amount_cents: 0,
    charges: [
      { code: 'a', metric: 'calls', aggregation: 'count', properties: { amount: '1' }, pay_in_advance: true },
      { code: 'b', metric: 'bytes', aggregation: 'max', field_name: 'size', properties: { amount: '1' } },
    ],
  },
  [],
);
const subscription = subscriptionInput({ id: 's', plan: 'p', subscription_at: '2024-01-01T00:00:00Z' }, plan);
const suppose = (...usage: SupposedUsage[]) => withSupposedUsage(subscription, usage);
const event = { properties: {} };

describe('supposed usage', () => {
  const OUT_OF_RANGE = ['value_is_out_of_range'];
  const NEITHER = { usage: ['units_or_events_must_be_given'] };
  const good = { metricCode: 'calls', units: dec(1) };

  it.each<[string, SupposedUsage, object]>([
    [
      'a metric that the plan does not price',
      { metricCode: 'rows', units: dec(1) },
      { metric_code: ['value_is_invalid'] },
    ],
    ['neither units nor events', { metricCode: 'calls' }, NEITHER],
    ['null for both', { metricCode: 'calls', units: null, events: null }, NEITHER],
    ['both units and events', { metricCode: 'calls', units: dec(1), events: [event] }, NEITHER],
    ['units below 0', { metricCode: 'calls', units: dec(-1) }, { units: OUT_OF_RANGE }],
    ['units of 16 digits', { metricCode: 'calls', units: dec('1e15') }, { units: OUT_OF_RANGE }],
    [
      'an amount that no column holds',
      { metricCode: 'bytes', events: [event, { ...event, preciseTotalAmountCents: '1e35' }] },
      { precise_total_amount_cents: OUT_OF_RANGE },
    ],
  ])('is refused with %s, also after usage that is right', (_name, wrong, details) => {
    const refusal = expect.objectContaining({ code: 'validation_errors', details });
    expect(() => suppose(wrong)).toThrow(refusal);
    expect(() => suppose(good, wrong)).toThrow(refusal);
  });

  it('of units is summed by their number, except where a metric keeps one value; nothing of it is paid in advance', () => {
    const charges = suppose(good, { metricCode: 'bytes', units: dec(0) }).plan.charges;
    expect(charges.map(({ metric, payInAdvance }) => [metric.aggregation, metric.fieldName, payInAdvance])).toEqual([
      ['sum', 'units', false],
      ['max', 'units', false],
    ]);
  });

  it('of events is read as events are, also without any and with an amount below 0', () => {
    const usage = [
      { metricCode: 'calls', events: [] },
      { metricCode: 'bytes', events: [{ ...event, preciseTotalAmountCents: '-5' }] },
    ];
    expect(suppose(...usage).plan.charges.map(({ metric }) => [metric.aggregation, metric.fieldName])).toEqual([
      ['count', null],
      ['max', 'size'],
    ]);
  });

  it('that is none leaves the subscription as it is', () => {
    expect(suppose()).toBe(subscription);
  });
});
