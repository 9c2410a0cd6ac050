import { document } from '../document.ts';
import { planEntitlement } from '../fragments.ts';
import type { Route, RouteRequest } from '../route.ts';

const ONE = '/plans/{code}/entitlements/{feature_code}';

const named = ({ params }: RouteRequest) => ({ code: params.code, featureCode: params.feature_code });

/** Takes a feature from a plan, or one of its values. */
export const destroyPlanEntitlements: readonly Route[] = [
  {
    ...{ method: 'DELETE', path: ONE, permission: 'plan:write', operation: 'destroyEntitlement' },
    document: document(
      `mutation destroyEntitlement($code: String!, $featureCode: String!) {
        entitlement: destroyPlanEntitlement(planCode: $code, featureCode: $featureCode) { ...PlanEntitlement }
      }`,
      planEntitlement,
    ),
    variables: named,
  },
  {
    ...{ method: 'DELETE', path: `${ONE}/privileges/{privilege_code}`, permission: 'plan:write' },
    operation: 'removeEntitlementPrivilege',
    document: document(
      `mutation removeEntitlementPrivilege($code: String!, $featureCode: String!, $privilegeCode: String!) {
        entitlement: destroyPlanEntitlementPrivilege(
          planCode: $code, featureCode: $featureCode, privilegeCode: $privilegeCode
        ) { ...PlanEntitlement }
      }`,
      planEntitlement,
    ),
    variables: (request) => ({ ...named(request), privilegeCode: request.params.privilege_code }),
  },
];
