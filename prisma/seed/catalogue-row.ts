import type { ChargeProperties, PriceModel } from '../../src/billing/catalogue/charge-type.ts';
import type { Interval } from '../../src/billing/period/terms.ts';

/** Rows of an import document, as far as the demo writes or reads them; the importer checks the rest. */
export interface Row {
  svc_id: string;
  created_at: string;
  [member: string]: unknown;
}

export interface Coded {
  readonly code: string;
}

export interface TaxRow extends Row {
  code: string;
  name: string;
  description?: string;
  rate: number;
}

export interface MetricRow extends Row {
  code: string;
  name: string;
  description?: string;
  aggregation_type: string;
  field_name?: string;
  recurring?: boolean;
  rounding_function?: 'round' | 'ceil' | 'floor';
  rounding_precision?: number;
  filters?: { svc_id: string; key: string; values: string[]; created_at: string }[];
}

export interface AddOnRow extends Row {
  code: string;
  name: string;
  description?: string;
  invoice_display_name?: string;
}

export interface FilterRow extends Row {
  values: Record<string, string[]>;
  properties: ChargeProperties;
  invoice_display_name?: string;
}

export interface ChargeRow extends Row {
  code: string;
  billable_metric_code: string;
  charge_model: PriceModel;
  properties: ChargeProperties;
  invoice_display_name?: string;
  pay_in_advance?: boolean;
  prorated?: boolean;
  accepts_target_wallet?: boolean;
  invoiceable?: boolean;
  min_amount_cents?: number;
  applied_pricing_unit?: { code: string; conversion_rate: string };
  tax_codes?: string[];
  filters?: FilterRow[];
}

export interface FixedChargeRow extends Row {
  code: string;
  add_on_code: string;
  charge_model: 'standard' | 'graduated' | 'volume';
  units: number;
  properties: ChargeProperties;
  invoice_display_name?: string;
  pay_in_advance?: boolean;
  prorated?: boolean;
}

export interface PlanRow extends Row {
  code: string;
  name: string;
  description?: string;
  interval: Interval;
  amount_cents: number;
  amount_currency: string;
  pay_in_advance?: boolean;
  trial_period?: number;
  bill_charges_monthly?: boolean;
  bill_fixed_charges_monthly?: boolean;
  tax_codes?: string[];
  charges: ChargeRow[];
  fixed_charges?: FixedChargeRow[];
  minimum_commitment?: { svc_id: string; amount_cents: number; invoice_display_name?: string; created_at: string };
  usage_thresholds?: (Row & { amount_cents: number; recurring: boolean; threshold_display_name?: string })[];
  svc_parent_id?: string;
}

export interface EntityRow extends Row {
  code: string;
  name: string;
  country: string;
  default_currency: string;
  timezone: string;
  document_number_prefix: string;
  document_numbering?: 'per_customer' | 'per_billing_entity';
  invoice_grace_period?: number;
  net_payment_term?: number;
  tax_codes?: string[];
  invoice_custom_section_codes?: string[];
  payment_iban?: string;
  payment_bic?: string;
  payment_account_holder?: string;
  payment_bank_name?: string;
  payment_url?: string;
}

export interface CouponRow extends Row {
  code: string;
  name: string;
  coupon_type: 'fixed_amount' | 'percentage';
  amount_cents?: number;
  amount_currency?: string;
  percentage_rate?: string;
  frequency: 'once' | 'recurring' | 'forever';
  frequency_duration?: number;
  plan_codes?: string[];
  billable_metric_codes?: string[];
}
