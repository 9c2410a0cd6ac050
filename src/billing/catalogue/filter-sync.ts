import type { FilterState } from './filter-write.ts';

/** A stored filter. */
export type StoredFilter = FilterState & { readonly id: string };

/** How the stored filters of a charge become the wanted ones. */
export interface FilterSync<Stored extends StoredFilter = StoredFilter> {
  /** The same values as before: the filter keeps its identifier and gets what is wanted. */
  readonly kept: readonly { readonly stored: Stored; readonly wanted: FilterState }[];
  readonly created: readonly FilterState[];
  readonly removed: readonly Stored[];
}

/**
 * Matches filters by the canonical form of their values, so that neither the order of keys nor that of values makes a new
 * filter. Stored [eu], [us] and wanted [us], [eu, uk]: us is kept, eu removed, eu+uk created. Source: behaviour 2.7.
 */
export function syncFilters<Stored extends StoredFilter>(
  stored: readonly Stored[],
  wanted: readonly FilterState[],
): FilterSync<Stored> {
  const byValues = new Map(stored.map((filter) => [filter.canonical, filter]));
  const kept: { stored: Stored; wanted: FilterState }[] = [];
  const created: FilterState[] = [];
  for (const filter of wanted) {
    const same = byValues.get(filter.canonical);
    if (same) kept.push({ stored: same, wanted: filter });
    else created.push(filter);
  }
  const named = new Set(wanted.map(({ canonical }) => canonical));
  return { kept, created, removed: stored.filter(({ canonical }) => !named.has(canonical)) };
}
