import {
  type ChargePatch,
  type ChargeState,
  type MetricState,
  updatedCharge,
} from '../../billing/catalogue/charge-update.ts';
import { syncFilters } from '../../billing/catalogue/filter-sync.ts';
import { type FilterInput, type FilterState, writtenFilters } from '../../billing/catalogue/filter-write.ts';
import { ignoredMembers, keptHints } from '../../billing/catalogue/ignored.ts';
import { BillingError, type ErrorDetails, type ErrorHints, invalid, joined } from '../../billing/errors.ts';
import { type Actor, recordAudit } from '../../store/access/audit.ts';
import { saveFilters } from '../../store/catalogue/charge-filter-write.ts';
import {
  CHARGE_COLUMNS,
  type ChargeRow,
  chargeRecord,
  chargeState,
  filterState,
  METRIC_COLUMNS,
  metricState,
  type PlacedFilter,
} from '../../store/catalogue/charge-row.ts';
import { isAttached, lockPlan, lockPriced, taxesByCode, touchPlan } from '../../store/catalogue/plan-lock.ts';
import type { TenantClient, TenantTransaction } from '../../store/database/tenant.ts';
import { UNIQUE_CHARGE_CODE, UNIQUE_FILTER_VALUES, whereUnique } from '../../store/database/unique.ts';
import { isUuid } from '../../store/database/uuid.ts';
import type { Written } from '../changed.ts';
import { inTransaction } from '../transaction.ts';
import { cascadeCharge } from './cascade-charge.ts';
import type { FilterChanges } from './cascade-filter.ts';
import type { ChargePath } from './create-charge-filter.ts';

/** What a caller changes of a charge; members that are absent leave what there is. */
export interface ChargeChange extends Omit<ChargePatch, 'metric' | 'conversionRate'> {
  readonly billableMetricId?: string | null;
  readonly filters?: readonly FilterInput[] | null;
  readonly taxCodes?: readonly string[] | null;
  readonly appliedPricingUnit?: { readonly code?: string | null; readonly conversionRate?: string | null } | null;
  readonly cascadeUpdates?: boolean | null;
  /** Whether members that cannot change are refused where they would; else they are left as they are without a word. */
  readonly refusesIgnored?: boolean;
}

/** The metric that is asked for; null where the organization has none such, undefined where none is asked for. */
async function metricOf(tx: TenantTransaction, id: string | null | undefined): Promise<MetricState | null | undefined> {
  if (id == null) return undefined;
  if (!isUuid(id)) return null;
  const row = await tx.billableMetric.findFirst({ where: { id, deletedAt: null }, select: METRIC_COLUMNS });
  return row && metricState(row);
}

/** The filters after the change; undefined where they stay. Another metric must know the keys of those that stay. */
function wantedFilters(row: ChargeRow, after: ChargeState, change: ChargeChange): FilterState[] | undefined {
  if (change.filters != null) return writtenFilters(change.filters, after);
  const old = chargeState(row);
  if (after.metric.id === old.metric.id && after.model === old.model) return undefined;
  return writtenFilters(row.filters.map(filterState), after);
}

/** Details of several checks in one error. */
function together(
  errors: ErrorDetails,
  known: ErrorHints,
  check: () => FilterState[] | undefined,
): FilterState[] | undefined {
  const own = invalid(errors, known);
  let filters: FilterState[] | undefined;
  try {
    filters = check();
  } catch (error) {
    if (!(error instanceof BillingError) || !error.details) throw error;
    throw joined(own, error);
  }
  if (Object.keys(errors).length > 0) throw own;
  return filters;
}

async function checkCode(tx: TenantTransaction, planId: string, id: string, code: string): Promise<ErrorDetails> {
  const other = await tx.charge.findFirst({
    where: { planId, code, deletedAt: null, id: { not: id } },
    select: { id: true },
  });
  return other ? { code: ['value_already_exist'] } : {};
}

async function saveMembers(
  tx: TenantTransaction,
  row: ChargeRow,
  charge: ChargeState,
  taxes: { id: string }[] | undefined,
) {
  const { metric, model, conversionRate, properties, ...members } = charge;
  const isSent = !chargeState(row).conversionRate?.eq(conversionRate ?? 0);
  await tx.charge.update({
    where: { id: row.id },
    data: {
      ...members,
      chargeModel: model,
      properties: properties as object,
      billableMetricId: metric.id,
      ...(conversionRate && isSent && { conversionRate: conversionRate.toFixed() }),
      ...(taxes && { taxes: { set: taxes } }),
    },
    select: { id: true },
  });
}

