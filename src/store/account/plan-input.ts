import type { ChargeProperties } from '../../billing/catalogue/charge-type.ts';
import type { FilterValues } from '../../billing/catalogue/filter.ts';
import type { AggregationType, MetricInput } from '../../billing/catalogue/metric.ts';
import type { PlanChargeInput, PlanFixedChargeInput, PlanInput } from '../../billing/catalogue/plan.ts';
import type { TaxInput } from '../../billing/catalogue/tax.ts';
import { dec } from '../../billing/money/decimal.ts';
import { BY_CODE, OLDEST_FIRST } from '../database/row-order.ts';
import type { PlanGetPayload, PlanInclude, TaxModel } from '../generated/prisma/models.ts';
import { inRange } from './in-range.ts';

const LIVE = { where: { deletedAt: null } };
export const TAXES = { where: { deletedAt: null }, orderBy: BY_CODE };

export const THRESHOLDS = { ...LIVE, orderBy: [{ amountCents: 'asc' as const }, { id: 'asc' as const }] };

/** Everything that a bill needs to know of a plan, in one query. */
export const PLAN = {
  taxes: TAXES,
  charges: {
    ...LIVE,
    orderBy: OLDEST_FIRST,
    include: {
      taxes: TAXES,
      pricingUnit: true,
      filters: { ...LIVE, orderBy: OLDEST_FIRST },
      billableMetric: { include: { filters: LIVE } },
    },
  },
  fixedCharges: { ...LIVE, orderBy: OLDEST_FIRST, include: { taxes: TAXES, addOn: true } },
  minimumCommitment: { include: { taxes: TAXES } },
  usageThresholds: THRESHOLDS,
  parent: { select: { usageThresholds: THRESHOLDS } },
} satisfies PlanInclude;

export type PlanRow = PlanGetPayload<{ include: typeof PLAN }>;
type ChargeRow = PlanRow['charges'][number];
type MetricRow = ChargeRow['billableMetric'];

export function taxInput(tax: TaxModel): TaxInput {
  const { id, code, name, description, rate } = inRange('tax', tax);
  return { id, code, name, description, rate: dec(rate) };
}

function metricInput(metric: MetricRow): MetricInput & PlanChargeInput['metric'] {
  const { id, code, name, description, fieldName, recurring, filters } = inRange('billable_metric', metric);
  const { roundingFunction, roundingPrecision } = metric;
  return {
    ...{ id, code, name, description, fieldName, recurring },
    aggregation: metric.aggregationType.replace(/_agg$/, '') as AggregationType,
    rounding: roundingFunction && { function: roundingFunction, precision: roundingPrecision },
    filters: filters.map(({ key, values }) => ({ key, values })),
  };
}

/** A stored charge as the rules read it. */
export function chargeInput(charge: ChargeRow): PlanChargeInput {
  const { id, code, invoiceDisplayName, payInAdvance, prorated, invoiceable } = inRange('charge', charge);
  const { minAmountCents, pricingUnit, acceptsTargetWallet, regroupPaidFees } = charge;
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
  const { id, code, invoiceDisplayName, payInAdvance, prorated, addOn, units } = inRange('fixed_charge', charge);
  return {
    ...{ id, code, invoiceDisplayName, payInAdvance, prorated, addOn },
    model: charge.chargeModel,
    properties: charge.properties as ChargeProperties,
    units: dec(units),
    taxes: charge.taxes.map(taxInput),
  };
}

function commitmentInput(row: NonNullable<PlanRow['minimumCommitment']>) {
  const { id, amountCents, invoiceDisplayName, taxes } = inRange('minimum_commitment', row);
  return { id, amountCents, invoiceDisplayName, taxes: taxes.map(taxInput) };
}

/** A stored threshold as the rules read it. */
export function thresholdInput(row: PlanRow['usageThresholds'][number]) {
  const { id, amountCents, recurring, thresholdDisplayName: displayName } = inRange('usage_threshold', row);
  return { id, amountCents, recurring, displayName };
}

// Subscriptions that are billed together share their plan's row.
const known = new WeakMap<PlanRow, PlanInput>();

/** A stored plan as the rules read it. */
export function planInput(plan: PlanRow): PlanInput {
  const input = known.get(plan) ?? readPlan(plan);
  known.set(plan, input);
  return input;
}

function readPlan(plan: PlanRow): PlanInput {
  const { id, code, name, description, invoiceDisplayName, parentId } = inRange('plan', plan);
  const { interval, amountCents, payInAdvance } = plan;
  const { billChargesMonthly, billFixedChargesMonthly, minimumCommitment, usageThresholds } = plan;
  return {
    ...{ id, code, name, description, invoiceDisplayName, parentId, interval, amountCents, payInAdvance },
    ...{ billChargesMonthly, billFixedChargesMonthly },
    currency: plan.amountCurrency,
    trialDays: dec(plan.trialPeriod),
    taxes: plan.taxes.map(taxInput),
    charges: plan.charges.map(chargeInput),
    fixedCharges: plan.fixedCharges.map(fixedChargeInput),
    commitment: minimumCommitment && commitmentInput(minimumCommitment),
    // An override that has none has those of its plan, as they are at the time.
    usageThresholds: (usageThresholds.length > 0 ? usageThresholds : (plan.parent?.usageThresholds ?? [])).map(
      thresholdInput,
    ),
  };
}
