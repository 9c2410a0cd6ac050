import { document } from '../document.ts';
import { extendedInvoice } from '../fragments.ts';
import type { Route } from '../route.ts';

export const downloadInvoice: Route = {
  method: 'POST',
  path: '/invoices/{id}/download',
  permission: 'invoice:write',
  operation: 'downloadInvoice',
  document: document(
    'mutation downloadInvoice($svcId: UUID!) { invoice: downloadInvoice(svcId: $svcId) { ...ExtendedInvoice } }',
    extendedInvoice,
  ),
  variables: ({ params }) => ({ svcId: params.id }),
};
