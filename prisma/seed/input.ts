import type { AppliedCouponInput, WalletInput } from '../../src/billing/credit-input.ts';
import { dec } from '../../src/billing/decimal.ts';
import type { AggregationType } from '../../src/billing/fee-type.ts';
import type {
  BillingEntityInput,
  CustomerInput,
  PlanChargeInput,
  PlanFixedChargeInput,
  PlanInput,
  TaxInput,
} from '../../src/billing/invoice-input.ts';
import type {
  AppliedCouponRow,
  ChargeRow,
  CustomerRow,
  EntityRow,
  FixedChargeRow,
  PlanRow,
  Section,
  WalletRow,
} from './document.ts';

/** The row of that code. Throws when the document has none. */
export function byCode<T extends { readonly code: string }>(rows: readonly T[], code: string): T {
  const row = rows.find((candidate) => candidate.code === code);
  if (!row) throw new Error(`the document has no ${code}`);
  return row;
}

export function taxInputs(section: Section, codes: readonly string[] | undefined): TaxInput[] {
  return (codes ?? []).map((code) => {
    const { svc_id: id, name, description = null, rate } = byCode(section.taxes, code);
    return { id, code, name, description, rate: dec(rate) };
  });
}

function chargeInput(section: Section, row: ChargeRow): PlanChargeInput {
  const metric = byCode(section.billable_metrics, row.billable_metric_code);
  const unit = row.applied_pricing_unit;
  return {
    id: row.svc_id,
    code: row.code,
    model: row.charge_model,
    properties: row.properties,
    invoiceDisplayName: row.invoice_display_name ?? null,
    payInAdvance: row.pay_in_advance ?? false,
    prorated: row.prorated ?? false,
    invoiceable: row.invoiceable ?? true,
    minAmountCents: BigInt(row.min_amount_cents ?? 0),
    pricingUnit: unit
      ? {
          code: unit.code,
          shortName: byCode(section.pricing_units, unit.code).short_name,
          conversionRate: dec(unit.conversion_rate),
        }
      : null,
    taxes: taxInputs(section, row.tax_codes),
    filters: (row.filters ?? []).map((filter) => ({
      id: filter.svc_id,
      values: filter.values,
      properties: filter.properties,
      invoiceDisplayName: filter.invoice_display_name ?? null,
    })),
    metric: {
      id: metric.svc_id,
      code: metric.code,
      name: metric.name,
      description: metric.description ?? null,
      aggregation: metric.aggregation_type.replace(/_agg$/, '') as AggregationType,
      fieldName: metric.field_name ?? null,
      recurring: metric.recurring ?? false,
      rounding: metric.rounding_function
        ? { function: metric.rounding_function, precision: metric.rounding_precision ?? null }
        : null,
      filters: (metric.filters ?? []).map(({ key, values }) => ({ key, values })),
    },
  };
}

function fixedChargeInput(section: Section, row: FixedChargeRow): PlanFixedChargeInput {
  const addOn = byCode(section.add_ons, row.add_on_code);
  return {
    id: row.svc_id,
    code: row.code,
    model: row.charge_model,
    properties: row.properties,
    invoiceDisplayName: row.invoice_display_name ?? null,
    prorated: row.prorated ?? false,
    payInAdvance: row.pay_in_advance ?? false,
    units: dec(row.units),
    taxes: [],
    addOn: {
      id: addOn.svc_id,
      code: addOn.code,
      name: addOn.name,
      description: addOn.description ?? null,
      invoiceDisplayName: addOn.invoice_display_name ?? null,
    },
  };
}

