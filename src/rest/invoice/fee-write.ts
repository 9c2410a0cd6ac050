import { document } from '../document.ts';
import { fee } from '../fragments.ts';
import type { Route } from '../route.ts';

const OF_FEE = { path: '/fees/{svc_id}', permission: 'fee:write', dependsOnState: true } as const;

/** The endpoints that change fees. */
export const feeWrites: readonly Route[] = [
  {
    ...{ ...OF_FEE, method: 'PUT', root: 'fee', operation: 'updateFee' },
    document: document(
      `mutation updateFee($svcId: UUID!, $input: UpdateFeeInput!) {
        fee: updateFee(svcId: $svcId, input: $input) { ...Fee }
      }`,
      fee,
    ),
    lookup: document('query look($svcId: UUID!) { fee(svcId: $svcId) { svcId } }'),
    variables: ({ params, body }) => ({ svcId: params.svc_id, input: body }),
  },
  {
    ...{ ...OF_FEE, method: 'DELETE', operation: 'deleteFee' },
    document: document('mutation deleteFee($svcId: UUID!) { fee: deleteFee(svcId: $svcId) { ...Fee } }', fee),
    variables: ({ params }) => ({ svcId: params.svc_id }),
  },
];
