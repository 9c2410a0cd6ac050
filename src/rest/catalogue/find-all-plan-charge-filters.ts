import { document } from '../document.ts';
import { chargeFilter } from '../fragments.ts';
import { PAGE, pageMeta, pageOf } from '../page.ts';
import type { Route } from '../route.ts';

export const findAllPlanChargeFilters: Route = {
  method: 'GET',
  path: '/plans/{code}/charges/{charge_code}/filters',
  permission: 'plan:read',
  operation: 'findAllPlanChargeFilters',
  document: document(
    `query findAllPlanChargeFilters($code: String!, $chargeCode: String!, $page: Int = 1, $perPage: Int = 100) {
      plan(code: $code) {
        charge(code: $chargeCode) {
          list: filtersConnection(page: $page, perPage: $perPage, orderBy: { field: position, direction: asc }) {
            filters: nodes { ...ChargeFilter }
            meta { ...PageMeta }
          }
        }
      }
    }`,
    chargeFilter,
    pageMeta,
  ),
  query: PAGE,
  variables: ({ params, query }) => ({ code: params.code, chargeCode: params.charge_code, ...pageOf(query) }),
  answer: ['plan', 'charge', 'list'],
};
