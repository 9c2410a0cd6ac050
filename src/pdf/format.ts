import { minorDigits } from '../billing/currency.ts';
import { dec } from '../billing/decimal.ts';
import type { DocumentLocale } from './labels/labels.ts';

/** Money, numbers and dates of one document in its language. Amounts come as exact text and never become a JS number. */
export type Format = {
  /** Minor units: 150n of HUF is "HUF 1.50", of JPY "¥150". */
  cents(cents: bigint): string;
  /** Currency units with at least the currency's digits and all the others it has: "0.00000018" prints whole. */
  amount(amount: string): string;
  /** Plain number, all its digits: "1,023.5". */
  number(value: string): string;
  /** A rate in percent: "20" is "20%". */
  percent(rate: string): string;
  /** `YYYY-MM-DD` in words. No time zone can move it. */
  date(date: string): string;
  period(from: string, to: string): string;
};

/** ECMA-402 allows at most 100 fraction digits; a stored decimal has at most 30. */
const MOST_DIGITS = 100;

/** Intl separates with narrow and non-breaking spaces, which some fonts lack and which text searches do not find. */
const plainSpaces = (text: string) => text.replace(/[\u202f\u00a0\u2009]/g, ' ');

/** Intl formats decimal text exactly; its type knows only literal patterns. */
const format = (numbers: Intl.NumberFormat, value: string) => {
  const text = dec(value).toFixed();
  return plainSpaces(numbers.format(dec(text).isZero() ? '0' : (text as `${number}`)));
};

/** `canPrint` says whether the fonts have every sign of a text; a currency sign without glyph gives way to the ISO code. */
export function createFormat(locale: DocumentLocale, currency: string, canPrint: (text: string) => boolean): Format {
  const digits = minorDigits(currency);
  const money = (most: number, display: 'symbol' | 'code') =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: display,
      minimumFractionDigits: digits,
      maximumFractionDigits: most,
    });
  const sign = canPrint(plainSpaces(money(digits, 'symbol').format(0))) ? 'symbol' : 'code';
  const whole = money(digits, sign);
  const precise = money(MOST_DIGITS, sign);
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: MOST_DIGITS });
  const percents = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'percent',
    maximumFractionDigits: MOST_DIGITS,
  });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const date = (day: string) => plainSpaces(dates.format(new Date(`${day}T00:00:00Z`)));
  return {
    cents: (cents) => format(whole, centsText(cents, digits)),
    amount: (amount) => format(precise, amount),
    number: (value) => format(numbers, value),
    percent: (rate) => format(percents, rate),
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
