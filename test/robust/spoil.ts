import fc from 'fast-check';

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Texts of JSON, or nearly, that a client should not have sent: no type a member has accepts all of them. */
export const JUNK: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1', '1.5', '""', '" "', '"x"', '[]', '{}', '[null]', '[[]]', '[{}]'],
  ...['1e308', '-1e400', '1e999999999', '1e-999999999', '9223372036854775808', '123456789012345678901234567890.5'],
  ...['"1e400"', '"1e-400"', '"NaN"', '"Infinity"', '"-0.0"', '"0x10"', '"1_000"', '"١٢"', '"1,5"'],
  ...['"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u202e"', '"😀"', '"e\\u0301"', '"\\ufeff"', '{"\\u0000":1}'],
  ...['{"__proto__":{"a":1}}', '"__proto__"', '{"constructor":{"prototype":{}}}', '{"toString":1}', '{"a":1,"a":2}'],
  ...['"2026-02-30"', '"2026-13-01T00:00:00Z"', '"0000-00-00"', '"+275760-09-13T00:00:00Z"', '"-1"', '"Mars/Base"'],
  ...[
    '["x","x"]',
    '[1,2,3]',
    '{"amount":null}',
    '{"graduated_ranges":null}',
    '{"graduated_ranges":[{}]}',
    '{"amount":{}}',
  ],
  ...[
    '{"amount":"-1"}',
    '{"amount":"1e999999"}',
    '{"values":[]}',
    '{"region":"eu"}',
    '{"region":[]}',
    '{"region":[{}]}',
  ],
  ...['"\'; DROP TABLE wallets; --"', '"%s%n"', '"../../etc/passwd"', '"<script>"', 'undefined', 'NaN', "'x'"],
  ...['01', '+1', '.5', '1.', '"\n"', '"\\x"', '"\\u12"', '[1,]', '{"a":1,}', '{a:1}', '/**/1', deep(40), deep(3000)],
  ...[
    `"${'z'.repeat(5000)}"`,
    `"${'9'.repeat(400)}"`,
    '9'.repeat(400),
    `"0.${'0'.repeat(400)}1"`,
    `"${'é'.repeat(256)}"`,
  ],
  `[${'{},'.repeat(300)}{}]`,
  `{${Array.from({ length: 60 }, (_, index) => `"k${index}":"v"`).join(',')}}`,
];

