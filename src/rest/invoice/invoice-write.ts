import { document } from '../document.ts';
import { extendedInvoice } from '../fragments.ts';
import type { Route } from '../route.ts';

const ONE = '/invoices/{svc_id}';
export const INVOICE_WRITE = 'invoice:write';
export const LOOKUP = document('query look($svcId: UUID!) { invoice(svcId: $svcId) { svcId } }');

/** A mutation of one invoice that takes nothing else. */
export const happening = (method: Route['method'], verb: string, operation: string, mutation: string): Route => ({
  ...{ method, path: `${ONE}/${verb}`, permission: INVOICE_WRITE, operation },
  document: document(
    `mutation ${operation}($svcId: UUID!) { invoice: ${mutation}(svcId: $svcId) { ...ExtendedInvoice } }`,
    extendedInvoice,
  ),
  variables: ({ params }) => ({ svcId: params.svc_id }),
});

/** The endpoints that change invoices that are there. */
export const invoiceWrites: readonly Route[] = [
  happening('PUT', 'refresh', 'refreshInvoice', 'refreshInvoice'),
  happening('PUT', 'finalize', 'finalizeInvoice', 'finalizeInvoice'),
  { ...happening('POST', 'lose_dispute', 'loseDisputeInvoice', 'loseInvoiceDispute'), dependsOnState: true },
  {
    ...{ method: 'PUT', path: ONE, permission: INVOICE_WRITE, root: 'invoice', operation: 'updateInvoice' },
    document: document(
      `mutation updateInvoice($svcId: UUID!, $input: UpdateInvoiceInput!) {
        invoice: updateInvoice(svcId: $svcId, input: $input) { ...ExtendedInvoice }
      }`,
      extendedInvoice,
    ),
    lookup: LOOKUP,
    dependsOnState: true,
    variables: ({ params, body }) => ({ svcId: params.svc_id, input: body }),
  },
];
