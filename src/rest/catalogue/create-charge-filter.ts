import { document } from '../document.ts';
import { chargeFilter } from '../fragments.ts';
import type { Route } from '../route.ts';

export const createChargeFilter: Route = {
  method: 'POST',
  path: '/plans/{code}/charges/{charge_code}/filters',
  permission: 'plan:write',
  operation: 'createChargeFilter',
  document: document(
    `mutation createChargeFilter($code: String!, $chargeCode: String!, $input: CreateChargeFilterInput!) {
      filter: createChargeFilter(planCode: $code, chargeCode: $chargeCode, input: $input) { ...ChargeFilter }
    }`,
    chargeFilter,
  ),
  lookup: document(`query findCharge($code: String!, $chargeCode: String!) {
    plan(code: $code) { charge(code: $chargeCode) { svcId } }
  }`),
  root: 'filter',
  variables: ({ params, body }) => ({ code: params.code, chargeCode: params.charge_code, input: body }),
};
