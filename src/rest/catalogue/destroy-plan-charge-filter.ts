import { document } from '../document.ts';
import { chargeFilter } from '../fragments.ts';
import type { Route } from '../route.ts';

export const destroyPlanChargeFilter: Route = {
  method: 'DELETE',
  path: '/plans/{code}/charges/{charge_code}/filters/{filter_id}',
  permission: 'plan:write',
  operation: 'destroyPlanChargeFilter',
  document: document(
    `mutation destroyPlanChargeFilter($code: String!, $chargeCode: String!, $filterId: UUID!, $input: CascadeInput) {
      filter: destroyChargeFilter(planCode: $code, chargeCode: $chargeCode, svcId: $filterId, input: $input) {
        ...ChargeFilter
      }
    }`,
    chargeFilter,
  ),
  lookup: document(`query findFilter($code: String!, $chargeCode: String!, $filterId: UUID!) {
    plan(code: $code) { charge(code: $chargeCode) { filter(svcId: $filterId) { svcId } } }
  }`),
  body: true,
  variables: ({ params, body }) => ({
    ...{ code: params.code, chargeCode: params.charge_code, filterId: params.filter_id },
    input: (body as { filter?: unknown }).filter,
  }),
};
