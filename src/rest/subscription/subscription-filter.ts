import { document } from '../document.ts';
import { chargeFilter } from '../fragments.ts';
import { pageMeta, pageOf } from '../page.ts';
import type { Route } from '../route.ts';
import { BY_STATUS } from '../route-query.ts';
import { BY_STATUS_AND_PAGE, chargeOf, FILTERS, filterOf, inCharge } from '../route-subscription.ts';

const { all, one, ofCharge, ofFilter } = FILTERS;

/** The endpoints that read the filters of a charge that a subscription has. */
export const subscriptionFilterReads: readonly Route[] = [
  {
    ...{ method: 'GET', path: all, permission: 'subscription:read', operation: 'findAllSubscriptionChargeFilters' },
    document: document(
      `query findAllSubscriptionChargeFilters(${ofCharge}, $page: Int = 1, $perPage: Int = 100) ${inCharge(
        `list: filtersConnection(page: $page, perPage: $perPage, orderBy: { field: position, direction: asc }) {
          filters: nodes { ...ChargeFilter }
          meta { ...PageMeta }
        }`,
      )}`,
      chargeFilter,
      pageMeta,
    ),
    ...BY_STATUS_AND_PAGE,
    variables: (request) => ({ ...chargeOf(request), ...pageOf(request.query) }),
    answer: ['subscription', 'charge', 'list'],
  },
  {
    ...{ method: 'GET', path: one, permission: 'subscription:read', operation: 'findSubscriptionChargeFilter' },
    document: document(
      `query findSubscriptionChargeFilter(${ofFilter}) ${inCharge('filter(svcId: $filterId) { ...ChargeFilter }')}`,
      chargeFilter,
    ),
    ...BY_STATUS,
    variables: filterOf,
    answer: ['subscription', 'charge'],
  },
];
