import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { feeAmounts } from '../../billing/fee/amount.ts';
import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import type { Preview } from '../../billing/preview/preview-type.ts';
import { presentedUnits, shownBreakdowns, shownDetails } from '../base/fee-detail.ts';
import { breakdownOf } from '../invoice/amount-breakdown.ts';

/** What fees that are not stored know of the whole that they are shown in. */
export interface FeeFrame {
  readonly currency: string;
  readonly selfBilled: boolean;
  /** Null where they are on no invoice. */
  readonly invoiceId: string | null;
  readonly customerId: string;
  readonly externalCustomerId: string;
  readonly now: Date;
  /** The identifier of a subscription: its own where it is stored. */
  subscriptionId(id: string): string;
  externalSubscriptionId(id: string | null): string | undefined;
}

/** What the parts of one preview know of the whole: identifiers are minted for this one answer and agree with each other. */
export interface PreviewFrame extends FeeFrame {
  readonly preview: Preview;
  readonly invoiceId: string;
}

type Line = InvoiceFee['appliedTaxes'][number];

/** A tax line of a fee or an invoice, without what it belongs to. */
export const taxLine = (line: Line, currency: string, now: Date) => ({
  svcId: randomUUID(),
  svcTaxId: line.taxId,
  taxName: line.name,
  taxCode: line.code,
  taxDescription: line.description,
  taxRate: line.rate,
  amountCents: line.amountCents,
  amountCurrency: currency,
  createdAt: now,
});

/** What later credit notes are computed from. */
const planAmount = ({ planAmountCents }: InvoiceFee) =>
  planAmountCents === null ? {} : { plan_amount_cents: planAmountCents };

function item(fee: InvoiceFee, svcId: string, frame: FeeFrame) {
  const { item: named } = fee;
  return {
    id: svcId,
    feeType: fee.type,
    itemCode: named.code,
    itemName: named.name,
    itemDescription: named.description,
    itemInvoiceDisplayName: named.invoiceDisplayName,
    itemType: named.itemType,
    itemId: named.itemType === 'Subscription' && named.itemId ? frame.subscriptionId(named.itemId) : named.itemId,
    filterInvoiceDisplayName: named.filterInvoiceDisplayName,
    filters: named.filters,
    groupedBy: fee.groupedBy,
  };
}

function pricingUnit({ pricingUnit: unit }: InvoiceFee, now: Date) {
  if (!unit) return null;
  const { id, code, shortName, amountCents, unitAmountCents, preciseAmountCents, preciseUnitAmount, conversionRate } =
    unit;
  return {
    ...{
      svcId: randomUUID(),
      svcPricingUnitId: id ?? null,
      pricingUnitCode: code ?? '',
      shortName: shortName ?? '',
      createdAt: now,
    },
    ...{ amountCents, unitAmountCents, preciseAmountCents, preciseUnitAmount, conversionRate },
  };
}

function keys(fee: InvoiceFee, frame: FeeFrame) {
  return {
    svcInvoiceId: frame.invoiceId,
    svcSubscriptionId: fee.subscriptionId && frame.subscriptionId(fee.subscriptionId),
    svcCustomerId: frame.customerId,
    svcChargeId: fee.chargeId,
    svcChargeFilterId: fee.filterId,
    svcFixedChargeId: fee.fixedChargeId,
    externalCustomerId: frame.externalCustomerId,
    externalSubscriptionId: frame.externalSubscriptionId(fee.subscriptionId),
  };
}

function amounts(fee: InvoiceFee, currency: string) {
  const { amountCents, preciseAmountCents, taxesAmountCents, taxesPreciseAmountCents, preciseCouponsAmountCents } = fee;
  const stored = {
    amountCents,
    preciseAmountCents,
    taxesAmountCents,
    taxesPreciseAmountCents,
    preciseCouponsAmountCents,
  };
  return {
    ...stored,
    ...feeAmounts({ ...stored, amountCurrency: currency }),
    amountCurrency: currency,
    totalAmountCurrency: currency,
    taxesRate: fee.taxesRate,
  };
}

function unsavedFee(fee: InvoiceFee, svcId: string, frame: FeeFrame) {
  const { currency, selfBilled, now } = frame;
  const amountDetails = shownDetails({ ...fee.amountDetails, ...planAmount(fee) });
  const presented = fee.presentationBreakdowns.map(({ presentationBy, units }) => ({
    ...{ presentation_by: presentationBy, units },
  }));
  return {
    svcId,
    ...keys(fee, frame),
    eventTransactionId: fee.eventTransactionId,
    ...amounts(fee, currency),
    feeType: fee.type,
    item: item(fee, svcId, frame),
    units: fee.units,
    totalAggregatedUnits: fee.totalAggregatedUnits ?? fee.units,
    preciseUnitAmount: fee.preciseUnitAmount,
    eventsCount: fee.eventsCount === null ? null : fee.eventsCount.trunc().toNumber(),
    payInAdvance: fee.payInAdvance,
    invoiceable: fee.invoiceable,
    fromDate: fee.period && new Date(fee.period.from),
    toDate: fee.period && new Date(fee.period.to),
    paymentStatus: 'pending',
    selfBilled,
    amountDetails,
    amountBreakdown: breakdownOf(amountDetails),
    presentationBreakdowns: shownBreakdowns(presented),
    presentedUnits: presentedUnits(presented),
    appliedTaxes: fee.appliedTaxes.map((line) => ({ ...taxLine(line, currency, now), svcFeeId: svcId })),
    pricingUnitDetails: pricingUnit(fee, now),
    createdAt: now,
    updatedAt: now,
  };
}

// Of a price in groups, a fee has hundreds of lines.
const FEES_IN_A_TURN = 100;

/** Fees that are not stored; a true-up and the fee it completes name each other. Many are shown in several turns of the event loop. */
export async function unsavedFees(fees: readonly InvoiceFee[], frame: FeeFrame) {
  const ids = new Map(fees.map((fee) => [fee.key, randomUUID() as string]));
  const idOf = (key: string | null | undefined) => (key == null ? null : (ids.get(key) ?? null));
  const trueUps = new Map(fees.map((fee) => [fee.trueUpParentKey, fee.key]));
  const shown = (fee: InvoiceFee) => ({
    ...unsavedFee(fee, ids.get(fee.key) ?? randomUUID(), frame),
    svcTrueUpParentFeeId: idOf(fee.trueUpParentKey),
    svcTrueUpFeeId: idOf(trueUps.get(fee.key)),
  });
  const all: ReturnType<typeof shown>[] = [];
  for (const fee of fees) {
    all.push(shown(fee));
    if (all.length % FEES_IN_A_TURN === 0) await turn();
  }
  return all;
}
