import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import type { ChargeInput } from '../../../src/billing/catalogue/charge.ts';
import type { ChargeProperties, PriceModel } from '../../../src/billing/catalogue/charge-type.ts';
import { advanceEventFee } from '../../../src/billing/fee/advance-fee.ts';
import { chargeFees } from '../../../src/billing/fee/fee.ts';
import { fixedChargeFee, proposedFixedUnits } from '../../../src/billing/fee/fixed-charge.ts';
import { dec, sum } from '../../../src/billing/money/decimal.ts';
import type { ChargePeriod } from '../../../src/billing/period/charge-period.ts';
import type { UsageEvent } from '../../../src/billing/usage/usage.ts';

const DAY_MS = 86_400_000;
const PERIOD: ChargePeriod = { from: 0, to: 30 * DAY_MS - 1, durationDays: 30, timezone: 'UTC' };
const ranges = [
  { from_value: 0, to_value: 10, per_unit_amount: '0.5', flat_amount: '1' },
  { from_value: 11, to_value: null, per_unit_amount: '0.1', flat_amount: '3' },
];
const MODELS: readonly (readonly [PriceModel, ChargeProperties])[] = [
  ['standard', { amount: '0.0123' }],
  ['graduated', { graduated_ranges: ranges }],
  ['package', { amount: '5', package_size: 10, free_units: 3 }],
  ['percentage', { rate: '1.5', fixed_amount: '0.1' }],
  ['dynamic', {}],
];
const chargeOf = (model: PriceModel, properties: ChargeProperties, rest: Partial<ChargeInput> = {}): ChargeInput => ({
  id: 'charge',
  model,
  properties,
  metric: { aggregation: 'sum', fieldName: 'value', recurring: false, filters: [] },
  filters: [],
  ...rest,
});
const eventsOf = (values: readonly number[]): UsageEvent[] =>
  values.map((value, at) => ({
    timestamp: at * 1000,
    createdAt: at,
    transactionId: `t${at}`,
    properties: { value },
    preciseTotalAmountCents: '12.34',
  }));

describe('pay in advance', () => {
  it.each(MODELS)('%s: the event fees add up to what the period would cost in arrears', (model, properties) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 }), (values) => {
        const events = eventsOf(values);
        const usage = {
          charge: chargeOf(model, properties, { payInAdvance: true }),
          currency: 'EUR',
          period: PERIOD,
          usage: usageOfEvents(events),
        };
        const billed = events.map((event) => advanceEventFee({ ...usage, event }).preciseAmountCents);
        const [arrears] = chargeFees({
          ...usage,
          charge: chargeOf(model, properties),
          context: 'invoice',
          levelFrom: null,
        });
        expect(sum(billed).toFixed()).toBe(arrears?.preciseAmountCents.toFixed());
      }),
    );
  });

  it('bills only what lifts the total above its highest value', () => {
    const events = eventsOf([5, -3, 4]);
    const charge = chargeOf('standard', { amount: '1' }, { payInAdvance: true });
    const fees = events.map((event) =>
      advanceEventFee({ charge, currency: 'EUR', period: PERIOD, usage: usageOfEvents(events), event }),
    );
    expect(fees.map((fee) => [fee.units.toNumber(), fee.amountCents])).toEqual([
      [5, 500n],
      [0, 0n],
      [1, 100n],
    ]);
  });

  it('current usage prices what was billed, also after a removal', () => {
    const charge = chargeOf('standard', { amount: '1' }, { payInAdvance: true });
    const [fee] = chargeFees({
      charge,
      currency: 'EUR',
      period: PERIOD,
      context: 'current_usage',
      levelFrom: null,
      usage: usageOfEvents(eventsOf([5, -3])),
    });
    expect([fee?.units.toNumber(), fee?.amountCents]).toEqual([2, 500n]);
  });

  it('keeps filters and groups apart', () => {
    const charge = chargeOf(
      'graduated',
      { graduated_ranges: ranges, pricing_group_keys: ['region'] },
      { payInAdvance: true },
    );
    const events = ['eu', 'us'].map((region, at) => ({ timestamp: at, properties: { value: 2, region } }));
    const fees = events.map((event) =>
      advanceEventFee({ charge, currency: 'EUR', period: PERIOD, usage: usageOfEvents(events), event }),
    );
    expect(fees.map(({ groupedBy, amountCents }) => [groupedBy.region, amountCents])).toEqual([
      ['eu', 200n],
      ['us', 200n],
    ]);
  });

  it('counts no usage of another filter: 4 units at 0.5 and a flat 1, though 20 others came before', () => {
    const filters = [{ id: 'aws', values: { cloud: ['aws'] }, properties: { graduated_ranges: ranges } }];
    const charge = chargeOf('graduated', { graduated_ranges: ranges }, { payInAdvance: true, filters });
    const [other, event] = [
      { timestamp: 0, properties: { value: 20, cloud: 'gcp' } },
      { timestamp: 1, properties: { value: 4, cloud: 'aws' } },
    ];
    const fee = advanceEventFee({
      charge,
      currency: 'EUR',
      period: PERIOD,
      usage: usageOfEvents([other, event]),
      event,
    });
    expect([fee.filterId, fee.amountCents]).toEqual(['aws', 300n]);
  });
});

describe('charge fees', () => {
  it('keep a flat amount on units that cancel out, also with a negative zero', () => {
    const charge = chargeOf('graduated', { graduated_ranges: ranges });
    const events = [{ timestamp: 0, properties: { value: '-0' } }];
    const [fee] = chargeFees({
      charge,
      currency: 'EUR',
      period: PERIOD,
      context: 'invoice',
      levelFrom: null,
      usage: usageOfEvents(events),
    });
    expect(fee?.amountCents).toBe(100n);
  });

  it('show a breakdown without changing the price', () => {
    const keys = [{ value: 'region', options: { display_in_invoice: true } }, { value: 'hidden' }];
    const events = ['eu', 'us', 'eu'].map((region, at) => ({ timestamp: at, properties: { value: 2, region } }));
    const of = (properties: ChargeProperties) =>
      chargeFees({
        charge: chargeOf('standard', properties),
        currency: 'EUR',
        period: PERIOD,
        context: 'invoice',
        levelFrom: null,
        usage: usageOfEvents(events),
      })[0];
    const shown = of({ amount: '1', presentation_group_keys: keys });
    expect(shown?.amountCents).toBe(of({ amount: '1' })?.amountCents);
    expect(
      shown?.presentationBreakdowns.map(({ presentationBy, units }) => [presentationBy.region, units.toNumber()]),
    ).toEqual([
      ['eu', 4],
      ['us', 2],
    ]);
  });

  it('of a proposed fixed charge are prorated without rounding the units', () => {
    const charge = {
      id: 'f',
      model: 'standard',
      properties: { amount: '3' },
      prorated: true,
      payInAdvance: false,
      units: dec(1),
    } as const;
    const period = { ...PERIOD, from: 20 * DAY_MS };
    const fee = fixedChargeFee({ charge, currency: 'EUR', period }, proposedFixedUnits(charge.units, period, true));
    expect([fee.units.toNumber(), fee.amountCents]).toEqual([1, 100n]);
  });
});
