import { document } from '../document.ts';
import type { Route } from '../route.ts';
import { instantFee } from './fragment.ts';

export const estimateInstantFees: Route = {
  method: 'POST',
  path: '/events/estimate_instant_fees',
  permission: 'event:write',
  operation: 'eventEstimateInstantFees',
  document: document(
    `query eventEstimateInstantFees($event: EstimatedEventInput!) {
      fees: estimateInstantFees(event: $event) { ...InstantFee }
    }`,
    instantFee,
  ),
  root: 'event',
  unixTime: 'timestamp',
  formFaults: { timestamp: 'invalid_format' },
  variables: ({ body }) => ({ event: body }),
};
