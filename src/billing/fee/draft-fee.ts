import { type Decimal, ZERO } from '../money/decimal.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import type { AmountDetails } from '../price/price-type.ts';
import type { GroupedBy } from '../usage/grouped-by.ts';

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

/** What was changed by hand on a fee of a draft, at least one of it; null keeps what is computed. */
export interface FeeEdit {
  readonly units: Decimal | null;
  /** In currency units, or in units of the charge's own; only together with units. Null: the charge's prices. */
  readonly preciseUnitAmount: Decimal | null;
  readonly invoiceDisplayName: string | null;
}

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
  /** What of it was changed by hand while its invoice was a draft; null for what is computed as it is. */
  readonly edit: FeeEdit | null;
}

/** Which fee of a subscription one is, whenever it is computed. */
export type FeePlace = Pick<DraftFee, 'type' | 'chargeId' | 'filterId' | 'fixedChargeId' | 'groupedBy'>;

type Named = Pick<DraftFee, 'key' | 'type'>;

/** A fee of nothing, to be filled: every member at its neutral value except the ones given. */
export function draftFee(members: Named & Partial<DraftFee>): DraftFee {
  return {
    chargeId: null,
    fixedChargeId: null,
    filterId: null,
    groupedBy: {},
    units: ZERO,
    amountCents: 0n,
    preciseAmountCents: ZERO,
    unitAmountCents: 0n,
    preciseUnitAmount: ZERO,
    eventsCount: null,
    totalAggregatedUnits: null,
    amountDetails: {},
    trueUpParentKey: null,
    period: null,
    payInAdvance: false,
    invoiceable: true,
    pricingUnit: null,
    presentationBreakdowns: [],
    eventTransactionId: null,
    edit: null,
    ...members,
  };
}
