import { anyOf, anyText, moments } from '../list/condition.ts';
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
