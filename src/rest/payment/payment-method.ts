import { document } from '../document.ts';
import { storedPaymentMethod } from '../fragments.ts';
import type { Route, RouteRequest } from '../route.ts';
import { listOfCustomer } from '../route-list.ts';

const ONE = '/customers/{external_customer_id}/payment_methods/{svc_id}';

const named = ({ params }: RouteRequest) => ({
  externalCustomerId: params.external_customer_id,
  svcId: params.svc_id,
});

const writing = (operation: string, mutation: string) => ({
  operation,
  document: document(
    `mutation ${operation}($externalCustomerId: String!, $svcId: UUID!) {
      payment_method: ${mutation}(externalCustomerId: $externalCustomerId, svcId: $svcId) { ...StoredPaymentMethod }
    }`,
    storedPaymentMethod,
  ),
  permission: 'payment_method:write',
  variables: named,
});

/** The endpoints of the ways in which a customer can pay. */
export const paymentMethodRoutes: readonly Route[] = [
  {
    ...listOfCustomer({
      name: 'payment_methods',
      permission: 'payment_method:read',
      shown: ['StoredPaymentMethod', storedPaymentMethod],
      parameters: {},
    }),
    operation: 'findAllCustomersPaymentMethods',
  },
  { method: 'PUT', path: `${ONE}/set_as_default`, ...writing('paymentMethodSetAsDefault', 'setDefaultPaymentMethod') },
  { method: 'DELETE', path: ONE, ...writing('destroyPaymentMethod', 'destroyPaymentMethod') },
];
