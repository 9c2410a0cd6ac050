import { anyOf, anyText, either, everOfCustomer, needing, ofCustomer } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';

/** How lists of applied coupons are narrowed and ordered. */
export const appliedCouponFilter = listFilter('AppliedCoupon', {
  conditions: {
    status: anyOf('CouponStatus', 'status', 'Only applied coupons in one of these states.'),
    couponCode: anyText('coupon.code', 'Only applications of coupons with one of these codes.'),
    externalCustomerId: anyText(ofCustomer, 'Only coupons of customers with one of these external identifiers.'),
    everExternalCustomerId: everOfCustomer('coupons'),
    ofDeletedCustomers: needing(
      'customer',
      either(
        'Only coupons of customers who are deleted, or only those of the others.',
        { customer: { deletedAt: { not: null } } },
        { customer: { deletedAt: null } },
      ),
    ),
  },
  orders: ['terminatedAt'],
});