interface Saved {
  readonly charge: ChargeState;
  readonly filters: readonly PlacedFilter[];
  readonly changes: FilterChanges | null;
}

/** The members of a relation that stay: the metric of a charge in use, the pricing unit always. */
function ignoredRelations(row: ChargeRow, change: ChargeChange, attached: boolean) {
  const { code, conversionRate } = change.appliedPricingUnit ?? {};
  const unit = row.pricingUnit?.code;
  const isOther = (code != null && code !== unit) || (conversionRate != null && unit === undefined);
  const metricId = attached ? (change.billableMetricId ?? undefined) : undefined;
  const asked = { billableMetricId: metricId, appliedPricingUnit: isOther || undefined };
  const kept = { billableMetricId: row.billableMetric.id, appliedPricingUnit: unit };
  const ignored = ignoredMembers(asked, { billableMetricId: row.billableMetric.id });
  return { ignored, hints: keptHints(ignored, kept) };
}

async function save(tx: TenantTransaction, actor: Actor, row: ChargeRow, change: ChargeChange): Promise<Saved> {
  const attached = await isAttached(tx, row.planId);
  const metric = attached ? undefined : await metricOf(tx, change.billableMetricId);
  const input = { ...change, metric, conversionRate: change.appliedPricingUnit?.conversionRate };
  const { charge, errors, ignored, hints } = updatedCharge(chargeState(row), input, attached);
  const relations = ignoredRelations(row, change, attached);
  const refused = change.refusesIgnored ? { ...ignored, ...relations.ignored } : {};
  const taken = charge.code === row.code ? {} : await checkCode(tx, row.planId, row.id, charge.code);
  const wanted = together({ ...errors, ...taken, ...refused }, { ...hints, ...relations.hints }, () =>
    wantedFilters(row, charge, change),
  );
  const taxes = await taxesByCode(tx, change.taxCodes);
  await saveMembers(tx, row, charge, taxes);
  const stored = row.filters.map(filterState);
  if (!wanted) return { charge, filters: stored, changes: null };
  const changes = syncFilters(stored, wanted);
  return { charge, filters: await saveFilters(tx, actor, row.id, changes), changes };
}

async function update(tx: TenantTransaction, actor: Actor, path: ChargePath, change: ChargeChange): Promise<Written> {
  const planId = await lockPlan(tx, actor, path.planCode);
  const id = await lockPriced(tx, actor, 'charge', { planId, code: path.chargeCode });
  const row = await tx.charge.findUniqueOrThrow({ where: { id }, select: CHARGE_COLUMNS });
  const before = chargeState(row);
  const { charge: after, filters, changes } = await save(tx, actor, row, change);
  const cascadedTo = change.cascadeUpdates
    ? await cascadeCharge(tx, actor, id, { before, after, filters: changes })
    : [];
  await touchPlan(tx, actor, planId);
  const taxCodes = row.taxes.map(({ code }) => code);
  const entry = await recordAudit(tx, {
    ...{ actor, action: 'charge.updated', objectType: 'charge', objectId: id },
    before: chargeRecord(before, taxCodes, row.filters.map(filterState)),
    after: { ...chargeRecord(after, change.taxCodes ?? taxCodes, filters), cascadedTo },
  });
  return { id, changed: { charges: cascadedTo, plans: [planId], auditLogs: [entry] } };
}

/**
 * Changes a charge of a plan with its filters and taxes, and on request the overrides made from it; says all that was written.
 * On a plan that has or had subscriptions structural members are ignored. Throws `object_not_found` for an unknown plan,
 * charge or tax and a validation error for what does not fit; nothing is changed then.
 */
export async function updateCharge(
  db: TenantClient,
  actor: Actor,
  path: ChargePath,
  change: ChargeChange,
): Promise<Written> {
  const rules = [UNIQUE_CHARGE_CODE, UNIQUE_FILTER_VALUES];
  return whereUnique(rules, () => inTransaction(db, actor, (tx) => update(tx, actor, path, change)));
}
