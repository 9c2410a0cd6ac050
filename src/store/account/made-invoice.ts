import type { CreditLine } from '../../billing/invoice/draft-invoice.ts';
import { toCents } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { formatDate, localDate } from '../../billing/period/calendar.ts';
import type { LooseFee, MadeInvoice } from '../../billing/subscription/change.ts';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { InvoiceGetPayload, InvoiceInclude } from '../generated/prisma/models.ts';
import { type FeeRow, storedFee } from './fee-row.ts';
import { inRange } from './in-range.ts';
import { PAST_INVOICE, pastInvoice, zoneOfInvoice } from './past-invoice.ts';

/** Everything of an invoice that a life goes on from: what later invoices need, and what it takes to compute a draft again. */
export const MADE_INVOICE = {
  ...PAST_INVOICE,
  billingPeriods: { include: { subscription: { select: { planId: true, startedAt: true } } } },
  billingEntity: { select: { code: true } },
  credits: { orderBy: OLDEST_FIRST },
  appliedTaxes: { orderBy: OLDEST_FIRST },
  appliedUsageThresholds: { orderBy: OLDEST_FIRST, include: { usageThreshold: true } },
  walletTransactions: {
    ...{ where: { transactionType: 'outbound', status: 'settled' }, orderBy: OLDEST_FIRST },
    select: { walletId: true, amount: true, creditAmount: true },
  },
} satisfies InvoiceInclude;

type InvoiceRow = InvoiceGetPayload<{ include: typeof MADE_INVOICE }>;

const dateOf = (date: Date) => date.toISOString().slice(0, 10);

function creditLine(row: InvoiceRow['credits'][number]): CreditLine {
  const { itemType: type, itemId, itemCode: code, itemName: name, amountCents, beforeTaxes } = row;
  const sourceId = row.appliedCouponId ?? row.creditNoteId ?? row.progressiveBillingInvoiceId;
  return { type, sourceId, itemId, code, name, amountCents, currency: row.amountCurrency, beforeTaxes };
}

const taxLine = (row: InvoiceRow['appliedTaxes'][number]) => ({
  ...{ taxId: row.taxId, code: row.taxCode, name: row.taxName, description: row.taxDescription },
  ...{ rate: dec(row.taxRate), amountCents: row.amountCents, preciseAmountCents: dec(String(row.amountCents)) },
  feesAmountCents: row.feesAmountCents,
});

const thresholdOf = ({ usageThreshold, lifetimeUsageAmountCents }: InvoiceRow['appliedUsageThresholds'][number]) => ({
  ...{ id: usageThreshold.id, amountCents: usageThreshold.amountCents, recurring: usageThreshold.recurring },
  lifetimeUsageCents: lifetimeUsageAmountCents,
});

/**
 * What a draft is computed from again: the subscriptions that a billing run was for. Invoices of single fees say none, and neither does
 * that of a trial's end, which starts nothing on its day and bills the plan alone, or one that was made anew of the fees of a voided one.
 */
function recipeOf(row: InvoiceRow, zone: string): MadeInvoice['recipe'] {
  const { invoiceType, billingPeriods, createdAt, voidedInvoiceId } = row;
  const dayOf = (moment: Date) => formatDate(localDate(moment.getTime(), zone));
  const isOfRun = ({ invoicingReason, subscription: { startedAt } }: InvoiceRow['billingPeriods'][number]) =>
    invoicingReason === 'subscription_starting'
      ? startedAt !== null && dayOf(startedAt) === dayOf(createdAt)
      : invoicingReason.startsWith('subscription_');
  if (invoiceType !== 'subscription' || voidedInvoiceId !== null || !billingPeriods.every(isOfRun)) return [];
  return billingPeriods.map(({ subscriptionId, invoicingReason: reason }) => ({ subscriptionId, reason }));
}

/** A stored invoice as it was made. What it used is stored as it stands now: how is not told here. `zone`: of its customer now. */
export function madeInvoice(row: InvoiceRow, zone: string): MadeInvoice {
  const { netPaymentTerm, currency, selfBilled, sequentialId, billingEntitySequentialId } = row;
  const { taxesRate } = inRange('invoice', row, ['taxesRate']);
  return {
    ...pastInvoice(row, zone),
    ...{ currency, selfBilled, netPaymentTerm, sequentialId, billingEntitySequentialId },
    paymentStatus: row.paymentStatus === 'succeeded' ? 'succeeded' : 'pending',
    taxStatus: row.taxStatus === 'pending' ? 'pending' : 'succeeded',
    expectedFinalizationDate: dateOf(row.expectedFinalizationDate ?? row.issuingDate),
    paymentDueDate: dateOf(row.paymentDueDate ?? row.issuingDate),
    billingEntityCode: row.billingEntity.code,
    appliedThresholds: row.appliedUsageThresholds.map(thresholdOf),
    progressiveBillingCreditAmountCents: row.progressiveBillingCreditAmountCents,
    taxesRate: dec(taxesRate),
    creditNotesAmountCents: row.creditNotesAmountCents,
    prepaidCreditAmountCents: row.prepaidCreditAmountCents,
    prepaidGrantedCreditAmountCents: row.prepaidGrantedCreditAmountCents,
    prepaidPurchasedCreditAmountCents: row.prepaidPurchasedCreditAmountCents,
    totalAmountCents: row.totalAmountCents,
    credits: row.credits.map(creditLine),
    appliedTaxes: row.appliedTaxes.map(taxLine),
    walletUses: row.walletTransactions.map(({ walletId, amount, creditAmount }) => ({
      ...{ walletId, amountCents: toCents(dec(amount), currency), creditAmount: dec(creditAmount) },
    })),
    ...{ coupons: [], creditNotes: [], wallets: [], excessCredits: [] },
    recipe: recipeOf(row, zoneOfInvoice(row, zone)),
  };
}

/** A stored fee that is on no invoice. */
export const looseFee = (row: FeeRow, zone: string): LooseFee => ({
  ...{ id: row.id, fee: storedFee(row, zone), invoiceId: null },
  paidAt: row.paymentStatus === 'succeeded' ? (row.succeededAt ?? row.createdAt).getTime() : null,
});
