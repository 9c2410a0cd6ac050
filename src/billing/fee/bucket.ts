import { type AdvanceFold, type AdvanceState, advanceFold } from '../aggregate/advance.ts';
import { startFold } from '../aggregate/aggregate.ts';
import type { Aggregate, Fold, FoldOptions } from '../aggregate/fold.ts';
import { hasValue } from '../aggregate/has-value.ts';
import type { ChargeFilterInput, ChargeInput } from '../catalogue/charge.ts';
import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { filterMatcher } from '../catalogue/filter.ts';
import type { Instant } from '../period/calendar.ts';
import type { ChargePeriod } from '../period/charge-period.ts';
import { freeAllowance, hasTransactionBounds } from '../price/allowance.ts';
import type { GroupedBy } from '../usage/grouped-by.ts';
import type { Level } from '../usage/level.ts';
import type { UsageEvent } from '../usage/usage.ts';
import type { MetricUsage } from '../usage/usage-source.ts';
import { emptyGroup, groupKey, groupOf, presentationKeys, pricingGroupKeys } from './group.ts';

/** One charge over one window. `usage` is that of the subscription and the metric. */
export interface ChargeUsage {
  readonly charge: ChargeInput;
  readonly currency: string;
  readonly period: ChargePeriod;
  /**
   * `invoice` drops empty fees and adds the spending minimum; `recurring` (the renewal of a charge that is not invoiced)
   * and `current_usage` keep them and do not.
   */
  readonly context: 'invoice' | 'recurring' | 'current_usage';
  readonly usage: MetricUsage;
  /** Weighted sums of recurring metrics: since when changes make up the level; null: since ever. */
  readonly levelFrom: Instant | null;
}

/** The events of one bucket and one pricing group, folded. */
export interface UsageGroup {
  readonly filter: ChargeFilterInput | null;
  readonly properties: ChargeProperties;
  readonly groupedBy: GroupedBy;
  readonly key: string;
  readonly aggregate: Aggregate;
  readonly advance: AdvanceState | null;
  readonly breakdowns: readonly { readonly presentationBy: GroupedBy; readonly aggregate: Aggregate }[];
}

interface Slot {
  readonly groupedBy: GroupedBy;
  readonly fold: Fold;
  readonly advance: AdvanceFold | null;
  readonly breakdowns: Map<string, { readonly presentationBy: GroupedBy; readonly fold: Fold }>;
  counts: boolean;
}

interface Bucket {
  readonly filter: ChargeFilterInput | null;
  readonly properties: ChargeProperties;
  readonly keys: readonly string[];
  readonly slots: Map<string, Slot>;
}

/** What the folds of a bucket are told; the prorated graduated model and bounds per transaction need every event. */
export function foldOptions(usage: Pick<ChargeUsage, 'charge' | 'period'>, properties: ChargeProperties): FoldOptions {
  const { charge, period } = usage;
  const prorated = charge.prorated === true;
  return {
    metric: charge.metric,
    period,
    prorated,
    grouped: pricingGroupKeys(properties).length > 0,
    allowance: freeAllowance(charge.model === 'percentage' ? properties : {}),
    keepValues: charge.model === 'percentage' && hasTransactionBounds(properties),
    keepShares: prorated && charge.model === 'graduated',
  };
}

/** Recurring sums and unique counts read everything since the start, all others what happened within the period. */
export function windowStart({ charge, period }: Pick<ChargeUsage, 'charge' | 'period'>): Instant | null {
  const { aggregation, recurring } = charge.metric;
  return recurring && (aggregation === 'sum' || aggregation === 'unique_count') ? null : period.from;
}

function newBucket(filter: ChargeFilterInput | null, properties: ChargeProperties): Bucket {
  return { filter, properties, keys: pricingGroupKeys(properties), slots: new Map() };
}

function slotOf(usage: ChargeUsage, bucket: Bucket, groupedBy: GroupedBy): Slot {
  const key = groupKey(groupedBy, bucket.keys);
  const known = bucket.slots.get(key);
  if (known !== undefined) return known;
  const { charge, period } = usage;
  const slot: Slot = {
    groupedBy,
    fold: startFold(foldOptions(usage, bucket.properties)),
    advance: charge.payInAdvance ? advanceFold(charge.metric, period, charge.prorated === true) : null,
    breakdowns: new Map(),
    counts: false,
  };
  bucket.slots.set(key, slot);
  return slot;
}

