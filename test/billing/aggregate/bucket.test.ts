import { describe, expect, it } from 'vitest';
import { boundsTransactions, foldOptions, pricesShares } from '../../../src/billing/aggregate/bucket.ts';
import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import type { ChargeInput } from '../../../src/billing/catalogue/charge.ts';
import type { ChargeProperties } from '../../../src/billing/catalogue/charge-type.ts';
import { type ChargeUsage, usageGroups } from '../../../src/billing/fee/charge-usage.ts';
import { advanceUsageUnits } from '../../../src/billing/fee/current-usage.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import type { ChargePeriod } from '../../../src/billing/period/charge-period.ts';

const DAY_MS = 86_400_000;
const PERIOD: ChargePeriod = { from: 0, to: 30 * DAY_MS - 1, durationDays: 30, timezone: 'UTC' };
const CHARGE: ChargeInput = {
  ...{ id: 'c', model: 'standard', properties: { amount: '1' }, filters: [] },
  metric: { aggregation: 'sum', fieldName: 'n', recurring: false, filters: [] },
};
/** What is folded of usage, an event a day and its properties. */
const folded = (charge: Partial<ChargeInput>, ...events: [day: number, properties: Record<string, unknown>][]) =>
  usageGroups({
    ...{ charge: { ...CHARGE, ...charge }, currency: 'EUR', period: PERIOD, context: 'current_usage', levelFrom: null },
    usage: usageOfEvents(events.map(([day, properties]) => ({ timestamp: day * DAY_MS, properties }))),
  } satisfies ChargeUsage);

describe('what a fold keeps', () => {
  const options = (charge: Partial<ChargeInput>, properties: ChargeProperties = {}) =>
    foldOptions({ charge: { ...CHARGE, ...charge }, period: PERIOD }, properties);

  it('is each share only where a graduated price is prorated', () => {
    const shares = (model: ChargeInput['model'], prorated?: boolean) => pricesShares({ model, prorated });
    expect([shares('graduated', true), shares('graduated'), shares('standard', true)]).toEqual([true, false, false]);
  });

  it('is each value, and what is free, only where a percentage is charged', () => {
    const bounds = { per_transaction_min_amount: '1', free_units_per_events: 3 };
    expect(boundsTransactions({ model: 'percentage' }, bounds)).toBe(true);
    expect(options({ model: 'percentage' }, bounds)).toMatchObject({ allowance: { events: 3 } });
    expect(boundsTransactions({ model: 'percentage' }, { free_units_per_events: 3 })).toBe(false);
    expect(boundsTransactions({ model: 'standard' }, bounds)).toBe(false);
    expect(options({ model: 'standard' }, bounds)).toMatchObject({ allowance: { events: 0 } });
  });
});

describe('the groups of a charge', () => {
  it('are those of usage that counts', () => {
    const properties = { amount: '1', pricing_group_keys: ['region'] };
    const groups = folded({ properties }, [1, { region: 'eu', n: 'many' }], [2, { region: 'us', n: 1 }]);
    expect(groups.map(({ groupedBy }) => groupedBy)).toEqual([{ region: 'us' }]);
  });

  it('are of the filter that usage matches, else of none', () => {
    const filters = [{ id: 'f', values: { region: ['eu'] }, properties: { amount: '2' } }];
    const groups = folded({ filters }, [1, { region: 'eu', n: 3 }], [2, { region: 'us', n: 4 }], [3, { n: 5 }]);
    expect(groups.map(({ filter, aggregate }) => [filter?.id, aggregate.units.toNumber()])).toEqual([
      ['f', 3],
      [undefined, 9],
    ]);
  });

  it('have a breakdown only where one is shown; that of a weighted sum starts from level 0', () => {
    expect(folded({}, [1, { n: 1, region: 'eu' }])[0]?.breakdowns).toEqual([]);
    const shown = [{ value: 'region', options: { display_in_invoice: true } }];
    const [group] = folded(
      {
        metric: { ...CHARGE.metric, aggregation: 'weighted_sum', recurring: true },
        properties: { amount: '1', presentation_group_keys: shown },
      },
      [-5, { n: 30, region: 'eu' }],
      [15, { n: 6, region: 'eu' }],
    );
    // 30 for the whole period, and 6 for the half of it.
    expect(group?.aggregate.units.toNumber()).toBe(33);
    expect(group?.breakdowns.map(({ presentationBy, units }) => [presentationBy, units.toNumber()])).toEqual([
      [{ region: 'eu' }, 3],
    ]);
  });

  it('tell what was billed at events: 10 on the 16th day of 30 are 5 where the charge is prorated', () => {
    const billed = (prorated?: boolean) => {
      const [group] = folded({ payInAdvance: true, prorated }, [15, { n: 10 }]);
      return [group?.advance?.maxUnits.toNumber(), group?.advance?.maxUnitsProrated?.toNumber()];
    };
    expect([billed(true), billed(false), billed()]).toEqual([
      [10, 5],
      [10, 10],
      [10, 10],
    ]);
  });
});

it('carried units of a whole period are not rounded, those of a part at 5 decimals', () => {
  const units = (period: ChargePeriod) => advanceUsageUnits(dec('0.1234561'), null, period, true).priced.toFixed();
  expect(units(PERIOD)).toBe('0.1234561');
  expect(units({ ...PERIOD, from: 15 * DAY_MS })).toBe('0.06173');
});
