import type { AppliedCouponInput, CreditNoteInput, WalletInput } from './credit-input.ts';
import type { Decimal } from './decimal.ts';
import type { DraftFee, EpochMs } from './fee-type.ts';
import type {
  BillingEntityInput,
  CustomerInput,
  SubscriptionEvent,
  SubscriptionInput,
  TaxInput,
  UsageThresholdInput,
} from './invoice-input.ts';

export type InvoicingReason =
  | 'subscription_starting'
  | 'subscription_periodic'
  | 'subscription_terminating'
  | 'in_advance_charge'
  | 'in_advance_charge_periodic'
  | 'progressive_billing';
export type InvoiceType = 'subscription' | 'progressive_billing' | 'advance_charges' | 'one_off' | 'add_on' | 'credit';
export type InvoiceStatus = 'draft' | 'finalized' | 'closed' | 'voided';

/** One tax line. `amountCents` is rounded for display only: totals are rounded from the unrounded taxes. */
export interface AppliedTax {
  readonly taxId: string | null;
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
  readonly rate: Decimal;
  readonly amountCents: bigint;
  readonly preciseAmountCents: Decimal;
  /** Invoice lines only: what was taxed, cut to an integer. On a fee: its rounded net. */
  readonly feesAmountCents: bigint;
}

/** What a fee bills, as it was when the fee was made. */
export interface FeeItem {
  readonly type: DraftFee['type'];
  readonly itemType: 'Subscription' | 'BillableMetric' | 'AddOn' | 'WalletTransaction';
  readonly itemId: string | null;
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
  readonly invoiceDisplayName: string;
  readonly filterInvoiceDisplayName: string | null;
  readonly filters: Readonly<Record<string, readonly string[]>> | null;
}

export interface InvoiceFee extends DraftFee {
  readonly subscriptionId: string | null;
  readonly planId: string | null;
  readonly parentPlanId: string | null;
  readonly metricId: string | null;
  readonly addOnId: string | null;
  readonly item: FeeItem;
  /** The taxes that apply, already chosen (section 11): never merged from several levels. */
  readonly taxes: readonly TaxInput[];
  /** Plan amount of the moment, on subscription fees: credit notes use it. */
  readonly planAmountCents: bigint | null;
  readonly targetWalletCode: string | null;
  readonly preciseCouponsAmountCents: Decimal;
  readonly preciseCreditNotesAmountCents: Decimal;
  readonly taxesAmountCents: bigint;
  readonly taxesPreciseAmountCents: Decimal;
  readonly taxesRate: Decimal;
  readonly appliedTaxes: readonly AppliedTax[];
}

export interface CreditLine {
  readonly type: 'coupon' | 'credit_note' | 'invoice';
  readonly sourceId: string | null;
  readonly itemId: string | null;
  readonly code: string;
  readonly name: string;
  readonly amountCents: bigint;
  readonly currency: string;
  readonly beforeTaxes: boolean;
}

/** Bounds are inclusive; a null bound: that part is not billed on this invoice. */
export interface BillingPeriod {
  readonly subscriptionId: string;
  readonly planId: string;
  readonly reason: InvoicingReason;
  readonly billedAt: EpochMs;
  readonly from: EpochMs | null;
  readonly to: EpochMs | null;
  readonly chargesFrom: EpochMs | null;
  readonly chargesTo: EpochMs | null;
  readonly fixedChargesFrom: EpochMs | null;
  readonly fixedChargesTo: EpochMs | null;
}

export interface InvoiceTotals {
  readonly feesAmountCents: bigint;
  readonly progressiveBillingCreditAmountCents: bigint;
  readonly couponsAmountCents: bigint;
  readonly subTotalExcludingTaxesAmountCents: bigint;
  readonly taxesAmountCents: bigint;
  readonly taxesRate: Decimal;
  readonly subTotalIncludingTaxesAmountCents: bigint;
  readonly creditNotesAmountCents: bigint;
  readonly prepaidCreditAmountCents: bigint;
  /** Null: not known, because some wallet of the customer is not traceable, or nothing of the kind was used. */
  readonly prepaidGrantedCreditAmountCents: bigint | null;
  readonly prepaidPurchasedCreditAmountCents: bigint | null;
  readonly totalAmountCents: bigint;
}

