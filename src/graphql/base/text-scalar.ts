import { GraphQLError, Kind } from 'graphql';
import { builder } from './builder.ts';

// What a text means is told by its type; what it must be is asked by the rule that reads it, which REST shares with its own codes and
// order. So what is stored fails no query, whatever it is.

interface TextScalar {
  readonly description: string;
  readonly specifiedByURL?: string;
}

const SCALARS = {
  CountryCode: {
    description: 'A country by its alpha-2 code of ISO 3166-1, for example "DE".',
    specifiedByURL: 'https://www.iso.org/iso-3166-country-codes.html',
  },
  TimeZone: {
    description: 'A time zone by its name in the IANA database, for example "Europe/Berlin".',
    specifiedByURL: 'https://www.iana.org/time-zones',
  },
  Locale: {
    description:
      'A language by its tag of BCP 47, for example "pt-BR": two letters of ISO 639-1, then maybe a script and a country. Capitals and small letters are one.',
    specifiedByURL: 'https://www.rfc-editor.org/info/bcp47',
  },
  URL: {
    description: 'An address of the web, for example "https://example.com/logo.png".',
    specifiedByURL: 'https://url.spec.whatwg.org/',
  },
  EmailAddress: {
    description: 'An e-mail address, for example "ada@example.com".',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc5322#section-3.4.1',
  },
  DateOrDateTime: {
    description:
      'A date, which means its first moment in UTC, or a moment, of ISO 8601: "2026-01-31" or "2026-01-31T09:00:00+02:00". What has no ' +
      'offset is UTC.',
    specifiedByURL: 'https://www.iso.org/iso-8601-date-and-time-format.html',
  },
} as const satisfies Readonly<Record<string, TextScalar>>;

/** The type of a text whose meaning the contract says. */
export type TextScalarName = keyof typeof SCALARS;

function define(name: TextScalarName, { description, specifiedByURL }: TextScalar): void {
  const read = (value: unknown, place = {}): string => {
    if (typeof value === 'string') return value;
    throw new GraphQLError(`${name}: a string is needed`, { ...place, extensions: { code: 'validation_errors' } });
  };
  builder.scalarType(name, {
    description,
    specifiedByURL,
    extensions: { isText: true },
    serialize: (value) => value,
    parseValue: (value) => read(value),
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined, { nodes: node }),
  });
}

for (const [name, scalar] of Object.entries(SCALARS)) define(name as TextScalarName, scalar);

const OF_COLUMNS: Readonly<Record<string, TextScalarName>> = {
  country: 'CountryCode',
  shippingCountry: 'CountryCode',
  timezone: 'TimeZone',
  documentLocale: 'Locale',
  url: 'URL',
  logoUrl: 'URL',
  webhookUrl: 'URL',
  paymentUrl: 'URL',
  email: 'EmailAddress',
};

/** The type of a column of text by its name, where its meaning has one. */
export const textScalarOf = (column: string): TextScalarName | undefined => OF_COLUMNS[column];
