import { document } from '../document.ts';
import { fee } from '../fragments.ts';
import type { Route } from '../route.ts';

export const getFee: Route = {
  method: 'GET',
  path: '/fees/{svc_id}',
  permission: 'fee:read',
  operation: 'getFee',
  document: document('query getFee($svcId: UUID!) { fee(svcId: $svcId) { ...Fee } }', fee),
  variables: ({ params }) => ({ svcId: params.svc_id }),
};
