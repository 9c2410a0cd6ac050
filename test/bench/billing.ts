/** How fast usage is priced: fees a second per model, events a second per aggregation, memory for a million events. */

import { usageOfEvents } from '../../src/billing/aggregate/usage-source.ts';
import type { ChargeInput } from '../../src/billing/catalogue/charge.ts';
import type { ChargeProperties, PriceModel } from '../../src/billing/catalogue/charge-type.ts';
import type { MetricInput } from '../../src/billing/catalogue/metric.ts';
import { chargeFees } from '../../src/billing/fee/fee.ts';
import type { ChargePeriod } from '../../src/billing/period/charge-period.ts';
import type { UsageEvent } from '../../src/billing/usage/usage.ts';

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const PERIOD: ChargePeriod = { from: FROM, to: FROM + 31 * DAY_MS - 1, durationDays: 31, timezone: 'UTC' };
const PARIS: ChargePeriod = {
  ...PERIOD,
  from: FROM - DAY_MS / 24,
  to: PERIOD.to - DAY_MS / 24,
  timezone: 'Europe/Paris',
};
const EVENTS = 1_000_000;
const MIB = 1024 * 1024;

const ranges = [
  { from_value: 0, to_value: 10, per_unit_amount: '0.5', flat_amount: '1' },
  { from_value: 11, to_value: 100, per_unit_amount: '0.25', flat_amount: '2' },
  { from_value: 101, to_value: null, per_unit_amount: '0.1', flat_amount: '3' },
];
const MODELS: Readonly<Partial<Record<PriceModel, ChargeProperties>>> = {
  standard: { amount: '0.0123' },
  graduated: { graduated_ranges: ranges },
  graduated_percentage: {
    graduated_percentage_ranges: ranges.map(({ per_unit_amount: rate, ...range }) => ({ ...range, rate })),
  },
  package: { amount: '5', package_size: 10, free_units: 3 },
  percentage: { rate: '1.5', fixed_amount: '0.1', free_units_per_events: 2 },
  volume: { volume_ranges: ranges },
  dynamic: {},
};

function* stream(count: number): Generator<UsageEvent> {
  const step = (31 * DAY_MS - 1) / count;
  for (let at = 0; at < count; at += 1) {
    const properties = { value: (at % 97) + 0.5, user: `u${at % 5000}`, region: at % 3 === 0 ? 'eu' : 'us' };
    yield { timestamp: Math.floor(FROM + at * step), properties, preciseTotalAmountCents: '12.5' };
  }
}

function chargeOf(model: PriceModel, properties: ChargeProperties, metric: Partial<MetricInput>): ChargeInput {
  return {
    id: 'charge',
    model,
    properties,
    metric: { aggregation: 'sum', fieldName: 'value', recurring: false, filters: [], ...metric },
    filters: [],
  };
}

function benchModels(): object[] {
  const events = [...stream(10)];
  return Object.entries(MODELS).map(([model, properties]) => {
    const charge = chargeOf(model as PriceModel, properties, {});
    const price = () =>
      chargeFees({
        charge,
        currency: 'EUR',
        period: PERIOD,
        context: 'invoice',
        levelFrom: null,
        usage: usageOfEvents(events),
      });
    for (let warm = 0; warm < 500; warm += 1) price();
    const start = performance.now();
    let fees = 0;
    while (performance.now() - start < 500) fees += price().length;
    return { model, 'fees/s (10 events each)': perSecond(fees, start) };
  });
}

function perSecond(count: number, start: number): number {
  return Math.round(count / ((performance.now() - start) / 1000));
}

/** The stream again, noting the most memory seen every 20,000 events. */
function* watched(events: Iterable<UsageEvent>, peak: { bytes: number }): Generator<UsageEvent> {
  let at = 0;
  for (const event of events) {
    at += 1;
    if (at % 20_000 === 0) peak.bytes = Math.max(peak.bytes, process.memoryUsage().heapUsed);
    yield event;
  }
}

function benchAggregation(name: string, charge: ChargeInput, period = PERIOD): object {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const peak = { bytes: before };
  const start = performance.now();
  const fees = chargeFees({
    charge,
    currency: 'EUR',
    period,
    context: 'invoice',
    levelFrom: null,
    usage: usageOfEvents(watched(stream(EVENTS), peak)),
  });
  const rate = perSecond(EVENTS, start);
  globalThis.gc?.();
  const kept = Math.max(process.memoryUsage().heapUsed - before, 0);
  return {
    aggregation: name,
    fees: fees.length,
    'events/s': rate,
    'peak heap over start (MiB)': Math.round((peak.bytes - before) / MIB),
    'kept after (MiB)': Math.round(kept / MIB),
  };
}

function aggregations(): object[] {
  const standard = MODELS.standard ?? {};
  const of = (metric: Partial<MetricInput>) => chargeOf('standard', standard, metric);
  const split = { ...of({}), filters: [], properties: { ...standard, pricing_group_keys: ['region'] } };
  const filtered: ChargeInput = {
    ...of({ filters: [{ key: 'region', values: ['eu', 'us'] }] }),
    filters: [
      { id: 'eu', values: { region: ['eu'] }, properties: standard },
      { id: 'all', values: { region: ['__ALL_FILTER_VALUES__'] }, properties: standard },
    ],
  };
  return [
    benchAggregation('count', of({ aggregation: 'count' })),
    benchAggregation('sum', of({})),
    benchAggregation('max', of({ aggregation: 'max' })),
    benchAggregation('latest', of({ aggregation: 'latest' })),
    benchAggregation('unique_count (5,000 values)', of({ aggregation: 'unique_count', fieldName: 'user' })),
    benchAggregation('weighted_sum', of({ aggregation: 'weighted_sum' })),
    benchAggregation('sum, prorated, Europe/Paris', { ...of({ recurring: true }), prorated: true }, PARIS),
    benchAggregation('sum, two groups', split),
    benchAggregation('sum, two filters', filtered),
    benchAggregation(
      'sum, min/max per event',
      chargeOf('percentage', { rate: '1', per_transaction_min_amount: '1' }, {}),
    ),
  ];
}

/** Prints both tables. */
export function run(): void {
  console.table(benchModels());
  console.log(`${EVENTS.toLocaleString('en')} streamed events each`);
  console.table(aggregations());
  console.log(`peak resident memory of the process: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
}
