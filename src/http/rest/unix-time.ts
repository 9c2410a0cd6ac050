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

/** A body in which the named members hold Unix seconds, at any depth but in the properties of events, with them as ISO 8601. */
export function withTimes(body: unknown, names: readonly string[]): unknown {
  if (Array.isArray(body)) return body.map((item) => withTimes(item, names));
  if (!isMembers(body)) return body;
  const read: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(body)) {
    if (names.includes(name)) read[name] = readTime(value);
    else read[name] = name === 'properties' ? value : withTimes(value, names);
  }
  return read;
}
