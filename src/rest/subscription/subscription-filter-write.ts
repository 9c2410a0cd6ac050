import { document } from '../document.ts';
import { chargeFilter } from '../fragments.ts';
import type { Route } from '../route.ts';
import { BY_STATUS } from '../route-query.ts';
import { chargeOf, FILTERS, filterOf, inCharge } from '../route-subscription.ts';

const { all, one, ofCharge, ofFilter, named } = FILTERS;
const WRITE = 'subscription:write';

const sent = {
  ...{ root: 'filter', lookup: document(`query lookCharge(${ofCharge}) ${inCharge('svcId')}`), looksUp: chargeOf },
  ...BY_STATUS,
} as const;

/** The endpoints that make, change and end the filters of a charge that a subscription has. */
export const subscriptionFilterWrites: readonly Route[] = [
  {
    ...{ method: 'POST', path: all, permission: WRITE, operation: 'createSubscriptionChargeFilter', ...sent },
    document: document(
      `mutation createSubscriptionChargeFilter(${ofCharge}, $input: CreateSubscriptionChargeFilterInput!) {
        filter: createSubscriptionChargeFilter(${named}, input: $input) { ...ChargeFilter }
      }`,
      chargeFilter,
    ),
    variables: (request) => ({ ...chargeOf(request), input: request.body }),
  },
  {
    ...{ method: 'PUT', path: one, permission: WRITE, operation: 'updateSubscriptionChargeFilter', ...sent },
    document: document(
      `mutation updateSubscriptionChargeFilter(${ofFilter}, $input: UpdateSubscriptionChargeFilterInput!) {
        filter: updateSubscriptionChargeFilter(${named}, svcId: $filterId, input: $input) { ...ChargeFilter }
      }`,
      chargeFilter,
    ),
    variables: (request) => ({ ...filterOf(request), input: request.body }),
  },
  {
    ...{ method: 'DELETE', path: one, permission: WRITE, operation: 'destroySubscriptionChargeFilter', ...BY_STATUS },
    document: document(
      `mutation destroySubscriptionChargeFilter(${ofFilter}) {
        filter: destroySubscriptionChargeFilter(${named}, svcId: $filterId) { ...ChargeFilter }
      }`,
      chargeFilter,
    ),
    variables: filterOf,
  },
];
