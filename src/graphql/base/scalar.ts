import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { dec, decimalText, isHeldByNumber } from '../../billing/money/decimal.ts';
import { formatDate, tryParseDate, tryParseInstant } from '../../billing/period/calendar.ts';
import { readUuid } from '../../store/database/uuid.ts';
import { builder, type DecimalValue } from './builder.ts';

const MOST = 2n ** 63n - 1n;
const LONGEST = 40;

const refuse = (scalar: string, why: string): never => {
  throw new GraphQLError(`${scalar}: ${why}`, { extensions: { code: 'validation_errors' } });
};

/** Reads a literal; what is refused says where it stands. */
function located<T>(node: ValueNode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw new GraphQLError(error.message, { nodes: node, extensions: error.extensions });
  }
}

function readBigInt(value: unknown): bigint {
  const isInteger =
    typeof value === 'bigint' ||
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && /^-?\d+$/.test(value));
  if (!isInteger) return refuse('BigInt', 'an integer is needed');
  // Digits beyond number are not read: it takes the longer the more there are.
  const integer = String(value).length > LONGEST ? MOST + 1n : BigInt(value as bigint | number | string);
  return integer > MOST || integer < -MOST - 1n ? refuse('BigInt', 'more than 64 bits') : integer;
}

function readDecimal(value: unknown, scalar = 'Decimal'): string {
  // Numbers are read in the digits they mean: the language writes small and large ones with an exponent.
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  const text = isNumber ? dec(value).toFixed() : typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 100 || !/^-?\d+(\.\d+)?$/.test(text)) {
    return refuse(scalar, 'a decimal number in plain notation is needed');
  }
  return text;
}

const textOf = (value: DecimalValue) => decimalText(dec(typeof value === 'string' ? value : value.toFixed()));

function readDate(value: unknown): Date {
  const date = typeof value === 'string' ? tryParseDate(value) : undefined;
  return date ? new Date(`${formatDate(date)}T00:00:00Z`) : refuse('Date', 'a calendar date YYYY-MM-DD is needed');
}

function readDateTime(value: unknown, scalar = 'DateTime'): Date {
  const instant = typeof value === 'string' ? tryParseInstant(value) : undefined;
  return instant === undefined ? refuse(scalar, 'an ISO 8601 date-time with an offset is needed') : new Date(instant);
}

function literalText(node: ValueNode): unknown {
  return node.kind === Kind.INT || node.kind === Kind.FLOAT || node.kind === Kind.STRING ? node.value : undefined;
}

builder.scalarType('BigInt', {
  description:
    'A whole number of up to 64 bits (sums may have more), answered as a string with every digit, for example "1250". Taken as a ' +
    'string or a number. Every amount in minor units (`...Cents`) has this type, unless its name says `precise`.',
  // The writers of GraphQL and of REST write it in their own ways.
  serialize: (value) => BigInt(value),
  parseValue: readBigInt,
  parseLiteral: (node) => located(node, () => readBigInt(literalText(node))),
});

builder.scalarType('Decimal', {
  description: 'An exact decimal number as a string in plain notation, for example "12.5".',
  serialize: textOf,
  parseValue: (value) => readDecimal(value),
  parseLiteral: (node) => located(node, () => readDecimal(literalText(node))),
});

/** What the two wires write differently: GraphQL the digits as a text, REST the number. */
class ShownPercentage {
  constructor(private readonly text: string) {}

  toJSON(): string {
    return this.text;
  }

  asPlain(): number {
    return Number(this.text);
  }
}

builder.scalarType('Percentage', {
  description:
    'An exact percentage as a string in plain notation: "19.6" is 19.6 %, not a share of 0.196. Taken as a string or a number. Every ' +
    'rate of taxes, coupons and prices has this type.',
  serialize: (value) => new ShownPercentage(textOf(value)),
  parseValue: (value) => readDecimal(value, 'Percentage'),
  parseLiteral: (node) => located(node, () => readDecimal(literalText(node), 'Percentage')),
});

builder.scalarType('Date', {
  description: 'A calendar date, YYYY-MM-DD.',
  serialize: (value) => value.toISOString().slice(0, 10),
  parseValue: readDate,
  parseLiteral: (node) => located(node, () => readDate(literalText(node))),
});

builder.scalarType('DateTime', {
  description: 'A moment in UTC to the second, for example 2026-01-31T23:59:59Z.',
  serialize: (value) => `${value.toISOString().slice(0, 19)}Z`,
  parseValue: (value) => readDateTime(value),
  parseLiteral: (node) => located(node, () => readDateTime(literalText(node))),
});

builder.scalarType('PreciseDateTime', {
  description: 'A moment in UTC to the millisecond, for example 2026-01-31T23:59:59.250Z.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => readDateTime(value, 'PreciseDateTime'),
  parseLiteral: (node) => located(node, () => readDateTime(literalText(node), 'PreciseDateTime')),
});

// What has more digits than a number of the language holds would be changed without a word.
function readNumber(text: string, isInteger: boolean): unknown {
  const number = Number(text);
  if (!isInteger && !Number.isFinite(number)) return refuse('JSON', 'a number of this size cannot be held');
  if (isInteger) return Number.isSafeInteger(number) ? number : BigInt(text);
  return isHeldByNumber(text) ? number : refuse('JSON', 'a number of so many digits is written as a string');
}

/** A JSON value as it is written in a document; a variable in it is what it stands for, and null where it is not given. */
function readJson(node: ValueNode, variables: Record<string, unknown> | null | undefined): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return located(node, () => readNumber(node.value, node.kind === Kind.INT));
    case Kind.LIST:
      return node.values.map((value) => readJson(value, variables));
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, readJson(value, variables)]));
    case Kind.VARIABLE:
      return variables?.[node.name.value] ?? null;
    case Kind.NULL:
      return null;
    default:
      return node.value;
  }
}

builder.scalarType('JSON', {
  description: 'A JSON value. Prices and amount details have the member names of the REST interface.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: readJson,
});

const readIdentifier = (value: unknown): string =>
  typeof value === 'string' ? readUuid(value) : refuse('UUID', 'a string is needed');

builder.scalarType('UUID', {
  description: 'An identifier assigned by the service.',
  serialize: (value) => value,
  parseValue: readIdentifier,
  parseLiteral: (node) => located(node, () => readIdentifier(node.kind === Kind.STRING ? node.value : undefined)),
});
