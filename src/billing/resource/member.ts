import { rangeCodes, rangeText } from '../catalogue/number-range.ts';
import { COUNTRIES } from '../customer/country.ts';
import { emailsIn, isEmail } from '../customer/email.ts';
import { localeOf } from '../customer/locale.ts';
import { logoCodes, MOST_LOGO_BYTES } from '../customer/logo.ts';
import { isHookAddress, isWebAddress } from '../customer/web-address.ts';
import { BillingError, type ErrorHint, invalid, placed, withCodes } from '../errors.ts';
import { CURRENCIES } from '../money/currency.ts';
import { dec } from '../money/decimal.ts';
import { snakeCase } from '../name-case.ts';
import { isTimeZone } from '../period/calendar.ts';
import { readExpression } from '../usage/expression-syntax.ts';
import { isMembers } from '../usage/value.ts';
import { type Field, type FieldKind, type Fields, sentName } from './field.ts';
import { checkMetadataPatch } from './metadata.ts';

type Members = Readonly<Record<string, unknown>>;
type Named = readonly (readonly [name: string, field: Field])[];

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isBlank = (value: unknown) =>
  value == null || (typeof value === 'string' && value.trim() === '') || (isList(value) && value.length === 0);
const isNumber = ({ kind }: Field) => kind === 'cents' || kind === 'decimal' || kind === 'rate' || kind === 'integer';

/** The code of a member that must be there and is not; a choice that was not made is none of its values. */
export const missingCode = ({ kind }: Field) =>
  kind === 'choice' || kind === 'boolean' ? 'value_is_invalid' : 'value_is_mandatory';

const PROVIDERS = new Set(['stripe', 'adyen', 'gocardless', 'cashfree', 'flutterwave', 'moneyhash']);

type Known = readonly [code: string, isKnown: (text: string) => boolean];

/** Kinds of texts that mean something, with the code of one that does not. */
const KNOWN: { readonly [K in FieldKind]?: Known } = {
  currency: ['value_is_invalid', (text) => CURRENCIES.has(text)],
  country: ['not_a_valid_country_code', (text) => COUNTRIES.has(text.toUpperCase())],
  timezone: ['invalid_timezone', isTimeZone],
  locale: ['not_a_valid_language_code', (text) => localeOf(text) !== undefined],
  email: ['invalid_email_format', (text) => emailsIn(text).every(isEmail)],
  provider: ['value_is_invalid', (text) => PROVIDERS.has(text)],
  url: ['url_is_invalid', isWebAddress],
  hook: ['url_is_invalid', isHookAddress],
  expression: ['invalid_expression', (text) => readExpression(text) !== undefined],
};

const lengthOf = (text: string, { isTrimmed }: Field) => [...(isTrimmed ? text.trim() : text)].length;

function codesOf(owner: string, name: string, field: Field, value: unknown): string[] {
  const { kind, isMandatory, isUpper, among, shortest, longest } = field;
  if (shortest && typeof value === 'string' && lengthOf(value, field) < shortest) return ['value_is_too_short'];
  if (isBlank(value)) return isMandatory ? [missingCode(field)] : [];
  const [code, isKnown] = KNOWN[kind] ?? [];
  if (code && isKnown) return isKnown(isUpper ? String(value).toUpperCase() : String(value)) ? [] : [code];
  if (longest !== undefined) return lengthOf(String(value), field) > longest ? ['value_is_too_long'] : [];
  if (kind === 'logo') return logoCodes(String(value));
  if (among && isList(value)) return value.every((one) => among.texts.includes(String(one))) ? [] : [among.code];
  if (!isNumber(field)) return [];
  const number = String(value);
  return field.isPositive && Number(number) === 0 ? ['value_is_out_of_range'] : rangeCodes(owner, name, number);
}

function hintOf(owner: string, name: string, field: Field): ErrorHint {
  const { group } = field;
  return { ...limitOf(owner, name, field), ...(group && { at: [group.name], name: group.member }) };
}

