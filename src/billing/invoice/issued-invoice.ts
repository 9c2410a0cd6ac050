import type { UsageThresholdInput } from '../catalogue/plan.ts';
import type { Instant } from '../period/calendar.ts';
import type { DraftInvoice } from './draft-invoice.ts';

export type InvoicingReason =
  | 'subscription_starting'
  | 'subscription_periodic'
  | 'subscription_terminating'
  | 'in_advance_charge'
  | 'in_advance_charge_periodic'
  | 'progressive_billing';

export type InvoiceType = 'subscription' | 'progressive_billing' | 'advance_charges' | 'one_off' | 'add_on' | 'credit';

/** `open`: it is final once it is paid, and nothing if not. `pending`: it would be final, but its taxes wait until it is known what VAT the customer pays. */
export type InvoiceStatus = 'draft' | 'open' | 'pending' | 'finalized' | 'closed' | 'voided';

/** `pending`: without taxes, until the check of the customer's VAT number is answered. */
export type TaxStatus = 'pending' | 'succeeded';

/** Bounds are inclusive; a null bound: that part is not billed on this invoice. */
export interface BillingPeriod {
  readonly subscriptionId: string;
  readonly planId: string;
  readonly reason: InvoicingReason;
  readonly billedAt: Instant;
  readonly from: Instant | null;
  readonly to: Instant | null;
  readonly chargesFrom: Instant | null;
  readonly chargesTo: Instant | null;
  readonly fixedChargesFrom: Instant | null;
  readonly fixedChargesTo: Instant | null;
}

/** A threshold that a progressive invoice is for, and the lifetime usage that crossed it. */
export type AppliedThreshold = UsageThresholdInput & {
  readonly lifetimeUsageCents: bigint;
};

export interface InvoiceResult extends DraftInvoice {
  readonly type: InvoiceType;
  readonly status: InvoiceStatus;
  readonly paymentStatus: 'pending' | 'succeeded';
  readonly taxStatus: TaxStatus;
  readonly billedAt: Instant;
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
