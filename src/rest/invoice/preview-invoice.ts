import { document } from '../document.ts';
import { extendedInvoice } from '../fragments.ts';
import type { Route } from '../route.ts';

export const previewInvoice: Route = {
  method: 'POST',
  path: '/invoices/preview',
  permission: 'invoice:write',
  operation: 'previewInvoice',
  document: document(
    'query previewInvoice($input: InvoicePreviewInput!) { invoice: invoicePreview(input: $input) { ...ExtendedInvoice } }',
    extendedInvoice,
  ),
  body: true,
  containers: { coupons: 'list', subscriptions: 'object' },
  variables: ({ body }) => ({ input: body }),
};
