import type { Decimal } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';

export interface AppliedCouponInput {
  readonly id: string;
  readonly couponId: string | null;
  readonly code: string;
  readonly name: string;
  readonly type: 'fixed_amount' | 'percentage';
  readonly amountCents: bigint | null;
  readonly currency: string | null;
  readonly rate: Decimal | null;
  readonly frequency: 'once' | 'recurring' | 'forever';
  readonly periodsRemaining: number | null;
  /** Credited by this application on earlier invoices. */
  readonly usedCents: bigint;
  readonly planIds: readonly string[];
  readonly metricIds: readonly string[];
  readonly status: 'active' | 'terminated';
  readonly createdAt: Instant;
}

export interface CreditNoteInput {
  readonly id: string;
  readonly number: string;
  /** Number of the invoice it was made for: the name of its credit line. */
  readonly invoiceNumber: string;
  readonly invoiceId: string | null;
  readonly currency: string;
  readonly balanceCents: bigint;
  readonly status: 'draft' | 'finalized';
  readonly creditStatus: 'available' | 'consumed' | 'voided';
  readonly createdAt: Instant;
}

/** Credits that came in and are not used up yet. */
export interface WalletInbound {
  readonly id: string;
  readonly kind: 'granted' | 'purchased';
  readonly remainingCents: bigint;
  readonly priority: number;
  readonly createdAt: Instant;
}

export interface WalletInput {
  readonly id: string;
  readonly code: string | null;
  readonly name?: string | null;
  readonly status: 'active' | 'terminated';
  readonly priority: number;
  /** What one credit is worth, in currency units. */
  readonly rateAmount: Decimal;
  readonly currency: string;
  readonly balanceCents: bigint;
  readonly traceable: boolean;
  readonly feeTypes: readonly string[];
  readonly metricIds: readonly string[];
  readonly createdAt: Instant;
  readonly inbound: readonly WalletInbound[];
}
