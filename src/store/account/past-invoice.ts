import { UNDONE_STATES } from '../../billing/invoice/hidden.ts';
import type { InvoiceStatus, InvoiceType } from '../../billing/invoice/issued-invoice.ts';
import type { PastInvoice } from '../../billing/invoice/past-invoice.ts';
import { dec } from '../../billing/money/decimal.ts';
import { zoneOf } from '../../billing/subscription/billed-subscription.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { InvoiceGetPayload, InvoiceInclude } from '../generated/prisma/models.ts';
import { FEE, storedFee } from './fee-row.ts';
import { inRange } from './in-range.ts';

export const PAST_INVOICE = {
  billingPeriods: { include: { subscription: { select: { planId: true } } } },
  fees: { where: { deletedAt: null }, orderBy: OLDEST_FIRST, include: FEE },
  progressiveBillingCredits: {
    where: { invoice: { status: { notIn: [...UNDONE_STATES] } } },
    select: { amountCents: true },
  },
  appliedUsageThresholds: { select: { lifetimeUsageAmountCents: true } },
  creditNotes: {
    select: {
      ...{ sequentialId: true, subTotalExcludingTaxesAmountCents: true, taxesAmountCents: true },
      ...{ refundAmountCents: true, offsetAmountCents: true, status: true },
    },
  },
} satisfies InvoiceInclude;

type InvoiceRow = InvoiceGetPayload<{ include: typeof PAST_INVOICE }>;

const READ = [
  ...(['feesAmountCents', 'couponsAmountCents', 'totalPaidAmountCents'] as const),
  'subTotalIncludingTaxesAmountCents' as const,
];

/** When the run was that made an invoice: its periods were computed for the day after the last one, or for its creation. */
const billedAt = (row: InvoiceRow) => row.createdAt.getTime();

/** Invoices that waited for something else when they were imported count as final ones. */
function statusOf({ status, taxStatus }: InvoiceRow): InvoiceStatus {
  if (status === 'draft' || status === 'open' || status === 'voided' || status === 'closed') return status;
  return status === 'pending' && taxStatus === 'pending' ? 'pending' : 'finalized';
}

/** The time zone of an invoice's periods; that of its customer now, where it says none. */
export const zoneOfInvoice = (row: Pick<InvoiceRow, 'timezone'>, ofCustomer: string): string =>
  zoneOf(row, { timezone: ofCustomer });

/** A stored invoice as later ones need it. `ofCustomer` is the time zone of its customer now. */
export function pastInvoice(row: InvoiceRow, ofCustomer: string): PastInvoice {
  const zone = zoneOfInvoice(row, ofCustomer);
  const { id, number, issuingDate, feesAmountCents, couponsAmountCents, totalPaidAmountCents } = inRange(
    'invoice',
    row,
    READ,
  );
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
  return {
    ...{ id, number, feesAmountCents, couponsAmountCents, totalPaidAmountCents, zone },
    voidedInvoiceId: row.voidedInvoiceId,
    type: row.invoiceType as InvoiceType,
    status: statusOf(row),
    billedAt: billedAt(row),
    issuingDate: issuingDate.toISOString().slice(0, 10),
    ...{ currency: row.currency, taxesAmountCents: row.taxesAmountCents },
    ...{ totalAmountCents: row.totalAmountCents, paymentStatus: row.paymentStatus },
    subTotalExcludingTaxesAmountCents: row.subTotalExcludingTaxesAmountCents,
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
    fees: row.fees.map((fee) => storedFee(fee, zone)),
    appliedThresholds: row.appliedUsageThresholds.map((applied) => ({
      lifetimeUsageCents: applied.lifetimeUsageAmountCents,
    })),
    alreadyCreditedCents: sum(row.progressiveBillingCredits.map(({ amountCents }) => amountCents)),
    creditNoteRank: Math.max(0, ...row.creditNotes.map(({ sequentialId }) => sequentialId)),
    creditNotesMadeCents: sum(row.creditNotes.map((note) => note.subTotalExcludingTaxesAmountCents)),
    refundedCents: sum(row.creditNotes.map((note) => note.refundAmountCents)),
    offsetCents: sum(row.creditNotes.map((note) => (note.status === 'finalized' ? note.offsetAmountCents : 0n))),
    creditNoteTaxesMadeCents: sum(row.creditNotes.map((note) => note.taxesAmountCents)),
    creditedItems: row.fees.flatMap((fee) =>
      fee.creditNoteItems.map((item) => ({ feeKey: fee.id, preciseAmountCents: dec(item.preciseAmountCents) })),
    ),
  };
}

/**
 * Invoices, oldest first, in the order of what they bill: one that was made anew bills at the moment of the voided one, where that is among them, and
 * stands behind it.
 */
export function inBilledOrder<T extends PastInvoice>(invoices: readonly T[]): T[] {
  const moments = new Map<string, number>();
  const placed = invoices.map((invoice) => {
    const billedAt = moments.get(invoice.voidedInvoiceId ?? '') ?? invoice.billedAt;
    moments.set(invoice.id, billedAt);
    if (billedAt === invoice.billedAt) return invoice;
    return { ...invoice, billedAt, billingPeriods: invoice.billingPeriods.map((period) => ({ ...period, billedAt })) };
  });
  return placed.sort((one, other) => one.billedAt - other.billedAt);
}
