import type { PlanInput } from '../catalogue/plan.ts';
import type { SubscriptionInput } from '../customer/subscription.ts';
import type { AppliedCouponInput } from '../invoice/credit-input.ts';
import type { InvoiceResult } from '../invoice/issued-invoice.ts';
import type { Decimal } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import type { SupposedUsage } from './supposed-usage.ts';

/** What a preview is asked for, as the request states it: texts are not parsed yet, absent members are undefined. */
export interface PreviewRequest {
  readonly planCode?: string | null;
  readonly billingTime?: string | null;
  readonly subscriptionAt?: string | null;
  readonly subscriptions?: {
    readonly externalIds?: readonly string[] | null;
    readonly planCode?: string | null;
    readonly terminatedAt?: string | null;
  } | null;
  /** Usage on top of what is stored, of the first subscription: what would the period cost. */
  readonly usage?: readonly SupposedUsage[] | null;
}

/** What the request can refer to; loaded before, so that choosing is pure. */
export interface PreviewCatalogue {
  readonly customer: { readonly stored: boolean } | null;
  /** Parent plans that the request names. */
  readonly plans: readonly PlanInput[];
  /** Of the customer: those with the external ids of the request, with their predecessors and successors. */
  readonly subscriptions: readonly SubscriptionInput[];
  /** Set when another entity than the customer's is asked for. */
  readonly billingEntityCode?: string | null;
}

export type PreviewMode = 'proposal' | 'projection' | 'termination' | 'plan_change';

export interface PreviewSelection {
  readonly mode: PreviewMode;
  /** As they will stand when the invoice is issued. Those made up have `stored: false`. */
  readonly subscriptions: readonly SubscriptionInput[];
  /** Links of the billed ones that are not billed themselves. */
  readonly linked: readonly SubscriptionInput[];
}

/** A coupon of the request: by the code of one that exists, or described. */
export interface RequestedCoupon {
  readonly code?: string | null;
  readonly name?: string | null;
  readonly type?: AppliedCouponInput['type'] | null;
  readonly amountCents?: bigint | null;
  readonly currency?: string | null;
  readonly rate?: Decimal | null;
  readonly frequency?: AppliedCouponInput['frequency'] | null;
  /** Without effect on a preview. */
  readonly periods?: number | null;
  readonly periodsRemaining?: number | null;
}

/** A subscription as a preview shows it, with the period that runs at the moment or begins with it. */
export interface PreviewedSubscription {
  readonly subscription: SubscriptionInput;
  readonly currentPeriodFrom: Instant | null;
  readonly currentPeriodTo: Instant | null;
}

export interface Preview extends InvoiceResult {
  readonly mode: PreviewMode;
  readonly subscriptions: readonly PreviewedSubscription[];
}
