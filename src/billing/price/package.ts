import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { Decimal, decimalText, ZERO } from '../money/decimal.ts';
import { type Price, type PricedUsage, perUnit } from './price-type.ts';
import { decimalProperty } from './property.ts';

/**
 * Units beyond the free ones in whole packages, a started one counting as whole; in currency units. The unit amount is
 * the price of a paid unit. 121 units in packages of 10 at 100 are 13 packages, 1300. Source: pricing 3.5.
 */
export function pricePackage(properties: ChargeProperties, usage: PricedUsage): Price {
  const price = decimalProperty(properties.amount);
  const size = decimalProperty(properties.package_size ?? 1);
  const free = decimalProperty(properties.free_units);
  const paid = Decimal.max(usage.units.minus(free), ZERO);
  // Not a rounded quotient: a remainder of any size starts a package.
  const packages = paid.divToInt(size).plus(paid.mod(size).isZero() ? 0 : 1);
  const amount = packages.times(price);
  const unused = usage.units.isZero();
  return {
    amount,
    unitAmount: perUnit(amount, paid),
    amountDetails: {
      free_units: decimalText(unused ? ZERO : free),
      paid_units: decimalText(paid),
      per_package_size: unused ? 0 : size.toNumber(),
      per_package_unit_amount: decimalText(unused ? ZERO : price),
    },
    steps: () => [
      ...(free.isZero()
        ? []
        : [{ kind: 'free_units' as const, units: Decimal.max(Decimal.min(free, usage.units), ZERO) }]),
      { kind: 'packages', units: packages, unitAmount: price, size, amount },
    ],
  };
}
