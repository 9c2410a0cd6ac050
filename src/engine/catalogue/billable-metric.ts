import type { FilterValues } from '../../billing/catalogue/filter.ts';
import { cutFilters } from '../../billing/catalogue/filter-cut.ts';
import { forbidden } from '../../billing/errors.ts';
import { BILLABLE_METRIC } from '../../billing/resource/billable-metric.ts';
import type { Actor } from '../../store/access/audit.ts';
import { recutFilters } from '../../store/catalogue/charge-filter-write.ts';
import { saveMetricFilters } from '../../store/catalogue/metric-filter.ts';
import { lockPlans } from '../../store/catalogue/plan-lock.ts';
import { removePrices } from '../../store/catalogue/price-change.ts';
import { FILTER_ORDER } from '../../store/database/row-order.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';
import { UNIQUE_METRIC_CODE } from '../../store/database/unique.ts';
import { endAlertsOfMetric } from '../../store/subscription/alert.ts';
import type { Changed } from '../changed.ts';
import type { Stored, Subject } from '../resource/stored.ts';

type Metric = Subject<typeof BILLABLE_METRIC.fields>;

/** Charges that price a metric, on plans and overrides, whose plans nobody else changes from now on. */
async function lockedCharges(tx: TenantTransaction, actor: Actor, billableMetricId: string) {
  const where = { billableMetricId, deletedAt: null };
  const found = await tx.charge.findMany({ where, select: { planId: true } });
  if (found.length === 0) return { plans: [], charges: [] };
  const plans = await lockPlans(
    tx,
    actor,
    found.map(({ planId }) => planId),
  );
  const select = { id: true, filters: { where: { deletedAt: null }, orderBy: FILTER_ORDER } };
  return { plans, charges: await tx.charge.findMany({ where, select }) };
}

/** Stores the keys that prices can depend on, and takes what is no longer among them from the filters of charges. */
async function saveFilters(tx: TenantTransaction, actor: Actor, { id, values, sent }: Metric): Promise<Changed> {
  if (sent.filters == null) return {};
  const hasLost = await saveMetricFilters(tx, actor, id, values.filters);
  if (!hasLost) return {};
  const { plans, charges } = await lockedCharges(tx, actor, id);
  const cuts = charges.map((charge) => {
    const filters = charge.filters.map((one) => ({ id: one.id, values: one.values as FilterValues }));
    return { id: charge.id, ...cutFilters(filters, values.filters) };
  });
  const affected = cuts.filter(({ changed, removed }) => changed.length + removed.length > 0);
  await recutFilters(
    tx,
    actor,
    affected.flatMap(({ changed }) => changed),
    affected.flatMap(({ removed }) => removed),
  );
  return { plans, charges: affected.map((one) => one.id) };
}

/** Ends the charges that price it with their filters, its own, and the alerts that measure it. Events stay: a metric that takes the code over finds them. */
async function endCharges(tx: TenantTransaction, actor: Actor, { id }: Metric): Promise<Changed> {
  const { plans, charges } = await lockedCharges(tx, actor, id);
  const data = { deletedAt: actor.now, updatedAt: actor.now };
  const ids = charges.map((charge) => charge.id);
  await removePrices(tx, actor, 'charge', ids);
  await tx.billableMetricFilter.updateMany({ where: { billableMetricId: id, deletedAt: null }, data });
  const alerts = await endAlertsOfMetric(tx, actor, id);
  return { plans, charges: ids, alerts };
}

const ALWAYS: ReadonlySet<string> = new Set(['name', 'description', 'filters']);
const MEASURE = Object.keys(BILLABLE_METRIC.fields).filter((name) => !ALWAYS.has(name));

/** Billable metrics. What one measures stays while a charge prices it; with a deleted one go the charges that price it and the alerts on it. */
export const BILLABLE_METRICS: Stored<typeof BILLABLE_METRIC.fields> = {
  resource: BILLABLE_METRIC,
  model: 'BillableMetric',
  unique: UNIQUE_METRIC_CODE,
  // Code of one's own is run for nobody here; an import may bring such a metric along.
  refused: ({ aggregationType }) => (aggregationType === 'custom_agg' ? forbidden('feature_unavailable') : undefined),
  saved: saveFilters,
  deleted: endCharges,
  drafts: (_, { plans = [] }) => ({ plans }),
  frozen: async (tx, id) => {
    const where = { billableMetricId: id, deletedAt: null, plan: { deletedAt: null } };
    return (await tx.charge.findFirst({ where, select: { id: true } })) ? MEASURE : [];
  },
};
