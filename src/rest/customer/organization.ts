import { document } from '../document.ts';
import { organization } from '../fragments.ts';
import type { Route } from '../route.ts';

/** The endpoints of the organization that the key opens. */
export const organizationRoutes: readonly Route[] = [
  {
    ...{ method: 'GET', path: '/organizations', permission: 'organization:read' },
    operation: 'findOrganization',
    document: document('query findOrganization { organization { ...Organization } }', organization),
    variables: () => ({}),
  },
  {
    ...{ method: 'PUT', path: '/organizations', permission: 'organization:write', root: 'organization' },
    operation: 'updateOrganization',
    document: document(
      `mutation updateOrganization($input: UpdateOrganizationInput!) {
        organization: updateOrganization(input: $input) { ...Organization }
      }`,
      organization,
    ),
    variables: ({ body }) => ({ input: body }),
  },
];
