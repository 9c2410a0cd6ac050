import { COUPONS } from '../../engine/catalogue/coupon.ts';
import { BY_CODE } from '../../store/database/row-order.ts';
import { connection, defineNode } from '../list/node.ts';
import { codeArgs, listing, lookup } from '../list/root.ts';
import { resourceMutations } from '../write/resource.ts';
import { couponFilter } from './coupon-filter.ts';

const CODES = { select: { code: true }, where: { deletedAt: null }, orderBy: BY_CODE } as const;
const codesOf = (rows: readonly { readonly code: string }[]) => rows.map(({ code }) => code);

defineNode('Coupon', {
  filter: couponFilter,
  resource: 'coupon',
  fields: (t) => ({
    percentageRateDecimal: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The share in percent with all its digits, which are a text wherever it is shown.',
      select: { percentageRate: true },
      resolve: ({ percentageRate }) => percentageRate,
    }),
    plans: t.relation('plans', { query: { orderBy: BY_CODE } }),
    planCodes: t.stringList({
      description: 'Codes of the plans it is limited to, in their order, without those that are deleted.',
      select: { plans: CODES },
      resolve: ({ plans }) => codesOf(plans),
    }),
    billableMetrics: t.relation('billableMetrics', { query: { orderBy: BY_CODE } }),
    billableMetricCodes: t.stringList({
      description: 'Codes of the metrics it is limited to, in their order, without those that are deleted.',
      select: { billableMetrics: CODES },
      resolve: ({ billableMetrics }) => codesOf(billableMetrics),
    }),
    appliedCoupons: connection(t, 'Coupon', 'appliedCoupons', {
      model: 'AppliedCoupon',
      resource: 'applied_coupon',
      foreignKey: 'couponId',
    }),
  }),
});

lookup('coupon', 'Coupon', {
  resource: 'coupon',
  description: 'A coupon by its code.',
  args: codeArgs,
  query: ({ code }) => ({ where: { code, deletedAt: null } }),
});

listing('coupons', 'Coupon', { resource: 'coupon', description: 'Coupons.' });

resourceMutations(COUPONS, {
  groups: {
    appliesTo:
      'What a coupon is limited to: plans or metrics. Without either it is limited to nothing else than before.',
  },
  deletion: 'It is taken from those who have it; what it took off invoices stays, and its code is free again.',
});