function limitOf(owner: string, name: string, field: Field): ErrorHint {
  const { shortest, longest, among } = field;
  if (among) return { limit: among.texts.join(', ') };
  if (field.kind === 'logo') return { limit: `a PNG or JPEG of at most ${MOST_LOGO_BYTES / 1000} kB` };
  if (field.kind === 'hook') return { limit: 'an address that begins with http:// or https://' };
  if (field.kind === 'currency') return { limit: 'a code of ISO 4217' };
  if (field.kind === 'locale') return { limit: 'a language of ISO 639-1, maybe with a country: en, pt-BR' };
  if (field.kind === 'provider') return { limit: [...PROVIDERS].join(', ') };
  if (longest !== undefined)
    return { limit: shortest ? `${shortest} to ${longest} characters` : `at most ${longest} characters` };
  if (!isNumber(field)) return {};
  return { limit: field.isPositive ? rangeText(owner, name).replace('at least 0', 'above 0') : rangeText(owner, name) };
}

/** What is wrong with members, each alone, and with the parts among them by their places. */
export function memberRefusals(owner: string, fields: Named, values: Members): BillingError[] {
  const found = fields.map(([member, field]) => {
    const name = snakeCase(field.group ? member : sentName(member, field));
    return { name, field, codes: codesOf(owner, name, field, values[member]) };
  });
  const details = withCodes(Object.fromEntries(found.map(({ name, codes }) => [name, codes])));
  const hints = found
    .filter(({ name }) => name in details)
    .map(({ name, field }) => [name, hintOf(owner, name, field)]);
  const own = Object.keys(details).length > 0 ? [invalid(details, Object.fromEntries(hints))] : [];
  const metadata = fields.flatMap(([member, { kind }]) =>
    kind === 'metadata' ? metadataRefusals(values[member]) : [],
  );
  return [
    ...own,
    ...metadata,
    ...fields.flatMap(([member, field]) => partRefusals(owner, member, field, values[member])),
  ];
}

function metadataRefusals(value: unknown): BillingError[] {
  try {
    checkMetadataPatch(value);
    return [];
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    return [error];
  }
}

function partRefusals(owner: string, member: string, { parts }: Field, value: unknown): BillingError[] {
  if (!parts || !isList(value)) return [];
  const fields = Object.entries(parts.fields);
  // Of a list that does not fit its type, only what fits is looked into.
  return value.flatMap((part, place) =>
    isMembers(part) ? memberRefusals(owner, fields, part).map((refusal) => placed(refusal, [member, place])) : [],
  );
}

const plainText = (value: unknown) => dec(String(value)).toFixed();

/** Of parts of one name the last, in the order of their names. */
function normalParts(fields: Fields, parts: readonly unknown[]): unknown[] {
  const [name = ''] = Object.keys(fields);
  const read = parts.map((part) => normalMembers(fields, part as Members));
  const last = new Map(read.map((part) => [String(part[name]), part]));
  return [...last].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part);
}

/** Members as they are stored: decimals in their shortest form, lists of texts in their order, blank expressions as none. */
export const normalMembers = (fields: Fields, values: Members): Members =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, normal(field, values[name])]));

function normal({ kind, parts, isBlankNone, isTrimmed, isUpper, initial }: Field, value: unknown): unknown {
  if (value == null) return null;
  if (isBlankNone && isBlank(value)) return initial ?? null;
  if (isTrimmed) return String(value).trim();
  if (kind === 'country' || isUpper) return String(value).toUpperCase();
  if (kind === 'locale') return localeOf(String(value)) ?? value;
  if (kind === 'email') return emailsIn(String(value)).join(',');
  if (kind === 'expression') return isBlank(value) ? null : value;
  if (kind === 'decimal' || kind === 'rate') return plainText(value);
  if (kind === 'texts' || kind === 'codes') return isList(value) ? [...new Set(value.map(String))].sort() : value;
  return parts && isList(value) ? normalParts(parts.fields, value) : value;
}
