import { minorDigits } from '../billing/money/currency.ts';
import { type Decimal, dec } from '../billing/money/decimal.ts';
import type { DocumentLocale } from './labels/labels.ts';

/** Money, numbers and dates of one document in its language. Amounts come as exact text and never become a JS number. */
export type Format = {
  /** Minor units: 150n of HUF is "HUF 1.50", of JPY "¥150". */
  cents(cents: bigint): string;
  /** Currency units with at least the currency's digits, or `least`, and all the others it has: "0.00000018" prints whole. */
  amount(amount: string, least?: number): string;
  /** A unit price without the digits that do not matter for so many units, or for what they come to, where that is given. */
  shortPrice(price: string, units: string, amount?: string): string;
  /** A quantity without the digits that do not matter at such a price. */
  shortUnits(units: string, price: string, amount?: string): string;
  /** The digits after the point that an amount is printed with. */
  amountDigits(amount: string): number;
  /** Cents in currency units, exact: 1345n is "13.45". */
  amountOf(cents: bigint): string;
  /** What one cent is worth: "0.01". */
  minorUnit: string;
  /** Plain number with all its digits and at least `least`: "1,023.5". */
  number(value: string, least?: number): string;
  /** A rate in percent: "20" is "20%". */
  percent(rate: string): string;
  /** `YYYY-MM-DD` in words. No time zone can move it. */
  date(date: string): string;
  period(from: string, to: string): string;
};

/** Intl separates with narrow and non-breaking spaces, which some fonts lack and which text searches do not find. */
const plainSpaces = (text: string) => text.replace(/[\u202f\u00a0\u2009]/g, ' ');

/** `canPrint` says whether the fonts have every sign of a text; a currency sign without glyph gives way to the ISO code. */
export function createFormat(locale: DocumentLocale, currency: string, canPrint: (text: string) => boolean): Format {
  const digits = minorDigits(currency);
  const money = (currencyDisplay: 'symbol' | 'code') =>
    writer(locale, { style: 'currency', currency, currencyDisplay }, digits);
  const withSign = money('symbol');
  const amount = canPrint(withSign('0')) ? withSign : money('code');
  const number = writer(locale, {}, 0);
  const percent = writer(locale, { style: 'unit', unit: 'percent' }, 0);
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const date = (day: string) => plainSpaces(dates.format(new Date(`${day}T00:00:00Z`)));
  return {
    cents: (cents) => amount(centsText(cents, digits)),
    amount,
    amountOf: (cents) => centsText(cents, digits),
    minorUnit: centsText(1n, digits),
    shortPrice: (price, units, amount) =>
      dec(units).abs().eq(1)
        ? price
        : shortened([price, units], { longest: LONGEST_PRICE, least: digits, digits, amount }),
    shortUnits: (units, price, amount) =>
      shortened([units, price], { longest: LONGEST_QUANTITY, least: 0, digits, amount }),
    amountDigits: (value) => Math.max(digits, dec(value).decimalPlaces()),
    number,
    percent,
    date,
    period: (from, to) => (from === to ? date(from) : `${date(from)} – ${date(to)}`),
  };
}

/** The point is moved in the text, so that no amount is too large: 1345n with 2 digits is "13.45". */
function centsText(cents: bigint, digits: number): string {
  const sign = cents < 0n ? '-' : '';
  const text = (cents < 0n ? -cents : cents).toString().padStart(digits + 1, '0');
  const point = text.length - digits;
  return digits === 0 ? sign + text : `${sign}${text.slice(0, point)}.${text.slice(point)}`;
}

// Prices that somebody set are shorter, and so are quantities that were counted; averages and quotients have no end.
const LONGEST_PRICE = 12;
const LONGEST_QUANTITY = 6;

type Shortening = {
  /** Digits that a factor may have without being shortened. */
  longest: number;
  /** Digits that it keeps at least. */
  least: number;
  /** Digits of amounts. */
  digits: number;
  /** What it must come to; what it does come to unless that is given. */
  amount?: string | undefined;
};

/**
 * The first factor with the fewest digits that come to the same amount: 11.428571428571 a unit is "11.429" for 7 units, of which
 * 11.43 would be 80.01 in place of 80.00.
 */
function shortened(
  [factor, other]: [factor: string, other: string],
  { longest, least, digits, amount }: Shortening,
): string {
  const exact = dec(factor);
  if (exact.decimalPlaces() <= longest) return factor;
  const amountOf = (value: Decimal) => value.times(other).toDecimalPlaces(digits);
  for (const whole of [...(amount === undefined ? [] : [dec(amount)]), amountOf(exact)]) {
    for (let places = least; places < exact.decimalPlaces(); places += 1) {
      const short = exact.toDecimalPlaces(places);
      if (amountOf(short).eq(whole)) return short.toFixed();
    }
  }
  return factor;
}

/**
 * Writes exact decimal text in a language. Intl gives the signs, their places and the grouping of the whole part; the
 * digits after the point are ours, since Intl keeps at most 20 of them and thinks that HUF has none.
 */
function writer(locale: string, options: Intl.NumberFormatOptions, leastDigits: number) {
  const pattern = new Intl.NumberFormat(locale, { ...options, minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const positive = pattern.formatToParts(1.1);
  const negative = pattern.formatToParts(-1.1);
  // Some languages leave 1234 as it is, which in a column stands above 12.345.
  const whole = new Intl.NumberFormat(locale, { useGrouping: 'always' });
  return (value: string, least = leastDigits): string => {
    const decimal = dec(value);
    const [units = '0', fraction = ''] = decimal.abs().toFixed().split('.');
    const digits = fraction.padEnd(least, '0');
    const parts = decimal.isNegative() && !decimal.isZero() ? negative : positive;
    const texts = parts.map(({ type, value: text }) => {
      if (type === 'integer') return whole.format(BigInt(units));
      if (type === 'fraction') return digits;
      return type === 'decimal' && digits === '' ? '' : text;
    });
    return plainSpaces(texts.join(''));
  };
}
