import type { FilterValues } from '../../billing/catalogue/filter.ts';
import type { InvoiceFee } from '../../billing/fee/invoice-fee.ts';
import type { InvoiceType } from '../../billing/invoice/issued-invoice.ts';
import type { PastInvoice } from '../../billing/invoice/past-invoice.ts';
import { minorUnits } from '../../billing/money/currency.ts';
import { cutToInteger, dec, ZERO } from '../../billing/money/decimal.ts';
import { DAY_MS } from '../../billing/period/calendar.ts';
import type { GroupedBy } from '../../billing/usage/grouped-by.ts';
import type { FeeGetPayload, InvoiceGetPayload, InvoiceInclude } from '../generated/prisma/models.ts';

const FEE = {
  subscription: { select: { planId: true, plan: { select: { parentId: true, amountCents: true } } } },
  creditNoteItems: { select: { preciseAmountCents: true } },
} as const;

export const PAST_INVOICE = {
  billingPeriods: { include: { subscription: { select: { planId: true } } } },
  fees: { where: { deletedAt: null }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], include: FEE },
  progressiveBillingCredits: { where: { invoice: { status: { not: 'voided' } } }, select: { amountCents: true } },
  creditNotes: { select: { subTotalExcludingTaxesAmountCents: true, taxesAmountCents: true } },
} satisfies InvoiceInclude;

type FeeRow = FeeGetPayload<{ include: typeof FEE }>;
type InvoiceRow = InvoiceGetPayload<{ include: typeof PAST_INVOICE }>;

const daysOf = (from: Date, to: Date) => Math.round((to.getTime() - from.getTime()) / DAY_MS);

function feePeriod({ fromDate, toDate }: FeeRow, timezone: string): InvoiceFee['period'] {
  if (!fromDate || !toDate) return null;
  return { from: fromDate.getTime(), to: toDate.getTime(), durationDays: daysOf(fromDate, toDate), timezone };
}

/** The plan amount of the moment, which a subscription fee keeps in its details. */
function planAmount({ feeType, amountDetails, subscription }: FeeRow): bigint | null {
  if (feeType !== 'subscription') return null;
  const kept = (amountDetails as { plan_amount_cents?: number | string } | null)?.plan_amount_cents;
  return kept === undefined ? (subscription?.plan.amountCents ?? null) : BigInt(kept);
}

function amounts(row: FeeRow) {
  const { amountCents, taxesAmountCents, amountCurrency } = row;
  const unit = dec(row.preciseUnitAmount);
  return {
    amountCents,
    taxesAmountCents,
    preciseAmountCents: dec(row.preciseAmountCents),
    unitAmountCents: cutToInteger(unit.times(minorUnits(amountCurrency))),
    preciseUnitAmount: unit,
    preciseCouponsAmountCents: dec(row.preciseCouponsAmountCents),
    preciseCreditNotesAmountCents: ZERO,
    taxesPreciseAmountCents: dec(row.taxesPreciseAmountCents),
    taxesRate: dec(row.taxesRate),
    planAmountCents: planAmount(row),
  };
}

/** A fee that was issued, as later invoices look at it. Its taxes are history: nothing computes them again. */
function pastFee(row: FeeRow, timezone: string): InvoiceFee {
  return {
    key: row.id,
    type: row.feeType,
    chargeId: row.chargeId,
    fixedChargeId: row.fixedChargeId,
    filterId: row.chargeFilterId,
    groupedBy: row.groupedBy as GroupedBy,
    units: dec(row.units),
    ...amounts(row),
    eventsCount: row.eventsCount === null ? null : dec(row.eventsCount),
    totalAggregatedUnits: row.totalAggregatedUnits && dec(row.totalAggregatedUnits),
    amountDetails: row.amountDetails as InvoiceFee['amountDetails'],
    trueUpParentKey: row.trueUpParentFeeId,
    period: feePeriod(row, timezone),
    payInAdvance: row.payInAdvance,
    invoiceable: row.invoiceable,
    pricingUnit: null,
    presentationBreakdowns: [],
    eventTransactionId: row.eventTransactionId,
    subscriptionId: row.subscriptionId,
    planId: row.subscription?.planId ?? null,
    parentPlanId: row.subscription?.plan.parentId ?? null,
    metricId: row.feeType === 'charge' ? row.itemId : null,
    addOnId: row.addOnId ?? (row.feeType === 'fixed_charge' ? row.itemId : null),
    item: {
      type: row.feeType,
      itemType: row.itemType as InvoiceFee['item']['itemType'],
      itemId: row.itemId,
      code: row.itemCode,
      name: row.itemName,
      description: row.itemDescription,
      invoiceDisplayName: row.itemInvoiceDisplayName ?? row.itemName,
      filterInvoiceDisplayName: row.filterInvoiceDisplayName,
      filters: row.filters as FilterValues | null,
    },
    taxes: [],
    targetWalletCode: null,
    appliedTaxes: [],
  };
}

/** When the run was that made an invoice: its periods were computed for the day after the last one, or for its creation. */
const billedAt = (row: InvoiceRow) => row.createdAt.getTime();

/** A stored invoice as later ones need it. `zone` is the time zone of its periods. */
export function pastInvoice(row: InvoiceRow, zone: string): PastInvoice {
  const { id, number, issuingDate, feesAmountCents, couponsAmountCents, totalPaidAmountCents } = row;
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
  return {
    ...{ id, number, feesAmountCents, couponsAmountCents, totalPaidAmountCents, zone },
    type: row.invoiceType as InvoiceType,
    status: row.status === 'draft' || row.status === 'voided' || row.status === 'closed' ? row.status : 'finalized',
    billedAt: billedAt(row),
    issuingDate: issuingDate.toISOString().slice(0, 10),
    subTotalIncludingTaxesAmountCents: row.subTotalIncludingTaxesAmountCents,
    billingPeriods: row.billingPeriods.map((period) => ({
      subscriptionId: period.subscriptionId,
      planId: period.subscription.planId,
      reason: period.invoicingReason,
      billedAt: billedAt(row),
      from: period.subscriptionFromDatetime.getTime(),
      to: period.subscriptionToDatetime.getTime(),
      chargesFrom: period.chargesFromDatetime.getTime(),
      chargesTo: period.chargesToDatetime.getTime(),
      fixedChargesFrom: period.fixedChargesFromDatetime?.getTime() ?? null,
      fixedChargesTo: period.fixedChargesToDatetime?.getTime() ?? null,
    })),
    fees: row.fees.map((fee) => pastFee(fee, zone)),
    alreadyCreditedCents: sum(row.progressiveBillingCredits.map(({ amountCents }) => amountCents)),
    creditNotesMadeCents: sum(row.creditNotes.map((note) => note.subTotalExcludingTaxesAmountCents)),
    creditNoteTaxesMadeCents: sum(row.creditNotes.map((note) => note.taxesAmountCents)),
    creditedItems: row.fees.flatMap((fee) =>
      fee.creditNoteItems.map((item) => ({ feeKey: fee.id, preciseAmountCents: dec(item.preciseAmountCents) })),
    ),
  };
}
