import { document } from '../document.ts';
import { appliedCoupon, usedCoupon } from '../fragments.ts';
import type { Route } from '../route.ts';
import { listOf, listOfCustomer, one, several } from '../route-list.ts';
import { nameIn } from '../route-query.ts';

const LIST = {
  name: 'applied_coupons',
  permission: 'applied_coupon:read',
  shown: ['UsedCoupon', usedCoupon],
  always: 'ofDeletedCustomers: false',
} as const;
const NARROWED = { status: one('status', 'CouponStatus'), 'coupon_code[]': several('couponCode') };

/** The endpoints of coupons that are applied to customers. */
export const appliedCouponRoutes: readonly Route[] = [
  listOf({ ...LIST, parameters: { ...NARROWED, external_customer_id: one('externalCustomerId') } }),
  listOfCustomer({ ...LIST, parameters: NARROWED }),
  {
    ...{ method: 'POST', path: '/applied_coupons', permission: 'applied_coupon:write', root: 'applied_coupon' },
    operation: 'applyCoupon',
    document: document(
      'mutation applyCoupon($input: ApplyCouponInput!) { applied_coupon: applyCoupon(input: $input) { ...AppliedCoupon } }',
      appliedCoupon,
    ),
    lookup: document(`query applyCouponLookup($customer: String!, $coupon: String!) {
      customer(externalId: $customer) { svcId } coupon(code: $coupon) { svcId }
    }`),
    looksUp: ({ body }) => ({ customer: nameIn(body, 'external_customer_id'), coupon: nameIn(body, 'coupon_code') }),
    dependsOnState: true,
    variables: ({ body }) => ({ input: body }),
  },
  {
    ...{ method: 'DELETE', path: '/customers/{external_customer_id}/applied_coupons/{applied_coupon_id}' },
    permission: 'applied_coupon:write',
    operation: 'deleteAppliedCoupon',
    document: document(
      `mutation deleteAppliedCoupon($customer: String!, $svcId: UUID!) {
        applied_coupon: terminateAppliedCoupon(externalCustomerId: $customer, svcId: $svcId) { ...AppliedCoupon }
      }`,
      appliedCoupon,
    ),
    variables: ({ params }) => ({ customer: params.external_customer_id, svcId: params.applied_coupon_id }),
  },
];
