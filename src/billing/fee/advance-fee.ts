import { bucketOfEvent } from '../aggregate/advance-usage.ts';
import { startPricing } from '../aggregate/bucket.ts';
import { groupOf } from '../aggregate/group.ts';
import type { AdvanceUsage } from '../aggregate/metric-usage.ts';
import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { fromCents } from '../money/currency.ts';
import { dec, HUNDRED, ONE, ZERO } from '../money/decimal.ts';
import { priceFunction } from '../price/price.ts';
import { type Price, type PricedUsage, perUnit } from '../price/price-type.ts';
import type { UsageEvent } from '../usage/usage.ts';
import { decimalOf } from '../usage/value.ts';
import { advanceDetails } from './advance-detail.ts';
import type { ChargeUsage } from './charge-usage.ts';
import { type DraftFee, draftFee } from './draft-fee.ts';
import { pricedUsage } from './fee.ts';
import { roundFee } from './rounding.ts';
import { amountSteps, type FeeStep, type Trace, tells } from './step.ts';

/** One event of a charge paid in advance. `usage` is what is stored; the event itself may be in it. */
export interface AdvanceEvent extends Pick<ChargeUsage, 'charge' | 'currency' | 'period' | 'usage'> {
  readonly event: UsageEvent;
  readonly trace?: Trace | undefined;
}

/** Units with and without the event: its difference is all that is priced, so a prorated one is priced on its own. */
function advancePrices(
  usage: AdvanceEvent,
  properties: ChargeProperties,
  folded: AdvanceUsage,
): { with: Price; without: Price } {
  const { charge, currency, event } = usage;
  const { aggregate, step, counts } = folded;
  const units = charge.prorated ? step.billablePriced : aggregate.units;
  const withEvent = pricedUsage(aggregate, units, null, currency);
  const ownAmount = counts ? dec(event.preciseTotalAmountCents ?? '0') : ZERO;
  const without: PricedUsage = {
    ...withEvent,
    units: units.minus(step.billablePriced),
    eventsCount: counts ? eventsBefore(withEvent) : withEvent.eventsCount,
    preciseTotalAmountCents: withEvent.preciseTotalAmountCents.minus(ownAmount),
    withoutEvent: true,
  };
  const price = priceFunction(charge.model);
  return { with: price(properties, withEvent), without: price(properties, without) };
}

/** All with the event, less all without it. */
function advanceSteps(
  { charge, currency }: AdvanceEvent,
  prices: { with: Price; without: Price },
  amount: Price['amount'],
  units: Price['amount'],
): FeeStep[] {
  const difference = prices.with.amount.minus(prices.without.amount);
  const lost = amount.minus(difference);
  const before = prices.without.amount;
  const steps = [
    ...prices.with.steps(),
    ...(before.isZero() ? [] : [{ kind: 'before_event' as const, amount: before.neg() }]),
    ...(lost.isZero() ? [] : [{ kind: 'below_zero' as const, amount: lost }]),
  ];
  const { pricingUnit } = charge;
  return [tells('usage', { units, events: ONE }), ...amountSteps(steps, { currency, pricingUnit })];
}

function eventsBefore(usage: PricedUsage) {
  return usage.eventsCount.gt(0) ? usage.eventsCount.minus(ONE) : ZERO;
}

/**
 * The fee of one event: the price of the usage with it less the price without it, rounded on its own. Only what lifts
 * the running total above its highest value of the period is billed; the fee shows the event's units.
 * Graduated 0..2 free, then 2 each: the third event costs 200 cents. Source: pricing 9.
 */
export function advanceEventFee(usage: AdvanceEvent): DraftFee {
  const { charge, currency, event, period } = usage;
  const { filter, properties, keys } = bucketOfEvent(usage);
  const folded = usage.usage.advance({ charge, period, event });
  const prices = advancePrices(usage, properties, folded);
  const difference = prices.with.amount.minus(prices.without.amount);
  // What weighs nothing costs nothing, also no flat amount of a first event.
  const amount = difference.lt(0) || !folded.counts ? ZERO : difference;
  const units = folded.step.shown;
  const unit = charge.pricingUnit;
  const rounded = roundFee(amount, ZERO, { currency, pricingUnit: unit });
  const shownAmount = rounded.pricingUnit
    ? dec(rounded.pricingUnit.amountCents).div(HUNDRED)
    : fromCents(rounded.amountCents, currency);
  const key = `event:${charge.id}:${event.transactionId ?? event.timestamp}`;
  usage.trace?.(key, advanceSteps(usage, prices, amount, units));
  return draftFee({
    key,
    type: 'charge',
    chargeId: charge.id,
    filterId: filter?.id ?? null,
    groupedBy: groupOf(event.properties, keys),
    units,
    ...roundFee(amount, perUnit(shownAmount, units), { currency, pricingUnit: unit }),
    eventsCount: ONE,
    totalAggregatedUnits: folded.aggregate.units,
    amountDetails: advanceDetails(charge.model, prices.with.amountDetails, prices.without.amountDetails),
    period,
    payInAdvance: true,
    invoiceable: charge.invoiceable !== false,
    eventTransactionId: event.transactionId ?? null,
  });
}

/**
 * What one event would cost that is not stored, without looking at any other: its own value at the charge's prices, free
 * units left aside. Negative units count as none, and none cost nothing. 20 at 2.99 % are 0.598. Source: pricing 9.
 */
export function estimateEvent(
  charge: Pick<ChargeUsage['charge'], 'model' | 'properties'>,
  value: unknown,
  currency: string,
): Pick<Price, 'amount'> & { readonly units: Price['amount'] } {
  const units = decimalOf(value) ?? ZERO;
  if (units.lte(0)) return { units: ZERO, amount: ZERO };
  const {
    free_units_per_events: _events,
    free_units_per_total_aggregation: _amount,
    ...properties
  } = charge.properties;
  const metric = { aggregation: 'sum', fieldName: 'value', recurring: false, filters: [] } as const;
  const fold = startPricing(
    {
      charge: { id: '', model: charge.model, properties, filters: [], metric },
      period: { from: 0, to: 0, durationDays: 1, timezone: 'UTC' },
    },
    properties,
  );
  fold.add({ timestamp: 0, properties: { value: units.toFixed() } });
  const price = priceFunction(charge.model)(properties, pricedUsage(fold.finish(), units, null, currency));
  return { units, amount: price.amount };
}
