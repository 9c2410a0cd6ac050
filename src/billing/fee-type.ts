import type { ChargeProperties, PriceModel } from './charge-type.ts';
import type { Decimal } from './decimal.ts';

/** Milliseconds since 1970-01-01T00:00:00Z: the instant of an event or the bound of a period. */
export type EpochMs = number;

/** One usage event. `properties` keeps what the sender wrote; text and numbers are compared as text. */
export interface UsageEvent {
  readonly transactionId?: string;
  readonly timestamp: EpochMs;
  /** When it was ingested; orders events of one timestamp. Absent: the order of arrival in the list. */
  readonly createdAt?: EpochMs;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Dynamic pricing only: what this event costs, in minor units, as decimal text. */
  readonly preciseTotalAmountCents?: string | null;
}

/** The window that is billed, both ends included, and the length in days of the full period it is a part of. */
export interface ChargePeriod {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly durationDays: number;
  readonly timezone: string;
  /** The subscription ended because of an upgrade: its last day belongs to the next one. */
  readonly endedByUpgrade?: boolean;
}

export type AggregationType = 'count' | 'sum' | 'max' | 'latest' | 'unique_count' | 'weighted_sum' | 'custom';

export interface MetricRounding {
  readonly function: 'round' | 'ceil' | 'floor';
  readonly precision?: number | null;
}

export interface FilterKey {
  readonly key: string;
  readonly values: readonly string[];
}

export interface MetricInput {
  readonly id?: string;
  readonly aggregation: AggregationType;
  readonly fieldName?: string | null;
  readonly recurring: boolean;
  readonly rounding?: MetricRounding | null;
  /** The declared filter keys with their allowed values. */
  readonly filters: readonly FilterKey[];
}

export interface ChargeFilterInput {
  readonly id: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly properties: ChargeProperties;
  /** Decides ties: the oldest filter wins, then the lower id. Absent: the order of the list. */
  readonly createdAt?: EpochMs;
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

/** What pay-in-advance events billed so far in the period, per bucket. Units, not money. */
export interface AdvanceState {
  readonly currentUnits: Decimal;
  readonly maxUnits: Decimal;
  readonly maxUnitsProrated?: Decimal;
}

/** Values of the pricing group keys, in the order of the keys; a missing value is null. */
export type GroupedBy = Readonly<Record<string, string | null>>;

export type AmountDetails = Readonly<Record<string, unknown>>;

export interface PresentationBreakdown {
  readonly presentationBy: GroupedBy;
  readonly units: Decimal;
}

/** The same fee in its custom pricing unit, before the conversion. */
export interface PricingUnitDetail {
  readonly id?: string;
  readonly code?: string;
  readonly shortName?: string;
  readonly conversionRate: Decimal;
  readonly amountCents: bigint;
  readonly preciseAmountCents: Decimal;
  readonly unitAmountCents: bigint;
  readonly preciseUnitAmount: Decimal;
}

export type FeeType = 'charge' | 'fixed_charge' | 'subscription' | 'add_on' | 'credit' | 'commitment';

/** A computed fee that is not stored yet. `key` is unique among the fees of one computation and links a true-up to its parent. */
export interface DraftFee {
  readonly key: string;
  readonly type: FeeType;
  readonly chargeId: string | null;
  readonly fixedChargeId: string | null;
  readonly filterId: string | null;
  readonly groupedBy: GroupedBy;
  readonly units: Decimal;
  readonly amountCents: bigint;
  readonly preciseAmountCents: Decimal;
  /** Cut to whole minor units, except for edited prices and fixed charges paid in advance (rounded). */
  readonly unitAmountCents: bigint;
  /** In currency units. */
  readonly preciseUnitAmount: Decimal;
  /** Null except for charges. A prorated unique count reports its prorated units here, so it can have decimals. */
  readonly eventsCount: Decimal | null;
  readonly totalAggregatedUnits: Decimal | null;
  readonly amountDetails: AmountDetails;
  /** `key` of the fee this one tops up to the spending minimum; null for every other fee. */
  readonly trueUpParentKey: string | null;
  readonly period: ChargePeriod | null;
  readonly payInAdvance: boolean;
  readonly invoiceable: boolean;
  readonly pricingUnit: PricingUnitDetail | null;
  readonly presentationBreakdowns: readonly PresentationBreakdown[];
  /** Pay in advance only: the transaction id of the event. */
  readonly eventTransactionId: string | null;
}

/** One entry of the units history of a fixed charge. */
export interface UnitEvent {
  readonly units: Decimal;
  /** When it takes effect. */
  readonly timestamp: EpochMs;
  /** When it was recorded. */
  readonly createdAt: EpochMs;
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
