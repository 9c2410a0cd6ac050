import { emptyGroup, groupKey, pricingGroupKeys } from '../../billing/aggregate/group.ts';
import type { UsageAsked, UsageGroup } from '../../billing/aggregate/metric-usage.ts';
import { countedAdvance, groupAggregate, partUnits, type UsageTotals } from '../../billing/aggregate/usage-total.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { GroupedBy } from '../../billing/usage/grouped-by.ts';
import type { Split } from './event-sql.ts';

type Text = string | null;
type Row = readonly [
  ...key: [bucket: number, values: readonly Text[], part: readonly Text[] | null],
  ...use: [first: number, isOdd: boolean, used: number, counted: number],
  ...totals: [value: Text, before: Text, weighted: Text, amounts: Text, lastAt: number | null],
];

/** What a statement told of one group, or of a part of one. */
export interface TotalsRow {
  readonly bucket: number;
  readonly values: readonly Text[];
  /** Null: the whole group. */
  readonly part: readonly Text[] | null;
  /** The moment of its first event. */
  readonly first: number;
  /** A text of its events is one that only the rules can tell. */
  readonly isOdd: boolean;
  readonly isUsed: boolean;
  readonly totals: UsageTotals;
}

export const totalsRow = (text: string): TotalsRow => totalsOf(JSON.parse(text) as Row);

export function totalsOf(row: Row): TotalsRow {
  const [bucket, values, part, first, isOdd, used, counted, value, before, weighted, amounts, lastAt] = row;
  const exact = (digits: Text) => (digits === null ? null : dec(digits));
  const sums = { value: exact(value), before: exact(before), weighted: exact(weighted), amounts: exact(amounts) };
  return { bucket, values, part, first, isOdd, isUsed: used > 0, totals: { count: counted, ...sums, lastAt } };
}

/** A text that is equal for the same group, or the same part of one. */
export const rowKey = (bucket: number, values: readonly Text[], part: readonly Text[] | null): string =>
  JSON.stringify([bucket, values, part]);

const valuesBy = (keys: readonly string[], values: readonly Text[]): GroupedBy =>
  Object.fromEntries(keys.map((key, at) => [key, values[at] ?? null]));

const NO_TOTALS: UsageTotals = { count: 0, value: null, before: null, weighted: null, amounts: null, lastAt: null };

/** The groups of a charge as the rules know them, of rows in the order of their first events. */
export function groupsOf(asked: UsageAsked, { shown }: Split, rows: readonly TotalsRow[]): readonly UsageGroup[] {
  const { charge } = asked;
  const parts = new Map<string, TotalsRow[]>();
  for (const row of rows.filter(({ part }) => part !== null)) {
    const key = rowKey(row.bucket, row.values, null);
    parts.set(key, [...(parts.get(key) ?? []), row]);
  }
  const buckets = [...charge.filters.map((filter, index) => ({ filter, index })), { filter: null, index: -1 }];
  return buckets.flatMap(({ filter, index }) => {
    const properties = filter?.properties ?? charge.properties;
    const keys = pricingGroupKeys(properties);
    const groupOf = (groupedBy: GroupedBy, totals: UsageTotals, own: readonly TotalsRow[]): UsageGroup => ({
      ...{ filter, properties, groupedBy, key: groupKey(groupedBy, keys) },
      aggregate: groupAggregate(asked, properties, totals),
      advance: countedAdvance(asked, totals.count),
      breakdowns: own.map((row) => ({
        ...{ presentationBy: valuesBy(shown, row.part ?? []), units: partUnits(asked, row.totals) },
      })),
    });
    const own = rows.filter((row) => row.bucket === index && row.part === null && row.isUsed);
    if (own.length === 0) return [groupOf(emptyGroup(keys), NO_TOTALS, parts.get(emptyKey(index, keys)) ?? [])];
    return own.map((row) =>
      groupOf(valuesBy(keys, row.values), row.totals, parts.get(rowKey(index, row.values, null)) ?? []),
    );
  });
}

const emptyKey = (index: number, keys: readonly string[]) =>
  rowKey(
    index,
    keys.map(() => null),
    null,
  );
