import type { AppliedTax, InvoiceFee } from '../fee/invoice-fee.ts';
import type { Decimal } from '../money/decimal.ts';
import type { AppliedCouponInput, CreditNoteInput, WalletInput } from './credit-input.ts';

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

/** Is told of each coupon, and each progressive invoice, what an invoice was before and after it. */
export type CreditTrace = (
  credit: Pick<CreditLine, 'type' | 'code' | 'name'>,
  before: DraftInvoice,
  after: DraftInvoice,
) => void;

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
