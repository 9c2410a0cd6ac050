import { expect, it } from 'vitest';
import type { SubscriptionEvent } from '../../../src/billing/usage/usage.ts';
import {
  eventsInMemory,
  type MetricUsage,
  type UsageSource,
  usageOfBoth,
  usageUntil,
} from '../../../src/billing/usage/usage-source.ts';

const event = (id: string, timestamp: number, subscription = 's', metricCode = 'calls'): SubscriptionEvent => ({
  externalSubscriptionId: subscription,
  metricCode,
  transactionId: id,
  timestamp,
  properties: {},
});

const idsIn = (usage: MetricUsage, from: number | null, to: number) =>
  [...usage.within({ from, to })].map(({ transactionId }) => transactionId);

const source = eventsInMemory([
  event('late', 30),
  event('first', 10),
  event('other', 10, 'other'),
  event('seat', 10, 's', 'seats'),
  event('second', 20),
]);

it('usage is that of one subscription and one metric, in order, with both ends of the window', () => {
  const usage = source.of('s', 'calls');
  expect(idsIn(usage, 10, 20)).toEqual(['first', 'second']);
  expect(idsIn(usage, null, 30)).toEqual(['first', 'second', 'late']);
  expect(idsIn(usage, 11, 19)).toEqual([]);
  expect(idsIn(source.of('s', 'seats'), null, 30)).toEqual(['seat']);
  expect(idsIn(source.of('s', 'nothing'), null, 30)).toEqual([]);
});

it('usage until a moment has what came at it and nothing after, and the window still counts', () => {
  const usage = usageUntil(source, 20).of('s', 'calls');
  expect(idsIn(usage, null, 99)).toEqual(['first', 'second']);
  expect(idsIn(usage, null, 19)).toEqual(['first']);
});

it('levels are added up by combination of properties, cut and joined as events are', () => {
  const change = (timestamp: number, gb: unknown, disk?: string): SubscriptionEvent => ({
    ...event('', timestamp),
    properties: { gb, ...(disk === undefined ? {} : { disk }), color: String(timestamp) },
  });
  const stored = eventsInMemory([change(10, 5, 'a'), change(20, '2.5'), change(30, -3, 'a'), change(40, 'many', 'b')]);
  const levels = (source: UsageSource, from: number | null, to: number) =>
    source
      .of('s', 'calls')
      .levels({ from, to }, 'gb', ['disk'])
      .map(({ properties, value }) => [properties.disk, value?.toFixed()]);
  expect(levels(stored, null, 40)).toEqual([
    ['a', '2'],
    [null, '2.5'],
    ['b', undefined],
  ]);
  expect(levels(stored, 11, 29)).toEqual([[null, '2.5']]);
  expect(levels(usageUntil(stored, 10), null, 40)).toEqual([['a', '5']]);
  expect(levels(usageOfBoth(stored, eventsInMemory([change(15, 7, 'b'), change(15, 1, 'a')])), null, 40)).toEqual([
    ['a', '3'],
    [null, '2.5'],
    ['b', '7'],
  ]);
});

it('usage of two sources is one in order; at one moment the first source is first', () => {
  const supposed = eventsInMemory([event('at 40', 40), event('at 20', 20), event('elsewhere', 20, 'other')]);
  const usage = usageOfBoth(usageUntil(source, 20), supposed).of('s', 'calls');
  expect(idsIn(usage, null, 40)).toEqual(['first', 'second', 'at 20', 'at 40']);
  expect(idsIn(usage, 15, 39)).toEqual(['second', 'at 20']);
});
