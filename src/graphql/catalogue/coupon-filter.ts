import { anyOf, anyText, moments, ofCustomer } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

/** How lists of coupons are narrowed and ordered. */
export const couponFilter = listFilter('Coupon', {
  renamed: { type: 'couponType' },
  conditions: {
    status: anyOf('CouponStatus', 'status', 'Only coupons in one of these states.'),
    couponType: anyOf('CouponType', 'couponType', 'Only coupons of one of these kinds.'),
    frequency: anyOf('CouponFrequency', 'frequency', 'Only coupons used this often.'),
    currency: anyText('amountCurrency', 'Only coupons of a fixed amount in one of these currencies.'),
    expirationAt: moments('expirationAt', 'Only coupons that expire in this time.'),
    search: search('Words in the code or the name.'),
  },
  orders: ['code', 'name', 'expirationAt'],
});

/** How lists of applied coupons are narrowed and ordered. */
export const appliedCouponFilter = listFilter('AppliedCoupon', {
  conditions: {
    status: anyOf('CouponStatus', 'status', 'Only applied coupons in one of these states.'),
    couponCode: anyText('coupon.code', 'Only applications of coupons with one of these codes.'),
    externalCustomerId: anyText(ofCustomer, 'Only coupons of customers with one of these external identifiers.'),
  },
  orders: ['terminatedAt'],
});
