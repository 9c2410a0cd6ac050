import type { ChargeProperties } from '../../billing/catalogue/charge-type.ts';
import type { FilterValues } from '../../billing/catalogue/filter.ts';
import type { AggregationType, MetricInput } from '../../billing/catalogue/metric.ts';
import type { PlanChargeInput, PlanFixedChargeInput, PlanInput } from '../../billing/catalogue/plan.ts';
import type { TaxInput } from '../../billing/catalogue/tax.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { PlanGetPayload, PlanInclude, TaxModel } from '../generated/prisma/models.ts';

const ASCENDING = 'asc' as const;
const LIVE = { where: { deletedAt: null } };
const OLDEST_FIRST = { orderBy: [{ createdAt: ASCENDING }, { id: ASCENDING }] };
export const TAXES = { where: { deletedAt: null }, orderBy: [{ code: ASCENDING }, { id: ASCENDING }] };

/** Everything that a bill needs to know of a plan, in one query. */
export const PLAN = {
  taxes: TAXES,
  charges: {
    ...LIVE,
    ...OLDEST_FIRST,
    include: {
      taxes: TAXES,
      pricingUnit: true,
      filters: { ...LIVE, ...OLDEST_FIRST },
      billableMetric: { include: { filters: LIVE } },
    },
  },
  fixedCharges: { ...LIVE, ...OLDEST_FIRST, include: { taxes: TAXES, addOn: true } },
  minimumCommitment: { include: { taxes: TAXES } },
  usageThresholds: { ...LIVE, orderBy: [{ amountCents: ASCENDING }, { id: ASCENDING }] },
} satisfies PlanInclude;

export type PlanRow = PlanGetPayload<{ include: typeof PLAN }>;
type ChargeRow = PlanRow['charges'][number];
type MetricRow = ChargeRow['billableMetric'];

export function taxInput({ id, code, name, description, rate }: TaxModel): TaxInput {
  return { id, code, name, description, rate: dec(rate) };
}

function metricInput(metric: MetricRow): MetricInput & PlanChargeInput['metric'] {
  const { id, code, name, description, fieldName, recurring, filters, roundingFunction, roundingPrecision } = metric;
  return {
    ...{ id, code, name, description, fieldName, recurring },
    aggregation: metric.aggregationType.replace(/_agg$/, '') as AggregationType,
    rounding: roundingFunction && { function: roundingFunction, precision: roundingPrecision },
    filters: filters.map(({ key, values }) => ({ key, values })),
  };
}

function chargeInput(charge: ChargeRow): PlanChargeInput {
  const { id, code, invoiceDisplayName, payInAdvance, prorated, invoiceable, minAmountCents, pricingUnit } = charge;
  const { acceptsTargetWallet, regroupPaidFees } = charge;
  return {
    ...{ id, code, invoiceDisplayName, payInAdvance, prorated, invoiceable, minAmountCents },
    ...{ acceptsTargetWallet, regroupPaidFees },
    model: charge.chargeModel,
    properties: charge.properties as ChargeProperties,
    metric: metricInput(charge.billableMetric),
    pricingUnit: pricingUnit && {
      id: pricingUnit.id,
      code: pricingUnit.code,
      shortName: pricingUnit.shortName,
      conversionRate: dec(charge.conversionRate ?? 0),
    },
    taxes: charge.taxes.map(taxInput),
    filters: charge.filters.map((filter) => ({
      id: filter.id,
      invoiceDisplayName: filter.invoiceDisplayName,
      values: filter.values as FilterValues,
      properties: filter.properties as ChargeProperties,
      createdAt: filter.createdAt.getTime(),
    })),
  };
}

function fixedChargeInput(charge: PlanRow['fixedCharges'][number]): PlanFixedChargeInput {
  const { id, code, invoiceDisplayName, payInAdvance, prorated, addOn, units } = charge;
  return {
    ...{ id, code, invoiceDisplayName, payInAdvance, prorated, addOn },
    model: charge.chargeModel,
    properties: charge.properties as ChargeProperties,
    units: dec(units),
    taxes: charge.taxes.map(taxInput),
  };
}

/** A stored plan as the rules read it. */
export function planInput(plan: PlanRow): PlanInput {
  const { id, code, name, description, invoiceDisplayName, parentId, interval, amountCents, payInAdvance } = plan;
  const { billChargesMonthly, billFixedChargesMonthly, minimumCommitment, usageThresholds } = plan;
  return {
    ...{ id, code, name, description, invoiceDisplayName, parentId, interval, amountCents, payInAdvance },
    ...{ billChargesMonthly, billFixedChargesMonthly },
    currency: plan.amountCurrency,
    trialDays: dec(plan.trialPeriod),
    taxes: plan.taxes.map(taxInput),
    charges: plan.charges.map(chargeInput),
    fixedCharges: plan.fixedCharges.map(fixedChargeInput),
    commitment: minimumCommitment && {
      id: minimumCommitment.id,
      amountCents: minimumCommitment.amountCents,
      invoiceDisplayName: minimumCommitment.invoiceDisplayName,
      taxes: minimumCommitment.taxes.map(taxInput),
    },
    usageThresholds: usageThresholds.map((threshold) => ({
      id: threshold.id,
      amountCents: threshold.amountCents,
      recurring: threshold.recurring,
      displayName: threshold.thresholdDisplayName,
    })),
  };
}
