import { document } from '../document.ts';
import { feature } from '../fragments.ts';
import type { Route } from '../route.ts';
import { said } from '../route-query.ts';
import { resourceRoutes } from '../route-table.ts';

/** The endpoints of features and of their privileges. */
export const featureRoutes: readonly Route[] = [
  ...resourceRoutes({
    ...{ type: 'Feature', path: '/features', fragment: feature },
    formFaults: { 'privilege.config': 'invalid_format' },
    listParameters: { search_term: { type: 'String', argument: 'filter: { search: $searchTerm }', read: said } },
  }),
  {
    ...{ method: 'DELETE', path: '/features/{code}/privileges/{privilege_code}', permission: 'feature:write' },
    operation: 'deleteFeaturePrivilege',
    document: document(
      `mutation deleteFeaturePrivilege($code: String!, $privilegeCode: String!) {
        feature: destroyFeaturePrivilege(featureCode: $code, privilegeCode: $privilegeCode) { ...Feature }
      }`,
      feature,
    ),
    variables: ({ params }) => ({ code: params.code, privilegeCode: params.privilege_code }),
  },
];
