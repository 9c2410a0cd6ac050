import { Decimal } from '../money/decimal.ts';
import type { PriceModel } from './charge-type.ts';
import { groupKeyErrors } from './group-key-check.ts';
import type { AggregationType } from './metric.ts';
import { isAmount, type PropertyErrors, type PropertyFault, propertyErrorList, rangeErrors } from './range-check.ts';

type Properties = Readonly<Record<string, unknown>>;
type Check = (properties: Properties, errors: PropertyErrors) => void;

const isWhole = (value: unknown, least: number) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least;

/** An optional decimal: absent and null are fine, anything else must be an amount. */
function checkOptional(properties: Properties, name: string, code: string, errors: PropertyErrors): void {
  if (properties[name] != null && !isAmount(properties[name])) errors.add(name, code);
}

function checkPercentage(properties: Properties, errors: PropertyErrors): void {
  if (!isAmount(properties.rate)) errors.add('rate', 'invalid_rate');
  checkOptional(properties, 'fixed_amount', 'invalid_fixed_amount', errors);
  const events = properties.free_units_per_events;
  if (events != null && !isWhole(events, 1)) errors.add('free_units_per_events', 'invalid_free_units_per_events');
  const total = 'free_units_per_total_aggregation';
  checkOptional(properties, total, `invalid_${total}`, errors);
  const { per_transaction_min_amount: min, per_transaction_max_amount: max } = properties;
  checkOptional(properties, 'per_transaction_max_amount', 'invalid_amount', errors);
  checkOptional(properties, 'per_transaction_min_amount', 'invalid_amount', errors);
  if (isAmount(min) && isAmount(max) && new Decimal(min.trim()).gt(max.trim())) {
    errors.add('per_transaction_max_amount', 'per_transaction_max_lower_than_per_transaction_min');
  }
}

const CHECKS: Readonly<Record<PriceModel, Check>> = {
  standard: ({ amount }, errors) => {
    if (!isAmount(amount)) errors.add('amount', 'invalid_amount');
  },
  package: ({ amount, free_units: free, package_size: size }, errors) => {
    if (!isAmount(amount)) errors.add('amount', 'invalid_amount');
    if (!isWhole(free, 0)) errors.add('free_units', 'invalid_free_units');
    if (!isWhole(size, 1)) errors.add('package_size', 'invalid_package_size');
  },
  percentage: checkPercentage,
  graduated: ({ graduated_ranges: ranges }, errors) =>
    rangeErrors(
      ranges,
      { name: 'graduated_ranges', price: 'per_unit_amount', priceCode: 'invalid_amount', steps: [0, 1] },
      errors,
    ),
  volume: ({ volume_ranges: ranges }, errors) =>
    rangeErrors(
      ranges,
      { name: 'volume_ranges', price: 'per_unit_amount', priceCode: 'invalid_amount', steps: [1, 2] },
      errors,
    ),
  graduated_percentage: ({ graduated_percentage_ranges: ranges }, errors) =>
    rangeErrors(
      ranges,
      { name: 'graduated_percentage_ranges', price: 'rate', priceCode: 'invalid_rate', steps: [0, 1] },
      errors,
    ),
  dynamic: () => {},
  custom: () => {},
};

/** What is wrong with properties, and where: one fault a code of `propertyErrors`. */
export function propertyFaults(
  model: PriceModel,
  properties: Properties,
  aggregation: AggregationType | null,
): PropertyFault[] {
  const errors = propertyErrorList();
  if (aggregation === 'latest' && (model === 'percentage' || model === 'graduated_percentage')) {
    errors.add('billable_metric', 'invalid_value', { below: [] });
  }
  CHECKS[model](properties, errors);
  groupKeyErrors(properties, errors);
  return errors.faults();
}

/**
 * What is wrong with a charge's, filter's or fixed charge's properties: one code an occurrence, grouped by inner field,
 * all of them reported under the one field `properties`. Empty when nothing is. Two bad flat amounts are
 * `['invalid_amount', 'invalid_amount']`. Source: behaviour 3.2.
 */
export function propertyErrors(
  model: PriceModel,
  properties: Properties,
  aggregation: AggregationType | null,
): string[] {
  return propertyFaults(model, properties, aggregation).map(({ code }) => code);
}
