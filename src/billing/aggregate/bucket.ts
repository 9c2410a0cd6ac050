import type { ChargeFilterInput, ChargeInput } from '../catalogue/charge.ts';
import type { ChargeProperties } from '../catalogue/charge-type.ts';
import { filterMatcher } from '../catalogue/filter.ts';
import { freeAllowance, hasTransactionBounds } from '../price/allowance.ts';
import { shareFold } from '../price/graduated-prorated.ts';
import { transactionFold } from '../price/percentage-transaction.ts';
import type { GroupedBy } from '../usage/grouped-by.ts';
import type { UsageEvent, UsageWindow } from '../usage/usage.ts';
import { type AdvanceFold, advanceFold } from './advance.ts';
import { startFold } from './aggregate.ts';
import type { Fold, FoldOptions } from './fold.ts';
import { emptyGroup, groupKey, groupOf, presentationKeys, pricingGroupKeys } from './group.ts';
import { hasValue } from './has-value.ts';
import type { GroupAggregate, UsageAsked, UsageGroup } from './metric-usage.ts';

type Priced = Pick<UsageAsked, 'charge' | 'period'>;

/** A fold that prices each event where the price of its bucket looks at each. */
export interface PricingFold extends Pick<Fold, 'add'> {
  finish(): GroupAggregate;
}

/** What the folds of a bucket are told, whatever its price looks at. */
export function foldOptions({ charge, period }: Priced, properties: ChargeProperties): FoldOptions {
  return {
    ...{ metric: charge.metric, period, prorated: charge.prorated === true },
    grouped: pricingGroupKeys(properties).length > 0,
    allowance: freeAllowance(charge.model === 'percentage' ? properties : {}),
    amounts: charge.model === 'dynamic',
  };
}

/** Whether a price looks at each transaction. */
export const boundsTransactions = ({ model }: Pick<ChargeInput, 'model'>, properties: ChargeProperties): boolean =>
  model === 'percentage' && hasTransactionBounds(properties);

/** Whether a price looks at the share of each event. */
export const pricesShares = ({ model, prorated }: Pick<ChargeInput, 'model' | 'prorated'>): boolean =>
  model === 'graduated' && prorated === true;

/** Folds the usage of a bucket and group, `prorated` as its charge is or not. */
export function startPricing(asked: Priced, properties: ChargeProperties, prorated?: boolean): PricingFold {
  const options = foldOptions(asked, properties);
  const isProrated = prorated ?? options.prorated;
  const transactions = boundsTransactions(asked.charge, properties) ? transactionFold(properties) : null;
  const shares = isProrated && pricesShares(asked.charge) ? shareFold(properties) : null;
  const fold = startFold({
    ...{ ...options, prorated: isProrated },
    ...{ onValue: transactions?.add, onShare: shares?.add },
  });
  return {
    add: fold.add,
    finish: () => {
      const aggregate = fold.finish();
      return { ...aggregate, transactions: transactions?.totals() ?? null, shares: shares?.totals() ?? null };
    },
  };
}

/** Levels of recurring metrics are what their changes since a moment make them. */
const hasLevel = ({ metric }: ChargeInput) => metric.recurring && metric.aggregation === 'weighted_sum';

/**
 * The window of events that a charge reads: recurring sums and unique counts everything since the start, levels what made them, all
 * others what happened within the period.
 */
export function usageWindow({ charge, period, levelFrom }: Priced & Pick<UsageAsked, 'levelFrom'>): UsageWindow {
  const { aggregation, recurring } = charge.metric;
  const { from, usedTo: to = period.to } = period;
  if (recurring && (aggregation === 'sum' || aggregation === 'unique_count')) return { from: null, to };
  if (!hasLevel(charge)) return { from, to };
  return { from: levelFrom === null ? null : Math.min(levelFrom, from), to };
}

interface Slot {
  readonly groupedBy: GroupedBy;
  readonly fold: PricingFold;
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

const newBucket = (filter: ChargeFilterInput | null, properties: ChargeProperties): Bucket => ({
  ...{ filter, properties, keys: pricingGroupKeys(properties), slots: new Map() },
});

function slotOf(asked: UsageAsked, bucket: Bucket, groupedBy: GroupedBy): Slot {
  const key = groupKey(groupedBy, bucket.keys);
  const known = bucket.slots.get(key);
  if (known !== undefined) return known;
  const { charge, period, withAdvance } = asked;
  const slot: Slot = {
    ...{ groupedBy, fold: startPricing(asked, bucket.properties), breakdowns: new Map(), counts: false },
    advance: charge.payInAdvance && withAdvance ? advanceFold(charge.metric, period, charge.prorated === true) : null,
  };
  bucket.slots.set(key, slot);
  return slot;
}

function addBreakdown(asked: UsageAsked, slot: Slot, keys: readonly string[], event: UsageEvent): void {
  const presentationBy = groupOf(event.properties, keys);
  const key = groupKey(presentationBy, keys);
  let part = slot.breakdowns.get(key);
  if (part === undefined) {
    part = { presentationBy, fold: startFold({ ...foldOptions(asked, {}), prorated: false }) };
    slot.breakdowns.set(key, part);
  }
  part.fold.add(event);
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
      ...{ presentationBy, units: fold.finish().units },
    })),
  };
}

/** Groups with usage; without any, the one group whose keys are all null. */
function groupsOf(asked: UsageAsked, bucket: Bucket): UsageGroup[] {
  const used = [...bucket.slots.values()].filter((slot) => slot.counts);
  const slots = used.length > 0 ? used : [slotOf(asked, bucket, emptyGroup(bucket.keys))];
  return slots.map((slot) => finishSlot(bucket, slot));
}

/** Folds the usage of a charge, event by event. */
export interface UsageFold {
  /** Takes the next event of the window in time order. */
  add(event: UsageEvent): void;
  /** Groups so far. */
  size(): number;
  finish(): readonly UsageGroup[];
}

/**
 * Splits the events of a window into buckets (one a filter, in their order, then the default one) and pricing groups and
 * folds each, in one pass. Every event is in exactly one bucket. Source: pricing 1, 6 and 7.
 */
export function startUsage(asked: UsageAsked): UsageFold {
  const { charge, period, levelFrom } = asked;
  const buckets = new Map<ChargeFilterInput | null, Bucket>(
    charge.filters.map((filter) => [filter, newBucket(filter, filter.properties)]),
  );
  const rest = newBucket(null, charge.properties);
  const filterOf = filterMatcher(charge.filters, charge.metric.filters);
  const shown = presentationKeys(charge.properties);
  const isLevel = hasLevel(charge);
  return {
    add(event) {
      const isBefore = isLevel && event.timestamp < period.from;
      if (isBefore && levelFrom !== null && event.timestamp < levelFrom) return;
      const bucket = buckets.get(filterOf(event.properties)) ?? rest;
      // In arrears the folds decide what counts; what is billed at its event weighs nothing later either.
      if (charge.payInAdvance && !hasValue(charge.metric, event)) return;
      const slot = slotOf(asked, bucket, groupOf(event.properties, bucket.keys));
      if (slot.fold.add(event)) slot.counts = true;
      if (isBefore) return; // Breakdowns start from level 0: pricing 7.
      slot.advance?.add(event);
      if (shown.length > 0) addBreakdown(asked, slot, shown, event);
    },
    size: () => [...buckets.values(), rest].reduce((sum, { slots }) => sum + slots.size, 0),
    finish: () => [...buckets.values(), rest].flatMap((bucket) => groupsOf(asked, bucket)),
  };
}
