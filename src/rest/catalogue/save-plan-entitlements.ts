import { document } from '../document.ts';
import { planEntitlement } from '../fragments.ts';
import type { Route } from '../route.ts';
import { entitlementBody } from '../route-body.ts';

const saving = (method: 'POST' | 'PATCH', operation: string, mutation: string): Route => ({
  ...{ method, path: '/plans/{code}/entitlements', permission: 'plan:write', operation, ...entitlementBody },
  lookup: document('query findPlan($code: String!) { plan(code: $code) { svcId } }'),
  document: document(
    `mutation ${operation}($code: String!, $entitlements: [EntitlementInput!]) {
      plan: ${mutation}(planCode: $code, entitlements: $entitlements) { entitlements { ...PlanEntitlement } }
    }`,
    planEntitlement,
  ),
  variables: ({ params, body }) => ({
    code: params.code,
    entitlements: (body as { entitlements?: unknown }).entitlements,
  }),
  answer: ['plan'],
});

/** Says all features of a plan, or some more. */
export const savePlanEntitlements: readonly Route[] = [
  saving('POST', 'createEntitlement', 'replacePlanEntitlements'),
  saving('PATCH', 'updateEntitlement', 'mergePlanEntitlements'),
];
