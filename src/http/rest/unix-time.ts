const SECONDS = /^-?\d{1,13}(?:\.\d{1,20})?$/;
const FOUR_DIGITS = /^(?!0000)\d{4}-/;

// What no type takes for a moment: it is refused with all else that does not fit.
const NO_TIME = false;

// Within a millisecond of 0 a number is written with an exponent.
const digitsOf = (value: number | bigint) => (Math.abs(Number(value)) < 0.001 ? '0' : String(value));

/** Unix seconds, a number or digits with or without a fraction, as ISO 8601; what is finer than a millisecond is cut. */
function momentOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? digitsOf(value) : value;
  if (typeof text !== 'string' || !SECONDS.test(text)) return undefined;
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  // By its digits: 1.005 times 1000 is less than 1005.
  const most = Number(whole + part.slice(0, 3).padEnd(3, '0'));
  const moment = new Date(text.startsWith('-') ? -most : most);
  const iso = Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
  return FOUR_DIGITS.test(iso) ? iso : undefined;
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readTime = (value: unknown) => (value === null ? null : (momentOf(value) ?? NO_TIME));

/** A body in which the member at a place (`events.timestamp`, of each object where it leads through a list) holds Unix seconds, with it as ISO 8601. */
export function withTime(body: unknown, place: string): unknown {
  if (Array.isArray(body)) return body.map((item) => withTime(item, place));
  const [name = '', ...below] = place.split('.');
  if (!isMembers(body) || !Object.hasOwn(body, name)) return body;
  const value = below.length > 0 ? withTime(body[name], below.join('.')) : readTime(body[name]);
  return Object.assign(Object.create(null), body, { [name]: value });
}
