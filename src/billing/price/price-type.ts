import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { type Decimal, ZERO } from '../money/decimal.ts';

export type AmountDetails = Readonly<Record<string, unknown>>;

/** Running totals of the event values, as far as a free allowance needs them. */
export interface RunningTotals {
  readonly length: number;
  /** The last total; 0 without any. */
  readonly last: Decimal;
  /** The total after the last free event; null when there are fewer totals than free events. */
  readonly afterFreeEvents: Decimal | null;
  /** How many totals are strictly below the free amount. */
  readonly belowFreeAmount: number;
}

export const NO_RUNNING_TOTALS: RunningTotals = {
  length: 0,
  last: ZERO,
  afterFreeEvents: null,
  belowFreeAmount: 0,
};

/** What one event weighs in a prorated charge: its whole value, and the share of the period it was there. */
export interface EventShare {
  readonly full: Decimal;
  readonly prorated: Decimal;
}

/** What shares come to in the ranges of a price, in currency units. */
export interface ShareTotals {
  /** Whole units at the end, and the most that there ever were. */
  readonly count: Decimal;
  readonly highest: Decimal;
  /** What the units that moved cost, before flat amounts. */
  readonly moved: Decimal;
  /** The whole values of all shares together. */
  readonly full: Decimal;
}

/** What transactions cost that are priced one by one, in currency units; and without the last of them. */
export interface TransactionTotals {
  readonly amount: Decimal;
  readonly amountBefore: Decimal;
}

/** What a price model may look at. One shape for all models; each reads what it needs. */
export interface PricedUsage {
  /** What is priced; the prorated units of a prorated charge. */
  readonly units: Decimal;
  /** Units without proration; null when the charge is not prorated. */
  readonly fullUnits: Decimal | null;
  readonly eventsCount: Decimal;
  readonly runningTotals: RunningTotals;
  /** Only where there are bounds per transaction. */
  readonly transactions?: TransactionTotals | null;
  /** Only of prorated graduated prices. */
  readonly shares?: ShareTotals | null;
  /** Sum of what the events say they cost, in minor units: dynamic prices. */
  readonly preciseTotalAmountCents: Decimal;
  /** The side of a pay-in-advance difference that leaves the event out. */
  readonly withoutEvent?: boolean;
  readonly currency: string;
}

/** What a step of a price is about. */
export type PriceStepKind =
  | 'units'
  | 'packages'
  | 'rate'
  | 'transactions'
  | 'flat'
  | 'free_units'
  | 'free_events'
  | 'bounds'
  | 'event_amounts'
  | 'before_event'
  | 'moved_units'
  | 'below_zero';

/**
 * One thing that a price model adds to an amount, in currency units: what its steps add is its amount. `units` of what, at
 * `unitAmount` each or at `rate` percent; `from` and `to` are the bounds of the range that prices them. Nothing is added by a step without an amount.
 */
export interface PriceStep {
  readonly kind: PriceStepKind;
  readonly units?: Decimal;
  readonly unitAmount?: Decimal;
  readonly rate?: Decimal;
  /** Units of a package. */
  readonly size?: Decimal;
  readonly from?: string;
  /** Null: open upwards. */
  readonly to?: string | null;
  readonly amount?: Decimal;
}

/** In currency units, exact: nothing is rounded before the fee. */
export interface Price {
  readonly amount: Decimal;
  readonly unitAmount: Decimal;
  readonly amountDetails: AmountDetails;
  /** What it adds up from, for whoever asks why. */
  readonly steps: () => readonly PriceStep[];
}

export type PriceFunction = (properties: ChargeProperties, usage: PricedUsage) => Price;

/** Division that answers 0 for a divisor of 0: the unit amount of nothing is nothing. */
export function perUnit(amount: Decimal, divisor: Decimal): Decimal {
  return divisor.isZero() ? ZERO : amount.div(divisor);
}
