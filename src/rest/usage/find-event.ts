import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { event } from './fragment.ts';

export const findEvent: Route = {
  method: 'GET',
  path: '/events/{transaction_id}',
  permission: 'event:read',
  operation: 'findEvent',
  document: document(
    'query findEvent($transactionId: String!) { event(transactionId: $transactionId) { ...Event } }',
    event,
  ),
  variables: ({ params }) => ({ transactionId: params.transaction_id }),
};
