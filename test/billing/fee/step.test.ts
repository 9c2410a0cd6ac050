import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usageOfEvents } from '../../../src/billing/aggregate/usage-source.ts';
import type { ChargeInput } from '../../../src/billing/catalogue/charge.ts';
import type { ChargeProperties, PriceModel } from '../../../src/billing/catalogue/charge-type.ts';
import { advanceEventFee } from '../../../src/billing/fee/advance-fee.ts';
import type { DraftFee } from '../../../src/billing/fee/draft-fee.ts';
import { chargeFees } from '../../../src/billing/fee/fee.ts';
import { fixedChargeFee, fixedChargeIncreaseFee, proposedFixedUnits } from '../../../src/billing/fee/fixed-charge.ts';
import { type FeeStep, outcomeOf, type Trace } from '../../../src/billing/fee/step.ts';
import { dec, HUNDRED } from '../../../src/billing/money/decimal.ts';
import { DAY_MS } from '../../../src/billing/period/calendar.ts';
import type { UsageEvent } from '../../../src/billing/usage/usage.ts';

const numRuns = Number(process.env.EXPLAINED_FEES ?? 150);

const money = fc.tuple(fc.nat(300), fc.nat(9999)).map(([whole, part]) => `${whole}.${String(part).padStart(4, '0')}`);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });

const ends = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 0, maxLength: 4 })
  .map((list) => list.sort((one, other) => one - other));
const rangesOf = <T extends object>(price: fc.Arbitrary<T>) =>
  fc.tuple(ends, fc.array(price, { minLength: 5, maxLength: 5 })).map(([tops, prices]) =>
    [...tops, null].map((to_value, at) => ({
      ...{ from_value: at === 0 ? 0 : (tops[at - 1] ?? 0) + 1, to_value },
      ...(prices[at] as T),
    })),
  );
const priceRanges = rangesOf(fc.record({ per_unit_amount: money, flat_amount: money }));

const PROPERTIES: Readonly<Record<Exclude<PriceModel, 'custom'>, fc.Arbitrary<ChargeProperties>>> = {
  standard: fc.record({ amount: money }),
  graduated: fc.record({ graduated_ranges: priceRanges }),
  volume: fc.record({ volume_ranges: priceRanges }),
  graduated_percentage: fc.record({
    graduated_percentage_ranges: rangesOf(fc.record({ rate: money, flat_amount: money })),
  }),
  package: fc.record({ amount: money, package_size: fc.integer({ min: 1, max: 20 }), free_units: fc.nat(15) }),
  percentage: fc.record({
    ...{ rate: money, fixed_amount: optional(money), free_units_per_events: optional(fc.nat(4)) },
    ...{ free_units_per_total_aggregation: optional(money), per_transaction_min_amount: optional(money) },
    per_transaction_max_amount: optional(money),
  }),
  dynamic: fc.constant({}),
};
const MODELS = Object.keys(PROPERTIES) as (keyof typeof PROPERTIES)[];

const events = fc
  .array(fc.tuple(fc.integer({ min: -5, max: 40 }), fc.constantFrom('a', 'b'), money), { maxLength: 8 })
  .map((list): UsageEvent[] =>
    list.map(([value, group, cost], at) => ({
      ...{ timestamp: at * DAY_MS * 3, createdAt: at, transactionId: `t${at}` },
      properties: { value, group },
      preciseTotalAmountCents: cost,
    })),
  );

const chargeOf = (model: PriceModel) =>
  fc
    .record({
      ...{ properties: PROPERTIES[model as keyof typeof PROPERTIES], prorated: fc.boolean(), recurring: fc.boolean() },
      ...{ grouped: fc.boolean(), minimum: optional(fc.nat(40_000)), rate: optional(money) },
      aggregation: fc.constantFrom(
        'sum' as const,
        'max' as const,
        'latest' as const,
        'count' as const,
        'unique_count' as const,
      ),
    })
    .map(({ properties, prorated, recurring, grouped, minimum, rate, aggregation }): ChargeInput => {
      const kept = recurring && (aggregation === 'sum' || aggregation === 'unique_count');
      return {
        ...{ id: 'charge', model, filters: [], minAmountCents: BigInt(minimum ?? 0) },
        properties: grouped ? { ...properties, pricing_group_keys: ['group'] } : properties,
        metric: { aggregation, fieldName: 'value', recurring: kept, filters: [] },
        prorated: prorated && kept,
        pricingUnit: rate === null ? null : { id: 'u', code: 'credits', shortName: 'CR', conversionRate: dec(rate) },
      };
    });

const currencies = fc.constantFrom('EUR', 'JPY', 'KWD');
const periods = fc.integer({ min: 1, max: 30 }).map((days) => ({
  ...{ from: 0, to: days * DAY_MS - 1, durationDays: 30, timezone: 'UTC' },
}));

