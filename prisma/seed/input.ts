import type { AggregationType } from '../../src/billing/catalogue/metric.ts';
import type { PlanChargeInput, PlanFixedChargeInput, PlanInput } from '../../src/billing/catalogue/plan.ts';
import type { TaxInput } from '../../src/billing/catalogue/tax.ts';
import { dec } from '../../src/billing/money/decimal.ts';
import type { ChargeRow, FixedChargeRow, PlanRow, Section } from './document.ts';

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

function metricInput(section: Section, code: string): PlanChargeInput['metric'] {
  const metric = byCode(section.billable_metrics, code);
  return {
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
  };
}

function chargeInput(section: Section, row: ChargeRow): PlanChargeInput {
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
    acceptsTargetWallet: row.accepts_target_wallet ?? false,
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
    metric: metricInput(section, row.billable_metric_code),
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
