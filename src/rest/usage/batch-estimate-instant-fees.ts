import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { instantFee } from './fragment.ts';

/** Each event is taken as it is, or with a root of its own as the interface describes it. */
const eventOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'event' in item ? item.event : item;

export const batchEstimateInstantFees: Route = {
  method: 'POST',
  path: '/events/batch_estimate_instant_fees',
  permission: 'event:write',
  operation: 'eventBatchEstimateInstantFees',
  document: document(
    `query eventBatchEstimateInstantFees($events: [EstimatedEventInput!]!) {
      fees: estimateInstantFeesOfEvents(events: $events) { ...InstantFee }
    }`,
    instantFee,
  ),
  body: true,
  unixTime: 'events.timestamp',
  formFaults: { timestamp: 'invalid_format' },
  tellsPlaces: true,
  variables: ({ body }) => {
    const { events = [] } = body as { events?: unknown };
    return { events: Array.isArray(events) ? events.map(eventOf) : events };
  },
};
