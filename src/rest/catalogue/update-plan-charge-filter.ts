import { document } from '../document.ts';
import { chargeFilter } from '../fragments.ts';
import type { Route } from '../route.ts';

export const updatePlanChargeFilter: Route = {
  method: 'PUT',
  path: '/plans/{code}/charges/{charge_code}/filters/{filter_id}',
  permission: 'plan:write',
  operation: 'updatePlanChargeFilter',
  document: document(
    `mutation updatePlanChargeFilter($code: String!, $chargeCode: String!, $filterId: UUID!, $input: UpdateChargeFilterInput!) {
      filter: updateChargeFilter(planCode: $code, chargeCode: $chargeCode, svcId: $filterId, input: $input) {
        ...ChargeFilter
      }
    }`,
    chargeFilter,
  ),
  lookup: document(`query findFilter($code: String!, $chargeCode: String!, $filterId: UUID!) {
    plan(code: $code) { charge(code: $chargeCode) { filter(svcId: $filterId) { svcId } } }
  }`),
  root: 'filter',
  variables: ({ params, body }) => ({
    ...{ code: params.code, chargeCode: params.charge_code, filterId: params.filter_id },
    input: body,
  }),
};
