import { describe, expect, it } from 'vitest';
import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import type { AggregationType } from '../../../src/billing/catalogue/metric.ts';
import { chargeFees } from '../../../src/billing/fee/fee.ts';
import type { UsageEvent } from '../../../src/billing/usage/usage.ts';

const DAY_MS = 86_400_000;
const earlier = (day: number, properties: object): UsageEvent => ({
  timestamp: -day * DAY_MS,
  properties: { ...properties },
});

/** A month at 1.00 a unit and 2.00 for using it at all; nothing happened in it. */
function fees(aggregation: AggregationType, events: readonly UsageEvent[], keys: readonly string[] = ['disk']) {
  const made = chargeFees({
    charge: {
      id: 'charge',
      model: 'graduated',
      properties: {
        graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '2' }],
        pricing_group_keys: [...keys],
      },
      metric: { aggregation, fieldName: 'value', recurring: true, filters: [] },
      filters: [],
    },
    currency: 'EUR',
    period: { from: 0, to: 30 * DAY_MS - 1, durationDays: 30, timezone: 'UTC' },
    context: 'invoice',
    usage: usageOfEvents(events),
    levelFrom: null,
  });
  return made.map((fee) => [fee.groupedBy.disk, fee.units.toNumber(), Number(fee.amountCents)]);
}

describe('a group of recurring usage that has come to 0 (pricing 4.5 and 8.3)', () => {
  const values = [
    earlier(20, { disk: 'a', value: 5 }),
    earlier(10, { disk: 'a', value: -5 }),
    earlier(9, { disk: 'b', value: 3 }),
  ];
  const seats = [
    earlier(20, { disk: 'a', value: 'x' }),
    earlier(10, { disk: 'a', value: 'x', operation_type: 'remove' }),
    earlier(9, { disk: 'b', value: 'y' }),
  ];

  it('is still there: its flat amount is due, as for a charge without usage', () => {
    const both = (units: number) => [
      ['a', 0, 200],
      ['b', units, 200 + units * 100],
    ];
    expect(fees('sum', values)).toEqual(both(3));
    expect(fees('weighted_sum', values)).toEqual(both(3));
    expect(fees('unique_count', seats)).toEqual(both(1));
    expect(fees('sum', [])).toEqual([[null, 0, 200]]);
    expect(fees('sum', [], [])).toEqual([[undefined, 0, 200]]);
  });
});