/** Each fee with the steps that were told of it. */
function told<F extends DraftFee>(make: (trace: Trace) => readonly F[]): (readonly [F, readonly FeeStep[]])[] {
  const steps = new Map<string, readonly FeeStep[]>();
  return make((key, list) => steps.set(key, list)).map((fee) => [fee, steps.get(fee.key) ?? []] as const);
}

function expectAdded(fees: readonly (readonly [DraftFee, readonly FeeStep[]])[], minor: number): void {
  for (const [fee, steps] of fees) {
    const { preciseAmountCents, amountCents } = outcomeOf(steps);
    expect(preciseAmountCents.toFixed(30)).toBe(fee.preciseAmountCents.toFixed(30));
    expect(amountCents.toFixed()).toBe(String(fee.amountCents));
    const inUnit = fee.pricingUnit ? HUNDRED : dec(minor);
    for (const { units, unitAmount, rate, amountCents: added, kind } of steps) {
      if (!added || !units) continue;
      if (unitAmount) expect(units.times(unitAmount).times(inUnit).toFixed()).toBe(added.toFixed());
      if (rate && kind === 'rate') expect(units.times(rate).div(HUNDRED).times(inUnit).toFixed()).toBe(added.toFixed());
    }
  }
}

const MINOR: Readonly<Record<string, number>> = { EUR: 100, JPY: 1, KWD: 1000 };

describe('steps of fees', () => {
  it.each(MODELS)('%s: add up to what usage costs, minimum included', (model) => {
    fc.assert(
      fc.property(chargeOf(model), events, currencies, periods, (charge, list, currency, period) => {
        const usage = usageOfEvents(list);
        const asked = { charge, currency, period, usage, context: 'invoice' as const, levelFrom: null };
        expectAdded(
          told((trace) => chargeFees({ ...asked, trace })),
          MINOR[currency] ?? 0,
        );
      }),
      { numRuns },
    );
  });

  it.each(MODELS)('%s: add up to what one event costs in advance', (model) => {
    fc.assert(
      fc.property(chargeOf(model), events, currencies, periods, (known, list, currency, period) => {
        const charge = { ...known, payInAdvance: true, minAmountCents: 0n };
        const usage = usageOfEvents(list);
        const make = (trace: Trace) =>
          list.map((event) => advanceEventFee({ charge, currency, period, usage, event, trace }));
        expectAdded(told(make), MINOR[currency] ?? 0);
      }),
      { numRuns },
    );
  });

  it.each(MODELS.filter((model) => model !== 'percentage' && model !== 'dynamic'))(
    '%s: add up to units and prices that were changed by hand',
    (model) => {
      const edits = fc.record({ units: money, unitAmount: optional(money) });
      fc.assert(
        fc.property(chargeOf(model), currencies, edits, (known, currency, { units, unitAmount }) => {
          const charge = { ...known, minAmountCents: 0n, properties: { ...known.properties, pricing_group_keys: [] } };
          const place = {
            type: 'charge',
            chargeId: 'charge',
            filterId: null,
            fixedChargeId: null,
            groupedBy: {},
          } as const;
          const edit = {
            units: dec(units),
            preciseUnitAmount: unitAmount === null ? null : dec(unitAmount),
            invoiceDisplayName: null,
          };
          const period = { from: 0, to: 30 * DAY_MS - 1, durationDays: 30, timezone: 'UTC' };
          const asked = {
            charge,
            currency,
            period,
            usage: usageOfEvents([]),
            context: 'invoice' as const,
            levelFrom: null,
          };
          const edits = [{ place: { ...place, subscriptionId: null }, edit }];
          const fees = told((trace) => chargeFees({ ...asked, edits, trace }));
          expect(fees[0]?.[1][0]?.kind).toBe('by_hand');
          expectAdded(fees, MINOR[currency] ?? 0);
        }),
        { numRuns },
      );
    },
  );

  it.each(['standard', 'graduated', 'volume'] as const)(
    '%s: add up to fixed charges, and to units that grow',
    (model) => {
      const grown = fc.record({ newUnits: fc.nat(50), paidUnits: fc.nat(50), day: fc.nat(29) });
      fc.assert(
        fc.property(PROPERTIES[model], fc.boolean(), fc.nat(60), currencies, periods, grown, (...drawn) => {
          const [properties, prorated, units, currency, period, { newUnits, paidUnits, day }] = drawn;
          const charge = { id: 'fixed', model, properties, prorated, payInAdvance: true, units: dec(units) };
          const input = { charge, currency, period };
          const whole = (trace: Trace) => [
            fixedChargeFee({ ...input, trace }, proposedFixedUnits(charge.units, period, prorated)),
          ];
          expectAdded(told(whole), MINOR[currency] ?? 0);
          const change = { newUnits: dec(newUnits), paidUnits: dec(paidUnits), at: day * DAY_MS };
          expectAdded(
            told((trace) => [fixedChargeIncreaseFee({ ...input, trace }, change)]),
            MINOR[currency] ?? 0,
          );
        }),
        { numRuns },
      );
    },
  );
});