function addBreakdown(
  usage: ChargeUsage,
  bucket: Bucket,
  slot: Slot,
  keys: readonly string[],
  event: UsageEvent,
): void {
  const presentationBy = groupOf(event.properties, keys);
  const key = groupKey(presentationBy, keys);
  let part = slot.breakdowns.get(key);
  if (part === undefined) {
    part = { presentationBy, fold: startFold(foldOptions(usage, bucket.properties)) };
    slot.breakdowns.set(key, part);
  }
  part.fold.add(event);
}

/** What recurring levels are when the period begins, at least one for each group of each bucket. */
function carriedLevels({ charge, period, usage, levelFrom }: ChargeUsage, buckets: readonly Bucket[]) {
  const { aggregation, recurring, fieldName } = charge.metric;
  if (!recurring || aggregation !== 'weighted_sum') return [];
  const filterKeys = charge.filters.flatMap(({ values }) => Object.keys(values));
  const keys = new Set([...filterKeys, ...buckets.flatMap((bucket) => bucket.keys)]);
  return usage.levels({ from: levelFrom, to: period.from - 1 }, fieldName ?? '', [...keys]);
}

/** A level as the one change that made it. */
function changeOf({ charge, period }: ChargeUsage, { value }: Level): UsageEvent {
  return { timestamp: period.from - 1, properties: { [charge.metric.fieldName ?? '']: value?.toFixed() } };
}

function finishSlot(bucket: Bucket, slot: Slot): UsageGroup {
  return {
    filter: bucket.filter,
    properties: bucket.properties,
    groupedBy: slot.groupedBy,
    key: groupKey(slot.groupedBy, bucket.keys),
    aggregate: slot.fold.finish(),
    advance: slot.advance?.state() ?? null,
    breakdowns: [...slot.breakdowns.values()].map(({ presentationBy, fold }) => ({
      presentationBy,
      aggregate: fold.finish(),
    })),
  };
}

/** Groups with usage; without any, the one group whose keys are all null. */
function groupsOf(usage: ChargeUsage, bucket: Bucket): UsageGroup[] {
  const used = [...bucket.slots.values()].filter((slot) => slot.counts);
  const slots = used.length > 0 ? used : [slotOf(usage, bucket, emptyGroup(bucket.keys))];
  return slots.map((slot) => finishSlot(bucket, slot));
}

/**
 * Splits the events of a window into buckets (one a filter, in their order, then the default one) and pricing groups and
 * folds each, in one pass. Every event is in exactly one bucket. Source: pricing 1, 6 and 7.
 */
export function foldUsage(usage: ChargeUsage): readonly UsageGroup[] {
  const { charge, period } = usage;
  const buckets = new Map<ChargeFilterInput | null, Bucket>(
    charge.filters.map((filter) => [filter, newBucket(filter, filter.properties)]),
  );
  const rest = newBucket(null, charge.properties);
  const filterOf = filterMatcher(charge.filters, charge.metric.filters);
  const shown = presentationKeys(charge.properties);
  // Breakdowns start from level 0: pricing 7.
  for (const level of carriedLevels(usage, [...buckets.values(), rest])) {
    const bucket = buckets.get(filterOf(level.properties)) ?? rest;
    const slot = slotOf(usage, bucket, groupOf(level.properties, bucket.keys));
    if (slot.fold.add(changeOf(usage, level))) slot.counts = true;
  }
  for (const event of usage.usage.within({ from: windowStart(usage), to: period.to })) {
    const bucket = buckets.get(filterOf(event.properties)) ?? rest;
    // In arrears the folds decide what counts; what is billed at its event weighs nothing later either.
    if (charge.payInAdvance && !hasValue(charge.metric, event)) continue;
    const slot = slotOf(usage, bucket, groupOf(event.properties, bucket.keys));
    if (slot.fold.add(event)) slot.counts = true;
    slot.advance?.add(event);
    if (shown.length > 0) addBreakdown(usage, bucket, slot, shown, event);
  }
  return [...buckets.values(), rest].flatMap((bucket) => groupsOf(usage, bucket));
}
