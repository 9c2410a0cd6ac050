import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { event } from './fragment.ts';

export const createEvent: Route = {
  method: 'POST',
  path: '/events',
  permission: 'event:write',
  operation: 'createEvent',
  document: document(
    'mutation createEvent($input: RecordEventInput!) { event: recordEvent(input: $input) { ...Event } }',
    event,
  ),
  root: 'event',
  unixTime: 'timestamp',
  keepsRefused: true,
  formFaults: { timestamp: 'invalid_format' },
  variables: ({ body }) => ({ input: body }),
};
