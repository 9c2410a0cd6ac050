import { document } from '../document.ts';
import { planEntitlement } from '../fragments.ts';
import type { Route } from '../route.ts';
import { destroyPlanEntitlements } from './destroy-plan-entitlements.ts';
import { savePlanEntitlements } from './save-plan-entitlements.ts';

const ALL = '/plans/{code}/entitlements';

/** The endpoints of the features that a plan has. */
export const planEntitlementRoutes: readonly Route[] = [
  {
    ...{ method: 'GET', path: ALL, permission: 'plan:read', operation: 'findAllEntitlements' },
    document: document(
      'query findAllEntitlements($code: String!) { plan(code: $code) { entitlements { ...PlanEntitlement } } }',
      planEntitlement,
    ),
    variables: ({ params }) => ({ code: params.code }),
    answer: ['plan'],
  },
  ...savePlanEntitlements,
  {
    ...{ method: 'GET', path: `${ALL}/{feature_code}`, permission: 'plan:read', operation: 'findEntitlement' },
    document: document(
      `query findEntitlement($code: String!, $featureCode: String!) {
        plan(code: $code) { entitlement(featureCode: $featureCode) { ...PlanEntitlement } }
      }`,
      planEntitlement,
    ),
    variables: ({ params }) => ({ code: params.code, featureCode: params.feature_code }),
    answer: ['plan'],
  },
  ...destroyPlanEntitlements,
];
