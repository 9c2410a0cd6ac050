import type { ChargeProperties } from '../catalogue/charge-type.ts';
import type { Decimal } from '../money/decimal.ts';
import { decimalProperty } from './property.ts';

/** What a percentage charge gives away: a number of events, a total of units; 0 where not set. */
export interface FreeAllowance {
  readonly events: number;
  readonly amount: Decimal;
}

/** The free allowance of a percentage charge's properties. */
export function freeAllowance(properties: ChargeProperties): FreeAllowance {
  return {
    events: Number(properties.free_units_per_events ?? 0),
    amount: decimalProperty(properties.free_units_per_total_aggregation),
  };
}

/** Whether a minimum or maximum per transaction makes the charge price event by event. */
export function hasTransactionBounds(properties: ChargeProperties): boolean {
  return properties.per_transaction_min_amount != null || properties.per_transaction_max_amount != null;
}
