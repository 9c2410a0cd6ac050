import { assertScalarType, parseValue } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema.ts';

const bigInt = assertScalarType(schema.getType('BigInt'));

describe.each([
  ['a value', (text: string) => bigInt.parseValue(text)],
  ['a literal', (text: string) => bigInt.parseLiteral(parseValue(text), {})],
  ['a text as a literal', (text: string) => bigInt.parseLiteral(parseValue(`"${text}"`), {})],
])('%s', (_name, read) => {
  it.each(['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'])('%s is read', (text) => {
    expect(read(text)).toBe(BigInt(text));
  });

  it.each([
    ['9223372036854775808', 'BigInt: more than 64 bits'],
    ['-9223372036854775809', 'BigInt: more than 64 bits'],
    ['99999999999999999999', 'BigInt: more than 64 bits'],
    ['9'.repeat(1500), 'BigInt: more than 64 bits'],
    ['1.0', 'BigInt: an integer is needed'],
    ['1e3', 'BigInt: an integer is needed'],
  ])('%.20s is refused: %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
