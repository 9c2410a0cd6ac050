import { advanceWindow, startAdvance } from '../../billing/aggregate/advance-usage.ts';
import { startUsage, usageWindow } from '../../billing/aggregate/bucket.ts';
import { presentationKeys, pricingGroupKeys } from '../../billing/aggregate/group.ts';
import type { AdvanceAsked, AdvanceUsage, UsageAsked, UsageGroup } from '../../billing/aggregate/metric-usage.ts';
import { isAddedUp } from '../../billing/aggregate/usage-total.ts';
import { filterOrder } from '../../billing/catalogue/filter.ts';
import { invalid } from '../../billing/errors.ts';
import { compareEvents, type UsageEvent } from '../../billing/usage/usage.ts';
import { isEmbedded } from '../database/server-kind.ts';
import type { TenantClient, TenantTransaction } from '../database/tenant.ts';
import { eventPages, type SignalOf } from './event-cursor.ts';
import { type EventsRead, type KeptMetric, measureOf, splitOf, supposedJson } from './event-sql.ts';
import { groupsOf, rowKey, type TotalsRow, totalsRow } from './stored-group.ts';
import { placesSql, type TotalsAsked, totalsSql } from './total-sql.ts';

/** From where usage is read, and who waits for it. */
export interface UsageReader {
  readonly tx: TenantTransaction;
  readonly signalOf?: SignalOf;
  /** Events that are added up by one statement; more are folded, a page at a time. */
  readonly mostAtOnce: number;
  /** Groups of a charge, each of which is a fee. */
  readonly mostGroups: number;
}

// In this process three microseconds an event: others wait for some sixty milliseconds.
const MOST_EMBEDDED = 20_000;

// Each is a fee: a hundred thousand of them take a thread some 500 MB.
const MOST_GROUPS = 100_000;

/** Reads usage within a transaction of a client. */
export const usageReader = (client: TenantClient, tx: TenantTransaction, signalOf?: SignalOf): UsageReader => ({
  ...{ tx, signalOf, mostAtOnce: isEmbedded(client) ? MOST_EMBEDDED : Number.POSITIVE_INFINITY },
  mostGroups: MOST_GROUPS,
});

const tooMany = ({ mostGroups }: UsageReader) =>
  invalid({ usage: ['value_is_too_long'] }, { usage: { limit: `at most ${mostGroups} groups` } });

const withoutSupposed = (read: EventsRead): EventsRead => ({ ...read, supposed: [] });

/** The properties that the folds of a charge look at. */
function namesOf({ charge }: Pick<UsageAsked, 'charge'>): readonly string[] {
  const priced = [charge.properties, ...charge.filters.map(({ properties }) => properties)];
  const matched = charge.filters.flatMap(({ values }) => Object.keys(values));
  const grouped = [...priced.flatMap(pricingGroupKeys), ...presentationKeys(charge.properties)];
  return [...new Set([charge.metric.fieldName ?? '', 'operation_type', ...matched, ...grouped])];
}

/** Pages of events, with those that are supposed in their places: at one moment after the others. */
async function* pagesOf(reader: UsageReader, asked: UsageAsked | AdvanceAsked, read: EventsRead) {
  const { window, supposed } = read;
  const left = supposed
    .filter(({ timestamp }) => timestamp <= window.to && (window.from === null || timestamp >= window.from))
    .sort(compareEvents);
  for await (const page of eventPages(reader.tx, withoutSupposed(read), namesOf(asked), reader.signalOf)) {
    const last = page.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY;
    const later = left.findIndex(({ timestamp }) => timestamp >= last);
    const before = left.splice(0, later < 0 ? left.length : later);
    yield before.length === 0 ? page : [...page, ...before].sort(compareEvents);
  }
  yield left;
}

async function foldGroups(reader: UsageReader, asked: UsageAsked, read: EventsRead): Promise<readonly UsageGroup[]> {
  const fold = startUsage(asked);
  for await (const page of pagesOf(reader, asked, read)) {
    for (const event of page) fold.add(event);
    if (fold.size() > reader.mostGroups) throw tooMany(reader);
  }
  return fold.finish();
}

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

async function hasMoreThan(reader: UsageReader, { metric, window }: EventsRead): Promise<boolean> {
  const { organizationId, externalSubscriptionId, code } = metric;
  const timestamp = { lte: new Date(window.to), ...(window.from === null ? {} : { gte: new Date(window.from) }) };
  const where = { organizationId, externalSubscriptionId, code, timestamp, deletedAt: null };
  const later = await reader.tx.event.findMany({ where, select: { id: true }, skip: reader.mostAtOnce, take: 1 });
  return later.length > 0;
}

/** The same from totals that the database makes; null where the events are needed one by one. */
async function addUp(reader: UsageReader, asked: UsageAsked, read: EventsRead): Promise<readonly UsageGroup[] | null> {
  const order = filterOrder(asked.charge.filters, asked.charge.metric.filters);
  if (!isAddedUp(asked) || order === null || supposedJson(read.supposed) === null) return null;
  if (Number.isFinite(reader.mostAtOnce) && (await hasMoreThan(reader, read))) return null;
  const totals: TotalsAsked = { asked, read, split: splitOf(asked, order) };
  const found = await reader.tx.$queryRaw<{ row: string }[]>`${totalsSql(totals, reader.mostGroups)}`;
  if (found.length > reader.mostGroups) throw tooMany(reader);
  const rows = found.map(({ row }) => totalsRow(row));
  if (rows.some(({ isOdd }) => isOdd)) return null;
  return groupsOf(asked, totals.split, await inOrder(reader, totals, rows));
}

const readOf = (metric: KeptMetric, asked: UsageAsked | AdvanceAsked, window: EventsRead['window']): EventsRead => ({
  ...{ metric, window, until: asked.until, supposed: asked.supposed ?? [] },
  measure: measureOf(asked.charge.metric),
});

/**
 * The usage of a charge, as the folds of the rules have it: added up by the database in one statement, or in two where groups began
 * at one moment; else folded. Refuses more than a hundred thousand groups: `usage: ['value_is_too_long']`.
 */
export async function readGroups(
  reader: UsageReader,
  metric: KeptMetric,
  asked: UsageAsked,
): Promise<readonly UsageGroup[]> {
  const read = readOf(metric, asked, usageWindow(asked));
  return (await addUp(reader, asked, read)) ?? foldGroups(reader, asked, read);
}

/** What an event is billed for at once: folded. */
export async function readAdvance(reader: UsageReader, metric: KeptMetric, asked: AdvanceAsked): Promise<AdvanceUsage> {
  const window = advanceWindow(asked);
  const fold = startAdvance(asked);
  const isBefore = (event: UsageEvent) => window.boundary === undefined || compareEvents(event, window.boundary) <= 0;
  for await (const page of pagesOf(reader, asked, readOf(metric, asked, window))) {
    for (const event of page) if (isBefore(event)) fold.add(event);
  }
  return fold.finish();
}
