import { document } from '../document.ts';
import { fixedCharge } from '../fragments.ts';
import type { Route } from '../route.ts';

export const updateFixedCharge: Route = {
  method: 'PUT',
  path: '/plans/{code}/fixed_charges/{fixed_charge_code}',
  permission: 'plan:write',
  operation: 'updateFixedCharge',
  document: document(
    `mutation updateFixedCharge($code: String!, $fixedChargeCode: String!, $input: UpdateFixedChargeInput!) {
      fixed_charge: updateFixedCharge(planCode: $code, fixedChargeCode: $fixedChargeCode, input: $input) {
        ...FixedCharge
      }
    }`,
    fixedCharge,
  ),
  lookup: document(`query findFixedCharge($code: String!, $fixedChargeCode: String!) {
    plan(code: $code) { fixedCharge(code: $fixedChargeCode) { svcId } }
  }`),
  root: 'fixed_charge',
  variables: ({ params, body }) => ({ code: params.code, fixedChargeCode: params.fixed_charge_code, input: body }),
};
