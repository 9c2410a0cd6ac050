import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ChargeInput } from '../../../src/billing/catalogue/charge.ts';
import { foldUsage } from '../../../src/billing/fee/bucket.ts';
import { levelsOf } from '../../../src/billing/usage/level.ts';
import { eventsInWindow, type UsageEvent } from '../../../src/billing/usage/usage.ts';
import { type MetricUsage, usageOfEvents } from '../../../src/billing/usage/usage-source.ts';

const DAY_MS = 86_400_000;
const PERIOD = { from: 0, to: 30 * DAY_MS - 1, durationDays: 30, timezone: 'UTC' };

const CHARGE: ChargeInput = {
  id: 'charge',
  model: 'standard',
  properties: { amount: '1', pricing_group_keys: ['disk'] },
  metric: { aggregation: 'weighted_sum', fieldName: 'gb', recurring: true, filters: [] },
  filters: [
    { id: 'f', values: { region: ['eu'] }, properties: { amount: '2', pricing_group_keys: ['gb'] } },
    { id: 'g', values: { region: ['eu'], cloud: ['x', 'y'] }, properties: { amount: '3' } },
  ],
};

const event: fc.Arbitrary<UsageEvent> = fc.record({
  timestamp: fc.integer({ min: -60, max: 29 }).map((day) => day * DAY_MS),
  properties: fc.record({
    gb: fc.constantFrom<unknown>(5, '2.5', -3, '0.000000000000000000001', 'many', null),
    disk: fc.constantFrom<unknown>('a', 'b', 1, '', null),
    region: fc.constantFrom<unknown>('eu', 'us', null),
    cloud: fc.constantFrom<unknown>('x', 'y', 'z'),
  }),
});

/** Every event before the period as a level of its own. */
const oneByOne = (events: readonly UsageEvent[]): MetricUsage => ({
  within: (window) => eventsInWindow(events, window),
  levels: (window, field, by) => [...eventsInWindow(events, window)].flatMap((one) => levelsOf([one], field, by)),
});

const view = (usage: MetricUsage, levelFrom: number | null) =>
  foldUsage({ charge: CHARGE, currency: 'EUR', period: PERIOD, context: 'invoice', levelFrom, usage }).map(
    ({ filter, groupedBy, aggregate }) => [
      [filter?.id, groupedBy],
      [aggregate.units, aggregate.totalAggregatedUnits, aggregate.eventsCount].map((one) => one?.toFixed()),
    ],
  );

it('what levels are made of before the period makes no difference, only what it adds up to', () => {
  const from = fc.option(fc.integer({ min: -60, max: 5 }).map((day) => day * DAY_MS));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), from, (events, levelFrom) => {
      expect(view(usageOfEvents(events), levelFrom)).toEqual(view(oneByOne(events), levelFrom));
    }),
  );
});
