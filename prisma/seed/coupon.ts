import type { CouponRow } from './document.ts';
import { row } from './row.ts';

const coupon = (code: string, name: string, members: Partial<CouponRow>): CouponRow => ({
  ...row('coupon', 'quintavel', code),
  name,
  coupon_type: members.percentage_rate === undefined ? 'fixed_amount' : 'percentage',
  frequency: 'once',
  ...members,
});

/** Coupons of the first organization. */
export const COUPONS: CouponRow[] = [
  coupon('welcome', 'Welcome', { amount_cents: 2500, amount_currency: 'EUR' }),
  coupon('partner_10', 'Partner discount', { percentage_rate: '10', frequency: 'forever' }),
  coupon('half_year', 'Half a year of 15 %', { percentage_rate: '15', frequency: 'recurring', frequency_duration: 6 }),
  coupon('scale_credit', 'Scale credit', {
    amount_cents: 20_000,
    amount_currency: 'USD',
    frequency: 'recurring',
    frequency_duration: 4,
    plan_codes: ['scale'],
  }),
  coupon('api_20', '20 % off API calls', {
    percentage_rate: '20',
    frequency: 'recurring',
    frequency_duration: 12,
    billable_metric_codes: ['api_calls'],
  }),
  coupon('winter', 'Winter campaign', {
    amount_cents: 1000,
    amount_currency: 'EUR',
    expiration: 'time_limit',
    expiration_at: '2025-03-01T00:00:00Z',
    status: 'terminated',
    terminated_at: '2025-03-01T00:00:00Z',
  }),
];
