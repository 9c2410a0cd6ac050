import { document } from '../document.ts';
import { billingEntity } from '../fragments.ts';
import type { Route } from '../route.ts';

export const getBillingEntity: Route = {
  method: 'GET',
  path: '/billing_entities/{code}',
  permission: 'billing_entity:read',
  operation: 'getBillingEntity',
  document: document(
    'query getBillingEntity($code: String!) { billing_entity: billingEntity(code: $code) { ...BillingEntity } }',
    billingEntity,
  ),
  variables: ({ params }) => ({ code: params.code }),
};
