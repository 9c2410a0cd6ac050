import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpressionFault, evaluateExpression, withComputed } from '../../../src/billing/usage/expression.ts';
import { readExpression } from '../../../src/billing/usage/expression-syntax.ts';

const EVENT = {
  code: 'api_calls',
  timestamp: Date.parse('2026-03-04T05:06:07.890Z'),
  properties: { a: '1', b: 2, half: '0.5', word: 'blue', long: '0.1234567890123456789', no: null, yes: true, e: 1e-7 },
};

function resultOf(source: string) {
  const expression = readExpression(source);
  if (!expression) throw new Error(`no expression: ${source}`);
  return evaluateExpression(expression, EVENT);
}

test.each([
  ['1 + 2', '3.0'],
  ['1+2*3', '7.0'],
  ['(1+2)*3', '9.0'],
  ['7 - 2 - 1', '4.0'],
  ['8 / 4 / 2', '1.0'],
  ['-2 * -3', '6.0'],
  ['--2', '2.0'],
  ['2 - -3', '5.0'],
  ['0.1 + 0.2', '0.3'],
  ['event.properties.a + event.properties.b', '3.0'],
  ['event.properties.long * 10', '1.234567890123456789'],
  ['event.properties.e', '0.0000001'],
  ['event.properties.a', '1.0'],
  ['event.properties.word', 'blue'],
  ['event.timestamp', '1772600767.0'],
  ['event.code', 'api_calls'],
  ["concat(event.code, '-', event.properties.word, '-', 1 + 1)", 'api_calls-blue-2'],
  ["concat('1', '2')", '12'],
  ["concat('1', '2') + 1", '13.0'],
  ['concat(event.properties.yes)', 'true'],
  ["'it''", undefined],
  ["''", ''],
  ['round(2.5)', '3.0'],
  ['round(-2.5)', '-3.0'],
  ['round(2.345, 2)', '2.35'],
  ['round(1250, -2)', '1300.0'],
  ['round(1249, 0 - 2)', '1200.0'],
  ['ceil(2.1)', '3.0'],
  ['ceil(-2.1)', '-2.0'],
  ['ceil(1201, -2)', '1300.0'],
  ['floor(2.9)', '2.0'],
  ['floor(-2.1)', '-3.0'],
  ['FLOOR(2.9)', '2.0'],
  ['Floor(2.9)', '2.0'],
  ['fLOOR(2.9)', undefined],
  ['least(3, event.properties.a, 2)', '1.0'],
  ['greatest(3)', '3.0'],
  ['GREATEST(0 - 1, -0.5)', '-0.5'],
  ['0 * -1', '0.0'],
  ['round(1, 2, 3)', undefined],
  ['round()', undefined],
  ['1 +', undefined],
  ['+1', undefined],
  ['1e5', undefined],
  ['.5', undefined],
  ['1.', undefined],
  ['a', undefined],
  ['event.properties', undefined],
  ['event.properties.a.b', undefined],
  ['event.properties.1a', undefined],
  ['event.id', undefined],
  ['1\n+ 2', undefined],
  ['"text"', undefined],
  ['(1', undefined],
  ['1)', undefined],
  ['1, 2', undefined],
  ['', undefined],
  ['constructor(1)', undefined],
  ['process.exit(1)', undefined],
])('%s is %s', (source, value) => {
  if (value === undefined) expect(readExpression(source)).toBeUndefined();
  else expect(resultOf(source)).toBe(value);
});

test.each([
  ['event.properties.missing + 1', 'Variable: missing not found'],
  ['event.properties.no', 'Variable: no not found'],
  ['event.properties.constructor', 'Variable: constructor not found'],
  ['event.properties.word + 1', 'Expected a decimal'],
  ['round(event.properties.word)', 'Expected a decimal'],
  ['event.properties.yes * 1', 'Expected a decimal'],
  ['1 / 0', 'Division by zero'],
  ['1 / (event.properties.a - 1)', 'Division by zero'],
  ['round(1, 0.5)', 'Expected a number of digits'],
  ['round(1, 1000)', 'Expected a number of digits'],
  [`${'9'.repeat(60)} * 10`, 'Number out of range'],
  ['9'.repeat(61), 'Number out of range'],
])('%s has no value: %s', (source, message) => {
  expect(() => resultOf(source)).toThrow(new ExpressionFault(message));
});

describe('bounds', () => {
  test('an expression has 4096 characters at most', () => {
    expect(readExpression(`1${' '.repeat(4095)}`)).toBeDefined();
    expect(readExpression(`1${' '.repeat(4096)}`)).toBeUndefined();
  });

  test('and 100 levels, in parentheses, signs, calls and rows of operators', () => {
    const shapes = [
      (n: number) => '('.repeat(n) + 1 + ')'.repeat(n),
      (n: number) => `${'-'.repeat(n)}1`,
      (n: number) => 'ceil('.repeat(n) + 1 + ')'.repeat(n),
      (n: number) =>
        Array(n + 1)
          .fill('1')
          .join('+'),
    ];
    for (const shape of shapes) {
      expect(readExpression(shape(100))).toBeDefined();
      expect(readExpression(shape(101))).toBeUndefined();
      expect(readExpression(shape(2000))).toBeUndefined();
    }
  });
});

test('any text is read or refused, and any expression has a value or a fault', () => {
  const parts = ['1', '2.50', "'x'", 'event.code', 'event.timestamp', 'event.properties.a', 'event.properties.word'];
  const signs = ['+', '-', '*', '/', '(', ')', ',', ' ', 'round(', 'concat(', 'least(', "'", '.', 'e'];
  const text = fc.array(fc.constantFrom(...parts, ...signs), { maxLength: 12 }).map((all) => all.join(''));
  let read = 0;
  fc.assert(
    fc.property(text, (source) => {
      const expression = readExpression(source);
      if (!expression) return;
      read += 1;
      try {
        expect(typeof evaluateExpression(expression, EVENT)).toBe('string');
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionFault);
      }
    }),
    { numRuns: 5000, seed: 7 },
  );
  expect(read).toBeGreaterThan(200);
});

describe('the property that a metric computes', () => {
  const metric = { fieldName: 'total', expression: 'event.properties.a + event.properties.b' };

  test('stands over the one that was sent', () => {
    const properties = { ...EVENT.properties, total: 17 };
    expect(withComputed(metric, { ...EVENT, properties })).toEqual({ ...properties, total: '3.0' });
  });

  test('is none without a field, and without an expression', () => {
    for (const other of [{ fieldName: null }, { expression: null }, { expression: ' ' }, { expression: 'nonsense' }]) {
      expect(withComputed({ ...metric, ...other }, EVENT)).toBe(EVENT.properties);
    }
  });

  test('may have any name', () => {
    const computed = withComputed({ ...metric, fieldName: '__proto__' }, EVENT);
    expect(JSON.parse(JSON.stringify(computed))).toEqual(
      JSON.parse(`{"__proto__":"3.0",${JSON.stringify(EVENT.properties).slice(1)}`),
    );
  });
});
