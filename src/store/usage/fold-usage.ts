import { startAdvance } from '../../billing/aggregate/advance-usage.ts';
import { startUsage } from '../../billing/aggregate/bucket.ts';
import { presentationKeys, pricingGroupKeys } from '../../billing/aggregate/group.ts';
import type { AdvanceAsked, AdvanceUsage, UsageAsked, UsageGroup } from '../../billing/aggregate/metric-usage.ts';
import { type BillingError, invalid } from '../../billing/errors.ts';
import { compareEvents, type UsageEvent, type UsageWindow } from '../../billing/usage/usage.ts';

/** Reads what is stored within a window in its one order, with the properties of these names, a page at a time. */
export type ReadPages = (window: UsageWindow, names: readonly string[]) => AsyncIterable<readonly UsageEvent[]>;

/** The refusal of more groups than fees that may be made. */
export const tooManyGroups = (most: number): BillingError =>
  invalid({ usage: ['value_is_too_long'] }, { usage: { limit: `at most ${most} groups` } });

/** The properties that the folds of a charge look at. */
function namesOf({ charge }: Pick<UsageAsked, 'charge'>): readonly string[] {
  const priced = [charge.properties, ...charge.filters.map(({ properties }) => properties)];
  const matched = charge.filters.flatMap(({ values }) => Object.keys(values));
  const grouped = [...priced.flatMap(pricingGroupKeys), ...presentationKeys(charge.properties)];
  return [...new Set([charge.metric.fieldName ?? '', 'operation_type', ...matched, ...grouped])];
}

/** Pages of events, with those that are supposed in their places: at one moment after the others. */
async function* pagesOf(read: ReadPages, asked: UsageAsked | AdvanceAsked, window: UsageWindow) {
  const { until = window.to, supposed = [] } = asked;
  const left = supposed
    .filter(({ timestamp }) => timestamp <= window.to && (window.from === null || timestamp >= window.from))
    .sort(compareEvents);
  for await (const page of read({ ...window, to: Math.min(window.to, until) }, namesOf(asked))) {
    const last = page.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY;
    const later = left.findIndex(({ timestamp }) => timestamp >= last);
    const before = left.splice(0, later < 0 ? left.length : later);
    yield before.length === 0 ? page : [...page, ...before].sort(compareEvents);
  }
  yield left;
}

/** The usage of a charge from its events one by one, in memory that grows with its groups only. */
export async function foldGroups(
  read: ReadPages,
  asked: UsageAsked,
  window: UsageWindow,
  mostGroups: number,
): Promise<readonly UsageGroup[]> {
  const fold = startUsage(asked);
  for await (const page of pagesOf(read, asked, window)) {
    for (const event of page) fold.add(event);
    if (fold.size() > mostGroups) throw tooManyGroups(mostGroups);
  }
  return fold.finish();
}

/** What an event is billed for at once, from those before it one by one. */
export async function foldAdvance(read: ReadPages, asked: AdvanceAsked, window: UsageWindow): Promise<AdvanceUsage> {
  const fold = startAdvance(asked);
  const isBefore = (event: UsageEvent) => window.boundary === undefined || compareEvents(event, window.boundary) <= 0;
  for await (const page of pagesOf(read, asked, window)) {
    for (const event of page) if (isBefore(event)) fold.add(event);
  }
  return fold.finish();
}
