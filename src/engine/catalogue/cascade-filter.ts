import { cascadedFilter, filterForChild, isSameFilter } from '../../billing/catalogue/cascade.ts';
import type { FilterSync } from '../../billing/catalogue/filter-sync.ts';
import type { FilterState } from '../../billing/catalogue/filter-write.ts';
import type { Actor } from '../../store/access/audit.ts';
import { addFilters, changeFilters, type NewFilter, removeFilters } from '../../store/catalogue/charge-filter-write.ts';
import { type ChargeRow, filterState, metricState, type PlacedFilter } from '../../store/catalogue/charge-row.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';

/** How the filters of a parent changed. */
export type FilterChanges = FilterSync<PlacedFilter>;

const withValues = (child: ChargeRow, filter: FilterState): PlacedFilter[] =>
  child.filters.map(filterState).filter(({ canonical }) => canonical === filter.canonical);

/** The new filters that a child does not have yet, as far as its metric knows their values. */
function addedTo(child: ChargeRow, created: readonly FilterState[]): NewFilter[] {
  const metric = metricState(child.billableMetric);
  const taken = new Set(child.filters.map(({ canonicalValues }) => canonicalValues));
  let position = Math.max(-1, ...child.filters.map((filter) => filter.position));
  return created.flatMap((wanted) => {
    const filter = filterForChild(wanted, metric.filters);
    if (filter === null || taken.has(filter.canonical)) return [];
    taken.add(filter.canonical);
    position += 1;
    return [{ chargeId: child.id, filter, position }];
  });
}

/** Carries the changes of a parent's filters over to child charges of the same model; says which children changed. */
export async function cascadeFilters(
  tx: TenantTransaction,
  actor: Actor,
  children: readonly ChargeRow[],
  { kept, created, removed }: FilterChanges,
): Promise<string[]> {
  const touched = children.map((child) => ({
    id: child.id,
    removed: removed.flatMap((filter) => withValues(child, filter).filter((own) => isSameFilter(own, filter))),
    changed: kept.flatMap(({ stored, wanted }) =>
      withValues(child, stored).map((from) => ({ from, to: cascadedFilter(from, stored, wanted) })),
    ),
    added: addedTo(child, created),
  }));
  await removeFilters(
    tx,
    actor,
    touched.flatMap((child) => child.removed),
  );
  await changeFilters(
    tx,
    touched.flatMap((child) => child.changed),
  );
  await addFilters(
    tx,
    actor,
    touched.flatMap((child) => child.added),
  );
  const isTouched = ({ removed, changed, added }: (typeof touched)[number]) =>
    removed.length + added.length > 0 || changed.some(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
  return touched.filter(isTouched).map(({ id }) => id);
}