/** What must be made besides the invoice when a progressive credit exceeds the fees it may reduce. */
export interface ExcessCredit {
  readonly invoiceId: string;
  readonly amountCents: bigint;
}

export interface WalletUse {
  readonly walletId: string;
  readonly amountCents: bigint;
  readonly creditAmount: Decimal;
}

/** An invoice while its steps run: every step returns the next one and changes nothing. */
export interface DraftInvoice extends InvoiceTotals {
  readonly currency: string;
  readonly fees: readonly InvoiceFee[];
  readonly credits: readonly CreditLine[];
  readonly appliedTaxes: readonly AppliedTax[];
  /** State after this invoice. */
  readonly coupons: readonly AppliedCouponInput[];
  readonly creditNotes: readonly CreditNoteInput[];
  readonly wallets: readonly WalletInput[];
  readonly walletUses: readonly WalletUse[];
  readonly excessCredits: readonly ExcessCredit[];
}

/** A threshold that a progressive invoice is for, and the lifetime usage that crossed it. */
export type AppliedThreshold = UsageThresholdInput & {
  readonly lifetimeUsageCents: bigint;
};

export interface InvoiceResult extends DraftInvoice {
  readonly type: InvoiceType;
  readonly status: InvoiceStatus;
  readonly paymentStatus: 'pending' | 'succeeded';
  readonly billedAt: EpochMs;
  /** Local dates, YYYY-MM-DD. */
  readonly issuingDate: string;
  readonly expectedFinalizationDate: string;
  readonly paymentDueDate: string;
  readonly netPaymentTerm: number;
  readonly billingEntityCode: string;
  readonly zone: string;
  readonly billingPeriods: readonly BillingPeriod[];
  readonly appliedThresholds: readonly AppliedThreshold[];
  readonly selfBilled: boolean;
}

/** An issued invoice as later ones need it. */
export interface PastInvoice {
  readonly id: string;
  readonly number: string;
  readonly type: InvoiceType;
  readonly status: InvoiceStatus;
  readonly billedAt: EpochMs;
  readonly issuingDate: string;
  /** Time zone of its periods. */
  readonly zone: string;
  readonly billingPeriods: readonly BillingPeriod[];
  readonly fees: readonly InvoiceFee[];
  readonly feesAmountCents: bigint;
  readonly couponsAmountCents: bigint;
  readonly subTotalIncludingTaxesAmountCents: bigint;
  readonly totalPaidAmountCents: bigint;
  readonly appliedThresholds?: readonly AppliedThreshold[];
  /** Progressive invoices: what later invoices have credited of it, and the credit notes made on it, net of taxes. */
  readonly alreadyCreditedCents?: bigint;
  readonly creditNotesMadeCents?: bigint;
  /** Taxes of the credit notes made on it, as they show. */
  readonly creditNoteTaxesMadeCents?: bigint;
  /** Items of credit notes made on its fees. */
  readonly creditedItems?: readonly {
    readonly feeKey: string;
    readonly preciseAmountCents: Decimal;
  }[];
}

/** Everything that is known of the customer when an invoice is made. */
export interface CustomerAccount {
  readonly customer: CustomerInput;
  readonly billingEntity: BillingEntityInput;
  /** All subscriptions that matter, with predecessors and successors of the billed ones. */
  readonly subscriptions: readonly SubscriptionInput[];
  readonly events: readonly SubscriptionEvent[];
  readonly pastInvoices: readonly PastInvoice[];
  readonly coupons: readonly AppliedCouponInput[];
  readonly creditNotes: readonly CreditNoteInput[];
  readonly wallets: readonly WalletInput[];
  /** An outside tax service: its rate for every fee, or `error`. Null: the taxes of section 11. */
  readonly taxProvider?: { readonly rate: Decimal } | 'error' | null;
}
