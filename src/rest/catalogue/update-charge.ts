import { document } from '../document.ts';
import { charge } from '../fragments.ts';
import type { Route } from '../route.ts';

export const updateCharge: Route = {
  method: 'PUT',
  path: '/plans/{code}/charges/{charge_code}',
  permission: 'plan:write',
  operation: 'updateCharge',
  document: document(
    `mutation updateCharge($code: String!, $chargeCode: String!, $input: UpdateChargeInput!) {
      charge: updateCharge(planCode: $code, chargeCode: $chargeCode, input: $input) { ...Charge }
    }`,
    charge,
  ),
  lookup: document(`query findCharge($code: String!, $chargeCode: String!) {
    plan(code: $code) { charge(code: $chargeCode) { svcId } }
  }`),
  root: 'charge',
  variables: ({ params, body }) => ({ code: params.code, chargeCode: params.charge_code, input: body }),
};
