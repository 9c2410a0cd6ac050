import type { InvoiceFee } from '../fee/invoice-fee.ts';
import { cutToInteger, type Decimal, dec, HUNDRED, roundToInteger, sum, ZERO } from '../money/decimal.ts';
import { leastCents, splitCredit } from '../money/share.ts';
import type { AppliedCouponInput } from './credit-input.ts';
import type { CreditLine, CreditTrace, DraftInvoice } from './draft-invoice.ts';
import { netOf } from './tax.ts';

/**
 * Applies the coupons one after another to what remains: those limited to metrics first, then to plans, then the others,
 * each group by time of application, until nothing is left to pay. 15 % then 20 % of 100 take 15 and 17. A fixed coupon in
 * another currency is skipped. Source: invoicing 10.
 */
export function applyCoupons(invoice: DraftInvoice, trace?: CreditTrace): DraftInvoice {
  let next = invoice;
  for (const coupon of inOrder(invoice.coupons)) {
    if (next.subTotalExcludingTaxesAmountCents <= 0n) break;
    const before = next;
    next = applyCoupon(before, coupon);
    trace?.({ type: 'coupon', code: coupon.code, name: coupon.name }, before, next);
  }
  return next;
}

function inOrder(coupons: readonly AppliedCouponInput[]): AppliedCouponInput[] {
  return coupons
    .filter((coupon) => coupon.status === 'active')
    .sort((a, b) => limitRank(a) - limitRank(b) || a.createdAt - b.createdAt);
}

function limitRank(coupon: AppliedCouponInput): number {
  if (coupon.metricIds.length > 0) return 0;
  return coupon.planIds.length > 0 ? 1 : 2;
}

function applyCoupon(invoice: DraftInvoice, coupon: AppliedCouponInput): DraftInvoice {
  if (coupon.type === 'fixed_amount' && coupon.currency !== invoice.currency) return invoice;
  const reached = invoice.fees.map((fee) => reaches(coupon, fee));
  const weights = invoice.fees.map((fee, index) => (reached[index] ? netOf(fee) : ZERO));
  const limited = limitRank(coupon) < 2;
  const subTotal = invoice.subTotalExcludingTaxesAmountCents;
  const base = limited ? lesser(sum(weights), dec(subTotal)) : dec(subTotal);
  const credit = reached.includes(true) ? creditOf(coupon, base) : 0n;
  if (credit <= 0n) return invoice;
  const parts = splitCredit(dec(credit), weights);
  return {
    ...invoice,
    fees: invoice.fees.map((fee, index) => withCoupon(fee, parts[index] ?? ZERO)),
    credits: [...invoice.credits, couponLine(coupon, credit, invoice.currency)],
    coupons: invoice.coupons.map((other) => (other.id === coupon.id ? usedCoupon(coupon, credit) : other)),
    couponsAmountCents: invoice.couponsAmountCents + credit,
    subTotalExcludingTaxesAmountCents: subTotal - credit,
  };
}

/** Whether a coupon may lower a fee: usage of its metrics, or fees of its plans and of plans derived from them. */
function reaches(coupon: AppliedCouponInput, fee: InvoiceFee): boolean {
  if (coupon.metricIds.length > 0) {
    return fee.type === 'charge' && fee.metricId !== null && coupon.metricIds.includes(fee.metricId);
  }
  if (coupon.planIds.length === 0) return true;
  return [fee.planId, fee.parentPlanId].some((planId) => planId !== null && coupon.planIds.includes(planId));
}

/** Whole minor units, never above the base: a fractional base is cut. */
function creditOf(coupon: AppliedCouponInput, base: Decimal): bigint {
  const most = cutToInteger(base);
  const wanted = coupon.type === 'percentage' ? percentOf(coupon, base) : fixedCredit(coupon);
  return leastCents(wanted, most);
}

function percentOf(coupon: AppliedCouponInput, base: Decimal): bigint {
  return roundToInteger(base.times(coupon.rate ?? ZERO).div(HUNDRED));
}

function fixedCredit(coupon: AppliedCouponInput): bigint {
  const amount = coupon.amountCents ?? 0n;
  return coupon.frequency === 'once' ? amount - coupon.usedCents : amount;
}

/**
 * A coupon after one use: `forever` never ends, `once` ends at its first use (a fixed amount when it is used up), `recurring`
 * loses one period and ends at 0.
 */
function usedCoupon(coupon: AppliedCouponInput, credit: bigint): AppliedCouponInput {
  const used = { ...coupon, usedCents: coupon.usedCents + credit };
  if (coupon.frequency === 'forever') return used;
  if (coupon.frequency === 'once') {
    const ended = coupon.type === 'percentage' || used.usedCents >= (coupon.amountCents ?? 0n);
    return ended ? { ...used, status: 'terminated' } : used;
  }
  const periodsRemaining = Math.max((coupon.periodsRemaining ?? 0) - 1, 0);
  return { ...used, periodsRemaining, status: periodsRemaining === 0 ? 'terminated' : 'active' };
}

function couponLine(coupon: AppliedCouponInput, amountCents: bigint, currency: string): CreditLine {
  return {
    type: 'coupon',
    sourceId: coupon.id,
    itemId: coupon.couponId,
    code: coupon.code,
    name: coupon.name,
    amountCents,
    currency,
    beforeTaxes: true,
  };
}

function withCoupon(fee: InvoiceFee, part: Decimal): InvoiceFee {
  return part.isZero() ? fee : { ...fee, preciseCouponsAmountCents: fee.preciseCouponsAmountCents.plus(part) };
}

function lesser(a: Decimal, b: Decimal): Decimal {
  return a.lt(b) ? a : b;
}
