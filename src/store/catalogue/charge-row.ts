import type { ChargeProperties } from '../../billing/catalogue/charge-type.ts';
import type { ChargeState, MetricState } from '../../billing/catalogue/charge-update.ts';
import type { FilterValues } from '../../billing/catalogue/filter.ts';
import type { StoredFilter } from '../../billing/catalogue/filter-sync.ts';
import type { AggregationType } from '../../billing/catalogue/metric.ts';
import { dec } from '../../billing/money/decimal.ts';
import { FILTER_ORDER } from '../database/row-order.ts';
import type { ChargeFilterGetPayload, ChargeGetPayload, ChargeSelect } from '../generated/prisma/models.ts';

/** A metric with the keys that filters can name. */
export const METRIC_COLUMNS = {
  id: true,
  aggregationType: true,
  recurring: true,
  filters: { where: { deletedAt: null }, select: { key: true, values: true } },
} as const;

/** A charge with its metric and its filters in their order. */
export const CHARGE_COLUMNS = {
  id: true,
  planId: true,
  code: true,
  chargeModel: true,
  invoiceDisplayName: true,
  payInAdvance: true,
  prorated: true,
  invoiceable: true,
  minAmountCents: true,
  regroupPaidFees: true,
  acceptsTargetWallet: true,
  properties: true,
  pricingUnitId: true,
  pricingUnit: { select: { code: true } },
  conversionRate: true,
  billableMetric: { select: METRIC_COLUMNS },
  taxes: { select: { code: true }, orderBy: { code: 'asc' } },
  filters: { where: { deletedAt: null }, orderBy: FILTER_ORDER },
} satisfies ChargeSelect;

export type ChargeRow = ChargeGetPayload<{ select: typeof CHARGE_COLUMNS }>;
type MetricRow = ChargeRow['billableMetric'];
type FilterRow = ChargeFilterGetPayload<object>;

/** A filter with its place among those of its charge. */
export type PlacedFilter = StoredFilter & { readonly position: number };

export function metricState({ id, aggregationType, recurring, filters }: MetricRow): MetricState {
  const aggregation = aggregationType.replace(/_agg$/, '') as AggregationType;
  return { id, aggregation, recurring, filters };
}

export function filterState(row: FilterRow): PlacedFilter {
  return {
    id: row.id,
    values: row.values as FilterValues,
    canonical: row.canonicalValues,
    properties: row.properties as ChargeProperties,
    invoiceDisplayName: row.invoiceDisplayName,
    position: row.position,
  };
}

export function chargeState(row: ChargeRow): ChargeState {
  const rate = row.pricingUnitId === null ? null : (row.conversionRate ?? dec(0));
  return {
    code: row.code,
    model: row.chargeModel,
    invoiceDisplayName: row.invoiceDisplayName,
    payInAdvance: row.payInAdvance,
    prorated: row.prorated,
    invoiceable: row.invoiceable,
    minAmountCents: row.minAmountCents,
    regroupPaidFees: row.regroupPaidFees,
    acceptsTargetWallet: row.acceptsTargetWallet,
    properties: row.properties as ChargeProperties,
    conversionRate: rate && dec(rate.toFixed()),
    metric: metricState(row.billableMetric),
  };
}

/** What the log keeps of a charge. */
export function chargeRecord(charge: ChargeState, taxCodes: readonly string[], filters: readonly PlacedFilter[]) {
  const { metric, ...members } = charge;
  return { ...members, billableMetricId: metric.id, taxCodes, filters: filters.map(filterRecord) };
}

export function filterRecord({ id, values, properties, invoiceDisplayName }: StoredFilter) {
  return { id, values, properties, invoiceDisplayName };
}
