import { document } from '../document.ts';
import { extendedInvoice } from '../fragments.ts';
import type { Route } from '../route.ts';
import { nameIn } from '../route-query.ts';

export const createInvoice: Route = {
  ...{ method: 'POST', path: '/invoices', permission: 'invoice:write', root: 'invoice', operation: 'createInvoice' },
  document: document(
    `mutation createInvoice($input: CreateOneOffInvoiceInput!) {
      invoice: createOneOffInvoice(input: $input) { ...ExtendedInvoice }
    }`,
    extendedInvoice,
  ),
  lookup: document('query look($customer: String!) { customer(externalId: $customer) { svcId } }'),
  looksUp: ({ body }) => ({ customer: nameIn(body, 'external_customer_id') }),
  formFaults: { payment_method: 'invalid_payment_method' },
  variables: ({ body }) => ({ input: body }),
};
