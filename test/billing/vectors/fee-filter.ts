import {
  expandFilter,
  type FilterValues,
  filterMatcher,
  type MatchableFilter,
} from '../../../src/billing/catalogue/filter.ts';
import type { FilterKey } from '../../../src/billing/catalogue/metric.ts';
import { parseInstant } from '../../instant.ts';
import { differences } from './compare.ts';
import type { FilterJson } from './fee-kind.ts';
import type { Difference, Json } from './vector-type.ts';

interface FilterInput {
  readonly declared: readonly FilterKey[];
  readonly filters: readonly FilterJson[];
  readonly current?: string | null;
  readonly properties?: Json;
}

type Properties = Readonly<Record<string, string>>;

function filtersOf({ filters }: FilterInput): MatchableFilter[] {
  return filters.map(({ name, values, created_at: at }) => ({
    id: name,
    values,
    createdAt: at === undefined ? undefined : parseInstant(at),
  }));
}

/** Every event that can be told apart: each key with each listed value, with one that nobody knows, and without. */
function* possibleEvents({ declared, filters }: FilterInput): Generator<Properties> {
  const values = new Map<string, Set<string>>();
  for (const { key, values: known } of declared) values.set(key, new Set(known));
  for (const filter of filters) {
    for (const [key, listed] of Object.entries(filter.values)) {
      const all = values.get(key) ?? new Set();
      for (const value of listed) all.add(value);
      values.set(key, all);
    }
  }
  const keys = [...values].map(([key, all]) => [key, [...all, 'not listed', null]] as const);
  function* combine(at: number, chosen: Properties): Generator<Properties> {
    const entry = keys[at];
    if (entry === undefined) {
      yield chosen;
      return;
    }
    for (const value of entry[1]) yield* combine(at + 1, value === null ? chosen : { ...chosen, [entry[0]]: value });
  }
  yield* combine(0, {});
}

function inSet(event: Properties, set: FilterValues): boolean {
  return Object.entries(set).every(([key, values]) => values.length === 0 || values.includes(event[key] ?? ''));
}

/** Filters of which neither is narrower than the other: unrelated keys, or the same keys with values only partly shared. */
function overlap(one: FilterValues, other: FilterValues): boolean {
  const [a, b] = [Object.keys(one), Object.keys(other)];
  const nested = a.every((key) => b.includes(key)) || b.every((key) => a.includes(key));
  if (!nested) return true;
  if (a.length !== b.length) return false;
  const within = (narrow: FilterValues, wide: FilterValues) =>
    a.every((key) => narrow[key]?.every((value) => wide[key]?.includes(value)));
  return !within(one, other) && !within(other, one);
}

/**
 * We have no sets of events to leave out: each event has one bucket. So the case's sets and our buckets are asked about
 * every possible event, and must take the same ones.
 */
export function filterSetsView(json: Json, expectedJson: Json) {
  const input = json as unknown as FilterInput;
  const expected = expectedJson as { readonly matching: FilterValues; readonly ignored: readonly FilterValues[] };
  const filters = filtersOf(input);
  const current = filters.find(({ id }) => id === input.current) ?? null;
  const matching = current === null ? {} : expandFilter(current.values, input.declared);
  const bucketOf = filterMatcher(filters, input.declared);
  const ignored = expected.ignored.filter((set) => Object.values(set).some((values) => values.length > 0));
  const disputed: { event: Properties; takenBy: string | null; billedTwice: boolean }[] = [];
  for (const event of possibleEvents(input)) {
    const theirs = inSet(event, expected.matching) && !ignored.some((set) => inSet(event, set));
    const winner = bucketOf(event);
    if (theirs === (winner === current)) continue;
    const other = winner === null ? {} : expandFilter(winner.values, input.declared);
    disputed.push({
      event,
      takenBy: winner?.id ?? null,
      billedTwice: theirs && winner !== null && overlap(matching, other),
    });
  }
  const found: Difference[] = [...differences({ matching: sorted(expected.matching) }, { matching: sorted(matching) })];
  if (disputed.length > 0) found.push({ path: ['ignored'], expected: expected.ignored, actual: disputed });
  return {
    view: { matching, events_in_another_bucket: disputed },
    facts: { billedTwice: disputed.every(({ billedTwice }) => billedTwice) },
    found,
  };
}

function sorted(set: FilterValues): FilterValues {
  return Object.fromEntries(Object.entries(set).map(([key, values]) => [key, [...values].sort()]));
}

/** The filter of one event. `narrowerWins`: another filter with the same keys was listed before ours and is wider. */
export function filterMatchView(json: Json) {
  const input = json as unknown as FilterInput;
  const filters = filtersOf(input);
  const ours = filterMatcher(filters, input.declared)(input.properties ?? {});
  const wider = filters.some((filter) => filter !== ours && ours !== null && isWider(filter, ours, input.declared));
  return { view: { filter: ours?.id ?? null }, facts: { narrowerWins: wider } };
}

function isWider(wide: MatchableFilter, narrow: MatchableFilter, declared: readonly FilterKey[]): boolean {
  const [a, b] = [expandFilter(wide.values, declared), expandFilter(narrow.values, declared)];
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => b[key]?.every((value) => a[key]?.includes(value)) === true)
  );
}
