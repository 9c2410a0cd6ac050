import { document } from '../document.ts';
import { extendedInvoice } from '../fragments.ts';
import type { Route } from '../route.ts';

export const findInvoice: Route = {
  ...{ method: 'GET', path: '/invoices/{svc_id}', permission: 'invoice:read' },
  operation: 'findInvoice',
  document: document(
    'query findInvoice($svcId: UUID!) { invoice(svcId: $svcId) { ...ExtendedInvoice } }',
    extendedInvoice,
  ),
  variables: ({ params }) => ({ svcId: params.svc_id }),
};
