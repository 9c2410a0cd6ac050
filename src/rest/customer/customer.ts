import { document } from '../document.ts';
import { extendedCustomer } from '../fragments.ts';
import type { Route } from '../route.ts';
import { findAllCustomers } from './find-all-customers.ts';

const ONE = '/customers/{external_customer_id}';

/** The endpoints of customers: their list and each of them, who is made and changed by one request. */
export const customerRoutes: readonly Route[] = [
  findAllCustomers,
  {
    ...{ method: 'POST', path: '/customers', permission: 'customer:write', root: 'customer' },
    operation: 'createCustomer',
    document: document(
      `mutation createCustomer($input: UpsertCustomerInput!) {
        customer: upsertCustomer(input: $input) { ...ExtendedCustomer }
      }`,
      extendedCustomer,
    ),
    formFaults: { finalize_zero_amount_invoice: 'invalid_value' },
    variables: ({ body }) => ({ input: body }),
  },
  {
    ...{ method: 'GET', path: ONE, permission: 'customer:read' },
    operation: 'findCustomer',
    document: document(
      `query findCustomer($externalCustomerId: String!) {
        customer: customer(externalId: $externalCustomerId) { ...ExtendedCustomer }
      }`,
      extendedCustomer,
    ),
    variables: ({ params }) => ({ externalCustomerId: params.external_customer_id }),
  },
  {
    ...{ method: 'DELETE', path: ONE, permission: 'customer:write' },
    operation: 'destroyCustomer',
    document: document(
      `mutation destroyCustomer($externalCustomerId: String!) {
        customer: destroyCustomer(externalId: $externalCustomerId) { ...ExtendedCustomer }
      }`,
      extendedCustomer,
    ),
    variables: ({ params }) => ({ externalCustomerId: params.external_customer_id }),
  },
];
