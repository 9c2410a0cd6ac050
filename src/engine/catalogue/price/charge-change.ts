import {
  type ChargePatch,
  type ChargeState,
  type MetricState,
  updatedCharge,
} from '../../../billing/catalogue/charge-update.ts';
import { type FilterSync, syncFilters } from '../../../billing/catalogue/filter-sync.ts';
import { type FilterInput, type FilterState, writtenFilters } from '../../../billing/catalogue/filter-write.ts';
import { ignoredMembers, keptHints } from '../../../billing/catalogue/ignored.ts';
import { gathered, refuse } from '../../../billing/errors.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { saveFilters } from '../../../store/catalogue/charge-filter-write.ts';
import {
  type ChargeRow,
  chargeRecord,
  chargeState,
  filterState,
  type PlacedFilter,
} from '../../../store/catalogue/charge-row.ts';
import { changeCharges } from '../../../store/catalogue/price-change.ts';
import { replaceTaxes } from '../../../store/catalogue/tax-link.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';

/** What a caller changes of a charge; members that are absent leave what there is. */
export interface ChargeChange extends Omit<ChargePatch, 'metric' | 'conversionRate'> {
  readonly billableMetricId?: string | null;
  readonly filters?: readonly FilterInput[] | null;
  readonly taxCodes?: readonly string[] | null;
  readonly appliedPricingUnit?: { readonly code?: string | null; readonly conversionRate?: string | null } | null;
}

/** What bounds the changes of a plan's prices. */
export interface Bounds {
  /** Whether the plan has or had a subscription, so that what was agreed stays. */
  readonly attached: boolean;
  /** Whether members that cannot change are refused where they would; else they are left as they are without a word. */
  readonly refusesIgnored: boolean;
}

/** A charge that is to change. */
export interface ChargeEdit {
  readonly row: ChargeRow;
  readonly change: ChargeChange;
  /** The metric that is asked for; null where there is none such, undefined where none is asked for. */
  readonly metric: MetricState | null | undefined;
}

/** A charge that changes, with its filters where they do. */
export interface ChangedCharge {
  readonly row: ChargeRow;
  readonly before: ChargeState;
  readonly after: ChargeState;
  readonly sync: FilterSync<PlacedFilter> | null;
  /** Codes of all its taxes; undefined where they stay. */
  readonly taxCodes: readonly string[] | undefined;
}

/** The filters after the change; undefined where they stay. Another metric must know the keys of those that stay. */
function wantedFilters(row: ChargeRow, after: ChargeState, change: ChargeChange): readonly FilterState[] | undefined {
  if (change.filters != null) return writtenFilters(change.filters, after);
  const old = chargeState(row);
  if (after.metric.id === old.metric.id && after.model === old.model) return undefined;
  return writtenFilters(row.filters.map(filterState), after);
}

/** The members of a relation that stay: the metric of a charge in use, the pricing unit always. */
function ignoredRelations(row: ChargeRow, change: ChargeChange, attached: boolean) {
  const { code, conversionRate } = change.appliedPricingUnit ?? {};
  const unit = row.pricingUnit?.code;
  const isOther = (code != null && code !== unit) || (conversionRate != null && unit === undefined);
  const metricId = attached ? (change.billableMetricId?.toLowerCase() ?? undefined) : undefined;
  const asked = { billableMetricId: metricId, appliedPricingUnit: isOther || undefined };
  const kept = { billableMetricId: row.billableMetric.id, appliedPricingUnit: unit };
  const ignored = ignoredMembers(asked, { billableMetricId: row.billableMetric.id });
  return { ignored, hints: keptHints(ignored, kept) };
}

/** What a change makes of a charge, and the check of it, which throws one validation error with all that is wrong. */
export function changedCharge({ row, change, metric }: ChargeEdit, { attached, refusesIgnored }: Bounds) {
  const before = chargeState(row);
  const input = { ...change, metric, conversionRate: change.appliedPricingUnit?.conversionRate };
  const { charge: after, errors, ignored, hints } = updatedCharge(before, input, attached);
  const relations = ignoredRelations(row, change, attached);
  const refused = refusesIgnored ? { ...ignored, ...relations.ignored } : {};
  return {
    after,
    read: (): ChangedCharge => {
      const [, wanted] = gathered([
        () => refuse({ ...errors, ...refused }, { ...hints, ...relations.hints }),
        () => wantedFilters(row, after, change),
      ]);
      const sync = wanted ? syncFilters(row.filters.map(filterState), wanted) : null;
      return { row, before, after, sync, taxCodes: change.taxCodes ?? undefined };
    },
  };
}

const textOf = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));

const isSynced = ({ kept, created, removed }: FilterSync<PlacedFilter>) =>
  created.length + removed.length === 0 &&
  kept.every(({ stored, wanted }, at) => {
    const { id, position, ...members } = stored;
    return position === at && textOf(members) === textOf({ ...members, ...wanted });
  });

/** Whether nothing is to be stored of a change. */
export const isUnchanged = ({ row, before, after, sync, taxCodes }: ChangedCharge): boolean =>
  textOf(before) === textOf(after) &&
  (sync === null || isSynced(sync)) &&
  (taxCodes === undefined || textOf([...new Set(taxCodes)].sort()) === textOf(row.taxes.map(({ code }) => code)));

/**
 * Stores changed charges with their filters and taxes, in as many statements for a hundred as for two; says what the log keeps of them.
 * `taxes` are identifiers by code.
 */
export async function saveChangedCharges(
  tx: TenantTransaction,
  actor: Actor,
  changes: readonly ChangedCharge[],
  taxes: ReadonlyMap<string, string>,
) {
  const rows = changes.map(({ row, before, after }) => ({
    ...{ id: row.id, codes: [row.code, after.code] as const, charge: after },
    setsRate: !before.conversionRate?.eq(after.conversionRate ?? 0),
  }));
  await changeCharges(tx, actor, rows);
  const taxed = changes.flatMap(({ row, taxCodes }) =>
    taxCodes ? [{ id: row.id, taxIds: [...new Set(taxCodes)].flatMap((code) => taxes.get(code) ?? []) }] : [],
  );
  await replaceTaxes(tx, 'charge', taxed);
  const synced = changes.flatMap(({ row, sync }) => (sync ? [{ chargeId: row.id, sync }] : []));
  const filters = await saveFilters(tx, actor, synced);
  return changes.map(({ row, before, after, taxCodes }) => {
    const stored = row.filters.map(filterState);
    const taxed = row.taxes.map(({ code }) => code);
    return {
      before: chargeRecord(before, taxed, stored),
      after: chargeRecord(after, taxCodes ?? taxed, filters.get(row.id) ?? stored),
    };
  });
}
