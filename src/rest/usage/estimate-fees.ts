import { document } from '../document.ts';
import { fee } from '../fragments.ts';
import type { Route } from '../route.ts';
import { nameIn } from '../route-query.ts';

export const estimateFees: Route = {
  method: 'POST',
  path: '/events/estimate_fees',
  permission: 'event:write',
  operation: 'eventEstimateFees',
  document: document(
    'query eventEstimateFees($event: EstimatedEventInput!) { fees: estimateFees(event: $event) { ...Fee } }',
    fee,
  ),
  root: 'event',
  unixTime: 'timestamp',
  formFaults: { timestamp: 'invalid_format' },
  lookup: document(
    'query eventEstimateFeesLookup($externalId: String!) { subscription(externalId: $externalId) { svc_id: svcId } }',
  ),
  looksUp: ({ body }) => ({ externalId: nameIn(body, 'external_subscription_id') }),
  variables: ({ body }) => ({ event: body }),
};
