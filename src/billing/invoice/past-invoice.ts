import type { InvoiceFee } from '../fee/invoice-fee.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import type { AppliedThreshold, BillingPeriod, InvoiceStatus, InvoiceType } from './issued-invoice.ts';

/** What a credit note gives back of a fee, without taxes. */
export interface CreditItem {
  readonly feeKey: string;
  readonly preciseAmountCents: Decimal;
}

/** An issued invoice as later ones need it. */
export interface PastInvoice {
  readonly id: string;
  readonly number: string;
  /** Of one that was made anew: the voided one that it stands for. */
  readonly voidedInvoiceId?: string | null;
  readonly type: InvoiceType;
  readonly status: InvoiceStatus;
  readonly billedAt: Instant;
  readonly issuingDate: string;
  /** Time zone of its periods. */
  readonly zone: string;
  readonly billingPeriods: readonly BillingPeriod[];
  readonly fees: readonly InvoiceFee[];
  readonly feesAmountCents: bigint;
  readonly couponsAmountCents: bigint;
  readonly currency: string;
  readonly taxesAmountCents: bigint;
  readonly subTotalExcludingTaxesAmountCents: bigint;
  readonly subTotalIncludingTaxesAmountCents: bigint;
  readonly totalPaidAmountCents: bigint;
  /** After what credit notes and wallets paid of it. */
  readonly totalAmountCents?: bigint;
  readonly paymentStatus?: string;
  /** Progressive invoices: the lifetime usage at which each of their thresholds fired. */
  readonly appliedThresholds?: readonly Pick<AppliedThreshold, 'lifetimeUsageCents'>[];
  /** Progressive invoices: what later invoices have credited of it, and the credit notes made on it, net of taxes. */
  readonly alreadyCreditedCents?: bigint;
  readonly creditNotesMadeCents?: bigint;
  /** Rank of the last credit note made on it. */
  readonly creditNoteRank?: number;
  /** Taxes of the credit notes made on it, as they show. */
  readonly creditNoteTaxesMadeCents?: bigint;
  /** Items of credit notes made on its fees. */
  readonly creditedItems?: readonly CreditItem[];
  /** What credit notes on it give back in money. */
  readonly refundedCents?: bigint;
  /** What final credit notes on it take off what is due. */
  readonly offsetCents?: bigint;
}

/** What is still to be paid of an invoice; null where that is not known: it is not final yet, or its total is not told. Source: engine-money 2.18. */
export function dueOf(
  invoice: Pick<PastInvoice, 'status' | 'paymentStatus' | 'totalAmountCents' | 'totalPaidAmountCents' | 'offsetCents'>,
): bigint | null {
  const { status, paymentStatus, totalAmountCents, totalPaidAmountCents, offsetCents = 0n } = invoice;
  if (status !== 'finalized' || totalAmountCents === undefined) return null;
  if (paymentStatus === 'succeeded') return 0n;
  const due = totalAmountCents - totalPaidAmountCents - offsetCents;
  return due > 0n ? due : 0n;
}
