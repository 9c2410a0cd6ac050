import { BY_CODE } from '../../store/database/row-order.ts';
import { connection, defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { appliedCouponFilter, couponFilter } from './coupon-filter.ts';

defineNode('Coupon', {
  filter: couponFilter,
  resource: 'coupon',
  fields: (t) => ({
    plans: t.relation('plans', { query: { orderBy: BY_CODE } }),
    billableMetrics: t.relation('billableMetrics', { query: { orderBy: BY_CODE } }),
    appliedCoupons: connection(t, 'Coupon', 'appliedCoupons', {
      model: 'AppliedCoupon',
      resource: 'applied_coupon',
      foreignKey: 'couponId',
    }),
  }),
});

defineNode('AppliedCoupon', {
  sums: { currency: 'amountCurrency', columns: ['amountCents'] },
  filter: appliedCouponFilter,
  resource: 'applied_coupon',
});

lookup('coupon', 'Coupon', {
  resource: 'coupon',
  description: 'A coupon by its code.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null } }),
});

listing('coupons', 'Coupon', { resource: 'coupon', description: 'Coupons.' });

listing('appliedCoupons', 'AppliedCoupon', {
  resource: 'applied_coupon',
  description: 'Coupons applied to customers.',
});
