import { randomUUID } from 'node:crypto';
import { invalid, placedName } from '../../billing/errors.ts';

const MOST_NESTING = 64;
const LONG_DIGITS = /\d[\d.]{15}/;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const NEEDS_ESCAPE = /["\\\p{Cc}\p{Surrogate}]/u;
const HALF_PAIR = /\p{Surrogate}/u;

// Marks digits that a number cannot hold on their way through JSON.parse. No client can guess it.
const MARK = `digits-${randomUUID()}:`;

// To read a bigint and to write it into a message takes the longer the more digits it has: 900,000 took a second.
const MOST_INTEGER_DIGITS = 1000;

// The member whose own members are the client's: what it names is one field.
const FREE = 'properties';

const isLongInteger = (token: string) => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));

/** The digits of a decimal without zeros around them, and their exponent: `125e-1` of 12.50. */
function exactly(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole = '', part = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${part}`.replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/0+$/, '');
  return `${significant}e${Number(exponent) - part.length + digits.length - significant.length}`;
}

/** Whether a number would change a decimal without a word. What a client wrote from a number of its own stays as it is. */
function isLongDecimal(token: string): boolean {
  const number = Number(token);
  return /[.eE]/.test(token) && Number.isFinite(number) && exactly(token) !== exactly(String(number));
}

/** Where a value stands: the names and places that lead to it, the innermost first. */
interface Place {
  readonly key: string | number;
  readonly above?: Place | undefined;
}

function pathTo(place: Place | undefined): (string | number)[] {
  return place ? [...pathTo(place.above), place.key] : [];
}

// What may be a list of all that is sent stands so deep: a batch of events, a variable of an operation.
const WHOLE = new Map<string | number | undefined, number>([
  ['events', 1],
  ['variables', 2],
]);

const isName = (key: string | number) => typeof key === 'string';

/**
 * What errors call a value: the member that it is, and `properties` for whatever is in those, whose names are the client's own. In
 * a list that is all that is sent also its place: `1.properties`.
 */
function fieldOf(place: Place | undefined): string {
  const path = pathTo(place);
  const within = path.slice(WHOLE.get(path[0]) ?? path.length);
  const names = (within.some(isName) ? within : path).filter(isName);
  const name = path.find((key) => key === FREE) ?? names.at(-1) ?? 'base';
  return typeof within[0] === 'number' && within.some(isName) ? placedName(within[0], String(name)) : String(name);
}

const refuse = (place: Place | undefined, code: string): never => {
  const field = fieldOf(place);
  throw invalid({ [field]: [code] }, { [field]: { at: pathTo(place) } });
};

function readDigits(digits: string, place: Place | undefined): bigint {
  if (!/^-?\d+$/.test(digits)) return refuse(place, 'value_is_invalid');
  if (digits.length > MOST_INTEGER_DIGITS) return refuse(place, 'value_is_out_of_range');
  return BigInt(digits);
}

const isStorable = (text: string) => !text.includes('\0') && !HALF_PAIR.test(text);

function readObject(value: object, place: Place | undefined, depth: number): Record<string, unknown> {
  // No prototype: a member named __proto__ is a member like any other, also when it is copied.
  const members: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) refuse({ key: name.replace(/[^\x20-\x7e]/g, '?'), above: place }, 'value_is_invalid');
    members[name] = readValue(member, { key: name, above: place }, depth);
  }
  return members;
}

function readValue(value: unknown, place: Place | undefined, depth: number): unknown {
  if (typeof value === 'string') {
    if (value.startsWith(MARK)) return readDigits(value.slice(MARK.length), place);
    return isStorable(value) ? value : refuse(place, 'value_is_invalid');
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return refuse(place, 'value_is_out_of_range');
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MOST_NESTING) throw new SyntaxError(`more than ${MOST_NESTING} levels`);
  if (!Array.isArray(value)) return readObject(value, place, depth + 1);
  return value.map((item, index) => readValue(item, { key: index, above: place }, depth + 1));
}

/**
 * Parses JSON from the wire. Integers that a number cannot hold become bigints; objects have no prototype; of equal keys
 * the last wins. Throws a SyntaxError for what is not JSON or nested too deeply, and a validation error naming the
 * member whose text no database can store (NUL, half of a surrogate pair) or that is a number beyond all numbers (1e999), a decimal
 * with digits that a number cannot hold or an integer of more than 1000.
 */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!LONG_DIGITS.test(text)) return readValue(parsed, undefined, 0);
  const marked = text.replace(TOKENS, (token) =>
    isLongInteger(token) || isLongDecimal(token) ? `"${MARK}${token}"` : token,
  );
  return readValue(JSON.parse(marked), undefined, 0);
}

/** What `parseJson` makes of a value that is parsed already. */
export const readParsed = (value: unknown): unknown => readValue(value, undefined, 0);

const quote = (text: string) => (NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`);

/** What the two wires write in different ways. */
interface Manner {
  bigint(value: bigint): string;
  /** Whether a value that has a plain form is written in that, and not as `toJSON` has it. */
  readonly isPlain: boolean;
}

function writeObject(value: object, manner: Manner): string {
  let text = '';
  for (const name of Object.keys(value)) {
    const member = write((value as Record<string, unknown>)[name], manner);
    if (member !== undefined) text += `${text === '' ? '' : ','}${quote(name)}:${member}`;
  }
  return `{${text}}`;
}

function write(value: unknown, manner: Manner): string | undefined {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return String(value);
    case 'bigint':
      return manner.bigint(value);
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map((item) => write(item, manner) ?? 'null').join(',')}]`;
      const { toJSON, asPlain, asText } = value as { toJSON?: unknown; asPlain?: unknown; asText?: unknown };
      if (typeof asText === 'function') return asText.call(value, (part: unknown) => write(part, manner) ?? 'null');
      if (manner.isPlain && typeof asPlain === 'function') return write(asPlain.call(value), manner);
      return typeof toJSON === 'function' ? write(toJSON.call(value), manner) : writeObject(value, manner);
    }
    default:
      return undefined;
  }
}

const REST: Manner = { bigint: String, isPlain: true };
const GRAPH: Manner = { bigint: (value) => `"${value}"`, isPlain: false };

/**
 * The text of a JSON value as REST writes it: as JSON.stringify, but with the digits of bigints as bare numbers, and what has a
 * plain form (`asPlain`) in that.
 */
export const writeJson = (value: unknown): string => write(value, REST) ?? 'null';

/** The same with bigints as strings, as GraphQL writes them: browsers read bare numbers to 2^53 only. */
export const writeGraphJson = (value: unknown): string => write(value, GRAPH) ?? 'null';
