import { document } from '../document.ts';
import { chargeFilter } from '../fragments.ts';
import type { Route } from '../route.ts';

export const getChargeFilter: Route = {
  method: 'GET',
  path: '/plans/{code}/charges/{charge_code}/filters/{filter_id}',
  permission: 'plan:read',
  operation: 'getChargeFilter',
  document: document(
    `query getChargeFilter($code: String!, $chargeCode: String!, $filterId: UUID!) {
      plan(code: $code) { charge(code: $chargeCode) { filter(svcId: $filterId) { ...ChargeFilter } } }
    }`,
    chargeFilter,
  ),
  variables: ({ params }) => ({ code: params.code, chargeCode: params.charge_code, filterId: params.filter_id }),
  answer: ['plan', 'charge'],
};
