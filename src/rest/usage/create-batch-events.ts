import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { event } from './fragment.ts';

export const createBatchEvents: Route = {
  method: 'POST',
  path: '/events/batch',
  permission: 'event:write',
  operation: 'createBatchEvents',
  document: document(
    'mutation createBatchEvents($events: [RecordEventInput!]!) { events: recordEvents(events: $events) { ...Event } }',
    event,
  ),
  body: true,
  unixTime: 'events.timestamp',
  keepsRefused: true,
  formFaults: { timestamp: 'invalid_format' },
  tellsPlaces: true,
  variables: ({ body }) => ({ events: (body as { events?: unknown }).events ?? [] }),
};
