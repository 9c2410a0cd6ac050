import { rangeCodes, rangeText } from '../catalogue/number-range.ts';
import { invalid, within } from '../errors.ts';
import type { AppliedCouponInput } from '../invoice/credit-input.ts';
import type { RequestedCoupon } from './preview-type.ts';

/**
 * The coupons of a preview: those applied to the customer, else those of the request, each by the code of one that exists
 * (in any status), else as described. Throws `validation_errors` for a described one without its amount or rate.
 * Source: invoicing 17.1.
 */
export function previewCoupons(
  applied: readonly AppliedCouponInput[],
  requested: readonly RequestedCoupon[],
  existing: readonly AppliedCouponInput[],
): AppliedCouponInput[] {
  const active = applied.filter((coupon) => coupon.status === 'active');
  if (active.length > 0) return active;
  return requested.map((coupon, index) => {
    const known = existing.find((candidate) => candidate.code === coupon.code);
    const id = `requested-coupon-${index + 1}`;
    if (known) return { ...known, id, status: 'active', usedCents: 0n, createdAt: index };
    return within(['coupons', index], () => described(coupon, id, index));
  });
}

function described(coupon: RequestedCoupon, id: string, index: number): AppliedCouponInput {
  const type = coupon.type ?? 'fixed_amount';
  if (type === 'fixed_amount' && coupon.amountCents == null) throw invalid({ amount_cents: ['value_is_mandatory'] });
  if (type === 'percentage' && coupon.rate == null) throw invalid({ percentage_rate: ['value_is_mandatory'] });
  checkNumbers(coupon);
  const code = coupon.code ?? '';
  return {
    id,
    couponId: null,
    code,
    name: coupon.name ?? code,
    type,
    amountCents: coupon.amountCents ?? null,
    currency: coupon.currency ?? null,
    rate: coupon.rate ?? null,
    frequency: coupon.frequency ?? 'once',
    periodsRemaining: null,
    usedCents: 0n,
    planIds: [],
    metricIds: [],
    status: 'active',
    createdAt: index,
  };
}

/** The numbers of a described coupon: those that an import refuses are refused here. */
function checkNumbers({ amountCents, rate, periods, periodsRemaining }: RequestedCoupon): void {
  const codes = {
    amount_cents: rangeCodes('coupon', 'amount_cents', amountCents),
    percentage_rate: rangeCodes('coupon', 'percentage_rate', rate),
    frequency_duration: rangeCodes('coupon', 'frequency_duration', periods),
    frequency_duration_remaining: rangeCodes('applied_coupon', 'frequency_duration_remaining', periodsRemaining),
  };
  const wrong = Object.entries(codes).filter(([, list]) => list.length > 0);
  const limits = wrong.map(([name]) => {
    const resource = name === 'frequency_duration_remaining' ? 'applied_coupon' : 'coupon';
    return [name, { limit: rangeText(resource, name) }];
  });
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong), Object.fromEntries(limits));
}
