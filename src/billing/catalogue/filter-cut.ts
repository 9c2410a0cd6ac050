import { ALL_FILTER_VALUES, canonicalFilter, type FilterValues } from './filter.ts';
import type { FilterKey } from './metric.ts';

/** A filter of a charge. */
export interface CutFilter {
  readonly id: string;
  readonly values: FilterValues;
}

/** What is left of filters after their metric has lost keys or values. */
export interface FilterCut {
  readonly changed: readonly (CutFilter & { readonly canonical: string })[];
  readonly removed: readonly string[];
}

/** The values that are still declared; a key without any is left out. All values stand for those that there are. */
function left(values: FilterValues, declared: ReadonlyMap<string, readonly string[]>): FilterValues {
  const kept = Object.entries(values).map(([key, list]): [string, readonly string[]] => {
    const known = declared.get(key) ?? [];
    return [key, list.filter((value) => (value === ALL_FILTER_VALUES ? known.length > 0 : known.includes(value)))];
  });
  return Object.fromEntries(kept.filter(([, list]) => list.length > 0));
}

/**
 * Takes what a metric no longer declares from the filters of one charge, which are given in their order. A filter that has no
 * values then goes, and so does one that has become the same as an earlier one, which usage fell to first. Source: engine-catalogue 6.2.
 */
export function cutFilters(filters: readonly CutFilter[], declared: readonly FilterKey[]): FilterCut {
  const known = new Map(declared.map(({ key, values }) => [key, values]));
  const cut = filters.map(({ id, values }) => {
    const rest = left(values, known);
    return { id, before: canonicalFilter(values), values: rest, canonical: canonicalFilter(rest) };
  });
  const first = new Map(cut.toReversed().map(({ id, canonical }) => [canonical, id]));
  const isLeft = ({ id, values, canonical }: (typeof cut)[number]) =>
    Object.keys(values).length > 0 && first.get(canonical) === id;
  return {
    changed: cut
      .filter((one) => isLeft(one) && one.canonical !== one.before)
      .map(({ id, values, canonical }) => ({ id, values, canonical })),
    removed: cut.filter((one) => !isLeft(one)).map(({ id }) => id),
  };
}
