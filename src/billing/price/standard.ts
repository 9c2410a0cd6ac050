import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { type Price, type PricedUsage, perUnit } from './price-type.ts';
import { decimalProperty } from './property.ts';

/**
 * Units times a fixed amount, in currency units; the unit amount is spread over the unprorated units.
 * 10 units at 5.12345 are 51.2345. Source: pricing 3.1.
 */
export function priceStandard(properties: ChargeProperties, usage: PricedUsage): Price {
  const price = decimalProperty(properties.amount);
  const amount = usage.units.times(price);
  return {
    ...{ amount, unitAmount: perUnit(amount, usage.fullUnits ?? usage.units), amountDetails: {} },
    steps: () => [{ kind: 'units', units: usage.units, unitAmount: price, amount }],
  };
}
