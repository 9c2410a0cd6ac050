import { type BillingError, type ErrorHints, invalid, notAllowed, withCodes } from '../errors.ts';
import {
  AMOUNT,
  BOOLEAN,
  CURRENCY,
  choice,
  codes,
  DECIMAL,
  grouped,
  INTEGER,
  initially,
  mandatory,
  optional,
  type Sent,
  TEXT,
  TIME,
  type Values,
} from './field.ts';
import { resource } from './resource.ts';

const FIELDS = {
  code: mandatory(TEXT),
  name: mandatory(TEXT),
  description: optional(TEXT),
  couponType: mandatory(choice<'fixed_amount' | 'percentage'>('CouponType')),
  amountCents: optional(AMOUNT),
  amountCurrency: optional(CURRENCY),
  percentageRate: optional(DECIMAL),
  frequency: mandatory(choice<'once' | 'recurring' | 'forever'>('CouponFrequency')),
  frequencyDuration: optional(INTEGER),
  reusable: initially(BOOLEAN, true),
  expiration: mandatory(choice<'no_expiration' | 'time_limit'>('CouponExpiration')),
  expirationAt: optional(TIME),
  ...grouped('appliesTo', {
    planCodes: codes('plan', 'plans'),
    billableMetricCodes: codes('billable_metric', 'billableMetrics'),
  }),
};

type SentCoupon = Sent<typeof FIELDS>;
/** A coupon as it is stored. */
export type CouponValues = Values<typeof FIELDS>;

const HINTS: ErrorHints = {
  amount_cents: { limit: 'above 0' },
  frequency_duration: { limit: 'a number of periods' },
};

/** What the kind and the frequency of a coupon ask for. */
function refusal(coupon: CouponValues): BillingError | undefined {
  const { couponType, amountCents, amountCurrency, percentageRate, frequency, frequencyDuration } = coupon;
  const missing = (isNeeded: boolean, value: unknown) =>
    isNeeded && (value == null || (typeof value === 'string' && value.trim() === '')) ? ['value_is_mandatory'] : [];
  const isFixed = couponType === 'fixed_amount';
  const details = withCodes({
    amount_cents: isFixed && amountCents === 0n ? ['value_is_out_of_range'] : missing(isFixed, amountCents),
    amount_currency: missing(isFixed, amountCurrency),
    percentage_rate: missing(couponType === 'percentage', percentageRate),
    frequency_duration: missing(frequency === 'recurring', frequencyDuration),
  });
  return Object.keys(details).length > 0 ? invalid(details, HINTS) : undefined;
}

/** A reduction that can be applied to customers. Source: engine-catalogue 8.1. */
export const COUPON = resource('coupon', FIELDS, refusal);

/** Targets are said as a whole: those of one kind leave none of the other. */
export function meantTargets(sent: SentCoupon): SentCoupon {
  const { planCodes, billableMetricCodes } = sent;
  const isSaid = planCodes != null || billableMetricCodes != null;
  return isSaid ? { ...sent, planCodes: planCodes ?? [], billableMetricCodes: billableMetricCodes ?? [] } : sent;
}

const isSome = (list: readonly string[] | null | undefined) => (list ?? []).length > 0;

/** Why a coupon is refused at a moment, or for what it is to be limited to: an expiry that is past, unless it was before. */
export function couponRefusal(
  { expirationAt, planCodes, billableMetricCodes }: SentCoupon,
  { now, before }: { readonly now: Date; readonly before: CouponValues | undefined },
): BillingError | undefined {
  const isKept = expirationAt?.getTime() === before?.expirationAt?.getTime();
  if (expirationAt != null && !isKept && expirationAt <= now) {
    return invalid(
      { expiration_at: ['invalid_date'] },
      { expiration_at: { each: [{ limit: 'a moment that is to come' }] } },
    );
  }
  const isBoth = isSome(planCodes) && isSome(billableMetricCodes);
  return isBoth ? notAllowed('only_one_limitation_type_per_coupon_allowed') : undefined;
}

/** Whether it reaches only some fees. */
export const isLimited = ({ planCodes, billableMetricCodes }: CouponValues) =>
  planCodes.length + billableMetricCodes.length > 0;

/** Whether it can be applied to nobody any more at a moment. Without a moment of expiry it never expires. */
export const isExpired = ({ expiration, expirationAt }: CouponValues, now: Date) =>
  expiration === 'time_limit' && expirationAt !== null && expirationAt <= now;
