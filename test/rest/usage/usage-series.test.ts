import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../../support.ts';
import { appWith, charge, event, metric, plan, subscription } from './usage-fixture.ts';

// In Berlin the clock goes forward on 29 March 2026, and back on 25 October.
const NOW = new Date('2026-10-28T11:00:00Z');
const START = '2026-01-10T00:00:00Z';
const hours = (from: string, count: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(from) + at * 3_600_000).toISOString());

const DOCUMENT = {
  billing_entities: [{ code: 'main', name: 'Main', is_default: true }],
  billable_metrics: [
    metric('calls', 'count_agg'),
    metric('bytes', 'sum_agg'),
    metric('peak', 'max_agg'),
    metric('seats', 'sum_agg', { recurring: true }),
    metric('level', 'weighted_sum_agg', { recurring: true, weighted_interval: 'seconds' }),
  ],
  plans: [
    plan('all', [
      charge('calls', 'calls', { amount: '1', pricing_group_keys: ['team'] }),
      charge('bytes', 'bytes', { amount: '0.01' }),
      charge('peak', 'peak', { amount: '1' }),
      charge('seats', 'seats', { amount: '1' }),
      charge('level', 'level', { amount: '1' }),
    ]),
  ],
  customers: [{ external_id: 'cust', name: 'Ada', currency: 'EUR', timezone: 'Europe/Berlin' }],
  subscriptions: [subscription('sub', 'all', START)],
  events: [
    // One call each hour of the long and of the short day.
    ...hours('2026-10-24T22:00:00Z', 25).map((at) => event('sub', 'calls', at, { team: at.slice(11, 13) })),
    ...hours('2026-03-28T23:00:00Z', 23).map((at) => event('sub', 'calls', at)),
    event('sub', 'bytes', '2026-10-01T10:00:00Z', { value: '1.5' }),
    event('sub', 'bytes', '2026-10-20T23:30:00Z', { value: '2.25' }),
    event('sub', 'bytes', '2026-10-28T10:00:00Z', { value: '-0.75' }),
    event('sub', 'bytes', '2026-10-30T10:00:00Z', { value: '100' }), // not yet
    event('sub', 'peak', '2026-10-02T10:00:00Z', { value: '9' }),
    event('sub', 'seats', '2026-02-02T10:00:00Z', { value: '4' }),
    event('sub', 'seats', '2026-10-02T10:00:00Z', { value: '1' }),
    event('sub', 'level', '2026-02-02T10:00:00Z', { value: '6' }),
  ],
};

let gateway: TestApp;
beforeAll(async () => {
  gateway = await appWith(DOCUMENT, NOW);
});
afterAll(() => gateway.close());

interface Point {
  readonly fromDatetime: string;
  readonly toDatetime: string;
  readonly units: string;
  readonly eventsCount: number;
}

const QUERY = `query ($code: String!, $interval: UsageSeriesInterval, $from: DateTime, $to: DateTime) {
  subscription(externalId: "sub") {
    usageSeries(chargeCode: $code, interval: $interval, from: $from, to: $to) { fromDatetime toDatetime units eventsCount }
    currentUsage(filter: { chargeCode: $code }) { chargesUsage { units } } } }`;
const ask = (code: string, more: object = {}, key?: string) =>
  gateway.graphql(QUERY, { code, ...more }, ...(key === undefined ? [] : [key]));
async function series(code: string, more: object = {}): Promise<Point[]> {
  const { data, errors } = await ask(code, more);
  expect(errors).toBeUndefined();
  return data.subscription.usageSeries;
}
const sum = (points: readonly Point[]) => points.reduce((total, { units }) => total + Number(units), 0);

describe('by day', () => {
  test('has each day of the period so far, also those without usage', async () => {
    const points = await series('bytes');
    expect(points).toHaveLength(28);
    expect(points[0]).toEqual({
      fromDatetime: '2026-09-30T22:00:00Z',
      toDatetime: '2026-10-01T21:59:59Z',
      units: '1.5',
      eventsCount: 1,
    });
    expect(points[1]).toMatchObject({ units: '0.0', eventsCount: 0 });
    // 23:30 in UTC is the day after in Berlin.
    expect(points[20]).toMatchObject({ fromDatetime: '2026-10-20T22:00:00Z', units: '2.25' });
    expect(points.at(-1)).toMatchObject({ toDatetime: '2026-10-28T11:00:00Z', units: '-0.75' });
  });

  test.each(['bytes', 'calls'])('adds up to the current usage of %s', async (code) => {
    const { data } = await ask(code);
    expect(sum(data.subscription.usageSeries)).toBe(Number(data.subscription.currentUsage.chargesUsage[0].units));
  });

  test.each([
    ['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', 25],
    ['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', 23],
  ])('the day from %s to %s has %d hours', async (from, to, count) => {
    const days = await series('calls', { from, to });
    expect(days).toEqual([{ fromDatetime: from, toDatetime: to, units: `${count}.0`, eventsCount: count }]);
    const byHour = await series('calls', { from, to, interval: 'hour' });
    expect(byHour.map(({ units }) => units)).toEqual(Array(count).fill('1.0'));
    expect(byHour.at(-1)?.toDatetime).toBe(to);
  });
});

test('by month: what came of recurring usage, the level of a mean, the largest value', async () => {
  const range = { interval: 'month', from: '2026-01-31T23:00:00Z', to: NOW.toISOString() };
  const seats = await series('seats', range);
  expect(seats.map(({ units }) => units)).toEqual(['4.0', '0.0', '0.0', '0.0', '0.0', '0.0', '0.0', '0.0', '1.0']);
  expect(seats[1]).toMatchObject({ fromDatetime: '2026-02-28T23:00:00Z', toDatetime: '2026-03-31T21:59:59Z' });
  const levels = await series('level', range);
  expect(levels.slice(1).map(({ units }) => units)).toEqual(Array(8).fill('6.0'));
  expect((await series('peak', range)).map(({ units }) => units).slice(-2)).toEqual(['0.0', '9.0']);
});

test('a level that stands is itself on days of 23 and 25 hours, too', async () => {
  for (const at of ['2026-03-28T23:00:00Z', '2026-10-24T22:00:00Z']) {
    const [day] = await series('level', { from: at, to: new Date(Date.parse(at) + 7_200_000).toISOString() });
    expect(day?.units).toBe('6.0');
  }
  const days = { from: '2026-10-23T22:00:00Z', to: '2026-10-26T22:59:59Z' };
  expect((await series('level', days)).map(({ units }) => units)).toEqual(['6.0', '6.0', '6.0']);
  expect((await series('level', { ...days, interval: 'hour' })).map(({ units }) => units)).toEqual(
    Array(73).fill('6.0'),
  );
});

test.each([
  [{ code: 'nothing' }, 'object_not_found'],
  [{ code: 'calls', from: '2026-10-28T12:00:00Z' }, 'validation_errors'],
  [{ code: 'calls', from: '2026-10-20T00:00:00Z', to: '2026-10-19T00:00:00Z' }, 'validation_errors'],
  [{ code: 'calls', interval: 'hour' }, 'validation_errors'],
])('%j is refused', async ({ code, ...more }, expected) => {
  expect((await ask(code, more)).errors?.[0]?.extensions?.code).toBe(expected);
});

test('needs the permission to see usage', async () => {
  const key = await gateway.makeKey({ permissions: { subscription: ['read'] } });
  expect((await ask('calls', {}, key)).errors?.[0]?.extensions?.code).toBe('forbidden');
});
