import { textOf } from '../usage/value.ts';
import type { FilterKey } from './metric.ts';

/** Stands for all declared values of its key, alone in its list. */
export const ALL_FILTER_VALUES = '__ALL_FILTER_VALUES__';

export type FilterValues = Readonly<Record<string, readonly string[]>>;

/** A filter as far as matching looks at it. */
export interface MatchableFilter {
  readonly id: string;
  readonly values: FilterValues;
  /** Milliseconds; absent: the order of the list. */
  readonly createdAt?: number;
}

/**
 * The same text for two filters exactly when they name the same keys with the same values: keys sorted, values a sorted
 * set. Two filters of one canonical form on one charge are the same filter.
 */
export function canonicalFilter(values: FilterValues): string {
  const keys = Object.keys(values).sort();
  return JSON.stringify(keys.map((key) => [key, [...new Set(values[key] ?? [])].sort()]));
}

/** The values of a filter with the wildcard replaced by what the metric declares for its key. */
export function expandFilter(values: FilterValues, declared: readonly FilterKey[]): FilterValues {
  const all = new Map(declared.map(({ key, values: known }) => [key, known]));
  return Object.fromEntries(
    Object.entries(values).map(([key, listed]) => [
      key,
      listed.length === 1 && listed[0] === ALL_FILTER_VALUES ? (all.get(key) ?? []) : listed,
    ]),
  );
}

interface Prepared<F> {
  readonly filter: F;
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Whether an event has, for every key of a filter, one of its values. Text decides; case matters; null never matches. */
function matches(prepared: Prepared<unknown>, properties: Readonly<Record<string, unknown>>): boolean {
  for (const [key, values] of prepared.keys) {
    const text = textOf(properties[key]);
    if (text === null || !values.has(text)) return false;
  }
  return prepared.keys.size > 0;
}

/** Same keys, no value that `wide` lacks, and not the same values. */
function narrower(narrow: Prepared<unknown>, wide: Prepared<unknown>): boolean {
  let strictly = false;
  for (const [key, values] of narrow.keys) {
    const others = wide.keys.get(key);
    if (others === undefined) return false;
    for (const value of values) if (!others.has(value)) return false;
    if (values.size < others.size) strictly = true;
  }
  return strictly && narrow.keys.size === wide.keys.size;
}

/** Of the matching filters: most keys, then none that a narrower one of the same keys undercuts, then the oldest. */
function mostSpecific<F>(candidates: readonly Prepared<F>[]): F | null {
  const most = Math.max(...candidates.map(({ keys }) => keys.size));
  const specific = candidates.filter(({ keys }) => keys.size === most);
  const kept = specific.find((one) => !specific.some((other) => narrower(other, one)));
  return kept?.filter ?? null;
}

/** Oldest first: by creation, then id; without a creation time the order of the list stands. */
function oldestFirst<F extends MatchableFilter>(filters: readonly F[]): F[] {
  if (filters.some(({ createdAt }) => createdAt === undefined)) return [...filters];
  return [...filters].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0) || (a.id < b.id ? -1 : 1));
}

/**
 * Decides the one filter whose bucket an event falls into; null is the default bucket. The most specific match wins,
 * ties go to the oldest filter. Prepared once for a charge, asked for each event.
 * Given cloud=[aws,gcp] and cloud=[aws], an event of aws falls in the second. Source: pricing 6, design 12.
 */
export function filterMatcher<F extends MatchableFilter>(
  filters: readonly F[],
  declared: readonly FilterKey[],
): (properties: Readonly<Record<string, unknown>>) => F | null {
  const prepared = oldestFirst(filters).map((filter) => ({
    filter,
    keys: new Map(Object.entries(expandFilter(filter.values, declared)).map(([key, list]) => [key, new Set(list)])),
  }));
  return (properties) => {
    const candidates = prepared.filter((one) => matches(one, properties));
    if (candidates.length < 2) return candidates[0]?.filter ?? null;
    return mostSpecific(candidates);
  };
}

/** Whether some event can match both. */
function meet(one: Prepared<unknown>, other: Prepared<unknown>): boolean {
  for (const [key, values] of one.keys) {
    const others = other.keys.get(key);
    if (others !== undefined && ![...values].some((value) => others.has(value))) return false;
  }
  return true;
}

/** Whether one goes before another wherever both match. `older`: it is the older of the two. */
function goesBefore(one: Prepared<unknown>, other: Prepared<unknown>, older: boolean): boolean {
  if (one.keys.size !== other.keys.size) return one.keys.size > other.keys.size;
  return narrower(one, other) || (older && !narrower(other, one));
}

/** A filter with all values of its keys, and its place in the list that was given. */
export interface OrderedFilter {
  readonly index: number;
  readonly values: FilterValues;
}

/**
 * The filters in an order of which the first match is the one that `filterMatcher` chooses; null where no order is that. Filters
 * without any key match nothing and are left out. Of wide = [aws,gcp,azure] and a later narrow = [aws,gcp] narrow is first. With
 * [aws,own] made between them no order is right: wide goes before it by age, it before narrow, and narrow before wide.
 */
export function filterOrder(
  filters: readonly MatchableFilter[],
  declared: readonly FilterKey[],
): readonly OrderedFilter[] | null {
  const matchable = oldestFirst(filters).filter(({ values }) => Object.keys(values).length > 0);
  const left = matchable.map((filter, age) => {
    const values = expandFilter(filter.values, declared);
    const keys = new Map(Object.entries(values).map(([key, list]) => [key, new Set(list)]));
    return { filter, age, values, keys };
  });
  const order: OrderedFilter[] = [];
  while (left.length > 0) {
    const first = left.findIndex((one) =>
      left.every((other) => other === one || !meet(one, other) || !goesBefore(other, one, other.age < one.age)),
    );
    const [next] = first < 0 ? [] : left.splice(first, 1);
    if (next === undefined) return null;
    order.push({ index: filters.indexOf(next.filter), values: next.values });
  }
  return order;
}
