import type { Instant } from '../period/calendar.ts';
import { addLevels, type Level, levelsOf } from './level.ts';
import { compareEvents, eventsInWindow, type SubscriptionEvent, type UsageEvent, type UsageWindow } from './usage.ts';

/** Usage of one metric by the subscriptions of one external id, over all periods. */
export interface MetricUsage {
  /** The events of a window, in their one order. */
  within(window: UsageWindow): Iterable<UsageEvent>;
  /**
   * What the changes of a window add up to, where the property `field` of an event is a change: one level for each combination of
   * the properties `by`, in the order of their first events.
   */
  levels(window: UsageWindow, field: string, by: readonly string[]): readonly Level[];
}

/** What rules ask about usage, wherever it is kept. */
export interface UsageSource {
  /** `externalSubscriptionId` names a chain of subscriptions: a change of plan keeps it. */
  of(externalSubscriptionId: string, metricCode: string): MetricUsage;
}

/** Usage of one metric as events: in any order when a list, in time order when a stream, which answers once. */
export function usageOfEvents(events: Iterable<UsageEvent>): MetricUsage {
  return {
    within: (window) => eventsInWindow(events, window),
    levels: (window, field, by) => levelsOf(eventsInWindow(events, window), field, by),
  };
}

/** Usage of any metrics as a list of events, in any order. */
export function eventsInMemory(events: readonly SubscriptionEvent[]): UsageSource {
  let lists: ReadonlyMap<string, readonly SubscriptionEvent[]> | null = null;
  return {
    of: (externalSubscriptionId, metricCode) => {
      lists ??= byMetric(events);
      return usageOfEvents(lists.get(keyOf(externalSubscriptionId, metricCode)) ?? []);
    },
  };
}

const keyOf = (externalSubscriptionId: string, metricCode: string) =>
  JSON.stringify([externalSubscriptionId, metricCode]);

function byMetric(events: readonly SubscriptionEvent[]): ReadonlyMap<string, readonly SubscriptionEvent[]> {
  const lists = new Map<string, SubscriptionEvent[]>();
  for (const event of events) {
    const key = keyOf(event.externalSubscriptionId, event.metricCode);
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [event]);
    else list.push(event);
  }
  return lists;
}

/** The same usage as if nothing had come after a moment. */
export function usageUntil(source: UsageSource, at: Instant): UsageSource {
  const cut = (window: UsageWindow): UsageWindow => ({ ...window, to: Math.min(window.to, at) });
  return {
    of: (...asked) => {
      const usage = source.of(...asked);
      return {
        within: (window) => usage.within(cut(window)),
        levels: (window, ...level) => usage.levels(cut(window), ...level),
      };
    },
  };
}

/** The usage of two sources as one; at one moment the first one's is first where nothing else orders it. */
export function usageOfBoth(one: UsageSource, other: UsageSource): UsageSource {
  return {
    of: (...asked) => {
      const both = [one.of(...asked), other.of(...asked)];
      return {
        within: (window) => both.flatMap((usage) => [...usage.within(window)]).sort(compareEvents),
        levels: (window, field, by) => {
          const levels = both.flatMap((usage) => usage.levels(window, field, by));
          return addLevels(levels, by);
        },
      };
    },
  };
}
