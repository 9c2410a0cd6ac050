import { type BillingError, type ErrorHints, invalid } from '../errors.ts';
import type { CouponValues } from './coupon.ts';
import { AMOUNT, CURRENCY, choice, DECIMAL, INTEGER, optional, type Sent, type Values } from './field.ts';
import { refusalOfSent, resource } from './resource.ts';

const FIELDS = {
  amountCents: optional(AMOUNT),
  amountCurrency: optional(CURRENCY),
  percentageRate: optional(DECIMAL),
  frequency: optional(choice<'once' | 'recurring' | 'forever'>('CouponFrequency')),
  frequencyDuration: optional(INTEGER),
};

type Application = Values<typeof FIELDS>;

const HINTS: ErrorHints = { frequency_duration: { limit: 'a number of periods' } };

function refusal({ frequency, frequencyDuration }: Application): BillingError | undefined {
  const isMissing = frequency === 'recurring' && frequencyDuration == null;
  return isMissing ? invalid({ frequency_duration: ['value_is_mandatory'] }, HINTS) : undefined;
}

/** How a customer has a coupon; what is not said is the coupon's. Source: engine-catalogue 8.2. */
export const APPLIED_COUPON = resource('applied_coupon', FIELDS, refusal);

/** What is said of an application. */
export type SentApplication = Sent<typeof FIELDS>;

/** An application as it stands: copies, which later changes of the coupon do not reach, of what its kind and its frequency use. */
export function applicationOf(coupon: CouponValues, sent: SentApplication): Application {
  const isFixed = coupon.couponType === 'fixed_amount';
  const frequency = sent.frequency ?? coupon.frequency;
  return {
    amountCents: isFixed ? (sent.amountCents ?? coupon.amountCents) : null,
    amountCurrency: isFixed ? sent.amountCurrency || coupon.amountCurrency : null,
    percentageRate: isFixed ? null : (sent.percentageRate ?? coupon.percentageRate),
    frequency,
    frequencyDuration: frequency === 'recurring' ? (sent.frequencyDuration ?? coupon.frequencyDuration) : null,
  };
}

/** What is wrong with what is said that the kind or the frequency does not use: each member alone, as if it were used. */
export function unusedRefusal(sent: SentApplication, application: Application): BillingError | undefined {
  const names = Object.keys(FIELDS) as (keyof Application)[];
  const unused = names.filter((name) => application[name] === null);
  return refusalOfSent(APPLIED_COUPON, Object.fromEntries(unused.map((name) => [name, sent[name]])));
}
