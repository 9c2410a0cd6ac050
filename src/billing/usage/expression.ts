import { gathered, invalid } from '../errors.ts';
import { Decimal, decimalText } from '../money/decimal.ts';
import type { Instant } from '../period/calendar.ts';
import { type Expression, readExpression } from './expression-syntax.ts';
import { decimalOf, isMembers, textOf } from './value.ts';

/** What an expression sees of an event. */
export interface ExpressionEvent {
  readonly code: string;
  readonly timestamp: Instant;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** An expression that has no value for an event; the message says why, in the words that clients know. */
export class ExpressionFault extends Error {
  override readonly name = 'ExpressionFault';
}

type Value = Decimal | string;

// So many digits a value has before the point, and so many are kept in all: what a decimal of the rules holds.
const TOO_LARGE = new Decimal('1e60');
const MOST_PLACES = 60;

const fault = (message: string) => new ExpressionFault(message);

function bounded(value: Decimal): Decimal {
  if (value.isNaN() || value.abs().gte(TOO_LARGE)) throw fault('Number out of range');
  return value;
}

function asDecimal(value: Value): Decimal {
  const decimal = typeof value === 'string' ? decimalOf(value) : value;
  if (!decimal) throw fault('Expected a decimal');
  return bounded(decimal);
}

const asText = (value: Value) => (typeof value === 'string' ? value : value.toFixed());

function propertyOf({ properties }: ExpressionEvent, name: string): Value {
  const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const text = textOf(value);
  if (text === null) throw fault(`Variable: ${name} not found`);
  return text;
}

function places(value: Decimal | undefined): number {
  const number = value?.toNumber() ?? 0;
  if (!Number.isInteger(number) || Math.abs(number) > MOST_PLACES) throw fault('Expected a number of digits');
  return number;
}

const ROUNDINGS = { round: Decimal.ROUND_HALF_UP, ceil: Decimal.ROUND_CEIL, floor: Decimal.ROUND_FLOOR } as const;

function rounded(kind: keyof typeof ROUNDINGS, value: Decimal, digits: number): Decimal {
  if (digits >= 0) return value.toDecimalPlaces(digits, ROUNDINGS[kind]);
  const unit = new Decimal(10).pow(-digits);
  return bounded(value.div(unit).toDecimalPlaces(0, ROUNDINGS[kind]).times(unit));
}

function quotient(left: Decimal, right: Decimal): Decimal {
  if (right.isZero()) throw fault('Division by zero');
  return left.div(right);
}

function resultOf(expression: Expression, event: ExpressionEvent): Value {
  const decimal = (one: Expression) => asDecimal(resultOf(one, event));
  switch (expression.kind) {
    case 'number':
    case 'text':
      return expression.value;
    case 'code':
      return event.code;
    case 'timestamp':
      return new Decimal(Math.floor(event.timestamp / 1000));
    case 'property':
      return propertyOf(event, expression.name);
    case 'negative':
      return decimal(expression.of).negated();
    case '+':
      return bounded(decimal(expression.left).plus(decimal(expression.right)));
    case '-':
      return bounded(decimal(expression.left).minus(decimal(expression.right)));
    case '*':
      return bounded(decimal(expression.left).times(decimal(expression.right)));
    case '/':
      return bounded(quotient(decimal(expression.left), decimal(expression.right)));
    case 'concat':
      return expression.arguments.map((one) => asText(resultOf(one, event))).join('');
    case 'least':
      return Decimal.min(...expression.arguments.map(decimal));
    case 'greatest':
      return Decimal.max(...expression.arguments.map(decimal));
    default: {
      const [value, digits] = expression.arguments;
      if (!value) throw fault('Expected a decimal');
      return rounded(expression.kind, decimal(value), places(digits && decimal(digits)));
    }
  }
}

/**
 * What an expression comes to for an event, as it is written into the event's property: numbers in plain notation with one
 * fractional digit at least ("3.0"), texts as they are. Throws an ExpressionFault where it has no value.
 */
export function evaluateExpression(expression: Expression, event: ExpressionEvent): string {
  const value = resultOf(expression, event);
  if (typeof value !== 'string') return decimalText(bounded(value));
  // A property that reads as a number is one, also where it is all there is.
  const number = expression.kind === 'property' ? decimalOf(value) : null;
  return number ? decimalText(bounded(number)) : value;
}

/** The metric of an event, as far as its value is computed. */
export interface ComputedMetric {
  readonly fieldName: string | null;
  readonly expression: string | null;
}

/**
 * The properties of an event with the one that its metric computes. A metric without a field or an expression leaves them as they
 * are; so does a text that is no expression, which only rows that were imported can have. Throws an ExpressionFault.
 */
export function withComputed(
  { fieldName, expression: source }: ComputedMetric,
  event: ExpressionEvent,
): ExpressionEvent['properties'] {
  const expression = fieldName !== null && source?.trim() ? readExpression(source) : undefined;
  if (fieldName === null || !expression) return event.properties;
  const computed = evaluateExpression(expression, event);
  // A member named __proto__ is a member like any other.
  return Object.assign(Object.create(null), event.properties, { [fieldName]: computed });
}

interface TriedEvent {
  readonly code?: string | null;
  readonly timestamp: Date;
  readonly properties?: unknown;
}

function triedSource(source: string | null | undefined) {
  if (source == null || source.trim() === '') throw invalid({ expression: ['value_is_mandatory'] });
  const expression = readExpression(source);
  if (!expression) throw invalid({ expression: ['invalid_expression'] });
  return expression;
}

function triedEvent(event: TriedEvent | null | undefined) {
  if (!event) throw invalid({ event: ['invalid_event'] }, { event: { reason: 'there is none' } });
  const properties = event.properties ?? {};
  if (!isMembers(properties)) {
    throw invalid({ event: ['invalid_event'] }, { event: { reason: 'its properties are no object' } });
  }
  return { code: event.code ?? '', timestamp: event.timestamp.getTime(), properties };
}

/**
 * What an expression that is tried comes to. Throws `expression: ['value_is_mandatory' or 'invalid_expression']` for what is none,
 * and `event: ['invalid_event']` where there is no event or it gives the expression no value.
 */
export function tryExpression(source: string | null | undefined, event: TriedEvent | null | undefined): string {
  const [expression, tried] = gathered([() => triedSource(source), () => triedEvent(event)]);
  try {
    return evaluateExpression(expression, tried);
  } catch (error) {
    throw error instanceof ExpressionFault
      ? invalid({ event: ['invalid_event'] }, { event: { reason: error.message } })
      : error;
  }
}
