import type { Instant } from '../period/calendar.ts';
import { compareEvents, eventsInWindow, type SubscriptionEvent, type UsageEvent } from '../usage/usage.ts';
import { advanceWindow, startAdvance } from './advance-usage.ts';
import { startUsage, usageWindow } from './bucket.ts';
import type { MetricUsage, UsageSource } from './metric-usage.ts';

interface Counted {
  readonly until?: Instant;
  readonly supposed?: readonly UsageEvent[];
}

/** The events that count, in their one order: those kept, and at one moment after them those supposed. */
function counted(events: Iterable<UsageEvent>, { until, supposed = [] }: Counted): Iterable<UsageEvent> {
  const kept = until === undefined ? events : [...events].filter(({ timestamp }) => timestamp <= until);
  return supposed.length === 0 ? kept : [...[...kept].sort(compareEvents), ...supposed].sort(compareEvents);
}

/** Usage of one metric as events: in any order when a list, in time order when a stream, which answers once. */
export function usageOfEvents(events: Iterable<UsageEvent>): MetricUsage {
  return {
    groups(asked) {
      const fold = startUsage(asked);
      for (const event of eventsInWindow(counted(events, asked), usageWindow(asked))) fold.add(event);
      return fold.finish();
    },
    advance(asked) {
      const fold = startAdvance(asked);
      for (const event of eventsInWindow(counted(events, asked), advanceWindow(asked))) fold.add(event);
      return fold.finish();
    },
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

/** The same source, asked for something else. */
function asking(source: UsageSource, change: (asked: Counted, metric: [string, string]) => Counted): UsageSource {
  return {
    of: (...metric) => {
      const usage = source.of(...metric);
      return {
        groups: (asked) => usage.groups({ ...asked, ...change(asked, metric) }),
        advance: (asked) => usage.advance({ ...asked, ...change(asked, metric) }),
      };
    },
  };
}

/** The same usage as if nothing had come after a moment. */
export function usageUntil(source: UsageSource, at: Instant): UsageSource {
  return asking(source, ({ until = at }) => ({ until: Math.min(until, at) }));
}

/** The same usage with events besides; at one moment they come after those of the source. */
export function withSupposed(source: UsageSource, events: readonly SubscriptionEvent[]): UsageSource {
  if (events.length === 0) return source;
  const lists = byMetric(events);
  return asking(source, ({ until, supposed = [] }, metric) => {
    const own = (lists.get(keyOf(...metric)) ?? []).filter(
      ({ timestamp }) => until === undefined || timestamp <= until,
    );
    return { supposed: [...own, ...supposed] };
  });
}
