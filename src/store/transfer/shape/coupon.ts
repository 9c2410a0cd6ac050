import { APPLIED_COUPON as APPLIED_COUPON_RESOURCE } from '../../../billing/resource/applied-coupon.ts';
import { COUPON as COUPON_RESOURCE } from '../../../billing/resource/coupon.ts';
import { CouponStatus } from '../../generated/prisma/enums.ts';
import { fillAppliedCoupons, fillCoupons } from '../default/coupon.ts';
import { fieldsOf } from '../document/resource-field.ts';
import { always, choice, field, ref, required, shape, stamps } from '../document/shape.ts';

/** A reduction that can be applied to customers. */
export const COUPON = shape({
  name: 'coupon',
  table: 'coupons',
  section: 'coupons',
  key: ['code'],
  unique: always,
  codeColumn: 'code',
  fields: [
    ...fieldsOf(COUPON_RESOURCE, {
      name: { nullable: false },
      couponType: { nullable: false },
      frequency: { initial: 'once' },
      expiration: { nullable: false },
    }),
    field('limited_plans', 'boolean', { nullable: false }),
    field('limited_billable_metrics', 'boolean', { nullable: false }),
    choice('status', CouponStatus, { initial: 'active' }),
    field('terminated_at', 'time'),
    ...stamps('updated', 'deleted'),
  ],
  links: [
    { member: 'plans', codes: ['plan_codes', 'applies_to.plan_codes'], to: 'plan', table: '_CouponPlans', own: 'A' },
    {
      member: 'billable_metrics',
      codes: ['billable_metric_codes', 'applies_to.billable_metric_codes'],
      to: 'billable_metric',
      table: '_CouponMetrics',
      own: 'B',
    },
  ],
  lookup: [
    'code',
    'name',
    'amount_cents',
    'amount_currency',
    'percentage_rate',
    'frequency',
    'frequency_duration',
    'coupon_type',
  ],
  fill: fillCoupons,
});

/** A coupon applied to a customer. */
export const APPLIED_COUPON = shape({
  name: 'applied_coupon',
  table: 'applied_coupons',
  section: 'applied_coupons',
  fields: [
    ...fieldsOf(APPLIED_COUPON_RESOURCE, { frequency: { nullable: false } }),
    field('frequency_duration_remaining', 'integer'),
    choice('status', CouponStatus, { initial: 'active' }),
    field('terminated_at', 'time'),
    ...stamps('updated'),
  ],
  refs: [
    ref('coupon_id', 'coupon', ['svc_coupon_id'], ['coupon_code'], required),
    ref('customer_id', 'customer', ['svc_customer_id'], ['external_customer_id'], required),
  ],
  lookup: ['coupon_id', 'customer_id'],
  fill: fillAppliedCoupons,
});
