import { isInRange } from '../../../billing/catalogue/number-range.ts';
import { isPaymentUrl, readBic, readIban } from '../../../billing/customer/bank-account.ts';
import { COUNTRIES } from '../../../billing/customer/country.ts';
import { localeOf } from '../../../billing/customer/locale.ts';
import { CURRENCIES } from '../../../billing/money/currency.ts';
import { isTimeZone, tryParseDate, tryParseInstant } from '../../../billing/period/calendar.ts';
import { readExpression } from '../../../billing/usage/expression-syntax.ts';
import { isUuid } from '../../database/uuid.ts';
import { isList, isObject, type Json, numberText } from '../value/json.ts';
import type { Field } from './shape.ts';

type Reading = { readonly value: Json } | { readonly code: string };

const INVALID: Reading = { code: 'value_is_invalid' };
const OUT_OF_RANGE: Reading = { code: 'value_is_out_of_range' };
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
// With the flag `u` only a half without its other half matches.
const LONE_SURROGATE = /\p{Cs}/u;
// The columns are numeric(65, 30).
const INTEGER_DIGITS = 35;
const FRACTION_DIGITS = 30;
const INT4: readonly [bigint, bigint] = [-(2n ** 31n), 2n ** 31n - 1n];
const INT8: readonly [bigint, bigint] = [-(2n ** 63n), 2n ** 63n - 1n];

/** PostgreSQL stores no NUL and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !LONE_SURROGATE.test(text);

/** Plain digits without exponent: `1.5e2` is `150`; undefined when it is no number. */
function plainDecimal(text: string): { integer: string; fraction: string; negative: boolean } | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const exponent = Number(match[4] ?? 0);
  const digits = (match[2] ?? '') + (match[3] ?? '');
  const point = (match[2] ?? '').length + exponent;
  if (Math.abs(exponent) > 1000) return undefined;
  const integer = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '';
  const fraction = point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  return {
    integer: integer.replace(/^0+(?=\d)/, '') || '0',
    fraction: fraction.replace(/0+$/, ''),
    negative: match[1] === '-',
  };
}

function readDecimal(value: Json): Reading {
  const parts = plainDecimal(numberText(value) ?? (typeof value === 'string' ? value.trim() : ''));
  if (!parts) return INVALID;
  const { integer, fraction, negative } = parts;
  if (integer.length > INTEGER_DIGITS || fraction.length > FRACTION_DIGITS) return OUT_OF_RANGE;
  const text = fraction ? `${integer}.${fraction}` : integer;
  return { value: negative && /[1-9]/.test(text) ? `-${text}` : text };
}

function readInteger(value: Json, [least, most]: readonly [bigint, bigint]): Reading {
  const parts = plainDecimal(numberText(value) ?? (typeof value === 'string' ? value.trim() : ''));
  if (!parts || parts.fraction) return INVALID;
  const integer = BigInt(`${parts.negative ? '-' : ''}${parts.integer}`);
  return integer < least || integer > most ? OUT_OF_RANGE : { value: integer.toString() };
}

function readText(value: Json): Reading {
  const text = typeof value === 'string' ? value : numberText(value);
  return text !== undefined && isStorable(text) ? { value: text } : INVALID;
}

/** Blank is none. */
function readExpressionText(value: Json): Reading {
  if (typeof value !== 'string' || !isStorable(value)) return INVALID;
  if (value.trim() === '') return { value: null };
  return readExpression(value) ? { value } : { code: 'invalid_expression' };
}

function readTime(value: Json): Reading {
  const instant = typeof value === 'string' ? tryParseInstant(value) : undefined;
  return instant === undefined || String(value).startsWith('0000')
    ? INVALID
    : { value: new Date(instant).toISOString() };
}

function isStorableJson(value: Json | undefined): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (isList(value)) return value.every(isStorableJson);
  if (isObject(value)) return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorableJson(inner));
  return true;
}

function readTexts(value: Json, allowed: readonly string[] | undefined): Reading {
  const good = (text: Json) => typeof text === 'string' && isStorable(text) && (allowed?.includes(text) ?? true);
  return isList(value) && value.every(good) ? { value } : INVALID;
}

const member = (value: Json, isMember: (text: string) => boolean, code = 'value_is_invalid'): Reading =>
  typeof value === 'string' && isMember(value) ? { value } : { code };

function readLocale(value: Json): Reading {
  const locale = typeof value === 'string' ? localeOf(value) : undefined;
  return locale === undefined ? { code: 'not_a_valid_language_code' } : { value: locale };
}

function readBank(value: Json, read: (text: string) => string | undefined): Reading {
  const found = typeof value === 'string' ? read(value) : undefined;
  return found === undefined ? INVALID : { value: found };
}

/** One member, checked and in the form that the database takes it in; or the code of what is wrong with it. Not for null. */
export function readValue(field: Field, value: Json): Reading {
  const reading = readKind(field, value);
  if (!field.range || 'code' in reading) return reading;
  return isInRange(field.range, String(reading.value)) ? reading : OUT_OF_RANGE;
}

function readKind(field: Field, value: Json): Reading {
  switch (field.kind) {
    case 'text':
      return field.values ? member(value, (text) => field.values?.includes(text) ?? true) : readText(value);
    case 'expression':
      return readExpressionText(value);
    case 'uuid':
      return member(value, isUuid);
    case 'integer':
      return readInteger(value, INT4);
    case 'cents':
      return readInteger(value, INT8);
    case 'decimal':
    case 'rate':
      return readDecimal(value);
    case 'boolean':
      return typeof value === 'boolean' ? { value } : INVALID;
    case 'time':
      return readTime(value);
    case 'date':
      return member(value, (text) => tryParseDate(text) !== undefined && !text.startsWith('0000'));
    case 'json':
      return isStorableJson(value) ? { value } : INVALID;
    case 'texts':
      return readTexts(value, field.values);
    case 'currency':
      return member(value, (text) => CURRENCIES.has(text));
    case 'country':
      return member(value, (text) => COUNTRIES.has(text), 'not_a_valid_country_code');
    case 'locale':
      return readLocale(value);
    case 'timezone':
      return member(value, isTimeZone, 'invalid_timezone');
    case 'iban':
      return readBank(value, readIban);
    case 'bic':
      return readBank(value, readBic);
    case 'payment_url':
      return member(value, (text) => isStorable(text) && isPaymentUrl(text));
  }
}
