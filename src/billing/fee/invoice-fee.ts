import type { TaxInput } from '../catalogue/tax.ts';
import type { Decimal } from '../money/decimal.ts';
import type { DraftFee } from './draft-fee.ts';

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
  /** `key` of the fee of a voided invoice that this one replaces. */
  readonly originalFeeKey?: string | null;
  readonly subscriptionId: string | null;
  readonly planId: string | null;
  readonly parentPlanId: string | null;
  readonly metricId: string | null;
  readonly addOnId: string | null;
  readonly item: FeeItem;
  /** What was said of an add-on as it was sold, else what the catalogue says of it; null for every other fee. */
  readonly description: string | null;
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
