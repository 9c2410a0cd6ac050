import type { InvoiceStatus, InvoiceType, InvoicingReason } from '../../src/billing/invoice/issued-invoice.ts';
import type { BillingTime } from '../../src/billing/period/terms.ts';
import type { AddOnRow, Coded, CouponRow, EntityRow, MetricRow, PlanRow, Row, TaxRow } from './catalogue-row.ts';

export type * from './catalogue-row.ts';

export interface CustomerRow extends Row {
  external_id: string;
  name: string;
  email: string;
  currency: string;
  billing_entity_code: string;
  sequential_id: number;
  timezone?: string;
  net_payment_term?: number;
  account_type?: 'customer' | 'partner';
  finalize_zero_amount_invoice?: 'inherit' | 'finalize' | 'skip';
  billing_configuration?: { invoice_grace_period?: number; document_locale?: string; payment_provider?: string };
  tax_codes?: string[];
}

export interface SubscriptionRow extends Row {
  external_id: string;
  external_customer_id: string;
  plan_code: string;
  status: 'pending' | 'incomplete' | 'active' | 'terminated' | 'canceled';
  billing_time: BillingTime;
  subscription_at: string;
  name?: string;
  started_at?: string;
  ending_at?: string;
  terminated_at?: string;
  canceled_at?: string;
  on_termination_credit_note?: 'credit' | 'refund' | 'offset' | 'skip';
  svc_previous_subscription_id?: string;
  plan_overrides?: PlanRow;
  fixed_charge_units_events?: { fixed_charge_code: string; units: string; effective_at: string; created_at: string }[];
}

export interface AppliedCouponRow extends Row {
  coupon_code: string;
  external_customer_id: string;
  frequency_duration_remaining?: number;
  status?: 'active' | 'terminated';
}

export interface TransactionRow extends Row {
  transaction_type: 'inbound' | 'outbound';
  status: 'settled' | 'pending' | 'failed';
  transaction_status: 'purchased' | 'granted' | 'voided' | 'invoiced';
  amount: string;
  credit_amount: string;
  remaining_amount_cents?: number;
  settled_at?: string;
  svc_invoice_id?: string;
}

export interface WalletRow extends Row {
  code: string;
  external_customer_id: string;
  currency: string;
  rate_amount: string;
  priority: number;
  balance_cents?: number;
  terminated_at?: string;
  applies_to?: { fee_types?: string[]; billable_metric_codes?: string[] };
  wallet_transactions: TransactionRow[];
}

export interface EventRow {
  transaction_id: string;
  external_subscription_id: string;
  code: string;
  timestamp: string;
  created_at: string;
  properties: Record<string, unknown>;
  precise_total_amount_cents?: string;
}

export interface TaxLineRow {
  tax_code: string;
  [member: string]: unknown;
}

export interface FeeRow {
  svc_id: string;
  amount_cents: number;
  taxes_amount_cents: number;
  units: string;
  precise_unit_amount: string;
  item: { type: string; [member: string]: unknown };
  add_on_code?: string;
  payment_status?: string;
  applied_taxes?: TaxLineRow[];
  [member: string]: unknown;
}

export interface PeriodRow {
  svc_subscription_id: string;
  subscription_from_datetime: string;
  subscription_to_datetime: string;
  invoicing_reason: InvoicingReason;
  [member: string]: unknown;
}

export interface InvoiceRow extends Row {
  number: string;
  external_customer_id: string;
  currency: string;
  invoice_type: InvoiceType;
  status: InvoiceStatus | 'failed' | 'pending' | 'open' | 'generating';
  total_amount_cents: number;
  total_paid_amount_cents: number;
  payment_status?: 'pending' | 'succeeded' | 'failed';
  payment_due_date: string;
  issuing_date: string;
  finalized_at?: string;
  voided_at?: string;
  fees: FeeRow[];
  credits?: Record<string, unknown>[];
  billing_periods?: PeriodRow[];
  applied_taxes?: TaxLineRow[];
}

export interface PaymentRow extends Row {
  svc_invoice_id: string;
  amount_cents: number;
  status: 'succeeded' | 'failed' | 'pending' | 'processing';
}

/** What the demo says of one organization. */
export interface Section {
  organization: { svc_id: string; name: string; created_at: string };
  taxes: TaxRow[];
  invoice_custom_sections: (Row & Coded)[];
  billing_entities: EntityRow[];
  billable_metrics: MetricRow[];
  add_ons: AddOnRow[];
  pricing_units: (Row & { code: string; short_name: string })[];
  plans: PlanRow[];
  customers: CustomerRow[];
  payment_methods: Row[];
  subscriptions: SubscriptionRow[];
  coupons: CouponRow[];
  applied_coupons: AppliedCouponRow[];
  wallets: WalletRow[];
  invoices: InvoiceRow[];
  fees: FeeRow[];
  credit_notes: Row[];
  payment_requests: Row[];
  payments: PaymentRow[];
  events: EventRow[];
}

/** A moment as the document writes it: without a fraction that says nothing. */
export const timeText = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');
