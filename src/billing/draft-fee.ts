import { ZERO } from './decimal.ts';
import type { DraftFee } from './fee-type.ts';

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
    ...members,
  };
}
