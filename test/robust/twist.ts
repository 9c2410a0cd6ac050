import fc from 'fast-check';
import { JUNK, pick } from './spoil.ts';

/** Texts and numbers of the right type that a rule has to look at. */
export const ODD_TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1',
    '-0',
    '0.1',
    '1e3',
    '1.50',
    '00012',
    '99999999999999999999',
    '0.00000000000000000001',
    '1e308',
  ],
  ...[
    '2147483648',
    '9223372036854775807',
    '9223372036854775808',
    `${'9'.repeat(60)}.${'9'.repeat(60)}`,
    'x'.repeat(255),
  ],
  ...[
    'x'.repeat(256),
    'é'.repeat(3000),
    'eur',
    'EUR',
    'JPY',
    'XXX',
    'CLF',
    'BHD',
    'DE',
    'ZZ',
    'Europe/Dublin',
    'Mars/Base',
  ],
  ...['2026-06-15', '2026-02-30', '2024-02-29T23:59:59.999999Z', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'],
  ...[
    '1969-12-31T23:59:59Z',
    '2026-03-29T02:30:00+01:00',
    '2026-12-31T23:59:60Z',
    '1582-10-10',
    '-271821-04-20T00:00:00Z',
  ],
  ...[
    '__proto__',
    'constructor',
    '%',
    '_',
    '\\',
    '$1',
    '{{x}}',
    '\u202e',
    '\ufeff',
    '\u2028',
    '👩‍👩‍👧‍👦',
    '١٢',
    '__ALL_FILTER_VALUES__',
  ],
  ...[
    'standard',
    'graduated',
    'percentage',
    'dynamic',
    'custom',
    'monthly',
    'yearly',
    'active',
    'terminated',
    'pending',
  ],
];
const ODD_NUMBERS: readonly string[] = [
  ...[
    '0',
    '-0',
    '-1',
    '1',
    '2',
    '100',
    '101',
    '1000000',
    '2147483647',
    '2147483648',
    '-2147483649',
    '9007199254740993',
  ],
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '1e21',
    '0.1',
    '1e-7',
    '1.0',
    '3600',
    '99999999999',
  ],
  ...['0.000000000000000000000000000001', '253402300800', '-62135596801', '1e15', '123456789.123456789123456789'],
];

/** A value of which one place is another of its own type: what passes the types, so that rules decide. */
function twisted(value: unknown, [pick = 0, ...rest]: readonly number[], odd: readonly string[]): string {
  const among = (texts: readonly string[]) => texts[pick % texts.length] ?? '';
  if (typeof value === 'string') {
    const at = pick % (ODD_TEXTS.length + odd.length);
    return at < ODD_TEXTS.length ? JSON.stringify(ODD_TEXTS[at]) : (odd[at - ODD_TEXTS.length] ?? '');
  }
  if (typeof value === 'number') return among(ODD_NUMBERS);
  if (typeof value === 'boolean') return JSON.stringify(!value);
  if (typeof value !== 'object' || value === null)
    return among([...JUNK.slice(0, 6), '"x"', '"EUR"', '"1"', '{}', '[]']);
  const entries = Object.entries(value);
  if (entries.length === 0) return Array.isArray(value) ? '["x"]' : '{"x":"y"}';
  const index = pick % entries.length;
  const parts = entries.map(([key, item], at) => {
    const text = at === index ? twisted(item, rest, odd) : JSON.stringify(item);
    return Array.isArray(value) ? text : `${JSON.stringify(key)}:${text}`;
  });
  const way = Math.floor(pick / 7) % 10;
  if (way === 0) parts.splice(index, 1);
  if (way === 1) parts.push(parts[(index + 1) % parts.length] ?? '');
  if (way === 2 && Array.isArray(value)) parts.push(...Array.from({ length: 120 }, () => JSON.stringify(value[index])));
  if (way === 3) parts.splice(0, parts.length, parts[index] ?? '');
  if (way === 4) parts.splice(index, 1, Array.isArray(value) ? 'null' : `${JSON.stringify(entries[index]?.[0])}:null`);
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** Bodies whose members have the right types: of a valid one, with one to three places that are others. */
export const bodyBeside = (valid: unknown, odd: readonly string[] = []): fc.Arbitrary<string> => {
  const picks = fc.array(pick, { minLength: 8, maxLength: 8 });
  return fc.array(picks, { minLength: 1, maxLength: 3 }).map((all) => {
    let text = JSON.stringify(valid);
    for (const places of all) {
      // A number with more digits than a double has is written as it is, and is there for good.
      text = twisted(JSON.parse(text), places, odd);
    }
    return text;
  });
};
