import { filterMatcher } from '../catalogue/filter.ts';
import type { UsageEvent, UsageWindow } from '../usage/usage.ts';
import { advanceFold } from './advance.ts';
import { startPricing, usageWindow } from './bucket.ts';
import { groupKey, groupOf, pricingGroupKeys } from './group.ts';
import { hasValue } from './has-value.ts';
import type { AdvanceAsked, AdvanceUsage } from './metric-usage.ts';

/** The bucket of an event that is billed at once: its filter, or null, and the properties and group keys that price it. */
export function bucketOfEvent({ charge, event }: Pick<AdvanceAsked, 'charge' | 'event'>) {
  const filter = filterMatcher(charge.filters, charge.metric.filters)(event.properties);
  const properties = filter?.properties ?? charge.properties;
  return { filter, properties, keys: pricingGroupKeys(properties) };
}

function sameEvent(one: UsageEvent, other: UsageEvent): boolean {
  if (one === other) return true;
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  return (
    one.transactionId !== undefined && one.transactionId === other.transactionId && one.timestamp === other.timestamp
  );
}

/** The window of events that are looked at for one that is billed at once: up to it. */
export function advanceWindow({ charge, period, event }: AdvanceAsked): UsageWindow {
  const { from } = usageWindow({ charge, period, levelFrom: period.from });
  return { from, to: event.timestamp, boundary: event };
}

/** Folds the usage before an event, and then the event. */
export interface AdvanceUsageFold {
  /** Takes the next event of the window in time order. */
  add(event: UsageEvent): void;
  finish(): AdvanceUsage;
}

/** Folds what an event that is billed at once is billed for: events of other buckets and groups are none of it. */
export function startAdvance(asked: AdvanceAsked): AdvanceUsageFold {
  const { charge, period, event } = asked;
  const { filter, properties, keys } = bucketOfEvent(asked);
  const filterOf = filterMatcher(charge.filters, charge.metric.filters);
  const group = groupKey(groupOf(event.properties, keys), keys);
  // The amount of a prorated charge is its billable share; the running total itself stays whole.
  const fold = startPricing(asked, properties, false);
  const advance = advanceFold(charge.metric, period, charge.prorated === true);
  return {
    add(other) {
      if (sameEvent(other, event) || filterOf(other.properties) !== filter) return;
      if (groupKey(groupOf(other.properties, keys), keys) !== group) return;
      if (hasValue(charge.metric, other)) fold.add(other);
      advance.add(other);
    },
    finish() {
      const counts = hasValue(charge.metric, event);
      if (counts) fold.add(event);
      const step = advance.add(event);
      return { aggregate: fold.finish(), step, counts };
    },
  };
}
