import { COUNTRIES } from '../customer/country.ts';
import { type ErrorDetails, type ErrorHints, invalid } from '../errors.ts';
import { CURRENCIES } from '../money/currency.ts';
import { HUNDRED } from '../money/decimal.ts';
import { isTimeZone } from '../period/calendar.ts';
import type { RequestedCoupon } from './preview-type.ts';

type Text = string | null | undefined;

/** The members of a previewed customer that are codes of a list. */
interface StatedCustomer {
  readonly currency?: Text;
  readonly country?: Text;
  readonly timezone?: Text;
  readonly shippingAddress?: { readonly country?: Text } | null;
}

/** A member that is blank says nothing: clients send the empty fields of their forms. */
export const statedText = (text: Text): Text => (text?.trim() === '' ? null : text);

const isOther = (text: Text, known: (code: string) => boolean) => {
  const stated = statedText(text);
  return stated != null && !known(stated);
};

const isCurrency = (code: string) => CURRENCIES.has(code);
const isCountry = (code: string) => COUNTRIES.has(code);

const CODES: ErrorHints = {
  currency: { limit: 'a code of ISO 4217' },
  amount_currency: { limit: 'a code of ISO 4217' },
  country: { limit: 'a code of ISO 3166' },
  amount_cents: { limit: 'at least 0' },
  percentage_rate: { limit: 'at least 0, at most 100' },
};

function couponFaults({ currency, amountCents, rate }: RequestedCoupon): ErrorDetails {
  return {
    ...(isOther(currency, isCurrency) && { amount_currency: ['value_is_invalid'] }),
    ...(amountCents != null && amountCents < 0n && { amount_cents: ['value_is_out_of_range'] }),
    ...(rate && (rate.isNegative() || rate.gt(HUNDRED)) && { percentage_rate: ['value_is_out_of_range'] }),
  };
}

/** The same for members that stand in several places: the one that is meant. */
function placed(customer: StatedCustomer, coupons: readonly RequestedCoupon[]): ErrorHints {
  const country = isOther(customer.country, isCountry) ? ['customer'] : ['customer', 'shippingAddress'];
  const faulty = coupons.flatMap((coupon, index) =>
    Object.keys(couponFaults(coupon)).map((field) => [field, index] as const),
  );
  const ofCoupons = faulty.reverse().map(([field, index]) => [field, { ...CODES[field], at: ['coupons', index] }]);
  return { ...CODES, country: { ...CODES.country, at: country }, ...Object.fromEntries(ofCoupons) };
}

/**
 * Checks what a preview states of a customer and of coupons: currencies of ISO 4217, countries of ISO 3166, time zones of IANA,
 * amounts not below 0, shares of 0 to 100 percent. A stored value is not asked about. Throws one validation error that names
 * every member: a currency of "Infinity" is `currency: ["value_is_invalid"]`. Source: behaviour 2.2 and 5.
 */
export function checkStated(customer: StatedCustomer, coupons: readonly RequestedCoupon[]): void {
  const { currency, country, timezone, shippingAddress } = customer;
  const details: ErrorDetails = {
    ...(isOther(currency, isCurrency) && { currency: ['value_is_invalid'] }),
    ...((isOther(country, isCountry) || isOther(shippingAddress?.country, isCountry)) && {
      country: ['not_a_valid_country_code'],
    }),
    ...(isOther(timezone, isTimeZone) && { timezone: ['invalid_timezone'] }),
    ...Object.assign({}, ...coupons.map(couponFaults)),
  };
  if (Object.keys(details).length > 0) throw invalid(details, placed(customer, coupons));
}
