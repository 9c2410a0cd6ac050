import type { AggregationType, MetricRounding } from '../../../src/billing/catalogue/metric.ts';
import type { PlanInput } from '../../../src/billing/catalogue/plan.ts';
import { dec } from '../../../src/billing/money/decimal.ts';
import { planInput } from './scenario-input.ts';
import type { ChargeJson, FixedChargeJson, PlanJson, TaxJson } from './scenario-type.ts';
import type { Json } from './vector-type.ts';

/** What the operations of a life have put into the catalogue, by code. */
export interface Catalogue {
  readonly taxes: TaxJson[];
  readonly metrics: Map<string, Json>;
  readonly coupons: Map<string, Json>;
}

export function newCatalogue(): Catalogue {
  return { taxes: [], metrics: new Map(), coupons: new Map() };
}

/** The code of the metric that a charge names: `$name.svc_id` by the name it was made under, which is its code. */
function metricOf(catalogue: Catalogue, charge: Json): Json {
  const code = String(charge.billable_metric_id ?? charge.billable_metric_code).replace(/^\$|\.svc_id$/g, '');
  const metric = catalogue.metrics.get(code);
  if (!metric) throw new Error(`no metric ${code}`);
  return metric;
}

/** A plan from the body of the operation that makes it. */
export function cataloguePlan(catalogue: Catalogue, body: Json, withThresholds: boolean): PlanInput {
  const charges = (body.charges ?? []) as Json[];
  const fixed = (body.fixed_charges ?? []) as Json[];
  const plan = planInput(
    {
      ...(body as unknown as PlanJson),
      charges: charges.map((charge) => chargeJson(metricOf(catalogue, charge), charge)),
      fixed_charges: fixed.map((charge) => ({ ...charge, add_on: charge.add_on_code }) as unknown as FixedChargeJson),
      usage_thresholds: withThresholds ? thresholds(body.usage_thresholds) : [],
    },
    catalogue.taxes,
  );
  return {
    ...plan,
    charges: plan.charges.map((charge, index) => ({
      ...charge,
      id: `${plan.code}/${charge.code}`,
      regroupPaidFees: charges[index]?.regroup_paid_fees === 'invoice' ? 'invoice' : null,
      invoiceDisplayName: charges[index]?.invoice_display_name as string | undefined,
      acceptsTargetWallet: charges[index]?.accepts_target_wallet === true,
      pricingUnit: pricingUnit(charges[index]?.applied_pricing_unit as Json | undefined),
      metric: { ...charge.metric, ...metricRules(metricOf(catalogue, charges[index] ?? {})) },
    })),
    fixedCharges: plan.fixedCharges.map((charge) => ({ ...charge, id: `${plan.code}/${charge.code}` })),
  };
}

/** The members of a plan that an update changes, beside its charges. */
export function changedPlan(plan: PlanInput, body: Json, withThresholds: boolean): PlanInput {
  const { usage_thresholds: given, name } = body;
  const usageThresholds = thresholds(given).map(({ amount_cents, recurring }, index) => ({
    id: String(index),
    amountCents: BigInt(amount_cents),
    recurring,
  }));
  return {
    ...plan,
    name: String(name ?? plan.name),
    usageThresholds: given === undefined || !withThresholds ? plan.usageThresholds : usageThresholds,
  };
}

function thresholds(given: unknown): { amount_cents: string | number; recurring: boolean }[] {
  const listed = (given ?? []) as { amount_cents: string | number; recurring?: boolean }[];
  return listed.map(({ amount_cents, recurring }) => ({ amount_cents, recurring: recurring ?? false }));
}

function chargeJson(metric: Json, charge: Json): ChargeJson {
  return {
    ...(charge as unknown as ChargeJson),
    code: String(charge.code ?? metric.code),
    metric: String(metric.code),
    aggregation: String(metric.aggregation_type).replace(/_agg$/, '') as AggregationType,
    recurring: metric.recurring === true,
    field_name: metric.field_name as string | undefined,
  };
}

function pricingUnit(applied: Json | undefined) {
  return applied ? { code: String(applied.code), conversionRate: dec(String(applied.conversion_rate)) } : null;
}

function metricRules(metric: Json) {
  const precision = metric.rounding_precision as number | null | undefined;
  const kind = metric.rounding_function as MetricRounding['function'] | null | undefined;
  const filters = (metric.filters ?? []) as { key: string; values: string[] }[];
  return { rounding: kind ? { function: kind, precision } : null, filters };
}

/** A coupon as it is applied: what the application states wins over the coupon. */
export function appliedCoupon(catalogue: Catalogue, body: Json, rank: number) {
  const coupon = catalogue.coupons.get(String(body.coupon_code));
  if (!coupon) throw new Error(`no coupon ${String(body.coupon_code)}`);
  const merged: Json = { ...coupon, ...body };
  const limits = (coupon.applies_to ?? {}) as { plan_codes?: string[]; billable_metric_codes?: string[] };
  const { amount_cents: amount, percentage_rate: rate } = merged;
  return {
    id: `${String(coupon.code)}-${rank}`,
    couponId: String(coupon.code),
    code: String(coupon.code),
    name: String(coupon.name),
    type: coupon.coupon_type === 'percentage' ? ('percentage' as const) : ('fixed_amount' as const),
    amountCents: amount === undefined ? null : BigInt(String(amount)),
    currency: (merged.amount_currency ?? null) as string | null,
    rate: rate === undefined ? null : dec(String(rate)),
    frequency: merged.frequency as 'once' | 'recurring' | 'forever',
    periodsRemaining: (merged.frequency_duration ?? null) as number | null,
    usedCents: 0n,
    planIds: limits.plan_codes ?? [],
    metricIds: limits.billable_metric_codes ?? [],
    status: 'active' as const,
    createdAt: rank,
  };
}
