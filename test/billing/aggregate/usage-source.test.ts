import { expect, it } from 'vitest';
import type { UsageSource } from '../../../src/billing/aggregate/metric-usage.ts';
import { eventsInMemory, usageUntil, withSupposed } from '../../../src/billing/aggregate/usage-source.ts';
import type { SubscriptionEvent } from '../../../src/billing/usage/usage.ts';

const event = (value: number, timestamp: number, subscription = 's', metricCode = 'calls'): SubscriptionEvent => ({
  externalSubscriptionId: subscription,
  metricCode,
  transactionId: `t${value}`,
  timestamp,
  properties: { n: value, g: `g${value}` },
});

/** What was there, as the groups of a charge: the one event that each holds, in their order. */
function valuesIn(source: UsageSource, from: number, to: number, metricCode = 'calls', subscription = 's') {
  const metric = { aggregation: 'sum', fieldName: 'n', recurring: false, filters: [] } as const;
  const groups = source.of(subscription, metricCode).groups({
    charge: { id: 'c', model: 'standard', properties: { amount: '1', pricing_group_keys: ['g'] }, metric, filters: [] },
    ...{ period: { from, to, durationDays: 30, timezone: 'UTC' }, levelFrom: null, withAdvance: false },
  });
  return groups.map(({ aggregate }) => aggregate.units.toNumber());
}

const source = eventsInMemory([
  event(3, 30),
  event(1, 10),
  event(9, 10, 'other'),
  event(8, 10, 's', 'seats'),
  event(2, 20),
]);

it('usage is that of one subscription and one metric, in order, with both ends of the window', () => {
  expect(valuesIn(source, 10, 20)).toEqual([1, 2]);
  expect(valuesIn(source, 0, 30)).toEqual([1, 2, 3]);
  expect(valuesIn(source, 11, 19)).toEqual([0]);
  expect(valuesIn(source, 0, 30, 'seats')).toEqual([8]);
  expect(valuesIn(source, 0, 30, 'nothing')).toEqual([0]);
});

it('usage until a moment has what came at it and nothing after, and the window still counts', () => {
  expect(valuesIn(usageUntil(source, 20), 0, 99)).toEqual([1, 2]);
  expect(valuesIn(usageUntil(usageUntil(source, 10), 20), 0, 99)).toEqual([1]);
  expect(valuesIn(usageUntil(source, 20), 0, 19)).toEqual([1]);
});

it('what is supposed is usage of its metric besides, in order; at one moment what is kept is first', () => {
  const supposed = withSupposed(usageUntil(source, 20), [event(40, 40), event(21, 20), event(7, 20, 'other')]);
  expect(valuesIn(supposed, 0, 40)).toEqual([1, 2, 21, 40]);
  expect(valuesIn(supposed, 15, 39)).toEqual([2, 21]);
  expect(valuesIn(supposed, 0, 40, 'seats')).toEqual([8]);
  expect(valuesIn(usageUntil(supposed, 20), 0, 40)).toEqual([1, 2, 21]);
  expect(valuesIn(withSupposed(supposed, [event(6, 20)]), 0, 39)).toEqual([1, 2, 21, 6]);
});

it('an event that is billed at once sees what came before it, also what is supposed', () => {
  const metric = { aggregation: 'sum', fieldName: 'n', recurring: false, filters: [] } as const;
  const charge = { ...({ id: 'c', model: 'standard', filters: [], metric } as const), properties: { amount: '1' } };
  const period = { from: 0, to: 99, durationDays: 30, timezone: 'UTC' };
  const told = (usage: UsageSource) => {
    const { aggregate, step } = usage.of('s', 'calls').advance({ charge, period, event: event(2, 20) });
    return [aggregate.units.toNumber(), step.billable.toNumber()];
  };
  expect(told(source)).toEqual([3, 2]);
  expect(told(withSupposed(source, [event(-5, 15)]))).toEqual([-2, 0]);
});
