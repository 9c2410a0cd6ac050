import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PriceModel } from '../../../src/billing/catalogue/charge-type.ts';
import type { PlanChargeInput } from '../../../src/billing/catalogue/plan.ts';
import { taxFee } from '../../../src/billing/invoice/tax.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { estimatedFees } from '../../../src/billing/subscription/estimate.ts';
import { eventRequest } from '../../../src/billing/subscription/invoice-request.ts';
import type { SubscriptionEvent } from '../../../src/billing/usage/usage.ts';
import { accountOf, subscriptionOf } from './priced-account.ts';

const DAY = 86_400_000;
const JUNE = Date.UTC(2026, 5, 1);
const START = JUNE - 40 * DAY;

const RANGES = [
  { from_value: 0, to_value: 5, per_unit_amount: '1', rate: '1', flat_amount: '2' },
  { from_value: 6, to_value: null, per_unit_amount: '0.5', rate: '2', flat_amount: '1' },
];
const PROPERTIES = {
  amount: '1.005',
  graduated_ranges: RANGES,
  graduated_percentage_ranges: RANGES,
  ...{ package_size: 3, free_units: 2, rate: '2.5', fixed_amount: '0.1', free_units_per_events: 2 },
};
const MODELS: readonly PriceModel[] = ['standard', 'graduated', 'package', 'percentage', 'graduated_percentage'];

const chargeOf = (
  model: PriceModel,
  aggregation: 'count' | 'sum' | 'unique_count',
  isGrouped: boolean,
): PlanChargeInput => ({
  ...{ id: 'charge', code: 'charge', model, payInAdvance: true },
  properties: { ...PROPERTIES, ...(isGrouped && { pricing_group_keys: ['region'] }) } as PlanChargeInput['properties'],
  metric: {
    id: 'metric',
    code: 'calls',
    name: 'Calls',
    aggregation,
    fieldName: 'value',
    recurring: false,
    filters: [],
  },
  filters: [],
  taxes: [{ id: null, code: 'vat', name: 'VAT', rate: dec('19.6') }],
});

const anEvent = fc.record({
  day: fc.nat(60),
  value: fc.integer({ min: -4, max: 12 }),
  region: fc.constantFrom('eu', 'us'),
});

it('an estimate is what the event is billed once it is stored', () => {
  const cases = fc.record({
    model: fc.constantFrom(...MODELS),
    aggregation: fc.constantFrom('count' as const, 'sum' as const, 'unique_count' as const),
    isGrouped: fc.boolean(),
    stored: fc.array(anEvent, { maxLength: 12 }),
    last: anEvent,
  });
  fc.assert(
    fc.property(cases, ({ model, aggregation, isGrouped, stored, last }) => {
      const charge = chargeOf(model, aggregation, isGrouped);
      const subscription = subscriptionOf([charge], START);
      const events = [...stored, last].map(
        ({ day, value, region }, at): SubscriptionEvent => ({
          ...{ externalSubscriptionId: 'sub', metricCode: 'calls', transactionId: `t${at}` },
          ...{
            timestamp: JUNE - 30 * DAY + day * DAY + 1000,
            createdAt: at,
            properties: { value: String(value), region },
          },
        }),
      );
      const event = events.at(-1);
      if (!event) throw new Error('no event');
      const estimated = estimatedFees(accountOf(subscription, events.slice(0, -1)), subscription, 'calls', event);
      const billed = eventRequest(accountOf(subscription, events), subscription, charge, event)?.fees ?? [];
      const expected = billed.map((fee) => taxFee({ ...fee, amountDetails: {} }));
      expect(estimated).toHaveLength(1);
      expect(estimated).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
