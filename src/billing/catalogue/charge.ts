import type { Decimal } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import type { ChargeProperties, PriceModel } from './charge-type.ts';
import type { MetricInput } from './metric.ts';

export interface ChargeFilterInput {
  readonly id: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly properties: ChargeProperties;
  /** Decides ties: the oldest filter wins, then the lower id. Absent: the order of the list. */
  readonly createdAt?: Instant;
}

export interface AppliedPricingUnit {
  readonly id?: string;
  readonly code?: string;
  readonly shortName?: string;
  readonly conversionRate: Decimal;
}

export interface ChargeInput {
  readonly id: string;
  readonly model: PriceModel;
  readonly properties: ChargeProperties;
  readonly metric: MetricInput;
  readonly filters: readonly ChargeFilterInput[];
  readonly payInAdvance?: boolean;
  readonly prorated?: boolean;
  readonly invoiceable?: boolean;
  readonly minAmountCents?: bigint;
  readonly pricingUnit?: AppliedPricingUnit | null;
}

export interface FixedChargeInput {
  readonly id: string;
  readonly model: 'standard' | 'graduated' | 'volume';
  readonly properties: ChargeProperties;
  readonly prorated: boolean;
  readonly payInAdvance: boolean;
  /** Units of the plan, used where there is no history (a subscription that is not stored). */
  readonly units: Decimal;
}
