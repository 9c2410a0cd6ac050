import { describe, expect, it } from 'vitest';
import { usageOfEvents } from '../../src/billing/aggregate/usage-source.ts';
import type { ChargeInput } from '../../src/billing/catalogue/charge.ts';
import type { ChargeProperties, PriceModel } from '../../src/billing/catalogue/charge-type.ts';
import type { AggregationType } from '../../src/billing/catalogue/metric.ts';
import { advanceEventFee } from '../../src/billing/fee/advance-fee.ts';
import { chargeFees } from '../../src/billing/fee/fee.ts';

const PERIOD = { from: 0, to: 30 * 86_400_000 - 1, durationDays: 30, timezone: 'UTC' };
const RANGES = [{ from_value: 0, to_value: null, per_unit_amount: '2', flat_amount: '7' }];
const MODELS: [PriceModel, ChargeProperties][] = [
  ['standard', { amount: '2' }],
  ['graduated', { graduated_ranges: RANGES }],
  ['percentage', { rate: '100', fixed_amount: '3' }],
];
const chargeOf = (
  aggregation: AggregationType,
  [model, properties]: [PriceModel, ChargeProperties],
  rest: Partial<ChargeInput> = {},
): ChargeInput => ({
  id: 'charge',
  model,
  properties,
  metric: { aggregation, fieldName: 'value', recurring: false, filters: [] },
  filters: [],
  ...rest,
});
const events = (...values: unknown[]) =>
  values.map((value, at) => ({
    timestamp: at * 1000,
    transactionId: `t${at}`,
    properties: value === undefined ? {} : { value },
  }));
const inAdvance = (charge: ChargeInput, ...values: unknown[]) => {
  const all = events(...values);
  return all.map((event) => {
    const fee = advanceEventFee({ charge, currency: 'EUR', period: PERIOD, usage: usageOfEvents(all), event });
    return [fee.units.toNumber(), fee.amountCents];
  });
};
const inArrears = (charge: ChargeInput, ...values: unknown[]) =>
  chargeFees({
    charge,
    currency: 'EUR',
    period: PERIOD,
    context: 'invoice',
    levelFrom: null,
    usage: usageOfEvents(events(...values)),
  }).map((fee) => [fee.units.toNumber(), fee.amountCents, fee.eventsCount?.toNumber()]);

const WITHOUT: [AggregationType, unknown][] = [
  ['sum', undefined],
  ['sum', null],
  ['sum', 'many'],
  ['sum', '1e3'],
  ['unique_count', undefined],
  ['unique_count', null],
];

describe('an event without a value', () => {
  it.each(
    WITHOUT.flatMap(([aggregation, value]) =>
      MODELS.map((model) => [aggregation, String(value), model[0], value, model] as const),
    ),
  )(
    'in advance, %s of %s, %s: costs nothing, and the next event what it would cost alone',
    (aggregation, _text, _model, value, model) => {
      const charge = chargeOf(aggregation, model, { payInAdvance: true });
      const [, after] = inAdvance(charge, value, '1');
      expect(inAdvance(charge, value, '1')).toEqual([[0, 0n], inAdvance(charge, '1')[0]]);
      expect(after?.[1]).toBeGreaterThan(0n);
    },
  );

  it('counts for a count, which measures no property', () => {
    expect(inAdvance(chargeOf('count', ['standard', { amount: '2' }], { payInAdvance: true }), undefined)).toEqual([
      [1, 200n],
    ]);
  });

  it('weighs nothing when its charge in advance is renewed', () => {
    const charge = chargeOf('unique_count', ['standard', { amount: '2' }], { payInAdvance: true });
    const recurring = { ...charge, metric: { ...charge.metric, recurring: true } };
    expect(inArrears(recurring, undefined, 'a')).toEqual([[1, 200n, 1]]);
  });

  it.each(['sum', 'max', 'latest', 'weighted_sum'] as const)('in arrears, %s: is no event', (aggregation) => {
    const charge = chargeOf(aggregation, ['standard', { amount: '2' }]);
    expect(inArrears(charge, undefined, null, 'many', '1e3', '.5')).toEqual([]);
  });

  it('in arrears, unique_count: shares one missing value, as existing bills have it', () => {
    expect(inArrears(chargeOf('unique_count', ['standard', { amount: '2' }]), undefined, null, 'a')).toEqual([
      [2, 400n, 2],
    ]);
  });
});
