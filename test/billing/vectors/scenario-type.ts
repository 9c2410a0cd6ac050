import type { ChargeProperties, PriceModel } from '../../../src/billing/catalogue/charge-type.ts';
import type { AggregationType } from '../../../src/billing/catalogue/metric.ts';
import type { DateAdjustment, DateAnchor } from '../../../src/billing/customer/customer.ts';
import type { SubscriptionInput, TerminationCredit } from '../../../src/billing/customer/subscription.ts';
import type { BillingTime, Interval } from '../../../src/billing/period/terms.ts';

/** Amounts as the file writes them: JSON numbers, or text where a float would lose digits. */
export type Amount = number | string;

export interface TaxJson {
  code: string;
  rate: Amount;
}

interface SettingsJson {
  timezone?: string | null;
  invoice_grace_period?: number | null;
  net_payment_term?: number | null;
  subscription_invoice_issuing_date_anchor?: DateAnchor | null;
  subscription_invoice_issuing_date_adjustment?: DateAdjustment | null;
  tax_codes?: string[];
}

export interface EntityJson extends SettingsJson {
  code: string;
  finalize_zero_amount_invoice?: boolean;
  document_numbering?: 'per_customer' | 'per_billing_entity';
  document_number_prefix?: string;
}

export interface CustomerJson extends SettingsJson {
  persisted?: boolean;
  external_id?: string;
  name?: string | null;
  currency?: string | null;
  finalize_zero_amount_invoice?: 'inherit' | 'finalize' | 'skip';
}

export interface ChargeJson {
  code: string;
  metric: string;
  aggregation: AggregationType;
  recurring?: boolean;
  field_name?: string;
  charge_model?: PriceModel;
  properties: ChargeProperties;
  pay_in_advance?: boolean;
  invoiceable?: boolean;
  prorated?: boolean;
  min_amount_cents?: Amount;
  tax_codes?: string[];
  filters?: { values: Record<string, string[]>; properties: ChargeProperties; invoice_display_name?: string }[];
}

export interface FixedChargeJson {
  code: string;
  charge_model?: 'standard' | 'graduated' | 'volume';
  units: Amount;
  properties: ChargeProperties;
  pay_in_advance?: boolean;
  prorated?: boolean;
  tax_codes?: string[];
  add_on?: string;
}

export interface PlanJson {
  code: string;
  name?: string;
  interval?: Interval;
  amount_cents: Amount;
  amount_currency?: string;
  pay_in_advance?: boolean;
  trial_period?: Amount;
  bill_charges_monthly?: boolean;
  bill_fixed_charges_monthly?: boolean;
  tax_codes?: string[];
  minimum_commitment?: { amount_cents: Amount; tax_codes?: string[] } | null;
  charges?: ChargeJson[];
  fixed_charges?: FixedChargeJson[];
  usage_thresholds?: { amount_cents: Amount; recurring: boolean }[];
}

export interface SubscriptionJson {
  id: string;
  external_id?: string;
  name?: string | null;
  plan: string;
  persisted?: boolean;
  status?: SubscriptionInput['status'];
  subscription_at: string;
  started_at?: string | null;
  created_at?: string;
  ending_at?: string | null;
  terminated_at?: string | null;
  billing_time?: BillingTime;
  next?: string | { amount_cents: Amount; interval: Interval; pay_in_advance?: boolean } | null;
  previous?: string | { upgraded: boolean; started_at?: string } | null;
  billing_entity?: string | null;
  on_termination_credit_note?: TerminationCredit;
}

export interface CouponJson {
  code: string;
  name?: string;
  coupon_type?: 'fixed_amount' | 'percentage';
  amount_cents?: Amount | null;
  amount_currency?: string | null;
  percentage_rate?: Amount | null;
  frequency?: 'once' | 'recurring' | 'forever';
  frequency_duration?: number | null;
  frequency_duration_remaining?: number | null;
  already_credited_cents?: Amount;
  limited_plans?: string[];
  limited_billable_metrics?: string[];
}

export interface CreditNoteJson {
  code: string;
  currency: string;
  balance_amount_cents: Amount;
  status: 'draft' | 'finalized';
}

export interface WalletJson {
  code: string;
  priority?: number;
  rate_amount?: Amount;
  currency?: string;
  balance_cents: Amount;
  traceable?: boolean;
  status?: 'active' | 'terminated';
  allowed_fee_types?: string[];
  billable_metrics?: string[];
  created_order?: number;
  inbound?: { kind: 'granted' | 'purchased'; remaining_cents: Amount; priority?: number }[];
}

export interface FeeJson {
  type: 'subscription' | 'charge' | 'fixed_charge' | 'add_on' | 'commitment';
  subscription?: string | null;
  plan?: string | null;
  metric?: string | null;
  charge?: string | null;
  filter?: string | null;
  grouped_by?: Record<string, string | null>;
  target_wallet?: string | null;
  amount_cents: Amount;
  precise_amount_cents?: Amount;
  precise_coupons_amount_cents?: Amount;
  taxes_precise_amount_cents?: Amount;
  explicit_tax_codes?: string[];
  own_tax_codes?: string[];
}

export interface EventJson {
  subscription: string;
  metric: string;
  timestamp: string;
  properties: Record<string, unknown>;
}

export interface PastInvoiceJson {
  subscription: string;
  billed_at?: string;
  invoicing_reason: 'subscription_starting' | 'subscription_periodic' | 'subscription_terminating';
  subscription_fee_cents?: Amount;
}

export interface ProgressiveJson {
  fees_amount_cents: Amount;
  coupons_amount_cents: Amount;
  already_credited_cents: Amount;
  credit_notes_cents: Amount;
  fees: { charge: string; amount_cents: Amount }[];
}

export interface SetupJson {
  timezone?: string;
  organization?: { licence?: string; features?: string[]; default_billing_entity?: string } | null;
  billing_entity?: EntityJson;
  other_billing_entity?: EntityJson;
  customer?: CustomerJson | null;
  taxes?: TaxJson[];
  plan?: PlanJson;
  plans?: PlanJson[];
  subscription?: SubscriptionJson;
  subscriptions?: SubscriptionJson[];
  coupons?: CouponJson[];
  organization_coupons?: CouponJson[];
  wallets?: WalletJson[];
  credit_notes?: CreditNoteJson[];
  events?: EventJson[];
  fees?: FeeJson[];
  invoice_history?: PastInvoiceJson[];
  progressive_invoices?: ProgressiveJson[];
  tax_provider?: { result: 'rate'; rate: Amount } | { result: 'error' };
  invoice_total_cents?: Amount;
  invoice_sub_total_cents?: Amount;
  invoice_currency?: string;
  coupons_amount_cents?: Amount;
}

export interface ScenarioJson {
  id: string;
  topic: string;
  description: string;
  setup: SetupJson & Record<string, unknown>;
  action: { type: string; what?: string } & Record<string, unknown>;
  expected: Record<string, unknown>;
  not_machine_checked?: boolean;
}
