import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { fromCents } from '../money/currency.ts';
import { ZERO } from '../money/decimal.ts';
import { type Price, type PricedUsage, perUnit } from './price-type.ts';

/**
 * What the events say they cost, in currency units; nothing when the units sum to 0, as existing amounts do.
 * 912 cents of EUR are 9.12. Source: pricing 3.8.
 */
export function priceDynamic(_properties: ChargeProperties, usage: PricedUsage): Price {
  const amount = usage.units.isZero() ? ZERO : fromCents(usage.preciseTotalAmountCents, usage.currency);
  return {
    ...{ amount, unitAmount: perUnit(amount, usage.fullUnits ?? usage.units), amountDetails: {} },
    steps: () => [{ kind: 'event_amounts', units: usage.units, amount }],
  };
}