/** Puts a text of JSON at a place of a value, or breaks the value there in another way. The picks choose place and way. */
function spoilt(value: unknown, [pick = 0, ...rest]: readonly number[], junk: string): string {
  if (typeof value !== 'object' || value === null) return junk;
  const entries = Object.entries(value);
  if (entries.length === 0 || pick % 6 === 0) return junk;
  const index = pick % entries.length;
  const parts = entries.map(([key, item], at) => {
    const text = at === index ? spoilt(item, rest, junk) : JSON.stringify(item);
    return Array.isArray(value) ? text : `${JSON.stringify(key)}:${text}`;
  });
  const way = Math.floor(pick / 7) % 8;
  if (way === 0) parts.splice(index, 1);
  if (way === 1) parts.push(parts[index] ?? junk);
  if (way === 2) parts.push(Array.isArray(value) ? junk : `"__proto__":${junk}`);
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** Chooses a place, and a way to spoil it. */
export const pick = fc.nat({ max: 5039 });

/** JSON texts near a valid value: most differ from it in one place, some are broken, some are no JSON at all. `odd` is put there too. */
export const bodyNear = (valid: unknown, odd: readonly string[] = []): fc.Arbitrary<string> => {
  const text = JSON.stringify(valid);
  const picks = fc.array(pick, { minLength: 6, maxLength: 6 });
  const junk = { weight: 4, arbitrary: fc.constantFrom(...JUNK) };
  const near = fc
    .tuple(picks, odd.length > 0 ? fc.oneof(junk, { weight: 1, arbitrary: fc.constantFrom(...odd) }) : junk.arbitrary)
    .map(([places, junk]) => spoilt(valid, [1 + (places[0] ?? 0), ...places.slice(1)], junk));
  const cut = fc.nat({ max: text.length }).map((length) => text.slice(0, length));
  return fc.oneof(
    { weight: 14, arbitrary: near },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: fc.constantFrom(...JUNK) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', `${text}${text}`, `\ufeff${text}`, `${text}\0`, text) },
  );
};

const SEGMENTS = [
  ...['%00', 'a%00b', '%', '%zz', '%c3', '%ed%a0%80', '%f0%9f%98%80', '.', '..', '%2e%2e', '%2F', 'a%2Fb', '%252F'],
  ...['null', 'undefined', '0', '-1', '__proto__', 'constructor', '%27%20OR%201%3D1%20--', '*', '%25', '%E2%80%AE', ''],
  ...['00000000-0000-0000-0000-000000000000', '7D0F5A34-1B1E-4C57-9A52-000000000010', 'a'.repeat(3000), '%20', ';x=1'],
  ...['{7d0f5a34-1b1e-4c57-9a52-000000000010}', '7d0f5a341b1e4c579a52000000000010', 'x.json', 'caf%C3%A9', 'a+b'],
];
const QUERIES = [
  ...['?', '?x', '?=&&=', '?%', '?a[b][c]=1', '?__proto__=1', '?page=0', '?page=-1', '?page=99999999999999999999'],
  ...['?page=1e3', '?page=%00', '?per_page=0', '?per_page=x', '?per_page=2147483648', '?page[]=1', '?page=2&page=3'],
  ...['?payment_status=nope', '?payment_status=', '?payment_status=%00', '?payment_status=__proto__', '?status=nope'],
  ...['?status=', '?status=pending', '?status=active&status=x', '?status[]=active', '?billing_entity_codes[]=nope'],
  ...['?billing_entity_codes[]=%00', '?billing_entity_codes[]=', '?billing_entity_codes=acme.fr', '?status=%ff'],
  ...['?billing_entity_codes[]=acme.fr&billing_entity_codes[]=acme.fr', `?q=${'x'.repeat(4000)}`, '?status=%ED%A0%80'],
];

/** Addresses near a valid one: the segments before `fixed` stay as they are. */
export const pathNear = (valid: string): fc.Arbitrary<string> => {
  const segments = valid.split('/');
  const other = fc
    .tuple(fc.nat({ max: 50 }), fc.constantFrom(...SEGMENTS))
    .map(([at, segment]) => segments.with(2 + (at % (segments.length - 2)), segment).join('/'));
  const path = segments.length > 2 ? other : fc.constant(valid);
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(valid) },
    { weight: 2, arbitrary: path },
    { weight: 2, arbitrary: fc.constantFrom(...QUERIES).map((query) => valid + query) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(`${valid}/`, `/${valid}`, `${valid}/x`, valid.toUpperCase(), `${valid}//`),
    },
  );
};

const CONTENT_TYPES = [
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x', ''],
  ...[
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset="',
    '*/*',
    'a/b/c',
  ],
];
const ODD_HEADERS: readonly Record<string, string>[] = [
  ...CONTENT_TYPES.map((type) => ({ 'Content-Type': type })),
  ...['text/html', 'application/xml', ';q=x', '*/*;q=0', 'application/graphql-response+json'].map((Accept) => ({
    Accept,
  })),
  ...['', 'Bearer', 'Bearer ', 'Basic eDp5', 'Bearer \u00e9', `Bearer ${'k'.repeat(4000)}`, 'bearer x y'].map(
    (Authorization) => ({ Authorization }),
  ),
  ...['', ' ', 'k', 'k'.repeat(300), '\u00e9', '{}', '__proto__'].map((key) => ({ 'Idempotency-Key': key })),
  { 'Content-Encoding': 'gzip' },
  { 'Content-Length': '99999999999' },
  { 'Content-Length': 'x' },
  { 'X-HTTP-Method-Override': 'DELETE' },
  { 'X-Request-Id': 'x'.repeat(4000) },
  { Origin: 'null' },
];

/** Headers that most requests do not have. */
export const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD_HEADERS) },
);
