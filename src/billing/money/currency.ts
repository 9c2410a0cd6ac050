import { type Decimal, dec, roundToInteger } from './decimal.ts';

/** Minor-unit digits of ISO 4217, for the currencies that do not have two. Never taken from Intl, which says 0 for HUF. */
const CURRENCIES_BY_DIGITS: readonly [number, string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const DIGITS = new Map(
  CURRENCIES_BY_DIGITS.flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, digits])),
);

/** The currencies that the gateway accepts (reference 1.49.0, with the four its document leaves out). */
export const CURRENCIES: ReadonlySet<string> = new Set(
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLF CLP CNY COP CRC
CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR ISK JMD JOD JPY KES
KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRO MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB
PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLL SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH UGX USD UYU
UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW IQD LYD OMR TND`.split(/\s+/),
);

/** Digits after the point of one unit of `currency`: EUR 2, JPY 0, KWD 3, CLF 4. Source: ISO 4217. */
export function minorDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}

// Asked for with every amount that is shown.
const POWERS = new Map<number, Decimal>();

/** How many minor units one unit of `currency` has: EUR 100, JPY 1, KWD 1000. */
export function minorUnits(currency: string): Decimal {
  const digits = minorDigits(currency);
  const known = POWERS.get(digits) ?? dec(10).pow(digits);
  POWERS.set(digits, known);
  return known;
}

/** An amount in currency units as whole minor units, rounded half away from zero: 10.005 EUR is 1001n, 10.5 JPY is 11n. */
export function toCents(amount: Decimal, currency: string): bigint {
  return roundToInteger(amount.times(minorUnits(currency)));
}

/** Minor units as an amount in currency units: 1345.662 cents of EUR are 13.45662. */
export function fromCents(cents: Decimal | bigint, currency: string): Decimal {
  return dec(cents).div(minorUnits(currency));
}
