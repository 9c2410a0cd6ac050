import { type GraphQLInputType, isLeafType, isScalarType } from 'graphql';

const WHOLE = /^-?\d{1,15}$/;

const EXPONENT = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/;

/** A number's digits, never with an exponent: 1e21 and 1e-7 are written out. */
function digitsOf(value: number | bigint): string {
  const text = String(value);
  const [, sign = '', whole = '', part = '', exponent] = EXPONENT.exec(text) ?? [];
  if (exponent === undefined) return text;
  const point = whole.length + Number(exponent);
  return point > 0 ? `${sign}${(whole + part).padEnd(point, '0')}` : `${sign}0.${'0'.repeat(-point)}${whole}${part}`;
}

/**
 * Casts that existing clients of the REST API rely on: a number where a text belongs is its digits, digits where a whole number
 * belongs are the number, and an empty text where anything but a text belongs says nothing. What may be any JSON, and true and
 * false, are taken as they are: a text for one of the latter could mean either. Source: behaviour 1.6.
 */
export function cast(type: GraphQLInputType, value: unknown): unknown {
  if (!isLeafType(type) || (isScalarType(type) && type.name === 'JSON')) return value;
  const isText = type.name === 'String' || type.name === 'ID' || type.extensions.isText === true;
  if (isText) return typeof value === 'number' || typeof value === 'bigint' ? digitsOf(value) : value;
  if (value === '') return null;
  return type.name === 'Int' && typeof value === 'string' && WHOLE.test(value) ? Number(value) : value;
}