export function planInput(section: Section, row: PlanRow): PlanInput {
  const commitment = row.minimum_commitment;
  return {
    id: row.svc_id,
    parentId: row.svc_parent_id ?? null,
    // The timeline names plans by code; an override has its parent's.
    code: row.code,
    name: row.name,
    description: row.description ?? null,
    interval: row.interval,
    amountCents: BigInt(row.amount_cents),
    currency: row.amount_currency,
    payInAdvance: row.pay_in_advance ?? false,
    trialDays: dec(row.trial_period ?? 0),
    billChargesMonthly: row.bill_charges_monthly ?? false,
    billFixedChargesMonthly: row.bill_fixed_charges_monthly ?? false,
    taxes: taxInputs(section, row.tax_codes),
    charges: row.charges.map((charge) => chargeInput(section, charge)),
    fixedCharges: (row.fixed_charges ?? []).map((charge) => fixedChargeInput(section, charge)),
    commitment: commitment
      ? {
          id: commitment.svc_id,
          amountCents: BigInt(commitment.amount_cents),
          invoiceDisplayName: commitment.invoice_display_name ?? null,
          taxes: [],
        }
      : null,
    usageThresholds: (row.usage_thresholds ?? []).map((threshold) => ({
      id: threshold.svc_id,
      amountCents: BigInt(threshold.amount_cents),
      recurring: threshold.recurring,
      displayName: threshold.threshold_display_name ?? null,
    })),
  };
}

export function entityInput(section: Section, row: EntityRow): BillingEntityInput {
  return {
    id: row.svc_id,
    code: row.code,
    name: row.name,
    timezone: row.timezone,
    finalizeZeroAmountInvoice: true,
    invoiceGracePeriod: row.invoice_grace_period ?? null,
    netPaymentTerm: row.net_payment_term ?? null,
    taxes: taxInputs(section, row.tax_codes),
    documentNumbering: row.document_numbering ?? 'per_customer',
    documentNumberPrefix: row.document_number_prefix,
  };
}

export function customerInput(section: Section, row: CustomerRow): CustomerInput {
  return {
    id: row.svc_id,
    externalId: row.external_id,
    stored: true,
    currency: row.currency,
    timezone: row.timezone ?? null,
    finalizeZeroAmountInvoice: row.finalize_zero_amount_invoice ?? 'inherit',
    invoiceGracePeriod: row.billing_configuration?.invoice_grace_period ?? null,
    netPaymentTerm: row.net_payment_term ?? null,
    taxes: taxInputs(section, row.tax_codes),
    partner: row.account_type === 'partner',
    sequentialId: row.sequential_id,
  };
}

/** A coupon on the day it was applied: nothing of it is used. */
export function couponInput(section: Section, row: AppliedCouponRow): AppliedCouponInput {
  const coupon = byCode(section.coupons, row.coupon_code);
  const metrics = coupon.billable_metric_codes ?? [];
  return {
    id: row.svc_id,
    couponId: coupon.svc_id,
    code: coupon.code,
    name: coupon.name,
    type: coupon.coupon_type,
    amountCents: coupon.amount_cents === undefined ? null : BigInt(coupon.amount_cents),
    currency: coupon.amount_currency ?? null,
    rate: coupon.percentage_rate === undefined ? null : dec(coupon.percentage_rate),
    frequency: coupon.frequency,
    periodsRemaining: coupon.frequency_duration ?? null,
    usedCents: 0n,
    planIds: (coupon.plan_codes ?? []).map((code) => byCode(section.plans, code).svc_id),
    metricIds: metrics.map((code) => byCode(section.billable_metrics, code).svc_id),
    status: 'active',
    createdAt: Date.parse(row.created_at),
  };
}

/** A wallet on the day it was made: empty. */
export function walletInput(section: Section, row: WalletRow): WalletInput {
  const metrics = row.applies_to?.billable_metric_codes ?? [];
  return {
    id: row.svc_id,
    code: row.code,
    status: 'active',
    priority: row.priority,
    rateAmount: dec(row.rate_amount),
    currency: row.currency,
    balanceCents: 0n,
    traceable: true,
    feeTypes: row.applies_to?.fee_types ?? [],
    metricIds: metrics.map((code) => byCode(section.billable_metrics, code).svc_id),
    createdAt: Date.parse(row.created_at),
    inbound: [],
  };
}
