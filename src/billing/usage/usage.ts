import { BillingError } from '../errors.ts';
import type { Instant } from '../period/calendar.ts';

/** One usage event. `properties` keeps what the sender wrote; text and numbers are compared as text. */
export interface UsageEvent {
  readonly transactionId?: string;
  readonly timestamp: Instant;
  /** When it was ingested; orders events of one timestamp. Absent: the order of arrival in the list. */
  readonly createdAt?: Instant;
  /** Its identifier; those of one process have the order of arrival, which orders events of one timestamp that were ingested together. */
  readonly id?: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Dynamic pricing only: what this event costs, in minor units, as decimal text. */
  readonly preciseTotalAmountCents?: string | null;
}

/** An event with the subscription and the metric that it names. */
export interface SubscriptionEvent extends UsageEvent {
  readonly externalSubscriptionId: string;
  readonly metricCode: string;
}

/** Time first, then ingestion, then the identifier where ingestion is equal too: the one order of events. */
export function compareEvents(a: UsageEvent, b: UsageEvent): number {
  const byTime = a.timestamp - b.timestamp;
  if (byTime !== 0 || a.createdAt === undefined || b.createdAt === undefined) return byTime;
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
  const [one, other] = [a.id ?? '', b.id ?? ''];
  return one < other ? -1 : Number(one > other);
}

/**
 * Events in their one order. A list is sorted when it is not (stably: without ingestion times the list's order is the
 * order of ingestion); a stream cannot be and is refused with `bad_request` when it goes back in time.
 */
function inOrder(events: Iterable<UsageEvent>): Iterable<UsageEvent> {
  if (!Array.isArray(events)) return checkOrder(events);
  const list: readonly UsageEvent[] = events;
  const sorted = list.every((event, at) => {
    const previous = list[at - 1];
    return previous === undefined || compareEvents(previous, event) <= 0;
  });
  return sorted ? list : [...list].sort(compareEvents);
}

function* checkOrder(events: Iterable<UsageEvent>): Generator<UsageEvent> {
  let previous: Instant = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    if (event.timestamp < previous) throw new BillingError('bad_request', 'a stream of events must be in time order');
    previous = event.timestamp;
    yield event;
  }
}

/** Which events a computation reads; both bounds are included. */
export interface UsageWindow {
  /** Null: since the start, as recurring metrics count. */
  readonly from: Instant | null;
  readonly to: Instant;
  /** A pay-in-advance event: of its own moment, only what was ingested no later counts. */
  readonly boundary?: UsageEvent;
}

/** The events of a window in their one order. `from` is cut to the millisecond by its type. */
export function* eventsInWindow(events: Iterable<UsageEvent>, window: UsageWindow): Generator<UsageEvent> {
  for (const event of inOrder(events)) {
    if (event.timestamp > window.to) return;
    if (window.from !== null && event.timestamp < window.from) continue;
    if (window.boundary !== undefined && compareEvents(event, window.boundary) > 0) continue;
    yield event;
  }
}
