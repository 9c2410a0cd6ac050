import { advanceWindow } from '../../billing/aggregate/advance-usage.ts';
import { usageWindow } from '../../billing/aggregate/bucket.ts';
import type { AdvanceAsked, AdvanceUsage, UsageAsked, UsageGroup } from '../../billing/aggregate/metric-usage.ts';
import { isAddedUp } from '../../billing/aggregate/usage-total.ts';
import { filterOrder } from '../../billing/catalogue/filter.ts';
import { isEmbedded } from '../database/server-kind.ts';
import { rootOf, type TenantClient, type TenantTransaction } from '../database/tenant.ts';
import { eventPages, type SignalOf } from './event-cursor.ts';
import { type EventsRead, isWhole, type KeptMetric, rangeOf, splitOf, supposedJson } from './event-sql.ts';
import type { UsageReader } from './event-store.ts';
import { foldAdvance, foldGroups, type ReadPages, tooManyGroups } from './fold-usage.ts';
import { keepLater } from './hours/keep-usage.ts';
import { keptOf, keptWithin } from './hours/kept-sql.ts';
import { groupsOf, rowKey, type TotalsRow, totalsRow } from './stored-group.ts';
import { measureOf } from './table/measured-by.ts';
import { placesSql, type TotalsAsked, totalsSql } from './total-sql.ts';

// In this process three microseconds an event: others wait for some sixty milliseconds.
const MOST_EMBEDDED = 20_000;

// Where events take as long to add up, it is seen whether they are many.
const LONG_MS = 20;

// Each is a fee: a hundred thousand of them take a thread some 500 MB.
const MOST_GROUPS = 100_000;

/** Reads the usage of subscriptions within a transaction of a client. */
export const usageReader = (
  client: TenantClient,
  tx: TenantTransaction,
  externalSubscriptionIds: readonly string[],
  signalOf?: SignalOf,
): UsageReader => ({
  ...{
    tx,
    prisma: rootOf(client)?.prisma,
    signalOf,
    hasKept: keptWithin(tx, externalSubscriptionIds),
    mostAtOnce: isEmbedded(client) ? MOST_EMBEDDED : Number.POSITIVE_INFINITY,
  },
  mostGroups: MOST_GROUPS,
});

/** Rows in the order of their first events, of which the database is asked only where several are of one moment. */
async function inOrder(reader: UsageReader, totals: TotalsAsked, rows: readonly TotalsRow[]): Promise<TotalsRow[]> {
  const sorted = [...rows].sort((one, other) => one.first - other.first);
  const tied = new Set(sorted.flatMap(({ first }, at) => (sorted[at - 1]?.first === first ? [first] : [])));
  if (tied.size === 0) return sorted;
  const found = await reader.tx.$queryRaw<{ row: string }[]>`${placesSql(totals, [...tied])}`;
  const places = new Map<string, number>();
  for (const { row } of found) {
    const [bucket, values, part, place] = JSON.parse(row) as [number, string[], string[], number];
    for (const key of [rowKey(bucket, values, part), rowKey(bucket, values, null)]) {
      places.set(key, Math.min(places.get(key) ?? place, place));
    }
  }
  const placeOf = ({ bucket, values, part }: TotalsRow) => places.get(rowKey(bucket, values, part)) ?? 0;
  return sorted.sort((one, other) => one.first - other.first || placeOf(one) - placeOf(other));
}

async function hasMoreThan(reader: UsageReader, metric: KeptMetric, { window }: EventsRead): Promise<boolean> {
  const { organizationId, externalSubscriptionId, code } = metric;
  const timestamp = { lte: new Date(window.to), ...(window.from === null ? {} : { gte: new Date(window.from) }) };
  const where = { organizationId, externalSubscriptionId, code, timestamp, deletedAt: null };
  const later = await reader.tx.event.findMany({ where, select: { id: true }, skip: reader.mostAtOnce, take: 1 });
  return later.length > 0;
}

/** The same from totals that the database makes; null where the events are needed one by one. */
async function addUp(
  reader: UsageReader,
  metric: KeptMetric,
  asked: UsageAsked,
  read: EventsRead,
): Promise<readonly UsageGroup[] | null> {
  const order = filterOrder(asked.charge.filters, asked.charge.metric.filters);
  if (!isAddedUp(asked) || order === null || supposedJson(read.supposed) === null) return null;
  const split = splitOf(asked, order);
  const kept = isWhole(split) ? keptOf(asked, rangeOf(read)) : null;
  if (kept && (await reader.hasKept(metric))) {
    const groups = await addTotals(reader, { asked, read, split, kept });
    if (groups) return groups;
  }
  if (Number.isFinite(reader.mostAtOnce) && (await hasMoreThan(reader, metric, read))) return null;
  const begin = performance.now();
  const groups = await addTotals(reader, { asked, read, split });
  if (kept && performance.now() - begin > LONG_MS) keepLater(reader.prisma, metric);
  return groups;
}

/** What totals come to; null where they are odd. */
async function addTotals(reader: UsageReader, totals: TotalsAsked): Promise<readonly UsageGroup[] | null> {
  const found = await reader.tx.$queryRaw<{ row: string }[]>`${totalsSql(totals, reader.mostGroups)}`;
  return groupsIn(
    reader,
    totals,
    found.map(({ row }) => totalsRow(row)),
  );
}

/** The groups of a charge, of the rows of a statement; null where they are odd. Refuses too many. */
export async function groupsIn(
  reader: UsageReader,
  totals: TotalsAsked,
  rows: readonly TotalsRow[],
): Promise<readonly UsageGroup[] | null> {
  if (rows.length > reader.mostGroups) throw tooManyGroups(reader.mostGroups);
  if (rows.some(({ isOdd }) => isOdd)) return null;
  return groupsOf(totals.asked, totals.split, await inOrder(reader, totals, rows));
}

/** What is read of events to answer a question. */
export const readOf = (
  metric: KeptMetric,
  asked: UsageAsked | AdvanceAsked,
  window: EventsRead['window'],
): EventsRead => ({
  ...{ metric, window, until: asked.until, supposed: asked.supposed ?? [] },
  measure: measureOf(asked.charge.metric),
});

const pagesBy =
  (reader: UsageReader, read: EventsRead): ReadPages =>
  (window, names) =>
    eventPages(reader.tx, { ...read, window, supposed: [] }, names, reader.signalOf);

/**
 * The usage of a charge, as the folds of the rules have it: added up by the database in one statement, or in two where groups began
 * at one moment; else folded. Refuses more than a hundred thousand groups: `usage: ['value_is_too_long']`.
 */
export async function readGroups(
  reader: UsageReader,
  metric: KeptMetric,
  asked: UsageAsked,
): Promise<readonly UsageGroup[]> {
  const window = usageWindow(asked);
  const read = readOf(metric, asked, window);
  return (
    (await addUp(reader, metric, asked, read)) ?? foldGroups(pagesBy(reader, read), asked, window, reader.mostGroups)
  );
}

/** What an event is billed for at once: folded. */
export const readAdvance = (reader: UsageReader, metric: KeptMetric, asked: AdvanceAsked): Promise<AdvanceUsage> => {
  const window = advanceWindow(asked);
  return foldAdvance(pagesBy(reader, readOf(metric, asked, window)), asked, window);
};
